// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardd/hardware/rig"
	"boardd/rules/game"
	"boardd/sensing"
	"boardd/sync/journal"
	"boardd/sync/journal/journaltest"
	"boardd/sync/wire"
)

// living runs a daemon on the board of a troubled one.
func (w *troubled) living(b *board) (end func()) {
	ctx, stop := context.WithCancel(w.t.Context())
	var daemon sync.WaitGroup
	daemon.Go(func() { must(w.t, b.run(ctx)) })
	w.b = b
	return func() {
		stop()
		daemon.Wait()
	}
}

// alone starts a twin board without a mirror. done has to be called when its daemon has ended.
func (w *troubled) alone(dir string) (end, done func()) {
	done = w.open("twin", dir)
	w.b.mirror = nil
	return w.living(w.b), done
}

// again restarts the daemon from a disk, and waits until it knows how the wood stands.
func (w *troubled) again(disk *journaltest.Memory) (end func()) {
	c := w.b.conf
	r, err := rig.Open(&c, slog.New(slog.DiscardHandler))
	if err != nil {
		w.t.Fatal(err)
	}
	b, err := openBoard(c, c, r, journal.Options{FS: disk}, slog.New(w.b.log.Handler()))
	if err != nil {
		w.t.Fatal(err)
	}
	end = w.living(b)
	time.Sleep(3 * time.Second)
	synctest.Wait()
	return end
}

// aboard calls play for a twin board without a mirror, on which the array stands. play gets the function that ends the
// daemon, and returns the one that ends the last daemon.
func aboard(t *testing.T, play func(w *troubled, end func()) func()) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := &troubled{t: t}
		end, done := w.alone(dir)
		w.until("the array stands", synced)
		play(w, end)()
		done()
		must(t, w.v.Close())
		must(t, w.net.Close())
		synctest.Wait()
	})
}

// ordered gives the board a command from the page.
func (w *troubled) ordered(c wire.Command) {
	w.t.Helper()
	c.ID = "1"
	if r := w.b.ask(w.t.Context(), c, atPage); !r.OK {
		w.t.Errorf("%+v: %s", c, r.Error)
	}
	synctest.Wait()
}

// TestWoodBehindAfterRestart: the power may fail before the wood shows the game. After the restart the wood is
// understood as before. A move that was accepted is neither taken back nor played a second time, and a move that was
// taken back is not played again. The power is cut at every write in turn.
func TestWoodBehindAfterRestart(t *testing.T) {
	move := func(m string) func(*troubled) {
		return func(w *troubled) { w.ordered(wire.Command{Do: wire.DoMove, Move: m}) }
	}
	hand := func(m string) func(*troubled) {
		return func(w *troubled) {
			w.carry(m[:2], m[2:])
			w.until(m+" is made", func(g *wire.Game) bool { return last(g.Moves) == m && synced(g) })
		}
	}
	copied := func(m string) func(*troubled) {
		return func(w *troubled) {
			w.carry(m[:2], m[2:])
			w.until(m+" is copied", synced)
		}
	}
	back := func(w *troubled) { w.ordered(wire.Command{Do: wire.DoTakeback}) }
	turn := func(w *troubled) { w.ordered(wire.Command{Do: wire.DoFlip}) }
	lay := func(w *troubled) { w.ordered(wire.Command{Do: wire.DoSetup, Start: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}) }
	type acts []func(*troubled)
	for _, c := range []struct {
		name     string
		takeback string
		before   acts // done before any power cut
		acts     acts
		during   []string // states in which it may come back from a cut in the middle
		want     string   // moves, state, ply and squares that differ
	}{
		{"a move", game.TakebackFree, acts{hand("e2e4")}, acts{move("e7e5")},
			[]string{"[e2e4] synced 1 []"}, "[e2e4 e7e5] executing 1 [e5 e7]"},
		{"a move, consent", game.TakebackConsent, acts{hand("e2e4")}, acts{move("e7e5")},
			[]string{"[e2e4] synced 1 []"}, "[e2e4 e7e5] executing 1 [e5 e7]"},
		{"a move, never", game.TakebackNever, acts{hand("e2e4")}, acts{move("e7e5")},
			[]string{"[e2e4] synced 1 []"}, "[e2e4 e7e5] executing 1 [e5 e7]"},
		{"two moves", game.TakebackFree, acts{hand("e2e4")}, acts{move("e7e5"), move("g1f3")},
			[]string{"[e2e4] synced 1 []", "[e2e4 e7e5] executing 1 [e5 e7]"}, "[e2e4 e7e5 g1f3] executing 1 [e5 e7 f3 g1]"},
		{"moves there and back", game.TakebackFree, acts{hand("e2e4")}, acts{move("b8c6"), move("g1f3"), move("c6b8"),
			move("f3g1")},
			[]string{"[e2e4] synced 1 []", "[e2e4 b8c6] executing 1 [b8 c6]", "[e2e4 b8c6 g1f3] executing 1 [b8 c6 f3 g1]",
				"[e2e4 b8c6 g1f3 c6b8] executing 1 [f3 g1]"}, "[e2e4 b8c6 g1f3 c6b8 f3g1] synced 5 []"},
		{"a takeback", game.TakebackFree, acts{hand("e2e4"), hand("e7e5")}, acts{back},
			[]string{"[e2e4 e7e5] synced 2 []"}, "[e2e4] executing 2 [e5 e7]"},
		{"two takebacks", game.TakebackFree, acts{hand("e2e4"), hand("e7e5")}, acts{back, back},
			[]string{"[e2e4 e7e5] synced 2 []", "[e2e4] executing 2 [e5 e7]"}, "[] executing 2 [e2 e4 e5 e7]"},
		{"a takeback of what was not copied", game.TakebackFree, acts{hand("e2e4"), move("e7e5"), move("g1f3")},
			acts{back},
			[]string{"[e2e4 e7e5 g1f3] executing 1 [e5 e7 f3 g1]"}, "[e2e4 e7e5] executing 1 [e5 e7]"},
		{"a position to lay", game.TakebackFree, acts{hand("e2e4")}, acts{lay},
			[]string{"[e2e4] synced 1 []"}, "[] setup 0 [a1 a2 a7 a8 b1 b2 b7 b8 c1 c2 c7 c8 d1 d2 d7 d8 e2 e4 e7 f1 f2 f7 " +
				"f8 g1 g2 g7 g8 h1 h2 h7 h8]"},
		{"a board that is turned", game.TakebackFree, acts{hand("e2e4")}, acts{turn},
			[]string{"[e2e4] synced 1 []"}, "[e2e4] setup 1 [d5 d7 e2 e4]"},
		{"a move that was copied", game.TakebackFree, acts{hand("e2e4"), move("e7e5")}, acts{copied("e7e5")},
			nil, "[e2e4 e7e5] synced 2 []"},
		{"a move by hand after one that was copied", game.TakebackFree, acts{hand("e2e4"), move("e7e5"), copied("e7e5")},
			acts{hand("g1f3")},
			nil, "[e2e4 e7e5 g1f3] synced 3 []"},
	} {
		if shortened() && c.name != "a move" {
			// a few hundred daemons in one bubble: the detector takes twenty times as long, and finds nothing new
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				w := &troubled{t: t}
				end, done := w.alone(dir)
				w.until("the array stands", synced)
				w.ordered(wire.Command{Do: wire.DoNew, Options: map[string]string{game.OptionTakeback: c.takeback}})
				w.until("the array stands", synced)
				for _, d := range c.before {
					d(w)
				}
				steps := w.disk.Done()
				for _, d := range c.acts {
					d(w)
				}
				cuts := w.disk.Done()
				time.Sleep(3 * time.Second)
				w.until("it is at rest", func(g *wire.Game) bool { return standsAs(g) == c.want })
				end()
				disk := w.disk
				for n := steps; n <= cuts; n++ {
					parts := []int{0}
					if n < cuts && disk.Steps[n].Kind == "write" {
						parts = []int{0, len(disk.Steps[n].Data) / 2, len(disk.Steps[n].Data)}
					}
					for _, part := range parts {
						for _, forget := range []bool{false, true} {
							end := w.again(disk.PowerCut(n, part, forget))
							g := w.shown()
							may := append([]string{c.want}, c.during...)
							if n == cuts {
								may = may[:1]
							}
							if got := standsAs(&g); !slices.Contains(may, got) {
								t.Errorf("cut at step %d of %d..%d, byte %d, forget %v: %s, want one of %q", n, steps, cuts, part, forget, got,
									may)
							}
							end()
						}
					}
				}
				done()
				must(t, w.v.Close())
				must(t, w.net.Close())
				synctest.Wait()
			})
		})
	}
}

// standsAs says how a game and its wood stand.
func standsAs(g *wire.Game) string {
	squares := []string{}
	for _, s := range g.Wood.Squares {
		squares = append(squares, s.Square)
	}
	slices.Sort(squares)
	return fmt.Sprint(g.Moves, " ", g.Wood.State, " ", g.Wood.Ply, " ", squares)
}

// TestWoodChangedWhileOff: what hands do while the power is off counts. If the wood then shows the game, it is synced.
// If it still has to follow, it is led from where it is. If it showed the game and was moved back, the move is taken
// back, as with the power on.
func TestWoodChangedWhileOff(t *testing.T) {
	for _, c := range []struct {
		name, pending string // what is ordered before the power goes
		hands         []string
		want          string
	}{
		{"copied", "e7e5", []string{"e7e5"}, "[e2e4 e7e5] synced 2 []"},
		{"copied wrongly", "e7e5", []string{"e7e6"}, "[e2e4 e7e5] executing 1 [e5 e6]"},
		{"moved back", "", []string{"e4e2"}, "[] synced 0 []"},
		{"one move more", "", []string{"g8f6"}, "[e2e4 g8f6] synced 2 []"},
		{"astray", "", []string{"a1a5"}, "[e2e4] wrong 1 [a1 a5]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			aboard(t, func(w *troubled, end func()) func() {
				w.carry("e2", "e4")
				w.until("the move is made", func(g *wire.Game) bool { return moved("e2e4")(g) && synced(g) })
				if c.pending != "" {
					w.ordered(wire.Command{Do: wire.DoMove, Move: c.pending})
				}
				end()
				for _, m := range c.hands {
					w.carry(m[:2], m[2:])
				}
				end = w.again(w.disk.PowerCut(len(w.disk.Steps), 0, true))
				if g := w.shown(); standsAs(&g) != c.want {
					t.Errorf("got %s, want %s", standsAs(&g), c.want)
				}
				return end
			})
		})
	}
}

// TestOrderedWhileOff: the power goes with a piece in the hand. A command before the piece is put down does not change
// what the wood has to follow. The move counts. If the game is paused it waits, and people are told so.
func TestOrderedWhileOff(t *testing.T) {
	pause, resume := wire.Command{Do: wire.DoPause}, wire.Command{Do: wire.DoResume}
	for _, c := range []struct {
		name   string
		orders []wire.Command
		want   string
	}{
		{"nothing", nil, "[e2e4 e7e5] synced 2 []"},
		{"paused and resumed", []wire.Command{pause, resume}, "[e2e4 e7e5] synced 2 []"},
		{"a draw is offered", []wire.Command{{Do: wire.DoOfferDraw, By: "white"}}, "[e2e4 e7e5] synced 2 []"},
		{"paused", []wire.Command{pause}, "[e2e4] moving 1 [e5 e7]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			aboard(t, func(w *troubled, end func()) func() {
				w.ordered(wire.Command{Do: wire.DoNew, Clock: &wire.ClockSpec{Kind: "sudden-death", Initial: 600_000}})
				w.until("the array stands", synced)
				w.carry("e2", "e4")
				w.until("the move is made", func(g *wire.Game) bool { return moved("e2e4")(g) && synced(g) })
				must(t, w.v.Lift("right", sensing.Lower, at("e7").Square(), 1))
				time.Sleep(time.Second)
				end()
				end = w.again(w.disk.PowerCut(len(w.disk.Steps), 0, true))
				for _, o := range c.orders {
					w.ordered(o)
				}
				must(t, w.v.Place("right", sensing.Lower, at("e5").Square()))
				time.Sleep(3 * time.Second)
				if g := w.shown(); standsAs(&g) != c.want {
					t.Errorf("got %s, want %s", standsAs(&g), c.want)
				}
				return end
			})
		})
	}
}

// TestFileOfAnEnd: when the end of a game is taken back, its file is removed.
func TestFileOfAnEnd(t *testing.T) {
	aboard(t, func(w *troubled, end func()) func() {
		w.carry("e2", "e4")
		w.until("the move is made", func(g *wire.Game) bool { return moved("e2e4")(g) && synced(g) })
		name := w.b.ended.Path(w.b.table.Game().ID())
		w.ordered(wire.Command{Do: wire.DoResign, By: "white"})
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), "0-1") {
			t.Errorf("white resigned: %v, %q, want 0-1", err, text)
		}
		w.ordered(wire.Command{Do: wire.DoTakeback})
		if _, err := os.Stat(name); !os.IsNotExist(err) {
			t.Errorf("the end was taken back: %v, want no file", err)
		}
		return end
	})
}

// TestNothingClaimedBeforeItIsRead: after a start nobody is told to put right, copy or set up anything before the
// sensors were read. When people are told, the squares are named.
func TestNothingClaimedBeforeItIsRead(t *testing.T) {
	for _, pending := range [][]string{nil, {"e2e4", "e7e5"}} {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			w := &troubled{t: t}
			done := w.open("twin", dir)
			w.b.mirror = nil
			first := w.b.message()
			end := w.living(w.b)
			w.until("the array stands", synced)
			for _, m := range pending {
				w.ordered(wire.Command{Do: wire.DoMove, Move: m})
			}
			end()
			c := w.b.conf
			r, err := rig.Open(&c, slog.New(slog.DiscardHandler))
			must(t, err)
			b, err := openBoard(c, c, r, journal.Options{FS: w.disk.PowerCut(len(w.disk.Steps), 0, true)},
				slog.New(slog.DiscardHandler))
			must(t, err)
			for _, g := range []wire.Game{first, b.message()} {
				if g.Wood.State != wire.Moving {
					t.Errorf("%s before anything was read, want moving", standsAs(&g))
				}
			}
			w.living(b)()
			done()
			must(t, w.v.Close())
			must(t, w.net.Close())
			synctest.Wait()
		})
	}
}

// last is the last of some moves, "" for none.
func last(moves []string) string {
	if len(moves) == 0 {
		return ""
	}
	return moves[len(moves)-1]
}
