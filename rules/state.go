// SPDX-License-Identifier: Apache-2.0

package rules

// Play carries out a legal move. Of a move that is not legal the result means nothing.
func (p *Position) Play(m Move) {
	game := p.rules()
	p.key ^= keys.passed[p.passed] ^ keys.black
	p.passed = NoSquare
	p.half++
	p.full += uint32(p.turn)
	if pc := game.wood(still(p), m); pc.Kind() == Pawn || m&capture != 0 {
		p.half = 0
	}
	p.turn ^= 1
	if m&doubleStep != 0 && m&mark == 0 {
		p.pass((m.From()+m.To())/2, game)
	}
}

// pass notes that a pawn just passed the square, if the opponent, who is to move, can legally capture in passing. Only
// then is the square part of the position (RULES 2.1).
func (p *Position) pass(s Square, game *Variant) {
	pawns := p.lower.kind(Pawn)&p.lower.of(p.turn) | p.upper.kind(Pawn)&p.upper.of(p.turn)
	if pawnAttacks[p.turn.Other()&1][s&63]&pawns == 0 {
		return
	}
	var answers sink
	p.passed = s
	game.passing(still(p), still(&answers))
	if answers.n == 0 {
		p.passed = NoSquare
	}
	p.key ^= keys.passed[p.passed]
}

// flipLower puts a piece on an empty square of the lower level, or takes away the piece that stands there.
func (p *Position) flipLower(s Square, pc Piece) {
	p.lower.flip(s.bit(), pc)
	p.key ^= keys.lower[pc&15][s&63]
}

// flipUpper is flipLower on the upper level.
func (p *Position) flipUpper(s Square, pc Piece) {
	p.upper.flip(s.bit(), pc)
	p.key ^= keys.upper[pc&15][s&63]
}

// slideLower moves a piece of the lower level from one square to another, which is empty.
func (p *Position) slideLower(from, to Square, pc Piece) {
	p.lower.flip(from.bit()|to.bit(), pc)
	words := &keys.lower[pc&15]
	p.key ^= words[from&63] ^ words[to&63]
}

// slideUpper is slideLower on the upper level.
func (p *Position) slideUpper(from, to Square, pc Piece) {
	p.upper.flip(from.bit()|to.bit(), pc)
	words := &keys.upper[pc&15]
	p.key ^= words[from&63] ^ words[to&63]
}

// rightsAt[s] is the castling rights that end when the king or rook whose home is s moves or is taken.
var rightsAt = [64]uint8{e1: 1 | 2, h1: 1, a1: 2, e8: 4 | 8, h8: 4, a8: 8}

// lose ends castling rights.
func (p *Position) lose(rights uint8) {
	if rights &= p.rights; rights != 0 {
		p.key ^= keys.rights[p.rights]
		p.rights &^= rights
		p.key ^= keys.rights[p.rights]
	}
}

// wing is one of the four castlings.
type wing struct {
	right        uint8
	king, kingTo Square
	rook, rookTo Square
	empty        Bitboard // squares between king and rook
	path         Bitboard // squares the king passes and reaches
}

var wings = [2][2]wing{
	{{1, e1, g1, h1, f1, 1<<f1 | 1<<g1, 1<<f1 | 1<<g1}, {2, e1, c1, a1, d1, 1<<b1 | 1<<c1 | 1<<d1, 1<<c1 | 1<<d1}},
	{{4, e8, g8, h8, f8, 1<<f8 | 1<<g8, 1<<f8 | 1<<g8}, {8, e8, c8, a8, d8, 1<<b8 | 1<<c8 | 1<<d8, 1<<c8 | 1<<d8}},
}

// wingTo is the castling of the side by which its king arrives on the square.
func wingTo(c Color, to Square) *wing {
	if to.File() == 6 {
		return &wings[c][0]
	}
	return &wings[c][1]
}
