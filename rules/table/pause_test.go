// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"cmp"
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

// reeds is a table of a board that has nothing but reeds, with pieces that a test moves.
type reeds struct {
	*disk
	test  *testing.T
	stand rules.Bitboard
}

func layReeds(t *testing.T, s game.Setup) *reeds {
	t.Helper()
	g := wood.Reference()
	g.Weights, g.Heights = false, false
	r := &reeds{disk: &disk{now: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)}, test: t}
	r.t = table.New(table.Options{Board: "home",
		Decode: func() table.Decoder { return reconcile.New(g, reconcile.DefaultTiming()) }})
	s.ID, s.Board, s.Variant, s.White, s.Black = "one", "home", "chess", game.Local, cmp.Or(s.Black, game.Local)
	effects, err := r.t.Start(r.now, s)
	if err != nil {
		t.Fatal(err)
	}
	r.carry(effects)
	p := r.t.Game().Position()
	r.stand = p.Occupied()
	r.pass(time.Second)
	return r
}

func (r *reeds) pass(d time.Duration) {
	for end := r.now.Add(d); r.now.Before(end); {
		r.now = r.now.Add(20 * time.Millisecond)
		r.carry(r.t.Sense(r.now, &sensing.Reading{At: r.now, Kind: sensing.Reeds, Known: ^rules.Bitboard(0),
			Closed: r.stand}))
	}
}

// act lifts a piece from each named square that has one, and puts one on each that has none.
func (r *reeds) act(squares ...string) {
	r.test.Helper()
	for _, name := range squares {
		s, err := rules.ParseSquare(name)
		if err != nil {
			r.test.Fatal(err)
		}
		r.stand ^= s.Bit()
		r.pass(300 * time.Millisecond)
	}
}

func (r *reeds) do(a game.ActionKind) {
	r.test.Helper()
	effects, err := r.t.Command(r.now, &table.Command{Action: game.Action{Do: a}})
	if err != nil {
		r.test.Fatalf("%s: %v", a, err)
	}
	r.carry(effects)
}

func (r *reeds) want(what string, moves string, state table.State) {
	r.test.Helper()
	w := r.t.Wood()
	if got := strings.Join(r.t.Game().Coords(), " "); got != moves || w.State != state {
		r.test.Errorf("%s: moves %q, wood %s; want %q, %s", what, got, w.State, moves, state)
	}
}

// TestCaptureInAPause: what was seen of a move in a pause is still known when the game goes on, however long nobody
// touched the board. The reeds alone do not show at the end which of two pieces was captured.
func TestCaptureInAPause(t *testing.T) {
	for _, pause := range []time.Duration{time.Second, 10 * time.Minute} {
		for _, victim := range []string{"a5", "d1"} {
			r := layReeds(t, game.Setup{Start: "4k3/8/8/p7/8/8/7K/R2n4 w - - 0 1"})
			r.do(game.Pause)
			r.act(victim, "a1", victim)
			r.pass(pause)
			r.want("in the pause", "", table.Moving)
			r.do(game.Resume)
			r.pass(time.Second)
			r.want("after it", "a1"+victim, table.Synced)
		}
	}
}

// TestPauseHoldsEverything: in a pause no move is corrected and no question answered. Both come when the game goes on.
func TestPauseHoldsEverything(t *testing.T) {
	r := layReeds(t, game.Setup{})
	r.act("e2", "e4")
	r.pass(time.Second)
	r.want("before the pause", "e2e4", table.Synced)
	r.do(game.Pause)
	r.act("e4", "e3")
	r.pass(time.Minute)
	r.want("another move in its place", "e2e4", table.Moving)
	if m := r.t.Wood().Held; m != "" {
		t.Errorf("%s is shown as the next move", m)
	}
	r.do(game.Resume)
	r.pass(2 * time.Second)
	r.want("when it goes on", "e2e3", table.Synced)

	for _, pause := range []bool{false, true} { // only touches show it: the wood is the same
		r = layReeds(t, game.Setup{Start: "4k3/8/8/p7/8/8/7K/R2n4 w - - 0 1"})
		r.act("d1", "a1", "d1")
		r.pass(time.Second)
		r.want("the knight captured", "a1d1", table.Synced)
		if pause {
			r.do(game.Pause)
		}
		r.act("a5", "d1", "a5", "d1")
		r.pass(3 * time.Second)
		if pause {
			r.do(game.Resume)
			r.pass(2 * time.Second)
		}
		r.want("the pawn instead", "a1a5", table.Synced)
	}

	r = layReeds(t, game.Setup{Start: "8/4P3/8/8/k7/8/8/K7 w - - 0 1"})
	r.act("e7", "e8")
	r.pass(2 * time.Second)
	r.want("a promotion", "", table.Asking)
	r.do(game.Pause)
	r.want("in the pause", "", table.Moving)
	if at := (wood.Set{1 << 60}); r.t.Wood().Held != "e8" || r.view.Held != at {
		t.Errorf("%q is seen, and %v lit; want e8", r.t.Wood().Held, r.view.Held)
	}
	r.act("e8", "e8")
	r.pass(2 * time.Second)
	r.want("lifted and put back", "", table.Moving)
	r.do(game.Resume)
	r.pass(2 * time.Second)
	r.want("asked again", "", table.Asking)
	if c := r.t.Wood().Choices; !slices.ContainsFunc(c,
		func(c reconcile.Choice) bool { return c.Move.Promotion() == rules.Knight }) {
		t.Errorf("the choices are %v", c)
	}
}

// TestTakeBackInAPause: what is taken back in a pause is the move that waits, without anybody's consent. The wood
// has to be put back. Asked again, the move before it goes.
func TestTakeBackInAPause(t *testing.T) {
	for _, policy := range []string{game.TakebackFree, game.TakebackConsent, game.TakebackNever} {
		r := layReeds(t, game.Setup{Options: map[string]string{game.OptionTakeback: policy}})
		r.act("e2", "e4")
		r.pass(time.Second)
		r.do(game.Pause)
		r.act("e7", "e5")
		r.pass(time.Second)
		r.want("in the pause", "e2e4", table.Moving)
		r.do(game.Takeback)
		r.pass(time.Second)
		r.want("taken back", "e2e4", table.Executing)
		if w := r.t.Wood(); w.Held != "" || w.Ply != 2 || len(r.t.Requests()) > 0 {
			t.Errorf("%s: %+v, asked %v; want it to be put back", policy, w, r.t.Requests())
		}
		r.act("e5", "e7")
		r.pass(time.Second)
		r.want("put back", "e2e4", table.Synced)
		if policy == game.TakebackFree {
			r.do(game.Takeback)
			r.want("the move before it", "", table.Executing)
			continue
		}
		r.do(game.Resume)
		r.act("e7", "e6")
		r.pass(time.Second)
		r.want("another move", "e2e4 e7e6", table.Synced)
	}
	r := layReeds(t, game.Setup{Start: "8/4P3/8/8/k7/8/8/K7 w - - 0 1"})
	r.do(game.Pause)
	r.act("e7", "e8")
	r.pass(2 * time.Second)
	r.want("a promotion", "", table.Moving)
	r.do(game.Takeback)
	r.act("e8", "e7")
	r.pass(2 * time.Second)
	r.want("put back", "", table.Synced)
}

// TestPutBackInAPause: a move and its reply that are made in a pause and put back leave no trace in what follows.
func TestPutBackInAPause(t *testing.T) {
	r := layReeds(t, game.Setup{Start: "3qk3/8/8/p6p/8/8/4P2P/R3K3 w - - 0 1"})
	r.do(game.Pause)
	r.act("h2", "h4", "e8", "f8")
	r.pass(2 * time.Second)
	r.act("f8", "e8", "h4", "h2")
	r.pass(2 * time.Second)
	r.do(game.Resume)
	r.pass(time.Second)
	r.act("a5", "a1", "a5")
	r.pass(time.Second)
	r.act("d8")
	r.pass(6 * time.Second)
	r.want("the queen in the hand", "a1a5", table.Moving)
}

// TestPutBackAgain: with `takeback: consent` pieces that are put back ask each time, also after a refusal and at the
// same ply. Two moves put back one after the other are one request at a time.
func TestPutBackAgain(t *testing.T) {
	r := layReeds(t, game.Setup{Options: map[string]string{game.OptionTakeback: game.TakebackConsent}})
	r.act("e2", "e4")
	r.pass(time.Second)
	asked := func(what string, to int) {
		t.Helper()
		r.pass(2 * time.Second)
		list := r.t.Requests()
		if to < 0 && len(list) > 0 || to >= 0 && (len(list) != 1 || list[0].To != to) {
			t.Errorf("%s: %+v is asked", what, list)
		}
	}
	for _, again := range []string{"once", "after a refusal"} {
		r.act("e4", "e2")
		asked(again, 0)
		r.do(game.DeclineTakeback)
		asked(again+", refused", -1)
		r.want(again, "e2e4", table.Wrong)
		r.act("e2", "e4")
		r.pass(time.Second)
		r.want(again, "e2e4", table.Synced)
	}
	r.act("e4", "e2")
	asked("the third time", 0)
	r.do(game.AcceptTakeback)
	r.pass(2 * time.Second)
	r.want("taken back", "", table.Synced)
	r.act("e2", "e4")
	r.pass(2 * time.Second)
	r.act("e4", "e2")
	asked("at the same ply again", 0)
	r.do(game.DeclineTakeback)
	r.act("e2", "e4")
	r.pass(2 * time.Second)

	r.act("e7", "e5")
	r.pass(2 * time.Second)
	r.act("e5", "e7")
	asked("the reply", 1)
	r.act("e4", "e2")
	asked("the move too", 1)
	r.want("the move too", "e2e4 e7e5", table.Moving)
}

// TestOwnPauseHeardBack: a board that has lost its disk hears from the other one that the clocks stand because of its
// own wood. It lets them go on when the wood is right.
func TestOwnPauseHeardBack(t *testing.T) {
	for reason, goesOn := range map[string]bool{game.OfRival + table.Desync: true, table.Desync: false} {
		r := layReeds(t, game.Setup{})
		clock := &game.Timing{Kind: game.SuddenDeath, Initial: 600_000}
		effects, err := r.t.Start(r.now, game.Setup{ID: "two", Board: "home", Variant: "chess", White: "home", Black: "rome",
			Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		r.carry(effects)
		r.pass(2 * time.Second)
		r.carry(r.t.Receive(r.now, table.Message{Game: game.RemoteGame{Board: "rome", ID: "two", Variant: "chess",
			White: "home", Black: "rome", Moves: []string{"e2e4", "e7e5"}, Own: 2, Paused: true, Pauses: 1,
			PauseReason: reason}}))
		r.act("e2", "e4", "e7", "e5")
		r.pass(3 * time.Second)
		r.want(reason, "e2e4 e7e5", table.Synced)
		if c, _ := r.t.Game().Clocks(r.now); r.t.Game().Paused() == goesOn || (c.Running == game.White) != goesOn {
			t.Errorf("%s: paused because of %q, the clock runs for %q; want it to go on: %v", reason,
				r.t.Game().WhyPaused(), c.Running, goesOn)
		}
	}
}

// TestBrushedSquare: a move that was taken because its piece brushed a square is taken back when the wood has rested,
// also where takebacks need consent. In a pause it waits. Then the piece may be put down anywhere.
func TestBrushedSquare(t *testing.T) {
	for _, pause := range []bool{false, true} {
		r := layReeds(t, game.Setup{Start: "4k3/8/8/4p3/5P2/8/8/4K3 b - - 0 1",
			Options: map[string]string{game.OptionTakeback: game.TakebackConsent}})
		e4 := rules.Square(28).Bit()
		r.act("e5")
		r.stand ^= e4
		r.pass(60 * time.Millisecond)
		r.want("over e4", "e5e4", table.Synced)
		if pause {
			r.do(game.Pause)
		}
		r.stand ^= e4
		if r.pass(3 * time.Second); pause {
			r.want("in the pause", "e5e4", table.Moving)
			r.do(game.Resume)
			r.pass(100 * time.Millisecond)
		}
		r.want("in the hand", "", table.Moving)
		if list := r.t.Requests(); len(list) > 0 {
			t.Errorf("%+v is asked", list)
		}
		r.act("f4", "f4")
		r.pass(time.Second)
		r.want("put down", "e5f4", table.Synced)
	}
}
