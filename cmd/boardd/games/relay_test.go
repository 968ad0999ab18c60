// SPDX-License-Identifier: Apache-2.0

package games

import (
	"crypto/ed25519"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
	"boardd/sync/club"
	"boardd/sync/seal"
	"boardd/sync/trust"
	"boardd/sync/wire"
)

// relay is a game of two boards, all of whose messages a hostile broker has in its hands. The readers are the two
// boards, a board that looks on and knows both keys, and a club.
type relay struct {
	t      *testing.T
	r      *rand.Rand
	seed   uint64
	now    time.Time
	boards [2]*player // north, which has White, and south
	west   *onlooker
	hall   *club.Round
	pins   map[string]ed25519.PublicKey
	pinned string         // the file with them
	evil   [2]*trust.Keys // other keys for the same boards
	tried  map[string]int // by what was tried
	dark   [2]int         // the place of a board, and of a reader who hears nothing of it
	until  time.Time      // until then
}

// player is one of the boards, with somebody who plays at it.
type player struct {
	name  string
	side  game.Side
	table *table.Table
	keys  *trust.Keys
	disk  []game.Event
	asked *table.Request
	said  []table.Message // all that it has published
	told  []string        // to the people at it
	past  []story         // how its game has stood
}

// story is how a game stood.
type story struct {
	moves     string // each followed by a space
	takebacks int
	end       string // "" while it goes on
}

func storyOf(g *game.Game) story {
	s := story{spaced(g.Coords()), g.Takebacks(), ""}
	if g.Over() {
		s.end = g.Outcome() + " " + string(g.Reason())
	}
	return s
}

// before reports whether a game stands as it did before it stood like another story. No takeback is undone, and no
// move goes without one.
func (s story) before(o story) bool {
	return s.takebacks < o.takebacks || s.takebacks == o.takebacks && len(s.moves) < len(o.moves)
}

func spaced(moves []string) string { return strings.Join(append(slices.Clone(moves), ""), " ") }

// onlooker is a board that plays neither side.
type onlooker struct {
	game *game.Game
	keys *trust.Keys
}

func newRelay(t *testing.T, seed uint64, tried map[string]int) *relay {
	t.Helper()
	w := &relay{t: t, r: rand.New(rand.NewPCG(seed, 22)), seed: seed, tried: tried, pins: map[string]ed25519.PublicKey{},
		now:    time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC),
		hall:   club.New(club.Options{Boards: []string{"north", "south"}}),
		pinned: filepath.Join(t.TempDir(), "keys")}
	own := func(dir, name, pinned string) *trust.Keys {
		k, err := trust.Read(pinned)
		if err == nil {
			_, _, err = k.Own(dir, name)
		}
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	var lines string
	dirs, names := [2]string{t.TempDir(), t.TempDir()}, [2]string{"north", "south"}
	for i, name := range names {
		w.pins[name] = own(dirs[i], name, "").Key().Public().(ed25519.PublicKey)
		w.evil[i] = own(t.TempDir(), name, "")
		lines += seal.Line(name, w.pins[name])
	}
	if err := os.WriteFile(w.pinned, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, side := range []game.Side{game.White, game.Black} {
		p := &player{name: names[i], side: side, keys: own(dirs[i], names[i], w.pinned)}
		w.boards[i] = p
		w.seat(p)
		effects, err := p.table.Start(w.now, w.setup(p.name))
		if err != nil {
			t.Fatal(err)
		}
		w.carry(p, effects)
	}
	w.west = w.onlooker()
	return w
}

func (w *relay) setup(board string) game.Setup {
	return game.Setup{ID: "1764000000-000001", Variant: "chess", White: "north", Black: "south", Board: board}
}

// seat puts a new table before a player.
func (w *relay) seat(p *player) {
	p.table = table.New(table.Options{Board: p.name, Trust: p.keys,
		Decode: func() table.Decoder { return reconcile.New(wood.Reference(), reconcile.DefaultTiming()) }})
	p.table.SetBroker(true)
}

// onlooker is a board that has heard nothing yet.
func (w *relay) onlooker() *onlooker {
	started, err := game.Start(w.setup("west"), w.now)
	if err != nil {
		w.t.Fatal(err)
	}
	g, err := game.New(started)
	if err != nil {
		w.t.Fatal(err)
	}
	k, err := trust.Read(w.pinned)
	if err != nil {
		w.t.Fatal(err)
	}
	return &onlooker{g, k}
}

// hear takes in a message, as a table does, and returns why it takes nothing.
func (o *onlooker) hear(now time.Time, m table.Message) error {
	h := m.Game
	good, err := o.keys.Verify(&h, m.Seals)
	if err != nil {
		return err
	}
	if !o.keys.Vouches(&m, good) {
		h.Unsay()
	}
	events, err := o.game.Merge(h, now)
	if err != nil {
		return err
	}
	next, err := o.game.After(events)
	if err != nil {
		return err
	}
	for _, e := range append(events, o.keys.NewSignatures(next, good, now)...) {
		if err := o.game.Apply(e); err != nil {
			return err
		}
	}
	return nil
}

// carry stores and publishes what a table wants stored and published.
func (w *relay) carry(p *player, effects []table.Effect) {
	for len(effects) > 0 {
		e := effects[0]
		effects = effects[1:]
		switch e := e.(type) {
		case table.Append:
			for _, r := range e.Records {
				if r.Event != nil {
					p.disk = append(p.disk, *r.Event)
				}
				if r.Asked != nil {
					p.asked = r.Asked
				}
			}
			effects = slices.Concat(p.table.Stored(w.now, nil), effects)
		case table.Tell:
			p.told = append(p.told, e.Event.Text.English)
		case table.Publish:
			p.said = append(p.said, spoken(p))
		}
	}
	if s := storyOf(p.table.Game()); len(p.past) == 0 || p.past[len(p.past)-1] != s {
		p.past = append(p.past, s)
	}
}

// spoken is what a board publishes.
func spoken(p *player) table.Message {
	g := p.table.Game()
	start, set := g.Start(), g.Setup()
	h := game.RemoteGame{Board: p.name, ID: g.ID(), Variant: set.Variant, Options: set.Options, Timing: set.Clock,
		White: set.White, Black: set.Black,
		Start: start.FEN(), Moves: g.Coords(), Outcome: g.Outcome(), Reason: string(g.Reason()), Offer: g.Offer(),
		Takebacks: g.Takebacks(), NoDraw: g.DeclinedDraw(), Paused: g.Paused(), Pauses: g.Pauses(),
		Declined: g.DeclinedTakeback(p.side)}
	if number, to, open := g.TakebackRequest(p.side); open {
		h.AskBy, h.AskNumber, h.AskTo = p.side, number, to
	}
	m := table.Message{Game: h, Conflict: p.table.Conflict().English, Answered: p.table.Answered(),
		Seals: table.Seals{}}
	for _, side := range []game.Side{game.White, game.Black} {
		if s := g.Seal(side); s != "" {
			m.Seals[side] = s
		}
	}
	for _, r := range p.table.Requests() {
		if r.Number > 0 && r.By == p.side {
			m.Request = &r
		}
	}
	m.Said = p.keys.SignSaid(&m)
	return m
}

// wired is a message as a club reads it.
func wired(m *table.Message) *wire.Game {
	h := &m.Game
	g := &wire.Game{Schema: wire.Schema, Game: h.ID, Variant: h.Variant, Start: h.Start, Moves: h.Moves,
		Seats:   wire.Seats{White: h.White, Black: h.Black},
		Outcome: h.Outcome, Reason: h.Reason, Takebacks: h.Takebacks, Seals: &wire.Seals{}}
	for side, to := range map[game.Side]**wire.Seal{game.White: &g.Seals.White, game.Black: &g.Seals.Black} {
		if s, err := seal.Parse(m.Seals[side]); err == nil {
			text := strings.Fields(s.String())
			*to = &wire.Seal{Ply: s.Ply, Takebacks: s.Takebacks, Outcome: s.Outcome, Reason: s.Reason, Key: text[4],
				Sig: text[5]}
		}
	}
	return g
}

// do carries a command out. It reports whether it was allowed.
func (w *relay) do(p *player, do game.ActionKind, move string) bool {
	effects, err := p.table.Command(w.now, &table.Command{Action: game.Action{Do: do, By: p.side, Move: move}})
	w.carry(p, effects)
	return err == nil
}

// act lets somebody at a board do something. People believe what their board shows, and may say yes to all of it.
func (w *relay) act() {
	i := w.r.IntN(2)
	p, other := w.boards[i], w.boards[1-i]
	g := p.table.Game()
	_, _, asks := g.TakebackRequest(other.side)
	var want *table.Request
	for _, r := range p.table.Requests() {
		if r.Number > 0 && r.By == other.side {
			want = &r
		}
	}
	switch n := w.r.IntN(20); {
	case n == 0:
		w.do(p, game.Takeback, "")
	case n == 1 && g.Plies() > 2:
		w.do(p, game.Abort, "")
	case n < 8 && asks:
		w.do(p, []game.ActionKind{game.AcceptTakeback, game.DeclineTakeback}[w.r.IntN(2)], "")
	case n == 8 && want != nil:
		w.do(p, []game.ActionKind{table.Accept, table.Decline, table.Decline}[w.r.IntN(3)], "")
	case n == 9 && g.Plies() > 16:
		w.do(p, game.Resign, "")
	case n == 9 && g.Plies() > 8:
		w.do(p, game.OfferDraw, "")
	case n == 10 && g.Offer() == other.side:
		w.do(p, []game.ActionKind{game.AcceptDraw, game.DeclineDraw}[w.r.IntN(2)], "")
	case !g.Over() && g.Turn() == p.side:
		if legal := g.Legal(); len(legal) > 0 {
			w.do(p, game.Move, legal[w.r.IntN(len(legal))])
		}
	}
}

// restart is a power cut at a board.
func (w *relay) restart(p *player) {
	g, err := game.Replay(p.disk)
	if err != nil {
		w.t.Fatalf("seed %d: %s does not resume: %v", w.seed, p.name, err)
	}
	w.seat(p)
	effects, err := p.table.Resume(w.now, g, nil, nil, p.asked)
	if err != nil {
		w.t.Fatalf("seed %d: %s does not resume: %v", w.seed, p.name, err)
	}
	w.carry(p, effects)
}
