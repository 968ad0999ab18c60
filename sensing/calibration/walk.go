// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/scale"
)

// walk has a person carry one piece over every square of a deck, a1 to h1, a2 and so on. It learns the switch, the
// cell and the height sensor of each square, and what they show.
type walk struct {
	deck  sensing.Deck
	mg    int32          // weight of the piece; 0: not known yet
	felt  []scale.Sample // samples of a scale, on the squares until now
	stood bool           // the piece of the part before is still on the board
}

func (w *walk) name() string { return "walk-" + w.deck.String() }
func (w *walk) parts() int   { return 64 }

// state is the weight of the piece, if it was entered. Squares with a dead switch are in the calibration.
func (w *walk) state() []string {
	if w.mg == 0 {
		return nil
	}
	return append([]string{strconv.Itoa(int(w.mg))}, written(w.felt)...)
}

func (w *walk) restore(words []string) error {
	if len(words) == 0 {
		return nil
	}
	mg, err := strconv.ParseInt(words[0], 10, 32)
	if err != nil || !weighable(float64(mg)/1000) {
		return fmt.Errorf("%q is no weight of a piece in milligrams", words[0])
	}
	w.mg = int32(mg)
	w.felt, err = samples(words[1:])
	return err
}

// weighable reports whether a piece can weigh this many grams.
func weighable(g float64) bool { return g >= 5 && g <= 1000 }

// target is the square of a part.
func (*walk) target(part int) rules.Square { return rules.Square(part) }

func (w *walk) light(s *Session) leds.Frame {
	return s.shine(w.deck, w.target(s.part).Bit(), white)
}

// weighs reports whether the walk also weighs. gains reports whether each square has its own cell.
func (w *walk) weighs(s *Session) bool { return s.b.Kind == "stack" || s.b.Kind == "scale" }
func (w *walk) gains(s *Session) bool  { return s.b.Kind == "stack" }

// looks reports whether the walk also measures heights.
func (w *walk) looks(s *Session) bool { return s.b.Kind == "twin" && w.deck == sensing.Lower }

func (w *walk) prompt(s *Session, p *Prompt) {
	if w.weighs(s) && w.mg == 0 {
		p.Ask(say.That("Take one piece, the heaviest is best. Type its weight in grams, or press Enter if it is a king of "+
			"%s g.", fmt.Sprintf("%.1f", float64(s.b.Weights['k'])/1000)))
		p.Answers = []string{"", "a weight, as 60 or 58.4"}
		return
	}
	sq := w.target(s.part)
	p.Square = s.place(w.deck, sq)
	const put = "Put the piece on %s. \"skip\" if its switch is dead; \"keep\" leaves all squares from here on wired " +
		"as they are."
	const light = "Put the piece on %s, where the light is. \"skip\" if its switch is dead; \"keep\" leaves all " +
		"squares from here on wired as they are."
	if p.Ask(say.That(put, p.Square)); s.b.Lights {
		p.Ask(say.That(light, p.Square))
	}
	p.Answers = []string{"skip", "keep"}
}

func (w *walk) answer(s *Session, word string) (bool, error) {
	if w.weighs(s) && w.mg == 0 {
		return w.weight(s, word)
	}
	switch word {
	case "skip":
		w.skip(s)
		return true, nil
	case "keep":
		found, err := w.fit(s)
		if err != nil {
			return true, err
		}
		s.skip(follow(say.That("The other squares stay as they were."), found))
		return true, nil
	}
	return false, nil
}

// skip leaves the switch of a square as it was. The other sensors of the square are measured all the same.
func (w *walk) skip(s *Session) {
	sq := w.target(s.part)
	s.cal.Dead[w.deck] |= sq.Bit()
	left := say.That("The switch of %s is left as it was.", s.place(w.deck, sq))
	if w.gains(s) {
		if cell, ok := w.cell(s); ok {
			left = follow(left, say.That("Its cell was measured."), w.gain(s, cell, sq))
		}
	}
	if w.looks(s) {
		if eye, ok := w.eye(s); ok {
			left = follow(left, say.That("Its height sensor was measured."), w.lift(s, eye, sq))
		}
	}
	s.next(left)
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
		if !weighable(g) {
			return true, say.Error("%v g is no weight for this: take a piece of 5 g to 1000 g", g)
		}
		w.mg = int32(math.Round(g * 1000))
	}
	s.seen = say.That("The piece weighs %s g.", tenths(float64(w.mg)/1000))
	return true, nil
}

func (w *walk) observe(s *Session, _ sensing.Kind) {
	r := &s.reeds[w.deck]
	if w.weighs(s) && w.mg == 0 || !r.rest() {
		return
	}
	if r.closed == 0 {
		w.stood = false
		w.tellDeadSwitch(s)
		return
	}
	if w.stood && r.closed == w.last(s) {
		return // the piece is still on its last square
	}
	if r.closed.Count() > 1 {
		s.seen = say.That("Two switches or more are closed: only one piece may stand on the board, and its magnet must " +
			"not reach the next square.")
		return
	}
	i := rules.Square(bits.TrailingZeros64(uint64(r.closed)))
	if w.taken(s, &s.cal.Reeds[w.deck], i) {
		s.seen = say.That("This switch was %v already. Is the piece on %v? If so, two switches are wired to one input.",
			s.cal.Reeds[w.deck][i], w.target(s.part))
		return
	}
	w.measure(s, i)
}

// tellDeadSwitch tells the person if other sensors show a piece and no switch does.
func (w *walk) tellDeadSwitch(s *Session) {
	felt := false
	if w.gains(s) && s.cells.known != 0 && s.cells.rests() == s.cells.known {
		sq, mg := w.heaviest(s)
		felt = mg > float64(w.mg)/2 && mg > 10*float64(s.cal.CellNoise[s.cal.Cells[sq]])
	}
	if w.looks(s) && s.eyes.known != 0 && s.eyes.rests() == s.eyes.known {
		felt = w.seen(s).Count() == 1
	}
	if felt {
		s.seen = say.That("Something stands on the board, and no switch closes: turn the piece round and put it into "+
			"the middle of %v. If that does not help with another piece either, the switch is dead or its wire open: mend "+
			"it, or type skip.", w.target(s.part))
	}
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

// taken reports whether a sensor was found on an earlier square of the walk.
func (w *walk) taken(s *Session, wiring *Wiring, i rules.Square) bool {
	return wiring[i] < w.target(s.part) && !s.cal.Dead[w.deck].Has(wiring[i])
}

// measure takes in what the other sensors of the square show, once they rest, and ends the part.
func (w *walk) measure(s *Session, i rules.Square) {
	sq := w.target(s.part)
	var more say.Said
	if w.gains(s) {
		cell, ok := w.cell(s)
		if !ok {
			return
		}
		more = w.gain(s, cell, sq)
	}
	if w.looks(s) {
		eye, ok := w.eye(s)
		if !ok {
			return
		}
		more = w.lift(s, eye, sq)
	}
	if s.b.Kind == "scale" {
		if s.corners.rests() != scale.Known {
			return
		}
		balanced, err := w.balance(s, sq)
		if err != nil {
			s.seen = sentence(err)
			return
		}
		defer func() { s.seen = follow(s.seen, balanced) }()
		s.corners.clear()
	}
	if i != sq {
		more = follow(say.That("Its switch is wired where the reference has %v.", i), more)
	}
	s.cal.Reeds[w.deck].put(i, sq)
	s.cal.Dead[w.deck] &^= sq.Bit()
	w.stood = true
	s.cells.clear()
	s.eyes.clear()
	s.next(follow(say.That("%s is found.", s.place(w.deck, sq)), more))
}
