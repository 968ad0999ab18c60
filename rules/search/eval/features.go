// SPDX-License-Identifier: Apache-2.0

package eval

import "boardd/rules"

// Inputs are numbered role, side, kind, square. A side that looks at the board from Black's end sees the sides
// exchanged and the ranks turned round. So one set of rows serves both.
const (
	perSide = 6 * 64
	perRole = 2 * perSide
)

// Feature is one piece of a position as White sees it.
type Feature uint16

// Turned is the same piece as Black sees it.
func (i Feature) Turned() Feature {
	role, rest := i/perRole, i%perRole
	side, rest := rest/perSide, rest%perSide
	return role*perRole + (1-side)*perSide + (rest ^ 56)
}

// The roles of a piece in its stack. What a buried or locked piece is worth depends on whose piece is over it, so that
// is a part of the role. The games use the first one to four of them (Roles).
const (
	single = iota // alone on the square; pillar: the top of a stack of any height; meirav: the top board
	// chess: favoured (marks.go); locking, superchess: the top of a stack; flying: in the air; meirav: buried; pillar:
	// under a top of its own side
	above
	// chess: threatened; locking, superchess: under a piece of its own side; pillar: just under an enemy top
	ownOver
	// chess: favoured and threatened; locking, superchess: under an enemy piece; pillar: deeper under an enemy top
	enemyOver
)

// Roles is how many roles the pieces of a game have.
func Roles(v *rules.Variant) int {
	switch v.ID() {
	case "meirav", "flying":
		return 2
	}
	return 4
}

// FeatureCount is how many features a game has.
func FeatureCount(v *rules.Variant) int { return Roles(v) * perRole }

func newFeature(role int, pc rules.Piece, s rules.Square) Feature {
	return Feature(role*perRole + int(pc.Color())*perSide + (int(pc.Kind())-1)*64 + int(s))
}

// reader says which roles the pieces of a stack have. It is a number and no function value, because what is handed to
// a function value goes to the heap.
type reader uint8

const (
	readChess reader = iota
	readMeirav
	readFlying
	readPairs
	readPillar
)

func readerOf(v *rules.Variant) reader {
	switch v.ID() {
	case "chess":
		return readChess
	case "meirav":
		return readMeirav
	case "flying":
		return readFlying
	case "pillar", "pillar-liberal":
		return readPillar
	}
	return readPairs
}

// marks are none in all games but orthodox chess.
func (r reader) marks(p *rules.Position) marks {
	if r != readChess {
		return marks{}
	}
	return marksOf(p)
}

// at appends the features of what stands on the square, marked or not.
func (r reader) at(in []Feature, p *rules.Position, s rules.Square, marks marks) []Feature {
	low, high := p.Levels(s)
	switch {
	case r == readChess:
		if low == rules.NoPiece {
			return in
		}
		return append(in, newFeature(marks.role(s), low, s))
	case r == readPillar && p.Locked().Has(s):
		return appendPile(in, p, s)
	case high == rules.NoPiece:
		if low == rules.NoPiece {
			return in
		}
		return append(in, newFeature(single, low, s))
	case r == readFlying:
		if low != rules.NoPiece {
			in = append(in, newFeature(single, low, s))
		}
		return append(in, newFeature(above, high, s))
	case low == rules.NoPiece: // meirav
		return append(in, newFeature(single, high, s))
	case r == readMeirav:
		return append(in, newFeature(above, low, s), newFeature(single, high, s))
	case low.Color() == high.Color():
		return append(in, newFeature(ownOver, low, s), newFeature(above, high, s))
	default:
		return append(in, newFeature(enemyOver, low, s), newFeature(above, high, s))
	}
}

// appendPile appends the features of a stack of Pillar Chess.
func appendPile(in []Feature, p *rules.Position, s rules.Square) []Feature {
	var room [33]rules.Piece
	stack := p.AppendStack(room[:0], s)
	last := len(stack) - 1
	for i, pc := range stack[:last] {
		role := enemyOver
		switch {
		case pc.Color() == stack[last].Color():
			role = above
		case i == last-1:
			role = ownOver
		}
		in = append(in, newFeature(role, pc, s))
	}
	return append(in, newFeature(single, stack[last], s))
}

// AppendFeatures appends the features of the position: one for each piece.
func AppendFeatures(in []Feature, p *rules.Position) []Feature {
	read := readerOf(p.Variant())
	return appendFeatures(in, p, read, read.marks(p))
}

func appendFeatures(in []Feature, p *rules.Position, read reader, marks marks) []Feature {
	for s := range p.Occupied().Squares() {
		in = read.at(in, p, s, marks)
	}
	return in
}
