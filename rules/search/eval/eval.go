// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math/bits"

	"boardd/rules"
)

// Hidden is how many hidden units the network has, and Phases in how many phases a game is divided. A Row has a number
// for each of both.
const (
	Hidden = 32
	Phases = 4
	Row    = Hidden + Phases
)

// row is that many 16-bit numbers, packed four to a word: the word is the sum of number i times 2 to the 16 i. Whole
// words are added and subtracted, and the result is exact as long as each of the sums fits into 16 bits. That does the
// work of vector instructions in plain Go.
type row [Row / 4]uint64

func pack(values *[Row]int16) (r row) {
	for i, v := range values {
		r[i/4] += uint64(int64(v)) << (16 * (i % 4))
	}
	return r
}

// unpack returns the first numbers of a row, those of the hidden units. Half the range is added to each first, which
// makes all of them positive: no number borrows from the next one then.
func (r *row) unpack(values *[Hidden]int32) {
	for i := range Hidden / 4 {
		w := r[i] + half
		values[4*i] = int32(w&0xffff) - 0x8000
		values[4*i+1] = int32(w>>16&0xffff) - 0x8000
		values[4*i+2] = int32(w>>32&0xffff) - 0x8000
		values[4*i+3] = int32(w>>48) - 0x8000
	}
}

// half is half the range of each of four packed numbers.
const half = 0x8000_8000_8000_8000

// stage is the number of a row that belongs to a stage.
func (r *row) stage(n int) int { return int((r[Hidden/4]+half)>>(16*n)&0xffff) - 0x8000 }

func (r *row) add(o *row) {
	for i := range r {
		r[i] += o[i]
	}
}

func (r *row) sub(o *row) {
	for i := range r {
		r[i] -= o[i]
	}
}

// Accumulator is what the rows of all pieces of a position add up to, as White and as Black see them. With it goes
// which pieces are marked, so that the next position's sums follow from it.
type Accumulator struct {
	views [2]row
	marks marks
}

// Eval estimates the positions of one game. It is only read, so searches may share it.
type Eval struct {
	read         reader
	rows         []row // by feature
	turned       []Feature
	bias         row
	pieceSquares *pieceSquareTables
	head         head
	handcrafted  bool // add up by hand.go, not by net.go
}

// Limit is the largest score that Score gives; greater ones are left for mates.
const Limit = 20000

func newEval(v *rules.Variant) *Eval {
	n := FeatureCount(v)
	e := &Eval{read: readerOf(v), rows: make([]row, n), turned: make([]Feature, n)}
	for i := range e.turned {
		e.turned[i] = Feature(i).Turned()
	}
	return e
}

// Accumulate adds up the position from scratch.
func (e *Eval) Accumulate(p *rules.Position) Accumulator {
	s := Accumulator{views: [2]row{e.bias, e.bias}, marks: e.read.marks(p)}
	var room [96]Feature
	for _, in := range appendFeatures(room[:0], p, e.read, s.marks) {
		s.views[0].add(&e.rows[in])
		s.views[1].add(&e.rows[e.turned[in]])
	}
	return s
}

// Update turns the sums of before into those of after, which differ at most on the squares given.
func (e *Eval) Update(s *Accumulator, before, after *rules.Position, squares rules.Bitboard) {
	were := s.marks
	if e.read == readChess {
		s.marks = marksOf(after)
		squares |= were.differ(s.marks) & before.Occupied() & after.Occupied()
	}
	var room [40]Feature
	for b := uint64(squares); b != 0; b &= b - 1 {
		square := rules.Square(bits.TrailingZeros64(b))
		for _, in := range e.read.at(room[:0], before, square, were) {
			s.views[0].sub(&e.rows[in])
			s.views[1].sub(&e.rows[e.turned[in]])
		}
		for _, in := range e.read.at(room[:0], after, square, s.marks) {
			s.views[0].add(&e.rows[in])
			s.views[1].add(&e.rows[e.turned[in]])
		}
	}
}

// Score is the estimate in hundredths of a pawn for the side to move, of a position and its sums.
func (e *Eval) Score(s *Accumulator, p *rules.Position) int {
	score := 0
	if e.handcrafted {
		score = scoreHandcrafted(s, p)
	} else {
		score = e.scoreNet(s, p)
	}
	return max(-Limit, min(score, Limit))
}

// IsHandcrafted reports whether the estimate is the hand-made one, rather than a network.
func (e *Eval) IsHandcrafted() bool { return e.handcrafted }
