// SPDX-License-Identifier: Apache-2.0

package virtual

import (
	"time"

	"boardd/hardware/virtual/physics"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// now is the time of the board's world.
func (b *Board) now() time.Duration { return time.Since(b.epoch) }

// masses is the weight of every letter in milligrams.
func masses(weights map[byte]int32) (m [128]float64) {
	for c, mg := range weights {
		m[c&127] = float64(mg)
		if c >= 'A' && c <= 'Z' {
			m[c+'a'-'A'] = float64(mg)
		}
	}
	return m
}

// set makes a pile stand on a square: the reed and the cell under it begin to move. The board is locked.
func (b *Board) set(d sensing.Deck, sq rules.Square, pile wood.Pile) {
	b.wood[wood.PlaceAt(d, sq)] = pile
	if string(pile) != b.world.Pile(d, sq) {
		b.world.Set(b.now(), d, sq, string(pile), b.world.Untidy())
		b.settleLater(d, sq)
	}
}

// settleLater lets the chips look again when a reed has come to rest. The board is locked.
func (b *Board) settleLater(d sensing.Deck, sq rules.Square) {
	wait := b.world.Rests(d, sq) - b.now()
	if wait <= 0 {
		return
	}
	var t *time.Timer
	t = time.AfterFunc(wait, func() {
		b.mu.Lock()
		delete(b.later, t)
		b.mu.Unlock()
		b.bus.Changed()
	})
	b.later[t] = true
}

// converter is what a load cell's converter makes of milligrams.
type converter struct {
	offset float64 // counts with no load
	gain   float64 // counts per milligram
}

const (
	handStays = 150 * time.Millisecond // how long a hand stays over a square that it has touched
	pushTakes = 30 * time.Millisecond  // how long fingers hold what they push to the middle of its square
)

// bounces is how long after the first contact of a push of a button, or the first break at its end, the contact
// changes again.
func bounces() []time.Duration {
	return []time.Duration{300 * time.Microsecond, 900 * time.Microsecond, 1500 * time.Microsecond, 2 * time.Millisecond}
}

// hover leaves a hand over a square for a moment; the height sensor sees it. The board is locked.
func (b *Board) hover(d sensing.Deck, sq rules.Square) {
	if d == sensing.Lower {
		b.world.Hover(b.now(), sq, handStays)
	}
}

// HoldOver holds a hand over a square and touches nothing.
func (b *Board) HoldOver(sq rules.Square, span time.Duration) {
	b.change(func() { b.world.Hover(b.now(), sq, span) })
}

// Knock knocks against what stands on a square, so that it rocks; on an empty one it is a piece that is dragged over
// it.
func (b *Board) Knock(d sensing.Deck, sq rules.Square, span time.Duration) {
	b.change(func() {
		b.world.Rock(b.now(), d, sq, span, b.world.Untidy().Press)
		b.hover(d, sq)
		b.settleLater(d, sq)
	})
}

// Adjust pushes what stands on a square to the very middle of it.
func (b *Board) Adjust(d sensing.Deck, sq rules.Square) {
	b.change(func() {
		b.world.Shift(b.now(), d, sq, physics.Landing{Press: 10_000, Held: pushTakes})
		b.hover(d, sq)
		b.settleLater(d, sq)
	})
}

// Straighten pushes every pile that does not close its reed to the middle of its square. People do so when the board
// does not notice a piece.
func (b *Board) Straighten() {
	b.change(func() {
		for d := range b.o.Kind.decks() {
			for sq := range rules.Square(64) {
				if deck := sensing.Deck(d); b.wood[wood.PlaceAt(deck, sq)] != "" && !b.world.Stands(deck, sq) {
					b.world.Shift(b.now(), deck, sq, physics.Landing{})
					b.settleLater(deck, sq)
				}
			}
		}
	})
}
