// SPDX-License-Identifier: Apache-2.0

// Package guard keeps a table going after a fault of the program in recognition.
//
// A decoder that panics is made anew, with the positions that it was last told. What it had seen on the way is lost.
// So the wood that rests decides, as after a start. A fault that comes again and again costs recognition, never the
// game, the page or the other board.
package guard

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"boardd/rules"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// Decoder is a table.Decoder that outlives the panics of another one. It belongs to one goroutine.
type Decoder struct {
	inner  table.Decoder
	renew  func() table.Decoder
	told   func(fault error)
	counts map[string]int // by text, how often a fault has come

	bases   []reconcile.Base
	before  *rules.Position // of the last Follow, nil after Expect
	faults  []reconcile.Fault
	changes []reconcile.FaultChange // of sensors that a decoder which is gone had found
}

// New guards the decoders that renew makes. Told is called with each fault, with its stack: when it has come once, ten
// times, a hundred times and so on.
func New(renew func() table.Decoder, told func(fault error)) *Decoder {
	return &Decoder{inner: renew(), renew: renew, told: told, counts: map[string]int{}}
}

// Logged is New with a log that is told.
func Logged(renew func() table.Decoder, log *slog.Logger) *Decoder {
	return New(renew, func(fault error) {
		log.Error("recognition had a fault and was begun anew: the game goes on", "error", fault)
	})
}

// soon is when to look again after a fault.
const soon = 5 * time.Millisecond

// try does something with the decoder, and makes another one if that panics.
func (d *Decoder) try(do func()) {
	if fault := d.caught(do); fault != nil {
		d.tell(fault)
		d.begin()
	}
}

// caught does something, and returns its panic as an error.
func (d *Decoder) caught(do func()) (fault error) {
	defer func() {
		if r := recover(); r != nil {
			fault = fmt.Errorf("a fault of the program, please report it: %v\n%s", r, debug.Stack())
		}
	}()
	do()
	return nil
}

// tell tells of a fault, unless that was done already. Faults that end at the same place with the same words are one.
func (d *Decoder) tell(fault error) {
	text := fault.Error()
	text = text[:min(len(text), 100)]
	d.counts[text]++
	for n := d.counts[text]; n%10 == 0; n /= 10 {
		if n == 10 {
			d.told(fmt.Errorf("%w\n(%d times until now)", fault, d.counts[text]))
			return
		}
	}
	if d.counts[text] == 1 {
		d.told(fault)
	}
}

// begin begins with another decoder. It is not tried again if that one panics, too: the next call does.
func (d *Decoder) begin() {
	for _, f := range d.faults {
		d.changes = append(d.changes, reconcile.FaultChange{Fault: f, Gone: true})
	}
	d.faults = nil
	d.inner = d.renew()
	if d.bases == nil {
		return
	}
	d.caught(func() { //nolint:errcheck // the fault is told of when it comes again
		if d.before != nil {
			d.inner.Follow(d.bases, d.before)
		} else {
			d.inner.Expect(d.bases)
		}
	})
}

// Geometry is that of the decoder.
func (d *Decoder) Geometry() (g *wood.Geometry) {
	d.try(func() { g = d.inner.Geometry() })
	return g
}

// Expect is that of the decoder. Another one is told the same positions.
func (d *Decoder) Expect(bases []reconcile.Base) {
	d.bases, d.before = append(d.bases[:0], bases...), nil
	d.try(func() { d.inner.Expect(bases) })
}

// Follow is that of the decoder. Another one is told the same positions.
func (d *Decoder) Follow(bases []reconcile.Base, before *rules.Position) {
	p := *before
	d.bases, d.before = append(d.bases[:0], bases...), &p
	d.try(func() { d.inner.Follow(bases, before) })
}

// Observe takes in one reading.
func (d *Decoder) Observe(r *sensing.Reading) { d.try(func() { d.inner.Observe(r) }) }

// PressClock says that the player has pressed the clock.
func (d *Decoder) PressClock() { d.try(d.inner.PressClock) }

// Answered says that people have answered the last question.
func (d *Decoder) Answered() { d.try(d.inner.Answered) }

// Explain says what the wood means. After a fault it says that hands are at work, and to look again soon.
func (d *Decoder) Explain(at time.Time) reconcile.Explanation {
	x := reconcile.Explanation{State: reconcile.Moving, NextLook: at.Add(soon)}
	d.try(func() { x = d.inner.Explain(at) })
	return x
}

// Destinations finds where the moves lead that begin with a lift: nowhere after a fault.
func (d *Decoder) Destinations(l reconcile.Lift) (r reconcile.Destinations) {
	d.try(func() { r = d.inner.Destinations(l) })
	return r
}

// Wood is the wood of the game as it stands.
func (d *Decoder) Wood() (w *wood.Wood) {
	if d.try(func() { w = d.inner.Wood() }); w == nil {
		w = d.inner.Wood()
	}
	return w
}

// Count is the number of pieces that seem to stand on a place. After a fault it is that of the game.
func (d *Decoder) Count(p wood.Place) int {
	n := len(d.Wood()[p])
	d.try(func() { n = d.inner.Count(p) })
	return n
}

// HeightsNeeded returns the squares whose heights are needed next.
func (d *Decoder) HeightsNeeded() (squares rules.Bitboard) {
	d.try(func() { squares = d.inner.HeightsNeeded() })
	return squares
}

// Faults returns the sensors that are not to be trusted now.
func (d *Decoder) Faults() (list []reconcile.Fault) {
	d.try(func() { list = d.inner.Faults() })
	return list
}

// FaultChanges returns the faults that were found, and those that are gone, since it was last called. What a decoder
// had found that is gone is gone with it, until the next one finds it again.
func (d *Decoder) FaultChanges() []reconcile.FaultChange {
	var found []reconcile.FaultChange
	d.try(func() {
		found = d.inner.FaultChanges()
		d.faults = d.inner.Faults()
	})
	changes := append(d.changes, found...)
	d.changes = nil
	return slices.Clip(changes)
}
