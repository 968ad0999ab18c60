// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"testing"
	"time"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing/reconcile"
	"boardd/sensing/reconcile/capability"
	"boardd/sensing/wood"
)

// boards returns the kinds of boards. A board with reeds alone cannot tell a piece put on another from one still in
// the hand, so it follows chess only.
func boards() map[string]wood.Geometry {
	stack := wood.Reference()
	stack.Weights = true
	twin := wood.Reference()
	twin.TwoDecks, twin.Heights = true, true
	scale := wood.Reference()
	scale.Scale = true
	return map[string]wood.Geometry{"stack": stack, "twin": twin, "scale": scale, "reeds": wood.Reference()}
}

// TestRandomGames plays random games of every rule set by hand on a simulated board. Every move is recognised as it
// was made, or is among the choices of a question. A wrong move is never accepted.
func TestRandomGames(t *testing.T) {
	for name, g := range boards() {
		for _, v := range rules.Variants() {
			if capability.CanFollow(&g, v) != nil {
				continue
			}
			t.Run(name+"/"+v.ID(), func(t *testing.T) {
				t.Parallel()
				asked, plies := 0, 0
				games := uint64(3) // the report plays a hundred times as many
				if g.Scale {
					games = 1
				}
				for seed := range games {
					a, n := randomGame(t, g, v, seed)
					asked, plies = asked+a, plies+n
				}
				t.Logf("%d moves, %d questions", plies, asked)
				if asked*50 > plies {
					t.Errorf("%d of %d moves were asked for, want at most one in fifty", asked, plies)
				}
			})
		}
	}
}

func randomGame(t *testing.T, g wood.Geometry, v *rules.Variant, seed uint64) (asked, plies int) {
	b := newBench(t, g, seed)
	p := v.Start()
	b.stand(&p)
	for plies < 60 {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			break
		}
		m := moves[b.rand.IntN(len(moves))]
		asked += b.play(&p, m)
		plies++
	}
	return asked, plies
}

// play makes one move by hand and checks what the decoder makes of it; it returns 1 when it had to ask.
func (b *bench) play(p *rules.Position, m rules.Move) (asked int) {
	b.t.Helper()
	b.d.Expect([]reconcile.Base{{Position: *p, Moves: true}})
	b.pass(400 * time.Millisecond)
	if b.last.State != reconcile.Synced {
		b.t.Fatalf("%s before %s: state %v, touch %v", p.FEN(), p.Coord(m), b.last.State, b.last.Discrepancies)
	}
	before := *p
	next := *p
	next.Play(m)
	want := b.g.Lay(&next)
	acts := hands.Plan(&b.wood, &want)
	for i, a := range acts {
		b.act(a)
		if b.pass(time.Duration(80+b.rand.IntN(200))*time.Millisecond) && i < len(acts)-1 {
			b.early(&before, m)
		}
	}
	if b.last.State != reconcile.Moved && b.last.State != reconcile.Asking {
		b.pass(3 * time.Second) // a piece that is only taken away may be on its way elsewhere
	}
	if b.last.State != reconcile.Moved && b.last.State != reconcile.Asking && b.broken.any() {
		b.pass(8 * time.Second)
	}
	*p = next
	return b.judge(&before, m)
}

// early checks a move that was accepted while the hands were still at work: a later explanation may correct it.
func (b *bench) early(p *rules.Position, m rules.Move) {
	if b.last.State != reconcile.Moved || b.last.Move == m {
		return
	}
	q := *p
	q.Play(b.last.Move)
	b.d.Expect([]reconcile.Base{{Position: q, Moves: true}, {Position: *p, Moves: true, Takeback: true}})
	b.last = reconcile.Explanation{}
}

func (b *bench) judge(p *rules.Position, m rules.Move) (asked int) {
	b.t.Helper()
	switch b.last.State {
	case reconcile.Moved:
		if b.last.Move != m {
			b.t.Fatalf("%s: made %s, accepted %s", p.FEN(), p.Coord(m), p.Coord(b.last.Move))
		}
		return 0
	case reconcile.Asking:
		for _, c := range b.last.Choices {
			if c.Move == m {
				return 1
			}
		}
		b.t.Fatalf("%s: made %s, which is not among the choices %v", p.FEN(), p.Coord(m), b.last.Choices)
	}
	b.t.Fatalf("%s: made %s, state %v, touch %v, faults %v", p.FEN(), p.Coord(m), b.last.State, b.last.Discrepancies,
		b.d.Faults())
	return 0
}
