// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"math"
	"math/bits"
	"slices"

	"boardd/rules"
	"boardd/rules/say"
)

// cell finds the one cell that bears the piece: at least half of what it should, and three times as much as any other.
func (w *walk) cell(s *Session) (cell rules.Square, ok bool) {
	if s.cells.rests() != s.cells.known || s.cells.known == 0 {
		return 0, false
	}
	best, most := w.heaviest(s)
	second := 0.0
	for i := range s.cells.known.Squares() {
		if i != best {
			second = max(second, w.moved(s, i))
		}
	}
	noise := float64(s.cal.CellNoise[s.cal.Cells[best]])
	switch {
	case most < 10*noise || most < float64(w.mg)*minGain:
		s.seen = say.That("No cell feels the piece: the most that any shows is %s g. Is the plate of %v free to move, and "+
			"the cell connected?", tenths(most/1000), w.target(s.part))
		return 0, false
	case second > most/3:
		s.seen = say.That("Two cells feel the piece: do the plates touch each other?")
		return 0, false
	case w.taken(s, &s.cal.Cells, best):
		s.seen = say.That("This cell was %v already: are two plates joined?", s.cal.Cells[best])
		return 0, false
	}
	return best, true
}

// moved is what a cell shows beyond its empty value, in its own milligrams.
func (w *walk) moved(s *Session, i rules.Square) float64 {
	return math.Abs(s.cells.mean(i) - float64(s.cal.Empty[s.cal.Cells[i]]))
}

// heaviest is the cell that is farthest from its empty value.
func (w *walk) heaviest(s *Session) (best rules.Square, most float64) {
	for i := range s.cells.known.Squares() {
		if d := w.moved(s, i); d > most {
			best, most = i, d
		}
	}
	return best, most
}

// gain computes the gain of a cell from the piece on it.
func (w *walk) gain(s *Session, cell, sq rules.Square) (more say.Said) {
	s.cal.Cells.put(cell, sq, &s.cal.Empty, &s.cal.CellNoise)
	s.cal.Gain[sq] = float64(w.mg) / (s.cells.mean(cell) - float64(s.cal.Empty[sq]))
	if cell != sq {
		more = say.That("Its cell is wired where the reference has %v.", cell)
	}
	if s.cal.Gain[sq] < 0 {
		more = follow(more, say.That("The cell is mounted upside down, which does not matter."))
	}
	return follow(more, w.odd(s, sq))
}

// The gains between which a cell of the reference kind lies (Calibration.Gain), and how far one may be from the others
// of its board. Cells of one lot differ by a tenth; a plate that touches its neighbour takes a third of the weight and
// more.
const (
	usualLeast, usualMost = 0.5, 2.0
	alikeWithin           = 1.3
)

// odd warns of an unusual gain. On the first square of a walk it says that the weight may have been entered wrongly,
// later that this cell differs from the others.
func (w *walk) odd(s *Session, sq rules.Square) (odd say.Said) {
	mine := math.Abs(s.cal.Gain[sq])
	var others []float64
	for i := range sq {
		others = append(others, math.Abs(s.cal.Gain[i]))
	}
	switch {
	case sq == 0 && (mine < usualLeast || mine > usualMost):
		return say.That("The cell shows %s %% of what one of the reference kind does: does the piece really weigh %s g? If "+
			"not, type back and begin the walk anew; if so, your cells are of another kind, which does not matter.",
			whole(100/mine), tenths(float64(w.mg)/1000))
	case sq > 2:
		slices.Sort(others)
		if by := others[len(others)/2] / mine; by > alikeWithin || by < 1/alikeWithin {
			return say.That("Its cell shows %s %% of what the others do: is its plate free to move, and the piece the same? "+
				"Type back to try again.", whole(100*by))
		}
	}
	return odd
}

// eye finds the one height sensor that sees the piece.
func (w *walk) eye(s *Session) (best rules.Square, ok bool) {
	sees := w.seen(s)
	if (s.eyes.known&^s.eyes.rests()) != 0 || s.eyes.known == 0 {
		return 0, false
	}
	best = rules.Square(bits.TrailingZeros64(uint64(sees)))
	switch {
	case sees == 0:
		s.seen = say.That("No height sensor sees a piece of %s mm: take your hand away. If it stays so, the sensor over %v "+
			"does not see the deck.", whole(float64(s.b.CubeHeight)/1000), w.target(s.part))
		return 0, false
	case sees.Count() > 1:
		s.seen = say.That("%d height sensors see something: take your hand away, and everything but the one piece.",
			sees.Count())
		return 0, false
	case w.taken(s, &s.cal.Eyes, best):
		s.seen = say.That("This height sensor was over %v already: are two wired to one channel?", s.cal.Eyes[best])
		return 0, false
	}
	return best, true
}

// seen returns the height sensors that show about the height of a piece.
func (w *walk) seen(s *Session) (set rules.Bitboard) {
	for i := range s.eyes.rests().Squares() {
		if h := s.eyes.mean(i); h > float64(s.b.CubeHeight)/2 && h < 2*float64(s.b.CubeHeight) {
			set |= i.Bit()
		}
	}
	return set
}

// lift computes the offset of a height sensor from the piece under it.
func (w *walk) lift(s *Session, eye, sq rules.Square) (more say.Said) {
	s.cal.Eyes.put(eye, sq, &s.cal.Crosstalk)
	s.cal.Lift[sq] = s.pieceHeight() - int32(math.Round(s.eyes.mean(eye)))
	s.cal.EyeNoise[sq] = int32(math.Ceil(s.eyes.noise(eye)))
	if eye != sq {
		return say.That("Its height sensor is wired where the reference has the one of %v.", eye)
	}
	return more
}
