package virtual

import (
	"boardd/rules"
	"boardd/sensing"
)

// Faults is the handle by which faults are put into a board while it is in use.
type Faults struct{ b *Board }

// Faults is how to put faults into the board.
func (b *Board) Faults() Faults { return Faults{b} }

// Reed gives one reed a fault, or none.
func (f Faults) Reed(d sensing.Deck, sq rules.Square, what ReedFault) {
	f.b.change(func() { f.b.reeds[d][sq].fault = what })
}

// Cell gives one load cell a fault, or none.
func (f Faults) Cell(sq rules.Square, what CellFault) {
	f.b.change(func() { f.b.cells[sq].fault = what })
}

// Hub is the board's hub, to unplug it or to spoil its frames; nil when the board has none.
func (f Faults) Hub() *Hub { return f.b.hub }
