// SPDX-License-Identifier: Apache-2.0

package eval

import "boardd/rules"

// marks is what the network of orthodox chess is told of pieces besides where they stand.
type marks struct{ favoured, threatened rules.Bitboard }

func marksOf(p *rules.Position) marks {
	white, black := setOf(p, rules.White), setOf(p, rules.Black)
	return marks{favoured(&white, &black), threatened(p.Occupied(), &white, &black)}
}

// set holds the pieces of one side, by their kind.
type set [7]rules.Bitboard

func setOf(p *rules.Position, c rules.Color) (s set) {
	for k := rules.Pawn; k <= rules.King; k++ {
		s[k] = p.Pieces(c, k)
	}
	return s
}

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
func threatened(occupied rules.Bitboard, white, black *set) rules.Bitboard {
	byWhite, byBlack := white.attacks(occupied), black.attacks(occupied)
	byWhite.pawns = white[rules.Pawn]&^fileA<<7 | white[rules.Pawn]&^fileH<<9
	byBlack.pawns = black[rules.Pawn]&^fileA>>9 | black[rules.Pawn]&^fileH>>7
	byWhite.all |= byWhite.pawns
	byBlack.all |= byBlack.pawns
	return white.threatened(&byWhite, &byBlack) | black.threatened(&byBlack, &byWhite)
}

// attacks is what the pieces of one side attack, by their kind.
type attacks struct{ pawns, minors, rooks, all rules.Bitboard }

// attacks is that of all pieces but the pawns.
func (s *set) attacks(occupied rules.Bitboard) (a attacks) {
	for _, k := range [2]rules.Kind{rules.Knight, rules.Bishop} {
		for square := range s[k].Squares() {
			a.minors |= rules.Attacks(k, square, occupied)
		}
	}
	for square := range s[rules.Rook].Squares() {
		a.rooks |= rules.Attacks(rules.Rook, square, occupied)
	}
	a.all = a.minors | a.rooks
	for _, k := range [2]rules.Kind{rules.Queen, rules.King} {
		for square := range s[k].Squares() {
			a.all |= rules.Attacks(k, square, occupied)
		}
	}
	return a
}

// threatened are those of one side. What that side attacks is given, and what its enemy does.
func (s *set) threatened(own, enemy *attacks) rules.Bitboard {
	by := enemy.pawns
	found := (s[rules.Knight] | s[rules.Bishop]) & by
	by |= enemy.minors
	found |= s[rules.Rook] & by
	by |= enemy.rooks
	found |= s[rules.Queen] & by
	loose := enemy.all &^ own.all
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
