// SPDX-License-Identifier: Apache-2.0

package eval

import "boardd/rules"

// pieceSquareTables is how well each piece stands alone on each square, by the stage of the game, in hundredths of a
// pawn for its side.
type pieceSquareTables [Phases][16][64]int16

// newPieceSquareTables reads them from the rows.
func newPieceSquareTables(e *Eval) *pieceSquareTables {
	t := new(pieceSquareTables)
	for _, c := range []rules.Color{rules.White, rules.Black} {
		for k := rules.Pawn; k <= rules.King; k++ {
			pc := rules.NewPiece(c, k)
			for s := range rules.NoSquare {
				in := newFeature(single, rules.NewPiece(rules.White, k), s^rules.Square(56*int(c)))
				mine, theirs := e.row(in), e.row(in.Turned())
				for stage := range Phases {
					t[stage][pc][s] = int16(e.placementValue(&mine, &theirs, stage))
				}
			}
		}
	}
	return t
}

// placementValue is what a piece adds to the score of its side, without the hidden units.
func (e *Eval) placementValue(mine, theirs *row, stage int) int {
	if !e.handcrafted {
		return (mine.phase(stage) - theirs.phase(stage)) / 2
	}
	return mine.worth((stage + 1) * fullPlay / Phases)
}

// PieceSquares is how well each piece stands alone on each square in a phase of the game. It is by piece and square,
// in hundredths of a pawn. It is a part of the estimate, and a guess at where to look first.
func (e *Eval) PieceSquares(stage int) *[16][64]int16 { return &e.pieceSquares[stage] }
