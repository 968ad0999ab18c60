// SPDX-License-Identifier: Apache-2.0

package rules

// Orthodox chess, the FIDE laws; the game that the others change. Everything stands on the lower level.
var orthodox = Variant{
	id: "chess", name: "Chess", trades: true,
	moves: chessMoves, wood: chessWood, passing: chessPassing, checkers: chessCheckers,
	words: func(p *Position, m Move) words { return plainWords(p.lower.at(m.From()), m) },
	dead:  chessDead, why: chessWhy, checked: "1",
	setup: setup{
		put:      func(p *Position, s Square, stack []Piece) { p.flipLower(s, stack[0]) },
		fault:    chessFault,
		home:     chessHome,
		passable: chessPassable,
	},
}

func chessMoves(p *Position, s *sink) {
	us, them := p.lower.pieceSet(p.turn), p.lower.pieceSet(p.turn.Other())
	occ, king := us.all|them.all, us.kings.first()
	checkers, pinned := them.lineThreats(king, occ)
	checkers |= them.leapers(king, p.turn)
	want := answers(king, checkers)
	if s.loose {
		want, pinned = ^Bitboard(0), 0
	}
	s.takes = them.all

	chessKing(p, s, king, &them, occ, us.all, checkers)
	if want == 0 {
		return
	}
	to := want &^ us.all
	for b := us.knights &^ pinned; b != 0; b &= b - 1 {
		from := b.first()
		s.add(from, knightAttacks[from&63]&to, 0)
	}
	for b := us.diag; b != 0; b &= b - 1 {
		from := b.first()
		t := bishopAttacks(from, occ) & to
		if pinned&(b&-b) != 0 {
			t &= lines[king&63][from&63]
		}
		s.add(from, t, 0)
	}
	for b := us.ortho; b != 0; b &= b - 1 {
		from := b.first()
		t := rookAttacks(from, occ) & to
		if pinned&(b&-b) != 0 {
			t &= lines[king&63][from&63]
		}
		s.add(from, t, 0)
	}
	chessPawns(p, s, us.pawns&^pinned, occ, them.all, want)
	for b := us.pawns & pinned; b != 0; b &= b - 1 {
		chessPawns(p, s, b&-b, occ, them.all, want&lines[king&63][b.first()&63])
	}
	if p.passed != NoSquare {
		chessPassing(p, s)
	}
}

// chessKing says the king's steps and castling.
func chessKing(p *Position, s *sink, king Square, them *pieceSet, occ, own, checkers Bitboard) {
	to := kingAttacks[king&63] &^ own
	if to != 0 {
		if !s.loose {
			to = them.safe(to, occ&^king.bit(), p.turn)
		}
		s.add(king, to, 0)
	}
	if p.rights == 0 || checkers != 0 && !s.loose {
		return
	}
	for i := range wings[p.turn&1] {
		w := &wings[p.turn&1][i]
		if p.rights&w.right != 0 && occ&w.empty == 0 && (s.loose || them.safe(w.path, occ, p.turn) == w.path) {
			s.add(king, w.kingTo.bit(), castle)
		}
	}
}

// chessPawns says the pawns' advances and captures onto squares of want.
func chessPawns(p *Position, s *sink, pawns, occ, enemy, want Bitboard) {
	s.advances(p.turn, pawns, rankOf(p.turn, 1), ^occ, want&^occ, 0)
	s.diagonals(p.turn, pawns, enemy&want, 0)
}

// chessPassing says the captures in passing. Two pieces leave the board's lines at once, so each is tried out.
func chessPassing(p *Position, s *sink) {
	pawns := p.lower.kind(Pawn) & p.lower.of(p.turn)
	for b := pawnAttacks[p.turn.Other()&1][p.passed&63] & pawns; b != 0; b &= b - 1 {
		m := move(b.first(), p.passed) | enPassant | capture
		if s.loose || chessSafe(p, m) {
			s.one(m)
		}
	}
}

// chessSafe reports whether the mover's king cannot be taken after the move.
func chessSafe(p *Position, m Move) bool {
	q := *p
	chessWood(&q, m)
	return chessCheckers(&q, p.turn) == 0
}

func chessCheckers(p *Position, c Color) Bitboard {
	them := p.lower.pieceSet(c.Other())
	king := p.lower.kind(King) & p.lower.of(c)
	return them.attackers(king.first(), p.lower.occupied(), c)
}

// chessWood moves the pieces, ends the rights that go with them, and returns the piece that moved.
func chessWood(p *Position, m Move) Piece {
	from, to := m.From(), m.To()
	if m&capture != 0 {
		at := to
		if m&enPassant != 0 {
			at = beyond(p.turn, to)
		}
		p.flipLower(at, p.lower.at(at))
	}
	pc := p.lower.at(from)
	p.slideLower(from, to, pc)
	if k := m.Promotion(); k != NoKind {
		p.flipLower(to, pc)
		p.flipLower(to, NewPiece(p.turn, k))
	}
	if m&castle != 0 {
		w := wingTo(p.turn, to)
		p.slideLower(w.rook, w.rookTo, NewPiece(p.turn, Rook))
	}
	if p.rights != 0 {
		p.lose(rightsAt[from] | rightsAt[to])
	}
	return pc
}

func chessFault(s Square, stack []Piece) error {
	if len(stack) > 1 {
		return flaw("no stacks in chess, want one piece a square")
	}
	return pawnFault(s, stack[0])
}

func chessHome(p *Position, s Square) Piece { return p.lower.at(s) }

func chessPassable(p *Position, c Color, s Square) error {
	return passable(c, s, p.lower.at, p.lower.occupied())
}

// chessDead reports whether neither side can be mated any more: bare kings, one knight, or bishops of one square
// color (8).
func chessDead(p *Position) bool {
	kings, knights, bishops := p.lower.kind(King), p.lower.kind(Knight), p.lower.kind(Bishop)
	switch rest := p.lower.occupied() &^ kings; {
	case rest == knights:
		return !knights.many()
	case rest == bishops:
		return bishops&light == 0 || bishops&^light == 0
	}
	return false
}

func chessWhy(p *Position, from, _ Square) (mover, Reason) {
	return p.ours(p.lower.at(from), from, p.lower.occupied())
}
