// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"time"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
	"boardd/sync/wire"
)

// decoder is what explains the wood: a reconcile.Decoder, which says what the methods do.
type decoder interface {
	Geometry() *wood.Geometry
	Expect(bases []reconcile.Base)
	Follow(bases []reconcile.Base, before *rules.Position)
	Observe(r *sensing.Reading)
	Hurry()
	Explain(at time.Time) reconcile.Explanation
	Reach(l reconcile.Lift) reconcile.Reach
	Wood() *wood.Wood
	Awaited() rules.Bitboard
	Faults() []reconcile.Fault
	News() []reconcile.News
}

// decode makes the decoder of a board: what its hardware is, and what a move waits for before it counts.
func decode(r *rig.Rig, c *config.Config) decoder {
	t := reconcile.DefaultTiming()
	if p, err := reconcile.ParsePolicy(c.Commit); err == nil { // checked when the file was read
		t.Commit = p
	}
	return reconcile.New(r.Geometry, t)
}

// faults tells everybody of sensors that were found at fault, and of those that are sound again: one event for each kind of
// trouble, so that a cable that comes off is not told square by square.
func (b *board) faults() {
	news := b.decoder.News()
	if len(news) == 0 {
		return
	}
	var found, gone []reconcile.Fault
	for _, n := range news {
		if n.Gone {
			gone = append(gone, n.Fault)
		} else {
			found = append(found, n.Fault)
		}
	}
	for kind := reconcile.Dead; kind <= reconcile.Silent; kind++ {
		b.tellFaults(wire.EventFault, of(found, kind), "; play goes on without it")
		b.tellFaults(wire.EventFaultCleared, of(gone, kind), ": this is over")
	}
}

// of is the faults of one kind.
func of(all []reconcile.Fault, kind reconcile.Trouble) (some []reconcile.Fault) {
	for _, f := range all {
		if f.Kind == kind {
			some = append(some, f)
		}
	}
	return some
}

func (b *board) tellFaults(event string, faults []reconcile.Fault, end string) {
	if len(faults) == 0 {
		return
	}
	e := wire.Event{Kind: event, Part: faults[0].Name(), Text: strings.Join(reconcile.Describe(faults), "; ") + end}
	if len(faults) > 1 {
		e.Part = faults[0].Part.String()
	}
	for _, f := range faults {
		e.Squares = append(e.Squares, wire.Touch{Square: f.Place.Square().String(), Deck: f.Place.Deck().String(), See: -1})
	}
	b.tell(e)
}

// squareFaults is the same for health.
func (b *board) squareFaults() (list []wire.SquareFault) {
	for _, f := range b.decoder.Faults() {
		list = append(list, wire.SquareFault{Square: f.Place.Square().String(), Deck: f.Place.Deck().String(), Text: f.String()})
	}
	return list
}

// faultLine is what the display says of faults, "" when there are none.
func (b *board) faultLine() string {
	fs := b.decoder.Faults()
	switch len(fs) {
	case 0:
		return ""
	case 1:
		return fs[0].Name() + " " + fs[0].Kind.String() + ": play on"
	}
	return fs[0].Name() + " and others at fault: play on"
}

// ability tells at the start of a game what this board cannot tell in it, and will ask.
func (b *board) ability(v *rules.Variant) {
	a := reconcile.AbilityFor(b.decoder.Geometry(), v, b.decoder.Faults())
	if lines := a.Lines(); len(lines) > 0 {
		b.tell(wire.Event{Kind: wire.EventAbility, Text: strings.Join(lines, "; ")})
	}
}
