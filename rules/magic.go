// SPDX-License-Identifier: Apache-2.0

package rules

// magic finds the squares that a line piece reaches from one square ("fancy magic bitboards"). The pieces on its lines
// (mask) are multiplied into the top bits of a word. These bits are the number of an entry of the slides table.
type magic struct {
	mask, factor Bitboard
	base         uint32
	shift        uint8
}

// slides holds every answer: 5248 for bishops, 102400 for rooks, 840 KiB.
var slides [5248 + 102400]Bitboard

var (
	bishopMagics = fillSlides(0, &bishopFactors, diagonals)
	rookMagics   = fillSlides(5248, &rookFactors, orthogonals)
)

// bishopAttacks is the set a bishop on s strikes when occ is occupied: every square up to and with the first occupied
// one.
func bishopAttacks(s Square, occ Bitboard) Bitboard {
	m := &bishopMagics[s&63]
	return slides[m.base+uint32((occ&m.mask)*m.factor>>(m.shift&63))]
}

// rookAttacks is bishopAttacks for a rook.
func rookAttacks(s Square, occ Bitboard) Bitboard {
	m := &rookMagics[s&63]
	return slides[m.base+uint32((occ&m.mask)*m.factor>>(m.shift&63))]
}

// Attacks is the set of squares that a piece of orthodox chess strikes from s when occ is occupied; a pawn is White's.
func Attacks(k Kind, s Square, occ Bitboard) Bitboard { return reach(k, White, s, occ) }

// step is a direction: files and ranks to go.
type step struct{ file, rank int }

var (
	diagonals   = [4]step{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
	orthogonals = [4]step{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
)

// fillSlides writes the answers for one kind of line piece from base on and returns how to find them.
func fillSlides(base uint32, factors *[64]Bitboard, steps [4]step) (ms [64]magic) {
	for s := range NoSquare {
		m := magic{mask: inner(s, steps), factor: factors[s], base: base}
		n := m.mask.Count()
		m.shift = uint8(64 - n)
		for occ := Bitboard(0); ; {
			slides[base+uint32(occ*m.factor>>m.shift)] = walk(s, occ, steps)
			occ = (occ - m.mask) & m.mask
			if occ == 0 {
				break
			}
		}
		base += 1 << n
		ms[s] = m
	}
	return ms
}

// walk goes from s in each direction until it meets an occupied square, which it includes.
func walk(s Square, occ Bitboard, steps [4]step) (b Bitboard) {
	for _, d := range steps {
		for f, r := s.File()+d.file, s.Rank()+d.rank; f|r >= 0 && f < 8 && r < 8; f, r = f+d.file, r+d.rank {
			b |= SquareAt(f, r).Bit()
			if occ.Has(SquareAt(f, r)) {
				break
			}
		}
	}
	return b
}

// inner returns the squares whose occupation matters to a line piece on s: its lines without their last squares.
func inner(s Square, steps [4]step) (b Bitboard) {
	for _, d := range steps {
		ray := walk(s, 0, [4]step{d, d, d, d})
		for last := range ray.Squares() {
			if between[s][last] != ray&^last.Bit() {
				continue
			}
			ray &^= last.Bit()
			break
		}
		b |= ray
	}
	return b
}
