// SPDX-License-Identifier: Apache-2.0

package eval

import "boardd/rules"

// marks is what the network of orthodox chess is told of pieces besides where they stand.
type marks struct{ favoured, threatened rules.Bitboard }

func marksOf(p *rules.Position) marks {
	white, black := set(p.Kinds(rules.White)), set(p.Kinds(rules.Black))
	byWhite, byBlack := p.Strikes(rules.White), p.Strikes(rules.Black)
	return marks{
		favoured:   favoured(&white, &black),
		threatened: white.threatened(&byWhite, &byBlack) | black.threatened(&byBlack, &byWhite),
	}
}

// set holds the pieces of one side, by their kind.
type set [7]rules.Bitboard

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
// Knights and bishops are worth the same. Kings are not among them. What that side strikes is given, and what its
// enemy does.
func (s *set) threatened(own, enemy *rules.Strikes) rules.Bitboard {
	by := enemy.Pawns
	found := (s[rules.Knight] | s[rules.Bishop]) & by
	by |= enemy.Minors
	found |= s[rules.Rook] & by
	by |= enemy.Rooks
	found |= s[rules.Queen] & by
	loose := enemy.All &^ own.All
	return found | (s[rules.Pawn]|s[rules.Knight]|s[rules.Bishop]|s[rules.Rook]|s[rules.Queen])&loose
}

const fileA, fileH = rules.Bitboard(0x0101010101010101), rules.Bitboard(0x8080808080808080)

// favoured are passed pawns, and knights and bishops that no enemy pawn can drive off. So are rooks without an own
// pawn on their file, and a king whose enemy has no queen. The hidden units cannot find this out.
func favoured(white, black *set) rules.Bitboard {
	// what White's and Black's pawns have before them
	north, south := fillNorth(white[rules.Pawn]<<8), fillSouth(black[rules.Pawn]>>8)
	return white.favoured(black, south) | black.favoured(white, north)
}

// favoured is those of one side. The squares that enemy pawns have before them are given.
func (s *set) favoured(enemy *set, before rules.Bitboard) rules.Bitboard {
	driven := before&^fileA>>1 | before&^fileH<<1
	pawns := s[rules.Pawn]
	found := pawns&^(before|driven) |
		(s[rules.Knight]|s[rules.Bishop])&^driven |
		s[rules.Rook]&^(fillNorth(pawns)|fillSouth(pawns))
	if enemy[rules.Queen] == 0 {
		found |= s[rules.King]
	}
	return found
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
