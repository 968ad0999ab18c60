package calibration

import (
	"fmt"
	"math"
	"math/bits"

	"boardd/leds"
	"boardd/rules"
	"boardd/sensing"
)

// walk takes one piece over every square of a deck, a1 to h1, a2 and so on, and learns which switch, which cell and
// which height sensor that is, and what they show.
type walk struct {
	deck    sensing.Deck
	mg      int32          // what the piece weighs, 0 not yet known
	skipped rules.Bitboard // squares that were left as they were
	stood   bool           // the piece of the part before is still on the board
}

func (w *walk) name() string { return "walk-" + w.deck.String() }
func (w *walk) parts() int   { return 64 }

// target is the square of a part.
func (*walk) target(part int) rules.Square { return rules.Square(part) }

func (w *walk) light(s *Session) leds.Frame {
	return s.shine(w.deck, w.target(s.part).Bit(), white)
}

// weighs tells whether the walk also weighs.
func (w *walk) weighs(s *Session) bool { return s.b.Kind == "stack" }

// looks tells whether the walk also measures heights.
func (w *walk) looks(s *Session) bool { return s.b.Kind == "twin" && w.deck == sensing.Lower }

func (w *walk) prompt(s *Session, p *Prompt) {
	if w.weighs(s) && w.mg == 0 {
		p.Do = fmt.Sprintf("Take one piece, the heaviest is best. Type its weight in grams, or press Enter if it is a king of %.1f g.", float64(s.b.Weights['k'])/1000)
		p.Answers = []string{"", "a weight, as 60 or 58.4"}
		return
	}
	sq := w.target(s.part)
	p.Square = s.place(w.deck, sq)
	p.Do = fmt.Sprintf("Put the piece on %s", p.Square)
	if s.b.Lights {
		p.Do += ", where the light is"
	}
	p.Do += ". \"skip\" if its switch is dead; \"keep\" leaves all squares from here on wired as they are."
	p.Answers = []string{"skip", "keep"}
}

func (w *walk) answer(s *Session, word string) (bool, error) {
	if w.weighs(s) && w.mg == 0 {
		return w.weight(s, word)
	}
	switch word {
	case "skip":
		w.skipped |= w.target(s.part).Bit()
		s.next(fmt.Sprintf("%s is left as it was.", s.place(w.deck, w.target(s.part))))
		return true, nil
	case "keep":
		s.skip("The other squares stay as they were.")
		return true, nil
	}
	return false, nil
}

// weight takes the weight of the piece.
func (w *walk) weight(s *Session, word string) (bool, error) {
	if word == "" {
		w.mg = s.b.Weights['k']
	} else {
		var g float64
		if _, err := fmt.Sscanf(word, "%g", &g); err != nil {
			return false, nil
		}
		if g < 5 || g > 1000 {
			return true, fmt.Errorf("%g g is no weight for this: take a piece of 5 g to 1000 g", g)
		}
		w.mg = int32(math.Round(g * 1000))
	}
	s.seen = fmt.Sprintf("The piece weighs %.1f g.", float64(w.mg)/1000)
	return true, nil
}

func (w *walk) observe(s *Session, _ sensing.Kind) {
	r := &s.reeds[w.deck]
	if w.weighs(s) && w.mg == 0 || !r.rest() {
		return
	}
	if r.closed == 0 {
		w.stood = false
		return
	}
	if w.stood && r.closed == w.last(s) {
		return // the piece still stands where it was last
	}
	if r.closed.Count() > 1 {
		s.seen = "Two switches or more are closed: only one piece may stand on the board, and its magnet must not reach the next square."
		return
	}
	i := rules.Square(bits.TrailingZeros64(uint64(r.closed)))
	if w.taken(s, &s.cal.Reeds[w.deck], i) {
		s.seen = fmt.Sprintf("This switch was %v already. Is the piece on %v? If so, two switches are wired to one input.", s.cal.Reeds[w.deck][i], w.target(s.part))
		return
	}
	w.measure(s, i)
}

// last is the switch of the part before.
func (w *walk) last(s *Session) rules.Bitboard {
	if s.part == 0 {
		return 0
	}
	for i, sq := range s.cal.Reeds[w.deck] {
		if sq == w.target(s.part-1) {
			return rules.Square(i).Bit()
		}
	}
	return 0
}

// taken tells whether a sensor was found on an earlier square of the walk.
func (w *walk) taken(s *Session, wiring *Wiring, i rules.Square) bool {
	return wiring[i] < w.target(s.part) && !w.skipped.Has(wiring[i])
}

// measure takes what the other sensors of the square say, once they rest, and ends the part.
func (w *walk) measure(s *Session, i rules.Square) {
	sq := w.target(s.part)
	say := ""
	if w.weighs(s) {
		cell, ok := w.cell(s)
		if !ok {
			return
		}
		say = w.gain(s, cell, sq)
	}
	if w.looks(s) {
		eye, ok := w.eye(s)
		if !ok {
			return
		}
		say = w.lift(s, eye, sq)
	}
	if i != sq {
		say = fmt.Sprintf(" Its switch is wired where the reference has %v.", i) + say
	}
	s.cal.Reeds[w.deck].put(i, sq)
	w.skipped &^= sq.Bit()
	w.stood = true
	s.cells.clear()
	s.eyes.clear()
	s.next(fmt.Sprintf("%s is found.%s", s.place(w.deck, sq), say))
}

// cell finds the one cell that bears the piece: at least half of what it should, and three times as much as any other.
func (w *walk) cell(s *Session) (best rules.Square, ok bool) {
	if s.cells.rests() != s.cells.known || s.cells.known == 0 {
		return 0, false
	}
	most, second := 0.0, 0.0
	for i := range s.cells.known.Squares() {
		sq := s.cal.Cells[i]
		d := math.Abs(s.cells.mean(i) - float64(s.cal.Empty[sq]))
		if d > most {
			best, most, second = i, d, most
		} else {
			second = max(second, d)
		}
	}
	noise := float64(s.cal.CellNoise[s.cal.Cells[best]])
	switch {
	case most < 10*noise || most < float64(w.mg)*minGain:
		s.seen = fmt.Sprintf("No cell feels the piece: the most that any shows is %.1f g. Is the plate of %v free to move, and the cell connected?", most/1000, w.target(s.part))
		return 0, false
	case second > most/3:
		s.seen = "Two cells feel the piece: do the plates touch each other?"
		return 0, false
	case w.taken(s, &s.cal.Cells, best):
		s.seen = fmt.Sprintf("This cell was %v already: are two plates joined?", s.cal.Cells[best])
		return 0, false
	}
	return best, true
}

// gain takes the gain of a cell from the piece on it.
func (w *walk) gain(s *Session, cell, sq rules.Square) (say string) {
	s.cal.Cells.put(cell, sq, &s.cal.Empty, &s.cal.CellNoise)
	s.cal.Gain[sq] = float64(w.mg) / (s.cells.mean(cell) - float64(s.cal.Empty[sq]))
	if cell != sq {
		say = fmt.Sprintf(" Its cell is wired where the reference has %v.", cell)
	}
	if s.cal.Gain[sq] < 0 {
		say += " The cell is mounted upside down, which does not matter."
	}
	return say
}

// eye finds the one height sensor that sees the piece.
func (w *walk) eye(s *Session) (best rules.Square, ok bool) {
	var sees rules.Bitboard
	for i := range s.eyes.rests().Squares() {
		if h := s.eyes.mean(i); h > float64(s.b.CubeHeight)/2 && h < 2*float64(s.b.CubeHeight) {
			sees |= i.Bit()
		}
	}
	if (s.eyes.known&^s.eyes.rests()) != 0 || s.eyes.known == 0 {
		return 0, false
	}
	best = rules.Square(bits.TrailingZeros64(uint64(sees)))
	switch {
	case sees == 0:
		s.seen = fmt.Sprintf("No height sensor sees a piece of %.0f mm: take your hand away. If it stays so, the sensor over %v does not see the deck.", float64(s.b.CubeHeight)/1000, w.target(s.part))
		return 0, false
	case sees.Count() > 1:
		s.seen = fmt.Sprintf("%d height sensors see something: take your hand away, and everything but the one piece.", sees.Count())
		return 0, false
	case w.taken(s, &s.cal.Eyes, best):
		s.seen = fmt.Sprintf("This height sensor was over %v already: are two wired to one channel?", s.cal.Eyes[best])
		return 0, false
	}
	return best, true
}

// lift takes the offset of a height sensor from the piece under it.
func (w *walk) lift(s *Session, eye, sq rules.Square) string {
	s.cal.Eyes.put(eye, sq, &s.cal.Crosstalk)
	s.cal.Lift[sq] = s.b.CubeHeight - int32(math.Round(s.eyes.mean(eye)))
	s.cal.EyeNoise[sq] = int32(math.Ceil(s.eyes.noise(eye)))
	if eye != sq {
		return fmt.Sprintf(" Its height sensor is wired where the reference has the one of %v.", eye)
	}
	return ""
}
