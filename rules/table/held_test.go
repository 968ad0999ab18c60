// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"slices"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// stands lets time pass while the wood shows the game as it was after some plies, without the pieces of some squares.
// The engine answers after it has thought for as long as it takes.
func (s *sparring) stands(plies int, d, takes time.Duration, without ...string) {
	for end := s.now.Add(d); s.now.Before(end); {
		s.now = s.now.Add(100 * time.Millisecond)
		p := s.t.Game().PositionAt(min(plies, s.t.Game().Plies()))
		w := s.g.Lay(&p)
		r := sensing.Reading{At: s.now, Kind: sensing.Reeds, Deck: sensing.Lower, Known: ^rules.Bitboard(0)}
		for sq := range rules.Square(64) {
			if w[wood.PlaceAt(sensing.Lower, sq)] != "" && !slices.Contains(without, sq.String()) {
				r.Closed |= 1 << sq
			}
		}
		s.carry(s.t.Sense(s.now, &r))
		s.carry(s.t.Tick(s.now))
		if takes -= 100 * time.Millisecond; takes < 0 {
			s.answer()
		}
	}
}

// timedSpar is a table at which White has moved e2e4 in a game with a clock of a minute.
func timedSpar(t *testing.T) *sparring {
	t.Helper()
	s := spar(t, table.Options{})
	s.thinks = func(int, bool) int { return 0 }
	s.do(table.Command{Action: game.Action{Do: table.NewGame}, Clock: &game.Timing{Kind: game.Fischer, Initial: 60_000}})
	s.pass(3 * time.Second)
	s.move("e2e4")
	return s
}

// TestHeldPiece: however the wood keeps the engine's move from being played, the engine's clock counts what it has
// thought, and no more. Nobody gains more than copyTime by it: then the move is played, and the person's clock runs.
func TestHeldPiece(t *testing.T) {
	const thinks = 4 * time.Second
	for _, c := range []struct {
		name    string
		ply     int // that the wood shows
		settled time.Duration
		without []string
	}{
		{"a piece is lifted before the engine is asked", 1, 0, []string{"g1"}},
		{"a piece is lifted while the engine thinks", 1, time.Second, []string{"g1"}},
		{"the person's move is not copied", 0, 0, nil},
	} {
		s := timedSpar(t)
		s.stands(1, c.settled, time.Hour)
		before, _ := s.t.Game().Clocks(s.now)
		s.stands(c.ply, 20*time.Second, thinks, c.without...)
		after, _ := s.t.Game().Clocks(s.now)
		if spent := before.Black - after.Black; spent < thinks || spent > thinks+200*time.Millisecond {
			t.Errorf("%s: the engine's clock has lost %v, want the %v that it thought", c.name, spent, thinks)
		}
		if n := s.t.Game().Plies(); n != 1 || after.Running != game.Nobody {
			t.Errorf("%s: %d plies, the clock of %q runs; want neither a move nor a clock", c.name, n, after.Running)
		}
		s.stands(c.ply, 15*time.Second, 0, c.without...)
		clocks, _ := s.t.Game().Clocks(s.now)
		if n := s.t.Game().Plies(); n != 2 || clocks.Running != game.White || clocks.White >= after.White {
			t.Errorf("%s: %d plies after half a minute, the clock of %q runs; want the move, and White's", c.name, n,
				clocks.Running)
		}
	}
}

// TestWrongWoodKeepsThought: wood that shows no position of the game stops the clocks. What the engine thinks then is
// not thought again, on its clock.
func TestWrongWoodKeepsThought(t *testing.T) {
	s := timedSpar(t)
	s.stands(1, time.Second, time.Hour)
	s.stands(1, 5*time.Second, time.Hour, "a2", "b2", "c7", "h8")
	if why := s.t.Game().WhyPaused(); why != table.Desync {
		t.Fatalf("the clocks stand because of %q, want %q", why, table.Desync)
	}
	before, _ := s.t.Game().Clocks(s.now)
	s.stands(1, 3*time.Second, 0)
	after, _ := s.t.Game().Clocks(s.now)
	if n := s.t.Game().Plies(); n != 2 || len(s.played) != 1 || before.Black-after.Black > 200*time.Millisecond {
		t.Errorf("%d plies, asked at %v, the engine's clock went from %v to %v; want its move, asked once", n, s.played,
			before.Black, after.Black)
	}
}

// TestTakenBackWhileWaiting: who takes the move back while the engine's move waits gets the clock back. That move is
// never played.
func TestTakenBackWhileWaiting(t *testing.T) {
	s := timedSpar(t)
	s.stands(1, 5*time.Second, 0, "g1")
	if why := s.t.Game().WhyPaused(); why != table.Copying {
		t.Fatalf("the clocks stand because of %q, want %q", why, table.Copying)
	}
	s.do(table.Command{Action: game.Action{Do: game.Takeback}})
	s.stands(0, 2*time.Second, 0)
	if c, _ := s.t.Game().Clocks(s.now); s.t.Game().Plies() != 0 || c.Running != game.White {
		t.Errorf("%d plies, the clock of %q runs; want White's at the beginning", s.t.Game().Plies(), c.Running)
	}
}

// TestCopyTime: the person's clock starts half a minute after the engine's move was shown, or when the wood shows it.
// After a restart that time begins anew, and does not end at once.
func TestCopyTime(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		s := timedSpar(t)
		s.stands(1, 3*time.Second, 0)
		running := func() game.Side {
			c, _ := s.t.Game().Clocks(s.now)
			return c.Running
		}
		if s.stands(1, 17*time.Second, 0); running() != game.Nobody || s.t.Game().WhyPaused() != table.Copying {
			t.Fatalf("restarted %v: the clock of %q runs before the move is copied, paused: %q", restarted, running(),
				s.t.Game().WhyPaused())
		}
		if restarted {
			g := s.t.Game()
			s.now = s.now.Add(time.Hour)
			s.t = table.New(table.Options{Board: "home", Engine: true,
				Decode: func() table.Decoder { return reconcile.New(s.g, reconcile.DefaultTiming()) }})
			effects, err := s.t.Resume(s.now, g, &table.Stance{Ply: 1, Goal: table.Executing}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			s.carry(effects)
			if s.stands(1, 28*time.Second, 0); running() != game.Nobody {
				t.Errorf("the clock of %q runs 28 s after the restart, want none", running())
			}
			s.stands(1, 4*time.Second, 0)
		} else {
			s.stands(1, 15*time.Second, 0)
		}
		if running() != game.White {
			t.Errorf("restarted %v: the clock of %q runs, want White's: the move is not copied in half a minute", restarted,
				running())
		}
	}
	s := timedSpar(t)
	s.stands(1, 5*time.Second, 0)
	s.stands(2, 2*time.Second, 0)
	if c, _ := s.t.Game().Clocks(s.now); c.Running != game.White {
		t.Errorf("the clock of %q runs after the move was copied, want White's", c.Running)
	}
}
