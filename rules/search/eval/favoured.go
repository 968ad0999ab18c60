// SPDX-License-Identifier: Apache-2.0

package eval

import "boardd/rules"

// favoured is what the network of orthodox chess is told besides where a piece stands. Sixteen hidden units cannot
// find it out. Passed pawns are favoured, and knights and bishops that no enemy pawn can drive off. So are rooks
// without an own pawn on their file, and a king whose enemy has no queen.
func favoured(p *rules.Position) rules.Bitboard {
	white, black := p.Pieces(rules.White, rules.Pawn), p.Pieces(rules.Black, rules.Pawn)
	north, south := fillNorth(white<<8), fillSouth(black>>8) // what White's and Black's pawns have before them
	return favouredOf(p, rules.White, white, south) | favouredOf(p, rules.Black, black, north)
}

// favouredOf is those of one side. Its pawns are given, and the squares that enemy pawns have before them.
func favouredOf(p *rules.Position, c rules.Color, pawns, before rules.Bitboard) rules.Bitboard {
	const fileA, fileH = rules.Bitboard(0x0101010101010101), rules.Bitboard(0x8080808080808080)
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
