// SPDX-License-Identifier: Apache-2.0

package rules

// keyTable has the random words of the incremental key (Zobrist). The key of a position is the exclusive or of one
// word for each fact about it. The word of NoPiece, of no right and of no passed square is 0.
type keyTable struct {
	lower, upper [16][64]uint64
	rights       [16]uint64
	passed       [65]uint64
	black        uint64
}

var keys = newKeys()

func newKeys() (t keyTable) {
	seed := uint64(1)
	next := func() uint64 { seed++; return scramble(seed) }
	for p := Piece(1); p < 16; p++ {
		for s := range NoSquare {
			t.lower[p][s], t.upper[p][s] = next(), next()
		}
	}
	for i := 1; i < 16; i++ {
		t.rights[i] = next()
	}
	for s := range NoSquare {
		t.passed[s] = next()
	}
	t.black = next()
	return t
}

// scramble spreads a number over 64 bits (splitmix64, Steele and others, OOPSLA 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
