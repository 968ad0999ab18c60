// SPDX-License-Identifier: Apache-2.0

package eval

import "boardd/rules"

// marks is what the network of orthodox chess is told of pieces besides where they stand.
type marks struct{ favoured, threatened rules.Bitboard }

func marksOf(p *rules.Position) marks { return marks{favoured(p), threatened(p)} }

// differ returns the squares that are marked otherwise.
func (m marks) differ(o marks) rules.Bitboard {
	return (m.favoured ^ o.favoured) | (m.threatened ^ o.threatened)
}

// role is that of a piece of orthodox chess on the square.
func (m marks) role(s rules.Square) int {
	role := single
	if m.favoured.Has(s) {
		role += above
	}
	if m.threatened.Has(s) {
		role += ownOver
	}
	return role
}

// threatened are the pieces that an enemy piece of less worth attacks, or any enemy while no piece guards them.
// Knights and bishops are worth the same. Kings are not among them.
func threatened(p *rules.Position) rules.Bitboard {
	white, black := attacksOf(p, rules.White), attacksOf(p, rules.Black)
	return threatenedOf(p, rules.White, &white, &black) | threatenedOf(p, rules.Black, &black, &white)
}

// attacks is what the pieces of one side attack, by their kind.
type attacks struct{ pawns, minors, rooks, all rules.Bitboard }

func attacksOf(p *rules.Position, c rules.Color) (a attacks) {
	occupied, pawns := p.Occupied(), p.Pieces(c, rules.Pawn)
	if c == rules.White {
		a.pawns = pawns&^fileA<<7 | pawns&^fileH<<9
	} else {
		a.pawns = pawns&^fileA>>9 | pawns&^fileH>>7
	}
	for _, k := range [2]rules.Kind{rules.Knight, rules.Bishop} {
		for s := range p.Pieces(c, k).Squares() {
			a.minors |= rules.Attacks(k, s, occupied)
		}
	}
	for s := range p.Pieces(c, rules.Rook).Squares() {
		a.rooks |= rules.Attacks(rules.Rook, s, occupied)
	}
	a.all = a.pawns | a.minors | a.rooks
	for _, k := range [2]rules.Kind{rules.Queen, rules.King} {
		for s := range p.Pieces(c, k).Squares() {
			a.all |= rules.Attacks(k, s, occupied)
		}
	}
	return a
}

// threatenedOf are those of one side. What that side attacks is given, and what its enemy does.
func threatenedOf(p *rules.Position, c rules.Color, own, enemy *attacks) rules.Bitboard {
	by := enemy.pawns
	set := (p.Pieces(c, rules.Knight) | p.Pieces(c, rules.Bishop)) & by
	by |= enemy.minors
	set |= p.Pieces(c, rules.Rook) & by
	by |= enemy.rooks
	set |= p.Pieces(c, rules.Queen) & by
	loose := enemy.all &^ own.all
	for k := rules.Pawn; k <= rules.Queen; k++ {
		set |= p.Pieces(c, k) & loose
	}
	return set
}

const fileA, fileH = rules.Bitboard(0x0101010101010101), rules.Bitboard(0x8080808080808080)

// favoured are passed pawns, and knights and bishops that no enemy pawn can drive off. So are rooks without an own
// pawn on their file, and a king whose enemy has no queen. The hidden units cannot find this out.
func favoured(p *rules.Position) rules.Bitboard {
	white, black := p.Pieces(rules.White, rules.Pawn), p.Pieces(rules.Black, rules.Pawn)
	north, south := fillNorth(white<<8), fillSouth(black>>8) // what White's and Black's pawns have before them
	return favouredOf(p, rules.White, white, south) | favouredOf(p, rules.Black, black, north)
}

// favouredOf is those of one side. Its pawns are given, and the squares that enemy pawns have before them.
func favouredOf(p *rules.Position, c rules.Color, pawns, before rules.Bitboard) rules.Bitboard {
	driven := before&^fileA>>1 | before&^fileH<<1
	set := pawns&^(before|driven) |
		(p.Pieces(c, rules.Knight)|p.Pieces(c, rules.Bishop))&^driven |
		p.Pieces(c, rules.Rook)&^(fillNorth(pawns)|fillSouth(pawns))
	if p.Pieces(c.Other(), rules.Queen) == 0 {
		set |= p.Pieces(c, rules.King)
	}
	return set
}

// fillNorth returns the squares and all those over them, fillSouth those and all under them.
func fillNorth(b rules.Bitboard) rules.Bitboard {
	b |= b << 8
	b |= b << 16
	return b | b<<32
}

func fillSouth(b rules.Bitboard) rules.Bitboard {
	b |= b >> 8
	b |= b >> 16
	return b | b>>32
}
