// SPDX-License-Identifier: Apache-2.0

package rules

// StaticExchange is the static exchange evaluation of a move. It is what the side to move wins if both sides then
// capture on its square as long as that pays. Each captures with its least piece first. Price is what each kind is
// worth; the king's is not looked at. Pins, checks and promotions of those who take back are left out. It is false in
// games where a piece that is captured or landed on does not simply leave the board. It is also false where a piece
// may stand above another one. There an exchange ends differently.
func (p *Position) StaticExchange(m Move, price *[8]int32) (won int32, ok bool) {
	if !p.rules().trades {
		return 0, false
	}
	to, on := m.To(), p.lower.at(m.From()).Kind()
	occ := p.lower.occupied() &^ m.From().bit()
	won = price[p.lower.at(to).Kind()]
	if m.IsEnPassant() {
		won = price[Pawn]
		occ &^= beyond(p.turn, to).bit()
	}
	if k := m.Promotion(); k != NoKind {
		won += price[k] - price[Pawn]
		on = k
	}
	sets := [2]pieceSet{White: p.lower.pieceSet(White), Black: p.lower.pieceSet(Black)}
	diag, ortho := sets[0].diag|sets[1].diag, sets[0].ortho|sets[1].ortho
	strikers := sets[0].leapers(to, Black) | sets[1].leapers(to, White) |
		kingAttacks[to&63]&(sets[0].kings|sets[1].kings) | bishopAttacks(to, occ)&diag | rookAttacks(to, occ)&ortho
	var gains [33]int32 // what the side that takes has won after this many captures
	gains[0] = won
	last := 0
	for c := p.turn.Other(); last < len(gains)-1; c = c.Other() {
		strikers &= occ
		from, kind := sets[c&1].least(strikers)
		if kind == NoKind || kind == King && strikers&sets[c.Other()&1].all != 0 {
			break
		}
		last++
		gains[last] = price[on] - gains[last-1]
		on, occ = kind, occ&^from
		if kind&1 != 0 { // a pawn, a bishop or a queen: what stands behind on the diagonal strikes now
			strikers |= bishopAttacks(to, occ) & diag
		}
		if kind >= Rook {
			strikers |= rookAttacks(to, occ) & ortho
		}
	}
	for ; last > 0; last-- { // either side may stop
		gains[last-1] = -max(-gains[last-1], gains[last])
	}
	return gains[0], true
}

// least is the least piece of the set among the strikers, and its kind.
func (a *pieceSet) least(strikers Bitboard) (Bitboard, Kind) {
	b := strikers & a.all
	switch {
	case b == 0:
		return 0, NoKind
	case b&a.pawns != 0:
		return lowest(b & a.pawns), Pawn
	case b&a.knights != 0:
		return lowest(b & a.knights), Knight
	case b&a.diag&^a.ortho != 0:
		return lowest(b & a.diag &^ a.ortho), Bishop
	case b&a.ortho&^a.diag != 0:
		return lowest(b & a.ortho &^ a.diag), Rook
	case b&a.diag != 0:
		return lowest(b & a.diag), Queen
	}
	return b & a.kings, King
}

// lowest is the first square of the set alone.
func lowest(b Bitboard) Bitboard { return b & -b }
