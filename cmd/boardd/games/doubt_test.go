// SPDX-License-Identifier: Apache-2.0

package games

import (
	"slices"
	"strings"
	"testing"

	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sync/trust"
)

// TestSettleForged: south contradicts itself, as a board does that got an old backup back. Then the broker sends
// another game in its name. Whoever now gives way to south gets what south has signed, and not that game.
func TestSettleForged(t *testing.T) {
	for name, sign := range map[string]func(d *duel, h *game.RemoteGame) table.Seals{
		"not signed":  func(*duel, *game.RemoteGame) table.Seals { return table.Seals{} },
		"another key": func(d *duel, h *game.RemoteGame) table.Seals { return d.sealed(h, d.evil) },
	} {
		d := newDuel(t, 1)
		d.play()
		d.carry(d.north.Receive(d.now, clone(d.said[len(d.said)-1])))
		before := d.north.Game().Coords()
		other := clone(d.said[len(d.said)-1])
		for slices.Equal(other.Game.Moves, before) {
			other.Game.Moves = other.Game.Moves[:1]
			d.extend(&other.Game, 1)
		}
		other.Seals = d.sealed(&other.Game, d.keys)
		if d.carry(d.north.Receive(d.now, other)); d.north.Conflict().English == "" {
			t.Fatal("south contradicts itself, and nothing is said of it")
		}
		forged := clone(other)
		forged.Game.ID = table.Automatic + "z"
		forged.Seals = sign(d, &forged.Game)
		d.carry(d.north.Receive(d.now, forged))
		err := d.settle()
		if g := d.north.Game(); err != nil || g.ID() != played || !slices.Equal(g.Coords(), other.Game.Moves) {
			t.Errorf("%s: somebody gave way to south (error %v), and game %s %v counts, want %v", name, err, g.ID(),
				g.Coords(), other.Game.Moves)
		}
	}
}

// TestDoubtEnds: the broker wrote in south's name, and that is shown. It is shown no more once south itself is heard,
// even about another game that is newer. It stays while nothing is heard but what nobody has signed, or an older game.
func TestDoubtEnds(t *testing.T) {
	d := newDuel(t, 1)
	d.play()
	forged := clone(d.said[len(d.said)-1])
	forged.Seals = d.sealed(&forged.Game, d.evil)
	if d.carry(d.north.Receive(d.now, forged)); d.north.Conflict().English == "" {
		t.Fatal("a message by another key, and nothing is said of it")
	}
	other := clone(forged)
	other.Game.ID, other.Seals = table.Automatic+"z", table.Seals{}
	other.Game.White, other.Game.Black = "local", "local"
	if d.carry(d.north.Receive(d.now, other)); d.north.Conflict().English == "" {
		t.Error("what nobody has signed ends the doubt")
	}
	for _, c := range []struct {
		id   string
		ends bool
	}{{table.Automatic + "a", false}, {table.Automatic + "z", true}} {
		other = clone(forged)
		other.Game.ID, other.Game.White = c.id, "local"
		other.Seals = d.sealed(&other.Game, d.keys)
		d.carry(d.north.Receive(d.now, other))
		if text := d.north.Conflict().English; (text == "") != c.ends {
			t.Errorf("south itself plays game %s, and it is said %q", c.id, text)
		}
	}
}

// TestDoubtStays: north asks its people whether a new key is south's. The broker sends anything that south has said
// before, and what it can make of it. The question stays until south says more by the key that is known.
func TestDoubtStays(t *testing.T) {
	for name, answer := range map[string]func(d *duel, old table.Message) table.Message{
		"an old message": func(_ *duel, old table.Message) table.Message { return old },
		"an old one with seats that nobody holds": func(_ *duel, old table.Message) table.Message {
			old.Game.White, old.Game.Black, old.Seals = game.Engine, game.Engine, table.Seals{}
			return old
		},
		"an old one with another move of north's": func(d *duel, old table.Message) table.Message {
			d.extend(&old.Game, 1)
			return old
		},
		"an old one with what south did not sign": func(d *duel, old table.Message) table.Message {
			d.extend(&old.Game, 2)
			return old
		},
		"an old one about an older game": func(d *duel, old table.Message) table.Message {
			old.Game.ID = table.Automatic + "a"
			old.Seals = d.sealed(&old.Game, d.keys)
			return old
		},
	} {
		d := startDuel(t, 1, false)
		for range 3 {
			d.play()
			d.hear()
		}
		question := func() bool { return strings.Contains(d.north.Conflict().English, "signed by the key") }
		forged := clone(d.said[len(d.said)-1])
		forged.Seals = d.sealed(&forged.Game, d.evil)
		if d.carry(d.north.Receive(d.now, forged)); !question() {
			t.Fatalf("%s: a message by another key, and north says %q", name, d.north.Conflict().English)
		}
		for i, old := range d.said {
			d.carry(d.north.Receive(d.now, answer(d, clone(old))))
			if !question() {
				t.Fatalf("%s, number %d of %d: the question is gone, north says %q", name, i+1, len(d.said),
					d.north.Conflict().English)
			}
		}
		d.play()
		if d.hear(); d.north.Conflict().English != "" {
			t.Errorf("%s: south has moved by its own key, and north says %q", name, d.north.Conflict().English)
		}
	}
}

// TestFormerKey: south has a new key, which north's people have confirmed. What south signed by the former one raises
// no question when it is sent again. A move by that key does.
func TestFormerKey(t *testing.T) {
	d := startDuel(t, 1, false)
	for range 3 {
		d.play()
		d.hear()
	}
	former := d.keys
	d.keys = d.evil
	d.speak()
	if d.hear(); d.north.Conflict().English == "" {
		t.Fatal("a new key, and nobody is asked")
	}
	if err := d.settle(); err != nil {
		t.Fatal(err)
	}
	d.play()
	d.hear()
	for i, old := range d.said {
		d.carry(d.north.Receive(d.now, clone(old)))
		if text := d.north.Conflict().English; text != "" {
			t.Fatalf("message %d is sent again, and north says %q", i+1, text)
		}
	}
	d.play()
	d.hear()
	if got := d.north.Game().Coords(); !slices.Equal(got, d.south.Coords()) {
		t.Errorf("north holds %v, want %v", got, d.south.Coords())
	}
	stolen := clone(d.said[len(d.said)-1])
	d.extend(&stolen.Game, 2)
	stolen.Seals = d.sealed(&stolen.Game, former)
	if d.carry(d.north.Receive(d.now, stolen)); !strings.Contains(d.north.Conflict().English, "signed by the key") {
		t.Errorf("a move by the former key, and north says %q", d.north.Conflict().English)
	}
}

// TestConflictStays: south contradicts itself, as a board does that got an old backup back. No older message of south
// makes that vanish, and whoever gives way takes over what south says now.
func TestConflictStays(t *testing.T) {
	d := newDuel(t, 1)
	for range 3 {
		d.play()
		d.hear()
	}
	other := clone(d.said[len(d.said)-1])
	other.Game.Moves = other.Game.Moves[:3]
	for len(other.Game.Moves) < 6 || other.Game.Moves[3] == d.south.Coords()[3] {
		other.Game.Moves = other.Game.Moves[:3]
		d.extend(&other.Game, 3)
	}
	other.Seals = d.sealed(&other.Game, d.keys)
	if d.carry(d.north.Receive(d.now, other)); d.north.Conflict().English == "" {
		t.Fatal("south contradicts itself, and nothing is said of it")
	}
	for i, old := range d.said[:3] {
		if d.carry(d.north.Receive(d.now, clone(old))); d.north.Conflict().English == "" {
			t.Fatalf("message %d is sent again, and the conflict is gone", i+1)
		}
	}
	if err := d.settle(); err != nil || !slices.Equal(d.north.Game().Coords(), other.Game.Moves) {
		t.Errorf("somebody gave way to south (error %v), and %v counts, want %v", err, d.north.Game().Coords(),
			other.Game.Moves)
	}
}

// TestForgedAnswer: north asks south for something, and the broker says yes in south's name, or has south say yes
// before it does. Nothing happens. If the broker asks something in south's name, nobody is asked.
func TestForgedAnswer(t *testing.T) {
	for name, forge := range map[string]func(d *duel, m *table.Message){
		"not signed":              func(_ *duel, m *table.Message) { m.Seals = table.Seals{} },
		"another key":             func(d *duel, m *table.Message) { m.Seals = d.sealed(&m.Game, d.evil) },
		"added to a true message": func(*duel, *table.Message) {},
	} {
		for _, asked := range []game.ActionKind{table.Rematch, game.Abort, game.Takeback, game.OfferDraw} {
			d := newDuel(t, 1)
			d.play()
			d.carry(d.north.Receive(d.now, clone(d.said[len(d.said)-1])))
			effects, err := d.north.Command(d.now, &table.Command{Action: game.Action{Do: asked, By: game.White}})
			if d.carry(effects); err != nil || len(d.north.Requests()) != 1 {
				t.Fatalf("%s: %v, requests %v", asked, err, d.north.Requests())
			}
			before, moves := d.north.Game().ID(), d.north.Game().Coords()
			m := clone(d.said[len(d.said)-1])
			m.Answered = table.Reply{Number: max(1, d.north.Requests()[0].Number), Accepted: true}
			forge(d, &m)
			d.carry(d.north.Receive(d.now, m))
			g := d.north.Game()
			if g.ID() != before || !slices.Equal(g.Coords(), moves) || g.Over() {
				t.Errorf("%s, %s: game %s %v became %s %v, %s", name, asked, before, moves, g.ID(), g.Coords(), g.Outcome())
			}
		}
		d := newDuel(t, 1)
		d.play()
		m := clone(d.said[len(d.said)-1])
		d.carry(d.north.Receive(d.now, clone(m)))
		m.Request = &table.Request{What: game.Abort, By: game.Black, Number: 1}
		forge(d, &m)
		d.carry(d.north.Receive(d.now, m))
		if n := len(d.north.Requests()); n > 0 {
			t.Errorf("%s: %d requests are shown", name, n)
		}
	}
}

// TestForgedID: the broker names a game in south's name whose id no id can follow. The games of north keep ids that
// other boards accept.
func TestForgedID(t *testing.T) {
	d := newDuel(t, 1)
	d.play()
	m := clone(d.said[len(d.said)-1])
	d.carry(d.north.Receive(d.now, clone(m)))
	m.Game.ID, m.Seals = strings.Repeat("z", 64), table.Seals{}
	d.carry(d.north.Receive(d.now, m))
	effects, err := d.north.Command(d.now, &table.Command{Action: game.Action{Do: game.Resign, By: game.White}})
	if d.carry(effects); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		effects, err := d.north.Command(d.now, &table.Command{Action: game.Action{Do: table.NewGame}, White: "local",
			Black: "local", Seated: true})
		d.carry(effects)
		if id := d.north.Game().ID(); err != nil || len(id) > 64 || strings.Contains(id, "zzz") {
			t.Fatalf("game %s (%d bytes), error %v", id, len(id), err)
		}
	}
}

// TestLeftAlone: south begins a game of its own. It will not answer any more, so north may end their game without a
// result by itself. What somebody else says of south does not count.
func TestLeftAlone(t *testing.T) {
	for _, c := range []struct {
		name, id string
		signed   bool
		over     bool
	}{
		{"south leaves", "z", true, true},
		{"an older game", table.Automatic + "a", true, false},
		{"forged", "z", false, false},
	} {
		d := newDuel(t, 1)
		d.play()
		m := clone(d.said[len(d.said)-1])
		d.carry(d.north.Receive(d.now, clone(m)))
		m.Game.ID, m.Game.White, m.Game.Black = c.id, game.Local, game.Local
		if m.Seals = (table.Seals{}); !c.signed { // somebody else says that it plays at its own board against another one
			m.Game.Black = m.Game.Board
			m.Seals = d.sealed(&m.Game, d.evil)
		}
		d.carry(d.north.Receive(d.now, m))
		effects, err := d.north.Command(d.now, &table.Command{Action: game.Action{Do: game.Abort}})
		if d.carry(effects); err != nil || d.north.Game().Over() != c.over {
			t.Errorf("%s: over %v, error %v", c.name, d.north.Game().Over(), err)
		}
	}
}

// TestForgedDraw: the broker says in south's name that south offers a draw, asks for a takeback, or pauses. North may
// have offered a draw before. Nobody at north is asked, and there is no draw. What south has asked counts no more once
// it has moved on. What it asks now does, and of two true offers both boards make a draw.
func TestForgedDraw(t *testing.T) {
	said := func(p *player) table.Message { return clone(p.said[len(p.said)-1]) }
	for name, forge := range map[string]func(w *relay, m *table.Message){
		"an offer":       func(_ *relay, m *table.Message) { m.Game.Offer = game.Black },
		"an offer, bare": func(_ *relay, m *table.Message) { m.Game.Offer, m.Said = game.Black, "" },
		"by another key": func(w *relay, m *table.Message) {
			m.Game.Offer = game.Black
			m.Said = w.evil[1].SignSaid(m)
		},
		"signed by north": func(w *relay, m *table.Message) {
			m.Game.Offer = game.Black
			m.Said = w.boards[0].keys.SignSaid(m)
		},
		"a takeback": func(_ *relay, m *table.Message) {
			m.Game.AskBy, m.Game.AskNumber, m.Game.AskTo = game.Black, 1, 0
		},
		"a request": func(_ *relay, m *table.Message) {
			m.Request = &table.Request{What: game.Abort, By: game.Black, Number: 1}
		},
		"a pause": func(_ *relay, m *table.Message) { m.Game.Paused, m.Game.Pauses = true, 9 },
		"of before": func(w *relay, m *table.Message) {
			i := slices.IndexFunc(w.boards[1].said, func(m table.Message) bool { return m.Game.Offer == game.Black })
			m.Game.Offer, m.Said = game.Black, w.boards[1].said[i].Said
		},
	} {
		for _, offered := range []bool{false, true} {
			w := newRelay(t, 1, map[string]int{})
			north, south := w.boards[0], w.boards[1]
			pass := func(from, to *player) { w.carry(to, to.table.Receive(w.now, said(from))) }
			w.do(south, game.OfferDraw, "")
			w.do(north, game.Move, "e2e4")
			pass(north, south)
			w.do(south, game.Move, "e7e5")
			pass(south, north)
			if offered {
				w.do(north, game.OfferDraw, "")
			}
			m := said(south)
			forge(w, &m)
			for range 2 {
				w.carry(north, north.table.Receive(w.now, m))
			}
			n := strings.Count(strings.Join(north.told, "\n"), "what board south asks is not signed")
			if want := map[bool]int{false: 1}[name == "a pause"]; n != want {
				t.Errorf("%s, offered %t: told %d times, want %d", name, offered, n, want)
			}
			g := north.table.Game()
			asks := slices.ContainsFunc(north.table.Requests(), func(r table.Request) bool { return r.By == game.Black })
			if g.Over() || asks || g.Paused() {
				t.Errorf("%s, offered %t: over %t, paused %t, requests %v", name, offered, g.Over(), g.Paused(),
					north.table.Requests())
			}
			w.do(south, game.OfferDraw, "")
			if pass(south, north); g.Offer() != game.Black && g.Outcome() == "" {
				t.Errorf("%s, offered %t: the true offer does not count", name, offered)
			}
			if offered {
				pass(north, south)
				if a, b := g.Outcome(), south.table.Game().Outcome(); a != game.Draw || b != game.Draw {
					t.Errorf("%s: both offered a draw, and the outcomes are %q and %q", name, a, b)
				}
			}
		}
	}
}

// TestSettleOtherKey: people at north are asked whether a new key is south's, and say yes. In that moment a message by
// a third key comes. Their yes names what they have seen, and does not count for the third key.
func TestSettleOtherKey(t *testing.T) {
	d := startDuel(t, 1, false)
	for range 3 {
		d.play()
		d.hear()
	}
	third := startDuel(t, 2, false).evil
	claim := func(by *trust.Keys) {
		m := clone(d.said[len(d.said)-1])
		m.Seals = d.sealed(&m.Game, by)
		if d.carry(d.north.Receive(d.now, m)); !strings.Contains(d.north.Conflict().English, by.Words()) {
			t.Fatalf("a message by the key %s, and north says %q", by.Words(), d.north.Conflict().English)
		}
	}
	yes := func(to int64) error {
		effects, err := d.north.Command(d.now, &table.Command{Action: game.Action{Do: table.Settle}, To: to})
		d.carry(effects)
		return err
	}
	claim(d.evil)
	seen := d.north.Step()
	claim(third)
	if err := yes(seen); err == nil || !strings.Contains(err.Error(), "late") || !d.doubted() {
		t.Errorf("a yes to one key counts for another one: %v, %q", err, d.north.Conflict().English)
	}
	if err := yes(d.north.Step()); err != nil || d.doubted() {
		t.Errorf("a yes to the key that is shown does not count: %v, %q", err, d.north.Conflict().English)
	}
}

// TestForgedTerms: north begins a game, and the broker changes its clock or its options on their way. South does not
// join that game, and nobody there can be made to by giving way. It joins the game that north has begun.
func TestForgedTerms(t *testing.T) {
	for name, forge := range map[string]func(h *game.RemoteGame){
		"a second for the game": func(h *game.RemoteGame) {
			h.Timing = &game.Timing{Kind: game.SuddenDeath, Initial: 1000}
		},
		"no clock": func(h *game.RemoteGame) { h.Timing = nil },
		"an option more": func(h *game.RemoteGame) {
			h.Options = map[string]string{game.OptionOutage: game.OutageRun}
		},
	} {
		w := newRelay(t, 1, map[string]int{})
		north, south := w.boards[0], w.boards[1]
		effects, err := north.table.Command(w.now, &table.Command{Action: game.Action{Do: table.NewGame}, Seated: true,
			White: "north", Black: "south", Clock: &game.Timing{Kind: game.Fischer, Initial: 600_000, Increment: 5000}})
		if w.carry(north, effects); err != nil {
			t.Fatal(err)
		}
		before, id := south.table.Game().ID(), north.table.Game().ID()
		m := clone(north.said[len(north.said)-1])
		if m.Game.ID != id || id == before {
			t.Fatalf("north says %s, plays %s, before %s", m.Game.ID, id, before)
		}
		forged := clone(m)
		forge(&forged.Game)
		w.carry(south, south.table.Receive(w.now, forged))
		if g := south.table.Game(); g.ID() != before || !strings.Contains(south.table.Conflict().English, "not signed") {
			t.Errorf("%s: south plays %s, want %s, and says %q", name, g.ID(), before, south.table.Conflict().English)
		}
		effects, err = south.table.Command(w.now, &table.Command{Action: game.Action{Do: table.Settle}})
		if w.carry(south, effects); err == nil || south.table.Game().ID() != before {
			t.Errorf("%s: somebody gives way, and south plays %s, error %v", name, south.table.Game().ID(), err)
		}
		w.carry(south, south.table.Receive(w.now, m))
		g := south.table.Game()
		if c := g.Setup().Clock; g.ID() != id || c == nil || c.Initial != 600_000 || south.table.Conflict().English != "" {
			t.Errorf("%s: south plays %s with the clock %+v, want %s, and says %q", name, g.ID(), c, id,
				south.table.Conflict().English)
		}
	}
}
