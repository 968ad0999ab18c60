// SPDX-License-Identifier: Apache-2.0

package rules

import "strconv"

// Pillar Chess, RULES 5. The lower level holds the tops of the stacks, by which they move; the pile is what is under
// them.
var pillar = Variant{
	id: "pillar", name: "Pillar Chess", buries: true,
	moves: pillarMoves, wood: pillarWood, passing: pillarPassing, checkers: chessCheckers,
	words: pillarWords, why: pillarWhy, checked: "5.1", dead: pillarDead,
	setup: pillarSetup,
}

// pillarLiberal is Pillar Chess with the split rule of its last paragraph: the rest may be the enemy's (5.2).
var pillarLiberal = Variant{
	id: "pillar-liberal", name: "Pillar Chess, liberal splits", liberal: true, buries: true,
	moves: pillarMoves, wood: pillarWood, passing: pillarPassing, checkers: chessCheckers,
	words: pillarWords, why: pillarWhy, checked: "5.1", dead: pillarDead,
	setup: pillarSetup,
}

var pillarSetup = setup{
	put:      pillarPut,
	fault:    pillarFault,
	home:     pillarAlone,
	passable: pillarPassable,
	early:    true,
}

// pillarBoard sorts a position by the tops of its stacks.
type pillarBoard struct {
	*Position
	*sink
	us, them pieceSet
	occ      Bitboard
	king     Square
	pinned   Bitboard // stacks that, whole, may only move along their line to the king
	want     Bitboard // where a move answers a check
}

func pillarMoves(p *Position, s *sink) {
	b := pillarBoard{Position: p, sink: s, us: p.lower.pieceSet(p.turn), them: p.lower.pieceSet(p.turn.Other())}
	b.occ, b.king = b.us.all|b.them.all, b.us.kings.first()
	checkers, pinned := b.them.lineThreats(b.king, b.occ)
	checkers |= b.them.leapers(b.king, p.turn)
	b.want = ^Bitboard(0)
	if !s.loose {
		b.want, b.pinned = answers(b.king, checkers), pinned
	}
	s.takes = b.them.all
	b.kingSteps(checkers)
	if b.want == 0 {
		return
	}
	b.pieces()
	b.pawns()
	if p.passed != NoSquare {
		pillarPassing(p, s)
	}
}

// lane is where the king's safety lets a stack go that leaves its square empty.
func (b *pillarBoard) lane(from Square) Bitboard {
	if b.pinned.Has(from) {
		return b.want & lines[b.king&63][from&63]
	}
	return b.want
}

func (b *pillarBoard) pieces() {
	for set := b.us.knights; set != 0; set &= set - 1 {
		from := set.first()
		b.stack(from, knightAttacks[from&63]&^b.us.all, 0)
	}
	for set := b.us.diag; set != 0; set &= set - 1 {
		from := set.first()
		b.stack(from, bishopAttacks(from, b.occ)&^b.us.all, 0)
	}
	for set := b.us.ortho; set != 0; set &= set - 1 {
		from := set.first()
		b.stack(from, rookAttacks(from, b.occ)&^b.us.all, 0)
	}
}

// pawns says the moves of stacks with a pawn on top (5.3). On its last rank a pawn cannot move.
func (b *pillarBoard) pawns() {
	c := b.turn
	pawns := b.us.pawns &^ rankOf(c, 7)
	double := rankOf(c, 0) | rankOf(c, 1)
	one := pawns & (b.pinned | b.below.tall)
	b.advances(c, pawns&^one, double, ^b.occ, b.want&^b.occ, 0)
	b.diagonals(c, pawns&^one, b.them.all&b.want, 0)
	for ; one != 0; one &= one - 1 {
		from := one.first()
		step := (one & -one).turned(c.forward()) &^ b.occ
		to := step | pawnAttacks[c&1][from&63]&b.them.all
		if last := to & rankOf(c, 7); last != 0 {
			for k := Knight; k <= Queen; k++ {
				b.stack(from, last, promote(k))
			}
		}
		b.stack(from, to&^rankOf(c, 7), 0)
		if double.Has(from) {
			b.stack(from, step.turned(c.forward())&^b.occ, doubleStep)
		}
	}
}

// stack says that the stack on from may go to squares of the set, whole, and split in every way that 5.2 allows. What
// is left behind keeps the square occupied, so a split opens no line.
func (b *pillarBoard) stack(from Square, to Bitboard, tag Move) {
	b.add(from, to&b.lane(from), tag)
	if b.below.tall.Has(from) {
		b.splits(from, to&b.want, tag)
	}
}

func (b *pillarBoard) splits(from Square, to Bitboard, tag Move) {
	under, n := b.below.under(from)
	for i := range n {
		rest := under.at(i)
		if rest.Color() == b.turn {
			b.add(from, to, tag|count(n-i))
		} else if b.liberal {
			b.add(from, to&b.left(from, rest), tag|count(n-i))
		}
	}
}

// left is where the top may go so that an enemy piece left on its square does not take the king.
func (b *pillarBoard) left(from Square, rest Piece) Bitboard {
	if b.loose || !reach(rest.Kind(), rest.Color(), from, b.occ).Has(b.king) {
		return ^Bitboard(0)
	}
	return between[b.king&63][from&63]
}

// kingSteps says the king's steps, whole and split (5.2), and castling (5.4).
func (b *pillarBoard) kingSteps(checkers Bitboard) {
	to := kingAttacks[b.king&63] &^ b.us.all
	b.add(b.king, b.safe(to, b.occ&^b.king.bit(), &b.them), 0)
	if b.below.tall.Has(b.king) {
		b.kingSplits(to)
	}
	if b.rights == 0 || checkers != 0 && !b.loose {
		return
	}
	for i := range wings[b.turn&1] {
		w := &wings[b.turn&1][i]
		if b.rights&w.right != 0 && b.occ&w.empty == 0 && b.safe(w.path, b.occ, &b.them) == w.path {
			b.add(b.king, w.kingTo.bit(), castle)
		}
	}
}

func (b *pillarBoard) kingSplits(to Bitboard) {
	under, n := b.below.under(b.king)
	own := b.safe(to, b.occ, &b.them)
	for i := range n {
		rest := under.at(i)
		if rest.Color() == b.turn {
			b.add(b.king, own, count(n-i))
		} else if b.liberal {
			var l level
			l.flip(b.king.bit(), rest)
			them := b.them.or(l.pieceSet(rest.Color()))
			b.add(b.king, b.safe(to, b.occ, &them), count(n-i))
		}
	}
}

func (b *pillarBoard) safe(to, occ Bitboard, them *pieceSet) Bitboard {
	if b.loose {
		return to
	}
	return them.safe(to, occ, b.turn)
}

// pillarPassing says the captures in passing, by whole stacks and split ones, each tried out (5.3).
func pillarPassing(p *Position, s *sink) {
	pawns := p.lower.kind(Pawn) & p.lower.of(p.turn)
	for b := pawnAttacks[p.turn.Other()&1][p.passed&63] & pawns; b != 0; b &= b - 1 {
		from := b.first()
		under, n := p.below.under(from)
		m := move(from, p.passed) | enPassant | capture
		if s.loose || pillarSafe(p, m) {
			s.one(m)
		}
		for i := range n {
			m := m | count(n-i)
			own := under.at(i).Color() == p.turn
			if (own || p.liberal) && (s.loose || pillarSafe(p, m)) {
				s.one(m)
			}
		}
	}
}

func pillarSafe(p *Position, m Move) bool {
	q := *p
	pillarWood(&q, m)
	return chessCheckers(&q, p.turn) == 0
}

// pillarWood moves the pieces, ends the rights that go with them, and returns the piece that moved.
func pillarWood(p *Position, m Move) Piece {
	from, to := m.From(), m.To()
	if m.Count() == 0 && m&capture == 0 && !p.below.tall.Has(from) || m&castle != 0 {
		return chessWood(p, m)
	}
	at := to
	if m&enPassant != 0 {
		at = beyond(p.turn, to)
	}
	p.key ^= p.below.key(from) ^ p.below.key(at)
	top := p.lower.at(from)
	p.flipLower(from, top)
	moving, n := p.below.take(from)
	if k := m.Count(); k != 0 { // 5.2: the top k move, and the one below them tops the rest
		rest := n - k
		p.flipLower(from, moving.at(rest))
		p.below.put(from, moving.first(rest), rest)
		moving, n = moving.down(rest+1), k-1
	}
	if m&capture != 0 { // 5.1: what is taken goes under
		taken := p.lower.at(at)
		p.flipLower(at, taken)
		under, h := p.below.take(at)
		moving, n = under.or(one(taken).up(h)).or(moving.up(h+1)), n+h+1
	}
	p.below.put(to, moving, n)
	put := top
	if k := m.Promotion(); k != NoKind {
		put = NewPiece(p.turn, k)
	}
	p.flipLower(to, put)
	p.key ^= p.below.key(from) ^ p.below.key(to)
	p.lose(rightsAt[from] | rightsAt[at])
	return top
}

func pillarPut(p *Position, s Square, stack []Piece) {
	under := stack[:len(stack)-1]
	var r nibbles
	for i, pc := range under {
		r = r.or(one(pc).up(i))
	}
	p.below.put(s, r, len(under))
	p.flipLower(s, stack[len(stack)-1])
}

func pillarFault(_ Square, stack []Piece) error {
	for _, pc := range stack[:len(stack)-1] {
		if pc.Kind() == King {
			return flaw("%s inside a stack, want kings on top", pc)
		}
	}
	return nil
}

// pillarAlone is the piece on the square if nothing lies under it.
func pillarAlone(p *Position, s Square) Piece {
	if p.below.tall.Has(s) {
		return NoPiece
	}
	return p.lower.at(s)
}

// pillarPassable: the pawn may top a stack, and may have left the rest of one where it came from (2.1).
func pillarPassable(p *Position, c Color, s Square) error {
	full := p.lower.occupied()
	if from := Square(int(s) - c.forward()); p.liberal || p.lower.of(c).Has(from) {
		full &^= from.Bit()
	}
	return passable(c, s, p.lower.at, full)
}

// pillarWords writes how many pieces move in front, when not the whole stack does (2.3).
func pillarWords(p *Position, m Move) words {
	w := plainWords(p.lower.at(m.From()), m)
	if k := m.Count(); k != 0 {
		w.piece = strconv.Itoa(k) + w.piece
	}
	return w
}

// pillarDead reports whether a position is dead. None is: nothing ever leaves the board, and there is no draw by
// insufficient material (5.5).
func pillarDead(*Position) bool { return false }

func pillarWhy(p *Position, from, _ Square) (mover, Reason) {
	top := p.lower.at(from)
	switch {
	case top != NoPiece && top.Color() != p.turn && p.below.tall.Has(from):
		return mover{}, because("5.1", from, "the stack on %s belongs to %s, whose %s is on top", from, top.Color(),
			top.Kind())
	case top == NewPiece(p.turn, Pawn) && rankOf(p.turn, 7).Has(from):
		return mover{}, because("5.3", from, "a pawn that was left on its last rank cannot move")
	}
	return p.ours(top, from, p.lower.occupied())
}
