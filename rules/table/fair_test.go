// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestFair: while a game goes on at Lichess, on this board or elsewhere, the engine is asked for no move and no hint.
// Its answers to earlier questions are ignored. When that game is over, it is asked again.
func TestFair(t *testing.T) {
	g := wood.Reference()
	going := false
	d := &disk{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	d.t = table.New(table.Options{Board: "home", Engine: true, Lichess: true, Fair: func() bool { return going },
		Decode: func() table.Decoder { return reconcile.New(g, reconcile.DefaultTiming()) }})
	asked := func() (numbers []int) {
		for _, e := range d.seen {
			if q, ok := e.(table.Think); ok {
				numbers = append(numbers, q.Number)
			}
		}
		d.seen = nil
		return numbers
	}
	rest := func() {
		t.Helper()
		p := d.t.Game().Position()
		w := g.Lay(&p)
		for range 40 {
			d.now = d.now.Add(100 * time.Millisecond)
			r := sensing.Reading{At: d.now, Kind: sensing.Reeds, Deck: sensing.Lower, Known: ^rules.Bitboard(0)}
			for s := range rules.Square(64) {
				if w[wood.PlaceAt(sensing.Lower, s)] != "" {
					r.Closed |= 1 << s
				}
			}
			d.carry(d.t.Sense(d.now, &r))
			d.carry(d.t.Tick(d.now))
		}
	}
	begin := func(white, black string) {
		t.Helper()
		effects, err := d.t.Start(d.now, game.Setup{ID: d.t.NextID(d.now), Board: "home", Variant: "chess", White: white,
			Black: black})
		if err != nil {
			t.Fatal(err)
		}
		d.carry(effects)
		rest()
	}
	begin(game.Engine, game.Local)
	first := asked()
	if len(first) != 1 {
		t.Fatalf("the engine is asked %d times for its first move", len(first))
	}
	going = true
	d.carry(d.t.Thought(d.now, first[0], table.EngineAnswer{}, nil))
	rest()
	if n := asked(); len(n) != 0 || d.t.Game().Plies() != 0 {
		t.Errorf("asked %v while a game goes on at Lichess; %d moves", n, d.t.Game().Plies())
	}
	begin(game.Local, game.Local)
	hint := func() string {
		effects, err := d.t.Command(d.now, &table.Command{Action: game.Action{Do: table.Hint}})
		d.carry(effects)
		if err != nil {
			return err.Error()
		}
		return ""
	}
	if got := hint(); !strings.Contains(got, "no program may help") || len(asked()) != 0 {
		t.Errorf("a hint beside a game at Lichess: %q", got)
	}
	going = false
	if got := hint(); got != "" || len(asked()) != 1 {
		t.Errorf("a hint afterwards: %q", got)
	}
	begin("home", game.Lichess)
	if got := hint(); !strings.Contains(got, "no program may help") || len(asked()) != 0 {
		t.Errorf("a hint in a game at Lichess: %q", got)
	}
	// in a game against the engine the person is called, once, when it has moved
	begin(game.Engine, game.Local)
	q := asked()
	p := d.t.Game().Position()
	m, err := p.ParseMove("e2e4")
	if err != nil || len(q) != 1 {
		t.Fatal(q, err)
	}
	d.carry(d.t.Thought(d.now, q[0], table.EngineAnswer{Move: m}, nil))
	rest()
	rest()
	var calls []string
	for _, e := range d.seen {
		if e, ok := e.(table.Tell); ok && e.Event.Kind == table.YourMove {
			calls = append(calls, e.Event.Text.English)
		}
	}
	if len(calls) != 1 || calls[0] != "white has played e4: black to move" {
		t.Errorf("called by %v", calls)
	}
	for what, c := range map[string]table.Command{
		"an engine there": {Action: game.Action{Do: table.NewGame}, Seated: true, White: game.Engine,
			Black: game.Lichess},
		"another game there": {Action: game.Action{Do: table.NewGame}, Seated: true, White: game.Local,
			Black: game.Lichess, Variant: "locking"},
		"clocks set here": {Action: game.Action{Do: game.Adjust, Left: [2]time.Duration{time.Second, time.Second}}},
		"an engine against it": {Action: game.Action{Do: table.NewGame}, Seated: true, White: game.Lichess,
			Black: game.Engine},
	} {
		if _, err := d.t.Command(d.now, &c); err == nil {
			t.Errorf("%s: it was done", what)
		}
	}
}

// TestFairLights: what a program has lit before a game at Lichess begins goes out when it begins: a hint, and what
// would answer a blunder. Meanwhile no move is judged.
func TestFairLights(t *testing.T) {
	for _, c := range []struct {
		name string
		lit  func(*sparring)
	}{
		{"a hint", func(s *sparring) { s.do(table.Command{Action: game.Action{Do: table.Hint}}) }},
		{"a blunder", func(s *sparring) { s.move("e2e4") }},
	} {
		going := false
		s := spar(t, table.Options{Coach: true, Fair: func() bool { return going }})
		s.thinks = func(plies int, _ bool) int { return plies % 2 * 300 } // White's move loses three pawns
		s.pass(3 * time.Second)
		c.lit(s)
		s.pass(3 * time.Second)
		if s.view.From == (wood.Set{}) && s.view.To == (wood.Set{}) {
			t.Fatalf("%s lights nothing: %+v", c.name, s.view)
		}
		going, s.seen = true, nil
		s.pass(time.Second)
		if _, m := s.t.Coach(); s.view.From != (wood.Set{}) || s.view.To != (wood.Set{}) || m != rules.NoMove {
			t.Errorf("%s is shown while a game goes on at Lichess: %+v, %v", c.name, s.view, m)
		}
		if !slices.ContainsFunc(s.seen, func(e table.Effect) bool { _, ok := e.(table.Publish); return ok }) {
			t.Errorf("%s: nobody is told that it is shown no more", c.name)
		}
		if s.t.Game().Plies()%2 == 0 {
			s.move("d2d4")
		}
		s.pass(20 * time.Second)
		if s.told(table.Blunder) != 0 || s.t.Game().Plies() != 1 {
			t.Errorf("%s: %d blunders told and %d moves while a game goes on at Lichess", c.name, s.told(table.Blunder),
				s.t.Game().Plies())
		}
	}
}

// TestFairProblem: while a game at Lichess goes on, the key of a problem is neither lit nor told, and no other problem
// is shown. When that game is over the key is there again.
func TestFairProblem(t *testing.T) {
	going := false
	s := spar(t, table.Options{Fair: func() bool { return going }})
	s.thinks = func(int, bool) int { return 0 }
	problem := func() error {
		effects, err := s.t.Command(s.now, &table.Command{Action: game.Action{Do: table.NewGame},
			Options: map[string]string{table.OptionProblem: "1"}})
		s.carry(effects)
		return err
	}
	if err := problem(); err != nil {
		t.Fatal(err)
	}
	s.pass(time.Second)
	s.do(table.Command{Action: game.Action{Do: game.Resign}})
	s.pass(3 * time.Second)
	shown := func() bool {
		x, ok := s.t.Problem()
		if !ok || x.State != table.GivenUp {
			t.Fatalf("the problem stands as %+v", x)
		}
		lit := s.view.From != (wood.Set{})
		if told := x.Key != rules.NoMove; told != lit {
			t.Errorf("the key is told: %v, lit: %v", told, lit)
		}
		return lit
	}
	if !shown() {
		t.Fatal("the key of a problem that was given up is not shown")
	}
	for _, now := range []bool{true, false} {
		going, s.seen = now, nil
		s.pass(time.Second)
		if shown() == now {
			t.Errorf("a game at Lichess goes on: %v; the key is shown: %v", now, !now)
		}
		if !slices.ContainsFunc(s.seen, func(e table.Effect) bool { _, ok := e.(table.Publish); return ok }) {
			t.Errorf("a game at Lichess goes on: %v; nobody is told what changes", now)
		}
	}
	going = true
	if err := problem(); err == nil || !strings.Contains(err.Error(), "no program may help") {
		t.Errorf("another problem: %v", err)
	}
}

// TestFairButton: a clock button that is held gives no hint beside a game at Lichess, and the analyst may look at
// nothing.
func TestFairButton(t *testing.T) {
	going := false
	s := spar(t, table.Options{Fair: func() bool { return going }})
	s.thinks = func(int, bool) int { return 0 }
	for _, now := range []bool{true, false} {
		going = now
		s.pass(3 * time.Second)
		s.seen = nil
		s.carry(s.t.Press(s.now, s.now, game.White, true))
		s.pass(time.Second)
		if given := s.told(table.Hinted) > 0; given == now {
			t.Errorf("a game at Lichess goes on: %v; a hint is given: %v", now, given)
		}
		if why := s.t.WhyNoAnalysis(); (why == table.AgainstLichess) != now {
			t.Errorf("a game at Lichess goes on: %v; nothing is analysed because of %q", now, why)
		}
	}
}

// TestHurry: while the server is about to end a game the corners shine, until a move is made or the game ends, however
// it does.
func TestHurry(t *testing.T) {
	for _, how := range []string{"a move", "its end"} {
		d := &disk{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
		d.t = table.New(table.Options{Board: "home", Lichess: true,
			Decode: func() table.Decoder { return reconcile.New(wood.Reference(), reconcile.DefaultTiming()) }})
		effects, err := d.t.Start(d.now, game.Setup{ID: d.t.NextID(d.now), Board: "home", Variant: "chess", White: "home",
			Black: game.Lichess})
		if err != nil {
			t.Fatal(err)
		}
		d.carry(effects)
		d.carry(d.t.UrgentNotice(d.now, "Lichess ends the game in 15s unless a move is made"))
		if d.view.Alarm == (wood.Set{}) {
			t.Error("no light says that the game is about to end")
		}
		if how == "a move" {
			d.move(t, "e2e4")
		} else {
			effects, err := d.t.Command(d.now, &table.Command{Action: game.Action{Do: game.Resign}})
			if err != nil {
				t.Fatal(err)
			}
			d.carry(effects)
			if !d.t.Game().Over() {
				t.Fatal("the game goes on")
			}
		}
		if d.view.Alarm != (wood.Set{}) {
			t.Errorf("the corners shine on after %s", how)
		}
	}
}
