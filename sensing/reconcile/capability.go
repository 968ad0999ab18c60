package reconcile

import (
	"fmt"
	"math"

	"boardd/rules"
)

// CanFollow says whether the board can follow a game at all; the error says what it lacks. With reeds alone a piece
// put on another one looks like a piece still in the hand, so only the orthodox game, which stacks nothing, is left.
func (g *Geometry) CanFollow(v *rules.Variant) error {
	if v.ID() == "chess" || g.Weights || g.Heights {
		return nil
	}
	return fmt.Errorf("this board senses only whether a square is empty, and cannot follow %s, in which pieces are stacked: play chess on it, or add load cells or height sensors", v.Name())
}

// Asks lists what the board will have to ask for in a game, in words; none when it can tell everything.
func (g *Geometry) Asks(v *rules.Variant) []string {
	var asks []string
	if !g.Weights {
		asks = append(asks, "the piece that a pawn becomes")
		asks = append(asks, "which of two captures was made, when both captured pieces were touched")
	}
	return asks
}

// weighable tells whether a load cell can tell two piles apart.
func (g *Geometry) weighable(a, b Pile) bool {
	s, t := g.target(a), g.target(b)
	noise := float64(g.CellNoise)
	return math.Abs(s.mass-t.mass) > 2*outlier*math.Sqrt(noise*noise+max(s.variance, t.variance))
}
