// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"math"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
)

// pile measures the height of a piece. Two pieces on each other are higher than the single one of the walk by just
// that, whatever the offset of the sensor.
type pile struct {
	stateless
	ready bool
}

// heap is where the two stand.
const heap = rules.Square(27) // d4

// unlike is the share by which a measured height may differ from the configured one. If it differs more, it is another
// piece.
const unlike = 0.25

func (*pile) name() string { return "height" }
func (*pile) parts() int   { return 1 }

func (*pile) light(s *Session) leds.Frame { return s.shine(sensing.Lower, heap.Bit(), white) }

func (*pile) prompt(_ *Session, p *Prompt) {
	p.Ask(say.That("Put two pieces on each other on d4 of the lower deck and nothing else, take your hands away, and " +
		"press Enter. \"keep\" leaves the height of the pieces as it is configured."))
	p.Answers, p.Square = []string{"", "keep"}, heap.String()
}

func (h *pile) answer(s *Session, word string) (bool, error) {
	if word == "keep" {
		s.skip(say.That("The height of the pieces stays as it was."))
		return true, nil
	}
	if word != "" {
		return false, nil
	}
	h.ready, s.seen = true, say.That("Measuring two pieces.")
	s.eyes.clear()
	return true, nil
}

func (h *pile) observe(s *Session, k sensing.Kind) {
	if !h.ready || k != sensing.Heights {
		return
	}
	for i := range s.eyes.rests().Squares() {
		if s.cal.Eyes[i] == heap {
			h.measure(s, i)
			return
		}
	}
}

// measure computes the height of one piece from that of two. The offsets assumed the height that was known before.
func (h *pile) measure(s *Session, eye rules.Square) {
	was := s.pieceHeight()
	one := float64(was - s.cal.Lift[heap]) // what this sensor says of one piece
	height := s.eyes.mean(eye) - one
	if math.Abs(height-float64(s.b.CubeHeight)) > unlike*float64(s.b.CubeHeight) {
		s.seen = say.That("A second piece adds %s mm, and pieces.cube_height_mm says %s: are there two of them, one on the "+
			"other? If so, measure one with a ruler and mend the setting.", tenths(height/1000),
			tenths(float64(s.b.CubeHeight)/1000))
		return
	}
	measured := int32(math.Round(height))
	for sq := range s.cal.Lift {
		s.cal.Lift[sq] += measured - was
	}
	s.cal.CubeHeight = measured
	s.next(say.That("A piece is %s mm high.", tenths(height/1000)))
}

// pieceHeight is the height of a piece, in micrometres: as measured, or as configured.
func (s *Session) pieceHeight() int32 {
	if s.cal.CubeHeight > 0 {
		return s.cal.CubeHeight
	}
	return s.b.CubeHeight
}

// otherPieces forgets a measured height that differs from that of the configured pieces, and corrects the offsets.
func (s *Session) otherPieces() {
	by := s.b.CubeHeight - s.pieceHeight()
	if math.Abs(float64(by)) <= unlike*float64(s.b.CubeHeight) {
		return
	}
	for sq := range s.cal.Lift {
		s.cal.Lift[sq] += by
	}
	s.cal.CubeHeight = 0
}
