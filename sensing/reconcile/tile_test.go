// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// TestNoiseIsNoTile: the top of a pile of flat pieces is in the hand. The height sensor of a neighbouring square tends
// towards the height of a tile, because badly placed neighbours reach into its cone. But its reed is open, so the
// piece has not landed there.
func TestNoiseIsNoTile(t *testing.T) {
	for name, c := range map[string]struct {
		before bool // it did so before the piece was lifted
		held   time.Duration
	}{"from now on": {false, 1500 * time.Millisecond}, "as before": {true, 5 * time.Second}} {
		t.Run(name, func(t *testing.T) {
			v, err := rules.ByID("pillar-liberal")
			if err != nil {
				t.Fatal(err)
			}
			p, err := v.ParseFEN("4k3/8/8/8/8/5[Qr]2/8/4K3 b - - 0 1")
			if err != nil {
				t.Fatal(err)
			}
			const e3, f3 = rules.Square(20), rules.Square(21)
			g := boards()["twin"]
			g.CubeHeight = 6000
			b := newBench(t, g, 1)
			b.stand(&p)
			over, leans := false, c.before
			b.broken.height = func(q rules.Square, um float64) float64 {
				switch {
				case over && (q == e3 || q == f3):
					return 95_000
				case leans && q == e3:
					return um + 4600
				}
				return um
			}
			b.d.Expect([]reconcile.Base{{Position: p, Moves: true, OpponentHere: true}})
			b.pass(3 * time.Second)
			over, leans = true, true
			b.act(hands.Act{Do: hands.Lift, Place: wood.Place(f3), Count: 1})
			b.pass(100 * time.Millisecond)
			over = false
			if b.pass(c.held); b.last.State == reconcile.Moved {
				t.Errorf("%s is taken, want the piece to be in the hand", p.Coord(b.last.Move))
			}
		})
	}
}
