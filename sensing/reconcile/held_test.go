// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"boardd/rules"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

var heldFor = flag.Int("held", 1, "positions of each game on each board in which a piece is held for long")

// TestHeldForLong: somebody lifts pieces of a pile, thinks for a minute or goes away with them, and puts them back. No
// move is made of that. People may be asked, as after a while a piece that is gone may also have captured one like it.
func TestHeldForLong(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 19))
	all := []string{"chess", "locking", "meirav", "pillar", "pillar-liberal", "superchess", "flying"}
	for _, on := range []struct {
		board string
		games []string
	}{{"stack", all[:6]}, {"twin", all}, {"scale", all[:6]}, {"reeds", all[:1]}} {
		board, g := on.board, boards()[on.board]
		for _, id := range on.games {
			v, err := rules.ByID(id)
			if err != nil {
				t.Fatal(err)
			}
			for n := range *heldFor {
				p, lift, ok := somethingToHold(r, v, &g)
				if !ok {
					continue
				}
				name := fmt.Sprintf("%s/%s/%d", board, id, n)
				seed := r.Uint64()
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					body := fmt.Sprintf("fen %s\n%s\nwait %ds\nnothing\n%s\nwait 4s\nstate synced\n", p.FEN(), lift, 20+seed%100,
						"place "+strings.Fields(lift)[1])
					s := newScenario(t, script{name: name, board: board, variant: id, seed: seed})
					s.pass = s.b.pass
					s.want = func(w []string) error {
						if e := s.b.last; w[0] == "nothing" {
							if e.State == reconcile.Moved || e.State == reconcile.TakenBack || e.State == reconcile.Ended {
								return fmt.Errorf("got %v, base %d, %s", e.State, e.Base, s.p.Coord(e.Move))
							}
							return nil
						}
						return s.found(w)
					}
					if err := s.run(body); err != nil {
						t.Errorf("%v; %s", err, strings.ReplaceAll(body, "\n", "; "))
					}
				})
			}
		}
	}
}

// somethingToHold is a position of a game played at random, and a line that lifts pieces of either side. What stays is
// not what a move would leave.
func somethingToHold(r *rand.Rand, v *rules.Variant, g *wood.Geometry) (p rules.Position, lift string, ok bool) {
	p = v.Start()
	for range 10 + r.IntN(60) {
		m := p.AppendMoves(nil)
		if len(m) == 0 {
			return p, "", false
		}
		p.Play(m[r.IntN(len(m))])
	}
	stands := g.Lay(&p)
	var may []string
	for at := range wood.Place(wood.Places) {
		pile := stands[at]
		if pile == "" || pile[len(pile)-1] == wood.Pedestal {
			continue
		}
		for n := 1; n <= len(pile); n++ {
			left := stands
			left[at] = pile[:len(pile)-n]
			shows := slices.ContainsFunc(p.AppendMoves(nil), func(m rules.Move) bool {
				q := p
				q.Play(m)
				return g.Lay(&q) == left
			})
			if !shows {
				deck := "_"
				if at >= 64 {
					deck = "^"
				}
				may = append(may, fmt.Sprintf("lift %v%s %d", at.Square(), deck, n))
			}
		}
	}
	if len(may) == 0 {
		return p, "", false
	}
	return p, may[r.IntN(len(may))], true
}
