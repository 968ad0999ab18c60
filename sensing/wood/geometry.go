// SPDX-License-Identifier: Apache-2.0

package wood

import (
	"math"
	"strings"

	"boardd/rules"
	"boardd/sensing"
)

// Geometry describes a board: its decks, its sensors, and the figures of its pieces.
type Geometry struct {
	TwoDecks bool // a second deck of reeds above the first
	Weights  bool // a load cell under every square of the lower deck
	Heights  bool // a height sensor over every square of the lower deck
	Scale    bool // a load cell under every corner of the whole board

	Mass       [128]int32 // milligrams of each piece by its letter, '#' included
	MassSpread int32      // milligrams, standard deviation of one piece of a kind from its kind's figure
	// milligrams, standard deviation of a settled reading of one load cell, under a square or a corner
	CellNoise  int32
	CubeHeight int32 // micrometres, one cube
	Gap        int32 // micrometres from the lower deck up to the upper one, 0 when there is none or it is not known
	RangeNoise int32 // micrometres, standard deviation of a height reading

	CellNoises  [64]int32 // milligrams, the same of each load cell; 0: CellNoise
	RangeNoises [64]int32 // micrometres, the same of each height sensor; 0: RangeNoise
}

// Piled is the least height, in micrometres, of pieces that may stand on one another with the magnets of the bill.
// With flatter pieces the magnets reach the next square's reed, or cancel each other's field (hardware/schematics,
// TestPiles).
const Piled = 30_000

// Lay says how a position lies on this board. A board with one deck stacks everything; with two decks the layered
// games use the lower deck for the lower level.
func (g *Geometry) Lay(p *rules.Position) Wood {
	var w Wood
	g.Relay(&w, p, p.Occupied())
	return w
}

// Relay lays some squares of a position again.
func (g *Geometry) Relay(w *Wood, p *rules.Position, where rules.Bitboard) {
	layered := g.TwoDecks && p.Variant().Layered()
	var buf [40]rules.Piece
	for s := range where.Squares() {
		stack := p.AppendStack(buf[:0], s)
		if layered {
			g.layLevels(w, p.Variant().TopFirst(), s, stack)
		} else {
			w[s] = pile(stack)
		}
	}
}

// layLevels lays one square of a layered game on two decks. A piece alone is on the top board in meirav, on the
// ground in flying (RULES 2.1).
func (g *Geometry) layLevels(w *Wood, topFirst bool, s rules.Square, stack []rules.Piece) {
	lower, upper := rules.NoPiece, rules.NoPiece
	switch {
	case len(stack) > 1:
		lower, upper = stack[0], stack[1]
	case len(stack) == 1 && topFirst:
		upper = stack[0]
	case len(stack) == 1:
		lower = stack[0]
	}
	w[PlaceAt(sensing.Lower, s)] = single(lower)
	w[PlaceAt(sensing.Upper, s)] = single(upper)
}

// single is the pile of one piece, empty for none.
func single(p rules.Piece) Pile {
	if p == rules.NoPiece {
		return ""
	}
	const letters = "PNBRQKpnbrqk"
	i := strings.IndexByte(letters, p.Letter())
	return Pile(letters[i : i+1]) // of a constant: nothing is allocated
}

func pile(stack []rules.Piece) Pile {
	switch {
	case len(stack) == 0:
		return ""
	case len(stack) == 1:
		return single(stack[0])
	}
	var b [40]byte
	for i, p := range stack {
		if b[i] = p.Letter(); p == rules.NoPiece {
			b[i] = Pedestal
		}
	}
	return Pile(b[:len(stack)])
}

// Reference is the geometry of the reference boards with the reference set of pieces. These are cubes of 35 mm that
// weigh 20 g (pawn) to 60 g (king), and a pedestal of 12 g.
func Reference() Geometry {
	g := Geometry{MassSpread: 250, CellNoise: 150, CubeHeight: 35_000, RangeNoise: 2_000, Gap: 150_000}
	for letter, mg := range map[byte]int32{'p': 20_000, 'n': 27_000, 'b': 33_000, 'r': 41_000, 'q': 52_000, 'k': 60_000} {
		g.Mass[letter], g.Mass[letter-'a'+'A'] = mg, mg
	}
	g.Mass[Pedestal] = 12_000
	return g
}

// Nearest is the white piece whose mass is nearest to a number of milligrams.
func (g *Geometry) Nearest(mg float64) Pile {
	const kinds = "KQRBNP"
	best, off := 0, math.Inf(1)
	for i := range len(kinds) {
		if x := math.Abs(float64(g.Mass[kinds[i]]) - mg); x < off {
			best, off = i, x
		}
	}
	return Pile(kinds[best : best+1])
}
