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
	var gains [33]int32 // what the side that takes has won after this many captures
	gains[0] = won
	last := 0
	for c := p.turn.Other(); last < len(gains)-1; c = c.Other() {
		from, kind := sets[c&1].least(to, occ, c)
		if kind == NoKind || kind == King && sets[c.Other()&1].attackers(to, occ, c)&occ != 0 {
			break
		}
		last++
		gains[last] = price[on] - gains[last-1]
		on, occ = kind, occ&^from
	}
	for ; last > 0; last-- { // either side may stop
		gains[last-1] = -max(-gains[last-1], gains[last])
	}
	return gains[0], true
}

// least is the least piece of the set that strikes the square, and its kind; c is its side.
func (a *pieceSet) least(s Square, occ Bitboard, c Color) (Bitboard, Kind) {
	all := a.attackers(s, occ, c.Other()) & occ
	if all == 0 {
		return 0, NoKind
	}
	sorts := [...]struct {
		of   Bitboard
		kind Kind
	}{{a.pawns, Pawn}, {a.knights, Knight}, {a.diag &^ a.ortho, Bishop}, {a.ortho &^ a.diag, Rook},
		{a.diag & a.ortho, Queen}, {a.kings, King}}
	for _, sort := range sorts {
		if b := all & sort.of; b != 0 {
			return b & -b, sort.kind
		}
	}
	return 0, NoKind
}
