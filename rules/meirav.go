// SPDX-License-Identifier: Apache-2.0

package rules

// Meirav, RULES 4. The upper level is the top board, an orthodox game; the lower level is what is buried.
var meirav = Variant{
	id: "meirav", name: "Meirav", mark: '_', layered: true, buries: true,
	moves: meiravMoves, wood: meiravWood, passing: meiravPassing, checkers: meiravCheckers,
	words: meiravWords, why: meiravWhy, checked: "4.3", dead: bareKings,
	setup: setup{
		put:      meiravPut,
		fault:    meiravFault,
		home:     meiravAlone,
		passable: meiravPassable,
	},
}

// meiravBoard sorts a position for the top moves.
type meiravBoard struct {
	*Position
	*sink
	us, them    pieceSet
	occ, buried Bitboard
	king        Square
	want        Bitboard // where a move answers a check
	pinned      Bitboard // pieces that may only move along their line to the king
	uncovers    Bitboard // pieces that uncover an enemy who would take the king: they may only step between, if they can
}

func meiravMoves(p *Position, s *sink) {
	b := meiravBoard{Position: p, sink: s, us: p.upper.pieceSet(p.turn), them: p.upper.pieceSet(p.turn.Other())}
	b.occ, b.buried, b.king = b.us.all|b.them.all, p.lower.occupied(), b.us.kings.first()
	checkers, pinned := b.them.lineThreats(b.king, b.occ)
	checkers |= b.them.leapers(b.king, p.turn)
	b.want = ^Bitboard(0)
	if !s.loose {
		b.want, b.pinned = answers(b.king, checkers), pinned&^b.buried
		b.uncover()
	}
	s.takes = b.them.all
	b.kingSteps(checkers)
	if b.want != 0 {
		b.topMoves()
	}
	if p.passed != NoSquare {
		meiravPassing(p, s)
	}
	if checkers == 0 || s.loose {
		meiravBottom(p, s)
	}
}

// uncover finds the pieces under which an enemy waits that would take the king as it comes up (4.1, 4.3).
func (b *meiravBoard) uncover() {
	for set := b.lower.of(b.turn.Other()) & b.us.all &^ b.king.bit(); set != 0; set &= set - 1 {
		from := set.first()
		pc := b.lower.at(from)
		if reach(pc.Kind(), pc.Color(), from, b.occ).Has(b.king) {
			b.uncovers |= set & -set
		}
	}
}

// lane is where the king's safety lets the piece on a square go.
func (b *meiravBoard) lane(from Square) Bitboard {
	to := b.want
	if b.pinned.Has(from) {
		to &= lines[b.king&63][from&63]
	}
	if b.uncovers.Has(from) {
		to &= between[b.king&63][from&63]
	}
	return to
}

// topMoves says the moves on the top board other than the king's (4.1, 4.5).
func (b *meiravBoard) topMoves() {
	bound := b.pinned | b.uncovers
	to := b.want &^ b.us.all
	for set := b.us.knights; set != 0; set &= set - 1 {
		from := set.first()
		t := knightAttacks[from&63] & to
		if bound&(set&-set) != 0 {
			t &= b.lane(from)
		}
		b.add(from, t, 0)
	}
	for set := b.us.diag; set != 0; set &= set - 1 {
		from := set.first()
		t := bishopAttacks(from, b.occ) & to
		if bound&(set&-set) != 0 {
			t &= b.lane(from)
		}
		b.add(from, t, 0)
	}
	for set := b.us.ortho; set != 0; set &= set - 1 {
		from := set.first()
		t := rookAttacks(from, b.occ) & to
		if bound&(set&-set) != 0 {
			t &= b.lane(from)
		}
		b.add(from, t, 0)
	}
	b.pawns(b.us.pawns&^bound, b.want)
	for set := b.us.pawns & bound; set != 0; set &= set - 1 {
		b.pawns(set&-set, b.lane(set.first()))
	}
}

func (b *meiravBoard) pawns(pawns, want Bitboard) {
	b.advances(b.turn, pawns, rankOf(b.turn, 1), ^b.occ, want&^b.occ, 0)
	b.diagonals(b.turn, pawns, b.them.all&want, 0)
}

// kingSteps says the king's steps, with what comes up behind him (4.3), and castling (4.6).
func (b *meiravBoard) kingSteps(checkers Bitboard) {
	to := kingAttacks[b.king&63] &^ b.us.all
	if !b.loose {
		after, them := b.occ&^b.king.bit()|b.buried&b.king.bit(), b.them
		if under := b.lower.at(b.king); under != NoPiece && under.Color() != b.turn {
			a := b.lower.pieceSet(b.turn.Other())
			them = them.or(a.only(b.king.bit()))
		}
		to = them.safe(to, after, b.turn)
	}
	b.add(b.king, to, 0)
	if b.rights == 0 || checkers != 0 && !b.loose {
		return
	}
	for i := range wings[b.turn&1] {
		w := &wings[b.turn&1][i]
		if b.rights&w.right == 0 || b.occ&w.empty != 0 || b.buried&(w.king.bit()|w.rook.bit()) != 0 {
			continue
		}
		if b.loose || b.them.safe(w.path, b.occ, b.turn) == w.path {
			b.add(b.king, w.kingTo.bit(), castle)
		}
	}
}

// meiravBottom says the captures on the bottom board (4.2). They change nothing on the top board, and so are legal
// exactly if the king is not in check.
func meiravBottom(p *Position, s *sink) {
	us := p.lower.of(p.turn)
	if us == 0 {
		return
	}
	them, buried := p.lower.of(p.turn.Other()), p.lower.occupied()
	s.takes = them
	pawns := us & p.lower.kind(Pawn)
	for set := us &^ pawns; set != 0; set &= set - 1 {
		from := set.first()
		s.add(from, reach(p.lower.at(from).Kind(), p.turn, from, buried)&them, mark)
	}
	s.diagonals(p.turn, pawns, them, mark)
}

// meiravPassing says the captures in passing (4.4), each tried out: three squares change, and pieces come up.
func meiravPassing(p *Position, s *sink) {
	pawns := p.upper.kind(Pawn) & p.upper.of(p.turn)
	for b := pawnAttacks[p.turn.Other()&1][p.passed&63] & pawns; b != 0; b &= b - 1 {
		m := move(b.first(), p.passed) | enPassant | capture
		if s.loose || meiravSafe(p, m) {
			s.one(m)
		}
	}
}

func meiravSafe(p *Position, m Move) bool {
	q := *p
	meiravWood(&q, m)
	return meiravCheckers(&q, p.turn) == 0
}

func meiravCheckers(p *Position, c Color) Bitboard {
	them := p.upper.pieceSet(c.Other())
	king := p.upper.kind(King) & p.upper.of(c)
	return them.attackers(king.first(), p.upper.occupied(), c)
}

func meiravMover(p *Position, m Move) Piece {
	if m&mark != 0 {
		return p.lower.at(m.From())
	}
	return p.upper.at(m.From())
}

// meiravWood moves the pieces, ends the rights that go with them, and returns the piece that moved.
func meiravWood(p *Position, m Move) Piece {
	from, to := m.From(), m.To()
	pc := meiravMover(p, m)
	put := pc
	if k := m.Promotion(); k != NoKind {
		put = NewPiece(p.turn, k)
	}
	if m&mark != 0 { // 4.2: what was taken is gone for good
		p.flipLower(from, pc)
		p.flipLower(to, p.lower.at(to))
		p.flipLower(to, put)
		return pc
	}
	if m&capture != 0 { // 4.1: what was taken is buried, what was buried there is gone
		at := to
		if m&enPassant != 0 {
			at = beyond(p.turn, to)
		}
		taken := p.upper.at(at)
		p.flipUpper(at, taken)
		if m&enPassant != 0 {
			meiravSurface(p, at)
		}
		p.flipLower(to, p.lower.at(to))
		p.flipLower(to, taken)
	}
	p.slideUpper(from, to, pc)
	meiravSurface(p, from)
	if put != pc {
		p.flipUpper(to, pc)
		p.flipUpper(to, put)
	}
	if m&castle != 0 {
		w := wingTo(p.turn, to)
		p.slideUpper(w.rook, w.rookTo, NewPiece(p.turn, Rook))
	}
	p.lose(rightsAt[from] | rightsAt[to])
	return pc
}

// meiravSurface brings up what is buried under a square that was left (4.1).
func meiravSurface(p *Position, s Square) {
	if pc := p.lower.at(s); pc != NoPiece {
		p.flipLower(s, pc)
		p.flipUpper(s, pc)
	}
}

func meiravPut(p *Position, s Square, stack []Piece) {
	if len(stack) == 2 {
		p.flipLower(s, stack[0])
	}
	p.flipUpper(s, stack[len(stack)-1])
}

func meiravFault(s Square, stack []Piece) error {
	if len(stack) > 2 {
		return flaw("more than two pieces, want at most one buried under another")
	}
	if len(stack) == 2 && stack[0].Kind() == King {
		return flaw("%s buried", stack[0])
	}
	for _, pc := range stack {
		if f := pawnFault(s, pc); f != nil {
			return f
		}
	}
	return nil
}

// meiravAlone is the piece on the square if nothing is buried under it.
func meiravAlone(p *Position, s Square) Piece {
	if p.lower.at(s) != NoPiece {
		return NoPiece
	}
	return p.upper.at(s)
}

func meiravPassable(p *Position, c Color, s Square) error {
	from := Square(int(s) - c.forward())
	full := p.upper.occupied()&^from.Bit() | p.lower.occupied() // 2.1: one piece may have come up where the pawn left
	return passable(c, s, func(s Square) Piece { return meiravAlone(p, s) }, full)
}

func meiravWords(p *Position, m Move) words {
	w := plainWords(meiravMover(p, m), m)
	if m&mark != 0 {
		w.tail += "_"
	}
	return w
}

func meiravWhy(p *Position, from, to Square) (mover, Reason) {
	top, buried := p.upper.at(from), p.lower.at(from)
	if buried != NoPiece && buried.Color() == p.turn && top.Color() != p.turn {
		return mover{}, because("4.2", from, "the %s on %s is buried, and may only capture a buried piece that it reaches "+
			"past buried pieces", buried, from)
	}
	return p.ours(top, from, p.upper.occupied())
}
