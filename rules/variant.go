// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"

	"boardd/rules/say"
)

// Variant is one rule set: what data can say of it, and the few things only code can say. A Variant is immutable;
// each stands in a file of its own, beside the section of the rules that it follows.
type Variant struct {
	id, name string
	mark     byte // how the coordinate form writes a marked move
	layered  bool // the two levels are decks of their own
	liberal  bool // pillar-liberal: the rest of a split stack may be the enemy's

	gaps   bool // flying: a piece may stand above nothing
	buries bool // meirav, pillar: what is taken stays under what took it
	locks  bool // locking: a piece under another one cannot move
	trades bool // chess: what is taken leaves the board, and nothing stands on or under it

	moves    func(*Position, *sink)          // says every legal move
	wood     func(*Position, Move) Piece     // moves the pieces, ends castling rights, and returns what moved, as it was
	passing  func(*Position, *sink)          // says the legal answers to a pawn's double step, a part of moves
	checkers func(*Position, Color) Bitboard // squares of the pieces that could take the king of that side
	words    func(*Position, Move) words     // a legal move in the notation for people
	stuck    func(*Position) Result          // the word when no move is legal, if not checkmate or stalemate
	why      why                             // what only this game can say of a move that is not legal
	checked  string                          // the section that says when a king is in check
	dead     func(*Position) bool            // no mate can come about any more
	setup    setup                           // what a position may look like
}

// why finds the piece that would move from a square, or the reason why none can move, or not there. It is called when
// no move leads there even if the king did not matter.
type why func(p *Position, from, to Square) (mover, Reason)

// variants lists the games in the order of RULES.md. A new game is one more line here and one file.
var variants = [...]*Variant{
	&orthodox,
	&locking,
	&meirav,
	&pillar,
	&pillarLiberal,
	&superchess,
	&flying,
}

// Variants returns the games, in the order of RULES.md.
func Variants() []*Variant { return append([]*Variant(nil), variants[:]...) }

// ByID finds a game by its id; the error lists the known ids.
func ByID(id string) (*Variant, error) {
	var known []string
	for _, v := range variants {
		if v.id == id {
			return v, nil
		}
		known = append(known, v.id)
	}
	return nil, say.Error("variant %q: want one of %s", id, strings.Join(known, ", "))
}

// number is the place of the game in variants.
func (v *Variant) number() uint8 {
	for i, w := range variants {
		if w == v {
			return uint8(i)
		}
	}
	panic("rules: a Variant that is not one of Variants")
}

// ID is the word by which configuration, files and messages name the game.
func (v *Variant) ID() string { return v.id }

// Name is the game's name for people.
func (v *Variant) Name() string { return v.name }

// String is the ID.
func (v *Variant) String() string { return v.id }

// Layered reports whether the two levels are decks of their own (meirav, flying) rather than pieces standing on
// pieces.
func (v *Variant) Layered() bool { return v.layered }

// TopFirst reports whether a piece alone stands on the upper of two decks (meirav) and not on the lower.
func (v *Variant) TopFirst() bool { return v.layered && !v.gaps }

// Pedestals reports whether a piece may stand above nothing, for which a board with one deck needs a pedestal.
func (v *Variant) Pedestals() bool { return v.gaps }

// Stacks reports whether pieces come to stand on one another, be it on a deck of their own.
func (v *Variant) Stacks() bool { return v.layered || v.buries || v.mark != 0 }

// Piles reports whether more than two pieces may stand on one another.
func (v *Variant) Piles() bool { return v.buries && !v.layered }

// Locks reports whether a piece cannot move while another one stands on it.
func (v *Variant) Locks() bool { return v.locks }

// Trades reports whether what is taken leaves the board, and nothing stands on or under it, as in orthodox chess.
func (v *Variant) Trades() bool { return v.trades }

// Start is the orthodox array, White to move, from which all the games start.
func (v *Variant) Start() Position {
	p, err := v.ParseFEN("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
	if err != nil {
		panic("rules: the array is refused: " + err.Error())
	}
	return p
}
