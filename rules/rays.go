// SPDX-License-Identifier: Apache-2.0

package rules

// Tables of where pieces go on an empty board, computed once from their steps and never changed.
var (
	knightAttacks = leaper([]step{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}})
	kingAttacks   = leaper([]step{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}})
	// pawnAttacks[c][s] is the squares that a pawn of side c attacks from s. Read backwards, it is also the squares from
	// which enemy pawns attack a piece of side c on s.
	pawnAttacks = [2][64]Bitboard{leaper([]step{{-1, 1}, {1, 1}}), leaper([]step{{-1, -1}, {1, -1}})}
	// bishopRays and rookRays are the lines of an empty board.
	bishopRays, rookRays = emptyLines(diagonals), emptyLines(orthogonals)
	// between[a][b] is the squares strictly between two squares of one line; empty when they share none.
	// lines[a][b] is that whole line from edge to edge, a and b included.
	between, lines = joinLines()
)

func leaper(steps []step) (t [64]Bitboard) {
	for s := range NoSquare {
		for _, d := range steps {
			f, r := s.File()+d.file, s.Rank()+d.rank
			if f|r >= 0 && f < 8 && r < 8 {
				t[s] |= SquareAt(f, r).Bit()
			}
		}
	}
	return t
}

func emptyLines(steps [4]step) (t [64]Bitboard) {
	for s := range NoSquare {
		t[s] = walk(s, 0, steps)
	}
	return t
}

func joinLines() (mid, whole [64][64]Bitboard) {
	for a := range NoSquare {
		for _, d := range append(diagonals[:], orthogonals[:]...) {
			back := step{-d.file, -d.rank}
			ray := walk(a, 0, [4]step{d, d, d, d})
			for b := range ray.Squares() {
				mid[a][b] = ray & walk(b, a.Bit(), [4]step{back, back, back, back}) &^ a.Bit()
				whole[a][b] = ray | a.Bit() | walk(a, 0, [4]step{back, back, back, back})
			}
		}
	}
	return mid, whole
}

// reach is where a piece of that kind and side strikes from s when occ is occupied.
func reach(k Kind, c Color, s Square, occ Bitboard) Bitboard {
	s &= 63
	switch k {
	case Pawn:
		return pawnAttacks[c][s]
	case Knight:
		return knightAttacks[s]
	case Bishop:
		return bishopAttacks(s, occ)
	case Rook:
		return rookAttacks(s, occ)
	case Queen:
		return bishopAttacks(s, occ) | rookAttacks(s, occ)
	case King:
		return kingAttacks[s]
	}
	return 0
}
