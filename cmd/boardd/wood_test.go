// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/bus"
	"boardd/sensing/wood"
	"boardd/sync/journal"
	"boardd/sync/journal/journaltest"

	"periph.io/x/conn/v3/i2c/i2ctest"
)

// TestLateReadings: readings that had to wait on a busy machine count from when they were taken. The wood is still
// looked at as it is now.
func TestLateReadings(t *testing.T) {
	conf := config.Default()
	conf.Board, conf.Kind, conf.Variant, conf.StateDir = "table", "stack", "chess", t.TempDir()
	g := wood.Reference()
	g.Weights = true
	r := &rig.Rig{Geometry: g, Bus: bus.New(&i2ctest.Record{}, bus.Opts{})}
	b, err := openBoard(conf, conf, r, journal.Options{FS: journaltest.NewMemory()}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	reeds := sensing.Reading{At: began, Kind: sensing.Reeds, Known: ^rules.Bitboard(0), Closed: 0xffff00000000ffff}
	b.observe(&reeds)
	b.carry(b.table.Look(began.Add(200 * time.Millisecond)))
	late := sensing.Reading{At: began.Add(100 * time.Millisecond), Kind: sensing.Weights, Known: ^rules.Bitboard(0)}
	b.observe(&late)
	if want := began.Add(200 * time.Millisecond); !b.table.Seen().Equal(want) {
		t.Errorf("the wood is looked at as it was at %v, want %v", b.table.Seen().Sub(began), want.Sub(began))
	}
	b.readings <- sensing.Reading{At: began.Add(300 * time.Millisecond), Kind: sensing.Reeds, Known: ^rules.Bitboard(0)}
	b.look()
	if n := len(b.readings); n > 0 {
		t.Errorf("the wood is looked at while %d readings wait", n)
	}
	if !b.table.Seen().After(began.Add(200 * time.Millisecond)) {
		t.Errorf("the reading that waited was not taken in: the wood is seen as at %v", b.table.Seen().Sub(began))
	}
}

// TestResultsAreNotUndoneByHand: after a resignation the pieces may be moved back, and the result stays. After a mate
// that is a takeback.
func TestResultsAreNotUndoneByHand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		moves, resign string
		outcome       string // after the last move was put back
	}{
		{"f2f3 e7e5 g2g4", "black", "1-0"},
		{"f2f3 e7e5 g2g4 d8h4", "", ""},
	} {
		suffer(t, "reeds", func(_ context.Context, w *troubled) {
			hand := func(from, to string) {
				for i, at := range []string{from, to} {
					s, err := rules.ParseSquare(at)
					must(t, err)
					if i == 0 {
						must(t, w.v.Lift("right", sensing.Lower, s, 1))
					} else {
						must(t, w.v.Place("right", sensing.Lower, s))
					}
					time.Sleep(2 * time.Second)
				}
			}
			moves := strings.Fields(c.moves)
			for _, m := range moves {
				hand(m[:2], m[2:])
			}
			if c.resign != "" {
				w.command(`{"id":"1","do":"resign","by":"` + c.resign + `"}`)
				time.Sleep(time.Second)
			}
			if g := w.shown(); g.Outcome == "" || len(g.Moves) != len(moves) {
				t.Errorf("%s: %q after %v, want an end", c.moves, g.Outcome, g.Moves)
			}
			back := moves[len(moves)-1]
			hand(back[2:], back[:2])
			want := len(moves)
			if c.outcome == "" {
				want--
			}
			if g := w.shown(); g.Outcome != c.outcome || len(g.Moves) != want {
				t.Errorf("%s: outcome %q after %v, want %q after %d moves", c.moves, g.Outcome, g.Moves, c.outcome, want)
			}
		}, time.Minute)
	}
}
