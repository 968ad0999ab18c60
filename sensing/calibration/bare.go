// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"math"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
)

// bare measures the empty board: what every cell shows, how noisy all sensors are, and which switches are wrongly
// closed.
type bare struct {
	stateless
	ready bool
}

func (*bare) name() string              { return "empty" }
func (*bare) parts() int                { return 1 }
func (*bare) light(*Session) leds.Frame { return leds.Frame{} }

func (*bare) prompt(_ *Session, p *Prompt) {
	p.Ask(say.That("Take everything off the board, keep your hands away from it, and press Enter."))
	p.Answers = []string{""}
}

func (b *bare) answer(s *Session, word string) (bool, error) {
	if word != "" {
		return false, nil
	}
	b.ready, s.seen = true, say.That("Looking at the empty board.")
	return true, nil
}

func (b *bare) observe(s *Session, _ sensing.Kind) {
	if !b.ready {
		return
	}
	for d := range s.b.decks() {
		w := &s.reeds[d]
		if !w.rest() {
			return
		}
		if w.closed != 0 {
			s.seen = say.That("Switches of the %v deck are closed that the reference wiring has on %s: take off what stands "+
				"there. If nothing does, a switch is stuck or shorted: mend it first.", d, names(w.closed))
			return
		}
	}
	if s.b.Kind == "scale" {
		tareScale(s)
		return
	}
	if s.b.Kind != "stack" {
		s.next(say.That("Every switch is open."))
		return
	}
	if s.cells.known == 0 {
		s.seen = say.That("No cell answers: is the hub plugged in?")
		return
	}
	if s.cells.rests() == s.cells.known {
		b.tare(s)
	}
}

// restless is the noise above which a cell is called faulty, in milligrams. A pawn weighs ten times as much.
const restless = 2000

func (*bare) tare(s *Session) {
	var wild rules.Bitboard
	for i := range s.cells.known.Squares() {
		sq := s.cal.Cells[i]
		s.cal.Empty[sq] = int32(math.Round(s.cells.mean(i)))
		s.cal.CellNoise[sq] = int32(math.Ceil(s.cells.noise(i)))
		if s.cal.CellNoise[sq] > restless {
			wild |= i.Bit()
		}
	}
	if wild != 0 {
		s.seen = say.That("The cells that the reference wiring has on %s tremble by more than %d g: look for loose "+
			"wires, a plate that touches its neighbour, or wind.", names(wild), restless/1000)
		return
	}
	seen := say.That("Every switch is open. The cells are tared.")
	if silent := ^s.cells.known; silent != 0 {
		seen = follow(seen, say.That("No answer from the cells that the reference wiring has on %s: those squares will be "+
			"without weight.", names(silent)))
	}
	s.next(seen)
}
