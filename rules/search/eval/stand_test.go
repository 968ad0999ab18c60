// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math/rand/v2"
	"testing"

	"boardd/rules"
)

// TestStand: in chess, a move that takes nothing changes an estimate without hidden units by as much as its piece
// stands better. That holds as seen from either side.
func TestStand(t *testing.T) {
	v := rules.Variants()[0]
	e := Net(v, InitialWeights(v))
	r := rand.New(rand.NewPCG(4, 4))
	told := 0
	for range 20 {
		walk(v, r, func(before, after *rules.Position, m rules.Move) {
			if m.IsCapture() || m.IsCastling() || m.IsEnPassant() || m.Promotion() != rules.NoKind {
				return
			}
			told++
			pc := before.Top(m.From())
			was, is := e.Accumulate(before), e.Accumulate(after)
			got := -e.Score(&is, after) - e.Score(&was, before)
			want := int(e.PieceSquares(Phase(before))[pc][m.To()] - e.PieceSquares(Phase(before))[pc][m.From()])
			if got-want > 1 || want-got > 1 { // the score is rounded
				t.Errorf("%s %s: the estimate changes by %d, want %d", before.FEN(), before.Coord(m), got, want)
			}
		})
	}
	if told < 500 {
		t.Errorf("%d moves, too few to tell", told)
	}
}
