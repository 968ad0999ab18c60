// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// ReedFault is what is wrong with one reed.
type ReedFault uint8

// The faults of reeds.
const (
	ReedGood        ReedFault = iota
	ReedStuckOpen             // never closes: broken glass
	ReedStuckClosed           // never opens: welded
	ReedNoisy                 // chatters as long as a piece stands there
)

// CellFault is what is wrong with one load cell.
type CellFault uint8

// The faults of load cells.
const (
	CellGood      CellFault = iota
	CellAbsent              // its converter does not answer
	CellSaturated           // its bridge is open: full scale
	CellNoisy               // a bad joint: fifty times the noise
	CellDrifting            // a wet bridge: half a gram a minute
)

// EyeFault is what is wrong with one height sensor.
type EyeFault uint8

// The faults of height sensors.
const (
	EyeGood  EyeFault = iota
	EyeBlind          // dust on its window: no target
	EyeNoisy          // scratched: ten times the noise
	EyeGone           // it does not answer
)

// wiring says which contact each input really hangs on.
type wiring struct {
	crossed rules.Bitboard // inputs that hang on another square's reed
	from    [64]uint8      // the square whose reed is wired to this input
	leaks   rules.Bitboard // inputs that also close with the reed of leak
	leak    [64]uint8
}

func straight() (w wiring) {
	for i := range w.from {
		w.from[i] = uint8(i)
	}
	return w
}

// Reed gives one reed a fault, or none.
func (w *World) Reed(d sensing.Deck, sq rules.Square, what ReedFault) {
	w.spots[d][sq].reed.fault = what
	w.note(d, sq)
}

// Resist gives a reed's contact a resistance, as age and sparks do; 0 is a good one.
func (w *World) Resist(d sensing.Deck, sq rules.Square, ohms float64) {
	w.spots[d][sq].reed.ohms = ohms
	w.note(d, sq)
}

// Bounce makes one reed bounce for so long, whatever stands there.
func (w *World) Bounce(at time.Duration, d sensing.Deck, sq rules.Square, span time.Duration) {
	r := &w.spots[d][sq].reed
	r.since, r.until, r.seed = at, at+span, w.rnd.Uint64()
	w.note(d, sq)
}

// Swap exchanges the wires of two reeds of a deck.
func (w *World) Swap(d sensing.Deck, a, b rules.Square) {
	l := &w.wires[d]
	l.from[a], l.from[b] = l.from[b], l.from[a]
	l.crossed |= a.Bit() | b.Bit()
}

// Crosstalk lets the input of a close with the reed of b as well.
func (w *World) Crosstalk(d sensing.Deck, a, b rules.Square) {
	w.wires[d].leaks |= a.Bit()
	w.wires[d].leak[a] = uint8(b)
}

// Cell gives one load cell a fault, or none.
func (w *World) Cell(sq rules.Square, what CellFault) {
	c := &w.cells[sq]
	c.fault = what
	if what == CellDrifting {
		c.drift = 30_000
	}
}

// Drift lets one load cell show this many milligrams more than is on it, from now on.
func (w *World) Drift(sq rules.Square, mg float64) { w.cells[sq].zero += mg }

// Eye gives one height sensor a fault, or none.
func (w *World) Eye(sq rules.Square, what EyeFault) { w.eyes[sq] = what }
