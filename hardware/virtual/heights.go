// SPDX-License-Identifier: Apache-2.0

package virtual

import (
	"time"

	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/physics"
	"boardd/hardware/virtual/wires"
	"boardd/rules"
)

// SensorHeight is how far above the lower deck the height sensors look down from, in micrometres.
const SensorHeight = physics.SensorHeight * 1000

// minTop is how high a thing on the deck is at least, in millimetres: what is lower is the deck.
const minTop = 3

// stray is the error, in millimetres, when a neighbour's light is mixed into a measurement.
const stray = 12

// sky holds the height sensors of a twin board.
type sky struct {
	eyes  [64]*chips.VL6180X
	muxes [8]*wires.PCA9548
}

// addHeights puts a sensor over every square, and on the bus a multiplexer for each rank, with a sensor on each
// channel for each file.
func (b *Board) addHeights() {
	for sq := range rules.Square(64) {
		b.sky.eyes[sq] = chips.NewVL6180X(func(from,
			to time.Time) chips.Sight {
			return b.sight(sq, from, to)
		}).Pace(b.pace(sq))
		b.sky.eyes[sq].Cover(b.o.Cover)
	}
	for rank := range 8 {
		m := wires.NewPCA9548()
		b.sky.muxes[rank] = m
		for file := range 8 {
			sq := rules.SquareAt(file, rank)
			if other, ok := b.o.MiswiredEyes[sq]; ok {
				sq = other
			}
			m.Attach(file, 0x29, b.sky.eyes[sq])
		}
		b.bus.Attach(0x70+uint16(rank), m)
	}
}

// slack is the error of a sensor's oscillator. By the datasheet, section 2.5.2 "Continuous mode limits", a period may
// be shorter than requested by a tenth. The oscillators of a board are spread over the whole of it.
const slack = 0.1

// pace is the clock period of the sensor over a square beside the nominal one.
func (b *Board) pace(sq rules.Square) float64 {
	return 1 + slack*(float64(physics.Mix(b.o.Seed, 1<<32|uint64(sq))>>11)/(1<<52)-1)
}

// sight is what the sensor over a square sees: a hand, the top of what stands there, or the deck. The bus is locked.
func (b *Board) sight(sq rules.Square, from, to time.Time) chips.Sight {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen := b.world.Sight(from.Sub(b.epoch), to.Sub(b.epoch)+1, sq)
	if !seen.Found {
		return chips.Sight{Status: 7}
	}
	s := chips.Sight{MM: seen.MM, Noise: seen.Noise, Paint: b.o.Pieces}
	if seen.MM > SensorHeight/1000-minTop {
		s.Paint = b.o.Deck
	}
	if b.disturbed(sq, from, to) {
		s.Noise += stray
	}
	return s
}

// disturbed reports whether a neighbour, file or rank, was measuring at the same time.
func (b *Board) disturbed(sq rules.Square, from, to time.Time) bool {
	for _, n := range [4]struct{ file, rank int }{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		f, r := sq.File()+n.file, sq.Rank()+n.rank
		if f >= 0 && f < 8 && r >= 0 && r < 8 && b.sky.eyes[rules.SquareAt(f, r)].Measuring(from, to) {
			return true
		}
	}
	return false
}
