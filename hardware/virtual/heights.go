package virtual

import (
	"math/rand/v2"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// SensorHeight is how far above the lower deck the height sensors look down from, in micrometres: the decks' 150 mm less
// the module that hangs under the upper one.
const SensorHeight = 147000

// The hand: how long it stays over a square that it has touched, and how far below the sensors it is.
const (
	handStays = 150 * time.Millisecond
	handMM    = 45
)

// rangeNoise is the spread of a height reading, in millimetres.
const rangeNoise = 1.3

// stray is the error, in millimetres, when a neighbour's light is mixed into a measurement.
const stray = 12

// sky is the height sensors of a twin board.
type sky struct {
	eyes  [64]*VL6180X
	muxes [8]*PCA9548
	hand  [64]time.Time // a hand is over the square until
	blind [64]bool
	rnd   *rand.Rand
}

// addHeights puts a multiplexer on the bus for each rank, with a sensor on each channel for each file.
func (b *Board) addHeights() {
	b.sky.rnd = rand.New(rand.NewPCG(b.o.Seed, 0x736b79))
	for rank := range 8 {
		m := NewPCA9548()
		b.sky.muxes[rank] = m
		for file := range 8 {
			sq := rules.SquareAt(file, rank)
			b.sky.eyes[sq] = NewVL6180X(func(from, to time.Time) Sight { return b.sight(sq, from, to) })
			m.Attach(file, 0x29, b.sky.eyes[sq])
		}
		b.bus.Attach(0x70+uint16(rank), m)
	}
}

// sight is what the sensor over a square sees: a hand, the top of what stands there, or the deck. The bus is locked.
func (b *Board) sight(sq rules.Square, from, to time.Time) Sight {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := Sight{MM: float64(SensorHeight-int32(len(b.wood[sensing.Lower][sq]))*b.o.CubeHeight) / 1000, Noise: rangeNoise * b.sky.rnd.NormFloat64()}
	if b.sky.blind[sq] {
		return Sight{Status: 7}
	}
	if from.Before(b.sky.hand[sq]) {
		s.MM = handMM + 10*b.sky.rnd.Float64()
	}
	if b.dazzled(sq, from, to) {
		s.Noise += stray
	}
	return s
}

// dazzled tells whether a neighbour, file or rank, was measuring at the same time.
func (b *Board) dazzled(sq rules.Square, from, to time.Time) bool {
	for _, n := range [4]struct{ file, rank int }{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		f, r := sq.File()+n.file, sq.Rank()+n.rank
		if f >= 0 && f < 8 && r >= 0 && r < 8 && b.sky.eyes[rules.SquareAt(f, r)].measuring(from, to) {
			return true
		}
	}
	return false
}

// hover leaves a hand over a square for a moment; the height sensor sees it. The board is locked.
func (b *Board) hover(d sensing.Deck, sq rules.Square) {
	if d == sensing.Lower {
		b.sky.hand[sq] = time.Now().Add(handStays)
	}
}
