// SPDX-License-Identifier: Apache-2.0

package games

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/pgn"
	"boardd/rules/table"
	"boardd/sync/seal"
	"boardd/sync/trust"
)

// TestHostileBrokerTwoReaders: a broker between two boards shows each reader something else. It drops messages for
// good, sends old and forged ones, and puts new ones together from what both boards have signed. It also says that
// boards come and go, and boards lose power. No board ever holds a move, a takeback or a result of the other one that
// is not that board's. What a club or a board that looks on keeps is true, or does not verify. Once the broker passes
// on what the boards say, both hold the same game or say what contradicts.
func TestHostileBrokerTwoReaders(t *testing.T) {
	tried := map[string]int{}
	all := func() (n int) {
		for _, k := range tried {
			n += k
		}
		return n
	}
	conflicts := 0
	for seed := uint64(1); all() < 3**attempts; seed++ { // many are lost messages
		w := newRelay(t, seed, tried)
		for range 25 {
			w.act()
			if w.r.IntN(12) == 0 { // for a while one reader hears nothing of one board
				w.dark, w.until = [2]int{w.r.IntN(2), w.r.IntN(3)}, w.now.Add(time.Duration(w.r.IntN(20))*time.Second)
			}
			w.now = w.now.Add(time.Second)
			for from, p := range w.boards {
				w.tell(p, from)
			}
			if w.r.IntN(40) == 0 {
				w.restart(w.boards[w.r.IntN(2)])
			}
		}
		if w.heal() {
			conflicts++
		}
		w.betray()
	}
	t.Logf("%v, %d games ended in a contradiction that was told", tried, conflicts)
	for _, what := range []string{"dropped", "old", "forged", "put together", "told in two ways", "status",
		"a game signed twice"} {
		if tried[what] == 0 {
			t.Errorf("%s: not tried; %v", what, tried)
		}
	}
}

// tell has the broker say to each reader what it likes to have come from a board.
func (w *relay) tell(p *player, from int) {
	other := w.boards[1-from]
	var shown []string
	for range 2 {
		if w.r.IntN(8) == 0 {
			w.tried["status"]++
			w.carry(other, other.table.Presence(w.now, p.name, w.r.IntN(2) == 0))
			w.carry(other, other.table.Linked(w.now, table.Connection{Up: w.r.IntN(2) == 0}))
		}
	}
	honest := false // the message is one of the board, as it was
	for reader, hear := range []func(m table.Message){
		func(m table.Message) {
			was, calm := storyOf(other.table.Game()), other.table.Conflict().English == ""
			w.carry(other, other.table.Receive(w.now, m))
			w.judge(other, p, was)
			if text := other.table.Conflict().English; honest && calm && text != "" {
				w.t.Fatalf("seed %d: what %s has once said contradicts at the other board: %s", w.seed, p.name, text)
			}
		},
		func(m table.Message) {
			was := storyOf(w.west.game)
			w.west.hear(w.now, m) //nolint:errcheck // it takes what it believes
			w.judgeWest(was)
		},
		func(m table.Message) {
			w.hall.Hear(p.name, wired(&m))
			w.judgeHall(from + 1)
		},
	} {
		m, what := w.choose(p, from)
		if w.now.Before(w.until) && w.dark == [2]int{from, reader} {
			m, what = nil, "dropped"
		}
		if what != "" {
			w.tried[what]++
		}
		honest = what == "" || what == "old"
		if m == nil {
			shown = append(shown, "")
			continue
		}
		hear(*m)
		shown = append(shown, fmt.Sprint(m.Game.Moves, m.Game.Takebacks, m.Game.Outcome))
	}
	if shown[0] != shown[1] || shown[1] != shown[2] {
		w.tried["told in two ways"]++
	}
}

// choose is what a reader gets of a board: nil for nothing, and what is false of it.
func (w *relay) choose(p *player, from int) (*table.Message, string) {
	newest := clone(p.said[len(p.said)-1])
	switch n := w.r.IntN(10); {
	case n < 3:
		return &newest, ""
	case n < 5:
		return nil, "dropped"
	case n == 5:
		m := clone(p.said[w.r.IntN(len(p.said))])
		m.Game.Old = w.r.IntN(2) == 0 // retained
		return &m, "old"
	case n == 6:
		m := w.join(p)
		return &m, "put together"
	}
	m := clone(p.said[w.r.IntN(len(p.said))])
	if w.r.IntN(2) == 0 {
		m = newest
	}
	w.forge(&m, from)
	return &m, "forged"
}

// join puts a message together from what both boards have said.
func (w *relay) join(p *player) table.Message {
	pick := func() table.Message {
		said := w.boards[w.r.IntN(2)].said
		return clone(said[w.r.IntN(len(said))])
	}
	m := clone(p.said[w.r.IntN(len(p.said))])
	m.Game.Moves = pick().Game.Moves
	for _, side := range []game.Side{game.White, game.Black} {
		if s, ok := pick().Seals[side]; ok {
			m.Seals[side] = s
		}
	}
	if w.r.IntN(2) == 0 {
		m.Game.Takebacks = pick().Game.Takebacks
	}
	if w.r.IntN(4) == 0 {
		end := pick()
		m.Game.Outcome, m.Game.Reason = end.Game.Outcome, end.Game.Reason
	}
	if w.r.IntN(2) == 0 { // and what a board has asked and answered at another time
		o := pick()
		m.Said, m.Request, m.Answered = o.Said, o.Request, o.Answered
		m.Game.Offer, m.Game.NoDraw = o.Game.Offer, o.Game.NoDraw
		m.Game.AskBy, m.Game.AskNumber, m.Game.AskTo = o.Game.AskBy, o.Game.AskNumber, o.Game.AskTo
		m.Game.Declined, m.Game.Paused, m.Game.Pauses = o.Game.Declined, o.Game.Paused, o.Game.Pauses
	}
	if w.r.IntN(4) == 0 {
		m.Seals[game.White], m.Seals[game.Black] = m.Seals[game.Black], m.Seals[game.White]
	}
	return m
}

// forge changes a message.
func (w *relay) forge(m *table.Message, from int) {
	h := &m.Game
	for range 1 + w.r.IntN(2) {
		switch w.r.IntN(18) {
		case 0:
			w.extend(h, 1+w.r.IntN(3))
		case 1:
			h.Moves = h.Moves[:w.r.IntN(len(h.Moves)+1)]
		case 2:
			if n := len(h.Moves); n > 0 { // the last move is another one
				h.Moves = h.Moves[:n-1]
				w.extend(h, 1)
			}
		case 3:
			if len(h.Moves) > 1 {
				i, j := w.r.IntN(len(h.Moves)), w.r.IntN(len(h.Moves))
				h.Moves[i], h.Moves[j] = h.Moves[j], h.Moves[i]
			}
		case 4:
			h.Outcome = []string{"1-0", "0-1", "1/2-1/2", "*", ""}[w.r.IntN(5)]
			h.Reason = []string{"resignation", "agreement", string(rules.Aborted), "time", ""}[w.r.IntN(5)]
		case 5:
			h.Takebacks += w.r.IntN(3) - 1
			h.Moves = h.Moves[:max(0, len(h.Moves)-w.r.IntN(3))]
		case 6:
			h.AskBy, h.AskNumber, h.AskTo = []game.Side{game.White, game.Black}[w.r.IntN(2)], w.r.IntN(6), w.r.IntN(4)
			h.Declined = w.r.IntN(6)
		case 7:
			h.Offer, h.NoDraw = game.Side([]string{"white", "black", ""}[w.r.IntN(3)]), game.White
		case 8:
			m.Answered = table.Reply{Number: 1 + w.r.IntN(5), Accepted: w.r.IntN(2) == 0}
			m.Request = &table.Request{What: []game.ActionKind{game.Abort, table.Hint}[w.r.IntN(2)], Number: 1 + w.r.IntN(5),
				By: []game.Side{game.White, game.Black}[w.r.IntN(2)]}
		case 9:
			h.White, h.Black = []string{h.Black, h.Board, "engine"}[w.r.IntN(3)], []string{h.White, h.Board,
				"engine"}[w.r.IntN(3)]
		case 10:
			m.Seals = table.Seals{}
		case 11:
			w.sign(m, w.evil[from])
		case 12:
			h.ID = []string{"1763000000-000001", "1765000000-000001", table.Automatic + "z", "z"}[w.r.IntN(4)]
			if w.r.IntN(2) == 0 {
				w.sign(m, w.evil[from])
			}
		case 13, 14:
			w.relabel(m)
		default: // one more move of that board
			w.extend(h, 1+(len(h.Moves)+from)%2)
		}
	}
}

// relabel makes the signatures of a message say that they are for what the message says.
func (w *relay) relabel(m *table.Message) {
	if m.Game.Takebacks += w.r.IntN(2); w.r.IntN(2) == 0 {
		w.extend(&m.Game, 1)
	}
	for side, text := range m.Seals {
		s, err := seal.Parse(text)
		if err != nil {
			continue
		}
		s.Takebacks, s.Outcome, s.Reason = m.Game.Takebacks, m.Game.Outcome, m.Game.Reason
		if w.r.IntN(2) == 0 {
			s.Ply = len(m.Game.Moves)
		}
		m.Seals[side] = s.String()
	}
}

// told is the game of a message, nil where it is none.
func (w *relay) told(h *game.RemoteGame) *game.Game {
	s := w.setup(h.Board)
	s.ID, s.White, s.Black = h.ID, h.White, h.Black
	started, err := game.Start(s, w.now)
	if err != nil {
		return nil
	}
	g, err := game.New(started)
	for _, m := range h.Moves {
		if err == nil {
			err = g.Apply(game.Event{Kind: game.Moved, At: w.now, Move: m, Remote: true})
		}
	}
	if err != nil {
		return nil
	}
	return g
}

// extend adds legal moves.
func (w *relay) extend(h *game.RemoteGame, n int) {
	g := w.told(h)
	for range n {
		if g == nil || len(g.Legal()) == 0 {
			return
		}
		m := g.Legal()[w.r.IntN(len(g.Legal()))]
		if g.Apply(game.Event{Kind: game.Moved, At: w.now, Move: m}) == nil {
			h.Moves = append(h.Moves, m)
		}
	}
}

// sign signs a message by a key, for the sides of its board.
func (w *relay) sign(m *table.Message, by *trust.Keys) {
	g := w.told(&m.Game)
	if g == nil {
		return
	}
	for _, e := range by.Sign(g, w.now) {
		m.Seals[e.By] = e.Seal
	}
}

// until is a list of moves up to the last one of a side.
func until(moves []string, side game.Side) string {
	for len(moves) > 0 && (len(moves)%2 == 1) != (side == game.White) {
		moves = moves[:len(moves)-1]
	}
	return spaced(moves)
}

// judge fails unless what a board holds of the other one is what that board has done. Of itself it must hold what it
// held before a message.
func (w *relay) judge(p, other *player, was story) {
	g := p.table.Game()
	now := storyOf(g)
	if g.ID() != w.setup("").ID {
		w.t.Fatalf("seed %d: %s plays game %s", w.seed, p.name, g.ID())
	}
	if own := until(g.Coords(), p.side); !strings.HasPrefix(was.moves, own) {
		w.t.Fatalf("seed %d: %s held %v, and by a message it holds %v", w.seed, p.name, was, now)
	}
	list := until(g.Coords(), other.side)
	made := slices.ContainsFunc(other.past, func(s story) bool {
		return s.takebacks <= now.takebacks && strings.HasPrefix(s.moves, list)
	})
	taken := now.takebacks == was.takebacks ||
		slices.ContainsFunc(other.past, func(s story) bool { return s.takebacks == now.takebacks })
	ended := now.end == was.end || now.end == "" ||
		slices.ContainsFunc(other.past, func(s story) bool { return s.end == now.end })
	if now.before(was) {
		w.t.Fatalf("seed %d: %s held %v and holds %v, which is older", w.seed, p.name, was, now)
	}
	if !made || !taken || !ended {
		w.t.Fatalf("seed %d: %s held %v and holds %v, but the other board never did: %v", w.seed, p.name, was, now,
			other.past)
	}
}

// held reports whether a game once stood so at one of the boards.
func (w *relay) held(list string, takebacks int, end string) bool {
	for _, p := range w.boards {
		if slices.ContainsFunc(p.past, func(s story) bool {
			return s.takebacks == takebacks && strings.HasPrefix(s.moves, list) && (end == "" || s.end == end)
		}) {
			return true
		}
	}
	return false
}

// judgeWest fails unless what the board keeps that looks on was held by a board.
func (w *relay) judgeWest(was story) {
	s := storyOf(w.west.game)
	if s.before(was) {
		w.t.Fatalf("seed %d: who looks on kept %v and keeps %v, which is older", w.seed, was, s)
	}
	if !w.held(s.moves, s.takebacks, s.end) {
		w.t.Fatalf("seed %d: who looks on keeps %v, which no board has held: %v, %v", w.seed, s, w.boards[0].past,
			w.boards[1].past)
	}
}

// judgeHall fails if the club's file of a table verifies and was held by no board.
func (w *relay) judgeHall(number int) *checker {
	v, err := rules.ByID("chess")
	if err != nil {
		w.t.Fatal(err)
	}
	games, err := pgn.Read(bytes.NewReader(w.hall.Files()[fmt.Sprintf("game-%d.pgn", number)]), v)
	if err != nil || len(games) != 1 || games[0].Tag("GameId") == "" {
		return nil
	}
	c := newChecker(&games[0], w.pins)
	if len(c.run()) > 0 {
		return nil // it is named
	}
	end := ""
	if c.game.Outcome != "" {
		end = c.game.Outcome + " " + c.game.Reason
	}
	if !w.held(spaced(c.game.Moves), c.game.Takebacks, end) {
		w.t.Fatalf("seed %d: the club's file verifies and says %v %d %s, which no board has held: %v, %v", w.seed,
			c.game.Moves, c.game.Takebacks, end, w.boards[0].past, w.boards[1].past)
	}
	return c
}

// heal passes on what the boards say, until they have no more to say. Both then hold the same game, or a contradiction
// is told, which it reports. All records verify, and none tells another game.
func (w *relay) heal() (conflict bool) {
	for range 12 {
		for i, p := range w.boards {
			other, m := w.boards[1-i], p.said[len(p.said)-1]
			was := storyOf(other.table.Game())
			w.carry(other, other.table.Receive(w.now, clone(m)))
			w.judge(other, p, was)
			was = storyOf(w.west.game)
			w.west.hear(w.now, clone(m)) //nolint:errcheck // judged below
			w.judgeWest(was)
			w.hall.Hear(p.name, wired(&m))
			w.judgeHall(i + 1)
		}
	}
	north, south := w.boards[0].table, w.boards[1].table
	if a, b := storyOf(north.Game()), storyOf(south.Game()); a != b {
		if north.Conflict().English == "" && south.Conflict().English == "" {
			w.t.Fatalf("seed %d: north holds %v, south %v, and neither says so", w.seed, a, b)
		}
		return true
	} else if c := storyOf(w.west.game); a != c {
		w.t.Fatalf("seed %d: the boards hold %v, and who looks on keeps %v", w.seed, a, c)
	}
	all := newCopies()
	for name, g := range map[string]*game.Game{"north": north.Game(), "south": south.Game(), "west": w.west.game} {
		c := newChecker(File(g, nil, nil), w.pins)
		if faults := c.run(); g.Plies() > 0 && len(faults) > 0 {
			w.t.Fatalf("seed %d: %s does not verify: %v", w.seed, name, faults)
		}
		if text := all.add(name, c, g.Plies() > 0); text != "" {
			w.t.Fatalf("seed %d: %s", w.seed, text)
		}
	}
	for number := range w.boards {
		c := w.judgeHall(number + 1) // nil: boardd verify says what is wrong with it
		if c != nil {
			if text := all.add("club", c, true); text != "" {
				w.t.Fatalf("seed %d: %s", w.seed, text)
			}
		}
	}
	return false
}

// betray has a player sign another last move for a new reader, whose record verifies. With the board's it is named.
func (w *relay) betray() {
	p := w.boards[w.r.IntN(2)]
	m := clone(p.said[len(p.said)-1])
	h := &m.Game
	for len(h.Moves) > 0 && (len(h.Moves)%2 == 1) != (p.side == game.White) {
		h.Moves = h.Moves[:len(h.Moves)-1]
	}
	n := len(h.Moves)
	if n < 2 || h.Takebacks > 0 {
		return
	}
	h.Outcome, h.Reason, h.Moves = "", "", h.Moves[:n-1]
	real := p.table.Game().Coords()[n-1]
	if w.extend(h, 1); h.Moves[n-1] == real {
		return
	}
	honest := w.boards[1-w.at(p)]
	if honest.table.Game().Plies() < n {
		return // it has not heard of that move
	}
	w.tried["a game signed twice"]++
	before := clone(m)
	before.Game.Moves = h.Moves[:n-1]
	m.Seals, before.Seals = table.Seals{}, table.Seals{}
	w.sign(&m, p.keys)
	before.Game.Board = honest.name
	w.sign(&before, honest.keys)
	reader := w.onlooker()
	for _, m := range []table.Message{before, m} {
		if err := reader.hear(w.now, m); err != nil {
			w.t.Fatalf("seed %d: a reader does not take what is signed: %v", w.seed, err)
		}
	}
	all := newCopies()
	for name, g := range map[string]*game.Game{"reader": reader.game, honest.name: honest.table.Game()} {
		c := newChecker(File(g, nil, nil), w.pins)
		if faults := c.run(); len(faults) > 0 {
			return // the boards differ, and verify says so
		}
		text := all.add(name, c, true)
		want := string(p.side) + " signed both by the key"
		if len(all.kept) > 1 || text != "" && !strings.Contains(text, want) {
			w.t.Fatalf("seed %d: %s", w.seed, text)
		}
	}
	if !all.two[m.Game.ID] {
		w.t.Fatalf("seed %d: %s has signed two games, and verify does not say so: %v, %v", w.seed, p.name,
			reader.game.Coords(), honest.table.Game().Coords())
	}
}

// at is the place of a board.
func (w *relay) at(p *player) int { return slices.Index(w.boards[:], p) }
