// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math/bits"

	"boardd/rules"
)

// Hidden is how many hidden units a network may have, and Phases in how many phases a game is divided. A Row has a
// number for each of both.
const (
	Hidden = 32
	Phases = 4
	Row    = Hidden + Phases
)

// row is that many 16-bit numbers, packed four to a word: the word is the sum of number i times 2 to the 16 i. The
// first word has those of the phases, the others those of the hidden units. Whole words are added and subtracted, and
// the result is exact as long as each of the sums fits into 16 bits. That does the work of vector instructions in
// plain Go.
type row [1 + Hidden/4]uint64

// narrow is a row of a network with so few hidden units that half the work does.
type narrow [1 + narrowUnits/4]uint64

const narrowUnits = Hidden / 2

func pack(values *[Row]int16) (r row) {
	for i, v := range values {
		r[(1+i/4)%len(r)] += uint64(int64(v)) << (16 * (i % 4))
	}
	return r
}

// half is half the range of each of four packed numbers. With it added all of them are positive, so that no number
// borrows from the next one.
const half = 0x8000_8000_8000_8000

// phase is the number of a row that belongs to a phase of the game.
func (r *row) phase(n int) int { return int((r[0]+half)>>(16*n)&0xffff) - 0x8000 }

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

func (r *row) addNarrow(o *narrow) {
	for i := range o {
		r[i] += o[i]
	}
}

func (r *row) subNarrow(o *narrow) {
	for i := range o {
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
	rows         []row    // by feature; none if they are narrow
	narrow       []narrow // then they are these
	turned       []Feature
	bias         row
	pieceSquares *pieceSquareTables
	head         head
	handcrafted  bool // add up by hand.go, not by net.go
}

// Limit is the largest score that Score gives; greater ones are left for mates.
const Limit = 20000

// newEval is an evaluation of that many hidden units.
func newEval(v *rules.Variant, units int) *Eval {
	n := FeatureCount(v)
	e := &Eval{read: readerOf(v), turned: make([]Feature, n)}
	if units > narrowUnits {
		e.rows = make([]row, n)
	} else {
		e.narrow = make([]narrow, n)
	}
	for i := range e.turned {
		e.turned[i] = Feature(i).Turned()
	}
	return e
}

// setRow sets what a feature adds.
func (e *Eval) setRow(in Feature, r row) {
	if e.narrow == nil {
		e.rows[in] = r
	} else {
		e.narrow[in] = narrow(r[:len(narrow{})])
	}
}

// row is what a feature adds.
func (e *Eval) row(in Feature) (r row) {
	if e.narrow == nil {
		return e.rows[in]
	}
	copy(r[:], e.narrow[in][:])
	return r
}

// change takes from the sums what some features add, and adds that of others.
func (e *Eval) change(s *Accumulator, gone, come []Feature) {
	if e.narrow != nil {
		e.changeNarrow(s, gone, come)
		return
	}
	for _, in := range gone {
		s.views[0].sub(&e.rows[in])
		s.views[1].sub(&e.rows[e.turned[in]])
	}
	for _, in := range come {
		s.views[0].add(&e.rows[in])
		s.views[1].add(&e.rows[e.turned[in]])
	}
}

func (e *Eval) changeNarrow(s *Accumulator, gone, come []Feature) {
	for _, in := range gone {
		s.views[0].subNarrow(&e.narrow[in])
		s.views[1].subNarrow(&e.narrow[e.turned[in]])
	}
	for _, in := range come {
		s.views[0].addNarrow(&e.narrow[in])
		s.views[1].addNarrow(&e.narrow[e.turned[in]])
	}
}

// Accumulate adds up the position from scratch.
func (e *Eval) Accumulate(p *rules.Position) Accumulator {
	s := Accumulator{views: [2]row{e.bias, e.bias}, marks: e.read.marks(p)}
	var room [96]Feature
	e.change(&s, nil, appendFeatures(room[:0], p, e.read, s.marks))
	return s
}

// Update turns the sums of before into those of after, which differ at most on the squares given.
func (e *Eval) Update(s *Accumulator, before, after *rules.Position, squares rules.Bitboard) {
	were := s.marks
	if e.read == readChess {
		s.marks = marksOf(after)
		squares |= were.differ(s.marks) & before.Occupied() & after.Occupied()
	}
	var rooms [2][40]Feature
	for b := uint64(squares); b != 0; b &= b - 1 {
		square := rules.Square(bits.TrailingZeros64(b))
		e.change(s, e.read.at(rooms[0][:0], before, square, were), e.read.at(rooms[1][:0], after, square, s.marks))
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
