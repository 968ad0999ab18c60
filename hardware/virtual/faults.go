// SPDX-License-Identifier: Apache-2.0

package virtual

import (
	"time"

	"boardd/hardware/virtual/physics"
	"boardd/hardware/virtual/wires"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/scale"
)

// Faults is the handle by which faults are put into a board while it is in use. Methods that name a part which the
// board does not have do nothing.
type Faults struct{ b *Board }

// Faults is how to put faults into the board.
func (b *Board) Faults() Faults { return Faults{b} }

// Reed gives one reed a fault, or none.
func (f Faults) Reed(d sensing.Deck, sq rules.Square, what ReedFault) {
	f.b.change(func() { f.b.world.Reed(d, sq, what) })
}

// Resist gives one reed's contact a resistance, as age and sparks do; 0 is a good one.
func (f Faults) Resist(d sensing.Deck, sq rules.Square, ohms float64) {
	f.b.change(func() { f.b.world.Resist(d, sq, ohms) })
}

// Bounce makes one reed bounce for so long from now, whatever stands there.
func (f Faults) Bounce(d sensing.Deck, sq rules.Square, span time.Duration) {
	f.b.change(func() {
		f.b.world.Bounce(f.b.now(), d, sq, span)
		f.b.settleLater(d, sq)
	})
}

// Cell gives one load cell a fault, or none.
func (f Faults) Cell(sq rules.Square, what CellFault) {
	f.b.change(func() { f.b.world.Cell(sq, what) })
}

// Drift lets one load cell read this many milligrams more than is on it, as temperature does.
func (f Faults) Drift(sq rules.Square, mg float64) {
	f.b.change(func() { f.b.world.Drift(sq, mg) })
}

// Lean lets a hand lean on a board with a scale for so long from now.
func (b *Board) Lean(load scale.Load, span time.Duration) {
	b.change(func() { b.world.Lean(b.now(), load, span) })
}

// Hub is the board's hub, to unplug it or to spoil its frames; nil when the board has none.
func (f Faults) Hub() *Hub { return f.b.hub }

// Bus gives the I2C bus faults, or none.
func (f Faults) Bus(what wires.Faults) { f.b.bus.SetFaults(what) }

// StickSDA makes a chip hold the data line until it has seen this many clocks on SCL.
func (f Faults) StickSDA(clocks int) { f.b.bus.Stick(clocks) }

// Int breaks the interrupt line: edges are lost, or, with level, the wire is broken and reads high.
func (f Faults) Int(edges, level bool) {
	f.b.intr.LoseEdges(edges)
	f.b.intr.Deaf(level)
}

// Expander makes the k-th expander of a deck acknowledge nothing, or heals it.
func (f Faults) Expander(d sensing.Deck, k int, gone bool) {
	f.b.bus.Silence(f.b.ports[d][k], gone)
}

// ResetExpander is a power cycle of the k-th expander of a deck.
func (f Faults) ResetExpander(d sensing.Deck, k int) {
	f.b.bus.PowerCycle(f.b.ports[d][k])
}

// Eye makes the height sensor over a square acknowledge nothing, or heals it.
func (f Faults) Eye(sq rules.Square, gone bool) {
	if c := f.b.sky.eyes[sq]; c != nil {
		f.b.bus.Silence(c, gone)
	}
}

// Blind makes the height sensor over a square see no target, or heals it.
func (f Faults) Blind(sq rules.Square, blind bool) {
	f.b.change(func() {
		what := physics.EyeGood
		if blind {
			what = physics.EyeBlind
		}
		f.b.world.Eye(sq, what)
	})
}

// ResetEye is a power cycle of the height sensor over a square.
func (f Faults) ResetEye(sq rules.Square) {
	if c := f.b.sky.eyes[sq]; c != nil {
		f.b.bus.PowerCycle(c)
	}
}

// Mux makes the multiplexer of a rank, 0 to 7, acknowledge nothing, or heals it.
func (f Faults) Mux(rank int, gone bool) {
	if c := f.b.sky.muxes[rank]; c != nil {
		f.b.bus.Silence(c, gone)
	}
}

// ResetMux is a power cycle of the multiplexer of a rank, 0 to 7: it has no channel open any more.
func (f Faults) ResetMux(rank int) {
	if c := f.b.sky.muxes[rank]; c != nil {
		f.b.bus.PowerCycle(c)
	}
}
