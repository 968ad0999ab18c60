package rules

// The king in Locking Chess: which moves endanger him, and his own (RULES 3.4 to 3.8).

// guard finds what the king's safety asks of the other pieces. A move can only endanger him if its piece opens a
// line on the board (pinned) or above it, uncovers an enemy piece, takes a stack away that stood in a line above, or
// begins or ends on his own square, which changes what can take him. All but the first are rare, and are tried out.
func (b *lockingBoard) guard() {
	b.want = ^Bitboard(0)
	if b.loose {
		return
	}
	king, board, over := lockingStrikers(b.Position, b.turn)
	checkers, lower := board.lineThreats(king, b.low)
	checkers |= board.leapers(king, b.turn) | kingAttacks[king&63]&board.kings
	var upper Bitboard
	if over.all|over.knights != 0 {
		above, blockers := over.lineThreats(king, b.high)
		checkers |= above | over.leapers(king, b.turn) | kingAttacks[king&63]&over.kings
		upper = blockers
	}
	b.inCheck, b.pinned = checkers != 0, lower
	for set := checkers; set != 0; set &= set - 1 {
		b.want &= set&-set | between[king&63][set.first()&63]
	}
	b.tryFrom = upper
	switch {
	case b.high.Has(king):
		b.tryTo = king.bit()
	case b.enemyOver.all == 0:
	case b.enemyOver.strikes(king, b.high, b.turn): // 3.7: under an own piece he could be taken from above
		b.climbs &^= king.bit()
	default:
		b.tryAbove = king.bit()
	}
	if over.diag|over.ortho != 0 {
		b.tryTo |= b.enemyEqual
	}
	if b.underOwn != 0 {
		b.tryFrom |= b.uncovered(king)
	}
	b.tryFrom |= king.bit()
}

// uncovered is the squares of own pieces whose leaving frees an enemy that might then take the king.
func (b *lockingBoard) uncovered(king Square) Bitboard {
	a := b.lower.army(b.turn.Other()).only(b.underOwn)
	king &= 63
	return a.leapers(king, b.turn) | kingAttacks[king]&a.kings | bishopRays[king]&a.diag | rookRays[king]&a.ortho
}

// board says a free piece's moves, above an overlaid piece's: of the squares it reaches, those of plain, unmarked, and
// those of marked.
func (b *lockingBoard) board(from Square, to, plain, marked Bitboard) {
	if b.pinned.Has(from) {
		to &= lines[b.king&63][from&63] &^ b.king.bit()
	}
	b.above(from, to, plain, marked)
}

func (b *lockingBoard) above(from Square, to, plain, marked Bitboard) {
	plain &= to
	marked &= to
	if b.inCheck || b.tryFrom.Has(from) || (plain|marked)&b.tryTo != 0 {
		plain, marked = b.tried(from, plain, 0), b.tried(from, marked, mark)
	}
	b.add(from, plain, 0)
	b.add(from, marked, mark)
}

// special is the pawns whose moves have to be looked at one by one.
func (b *lockingBoard) special(pawns Bitboard) Bitboard {
	if b.loose {
		return 0
	}
	if b.inCheck {
		return pawns
	}
	down := -b.turn.forward()
	near := b.tryTo.turned(down)
	near |= near.turned(down) | (b.tryTo &^ fileA).turned(down-1) | (b.tryTo &^ fileH).turned(down+1)
	return pawns & (b.pinned&b.free.all | b.tryFrom | near)
}

// pawnReach is every square that a pawn on from might end on.
func (b *lockingBoard) pawnReach(from Square) Bitboard {
	up := from.bit().turned(b.turn.forward())
	to := up | up.turned(b.turn.forward()) | pawnAttacks[b.turn&1][from&63]
	if b.pinned&b.free.all&from.bit() != 0 {
		to &= lines[b.king&63][from&63] &^ b.king.bit()
	}
	return to
}

// tried keeps the squares on which a piece may arrive without leaving its king in check.
func (b *lockingBoard) tried(from Square, to Bitboard, tag Move) Bitboard {
	if b.loose {
		return to
	}
	must := to
	if !b.tryFrom.Has(from) {
		if b.inCheck {
			to &= b.want | b.king.bit()
			must = to
		} else {
			must &= b.tryTo
		}
	}
	for ; must != 0; must &= must - 1 {
		if !lockingSafe(b.Position, move(from, must.first())|tag) {
			to &^= must & -must
		}
	}
	return to
}

// lockingSafe says whether the mover's king cannot be taken after the move.
func lockingSafe(p *Position, m Move) bool {
	q := *p
	lockingWood(&q, m)
	return lockingCheckers(&q, p.turn) == 0
}

// lockingStrikes is what the enemy strikes once the king has left his square, by the ways of 3.7.
type lockingStrikes struct {
	board       Bitboard // free pieces, on the board
	above       Bitboard // overlaid pieces, above it
	overKnights Bitboard // knights on their own colour, which also take free pieces (3.3)
	freeKnights Bitboard // free knights, which also take the piece on top (3.2)
}

// kingMoves says the king's moves (3.2, 3.3, 3.5, 3.7, 3.8). Where he may go depends on how he would stand there.
func (b *lockingBoard) kingMoves() {
	on, to := b.king.bit(), kingAttacks[b.king&63]
	free := b.free.kings&on != 0
	if !free && b.over.kings&on == 0 {
		return
	}
	x := b.strikes()
	stack := b.free.all &^ (x.board | x.above) // on an own piece, or under one
	if free {
		b.takes = b.enemyFree.all | b.enemyEqual | b.underOwn
		b.add(b.king, b.alone(to&(^b.low|b.enemyFree.all|b.enemyEqual)&^(x.board|x.overKnights), 0), 0)
		b.add(b.king, to&(stack|b.underOwn&^(x.board|x.above)), mark)
		b.castling(&x)
		return
	}
	b.takes = b.enemyEqual | b.onOwn
	b.add(b.king, b.alone(to&(^b.low|b.enemyEqual)&^(x.board|x.overKnights), 0), 0)
	b.add(b.king, to&(stack|b.onOwn&^(x.board|x.above)|b.enemyFree.all&^(x.above|x.freeKnights)), mark)
}

func (b *lockingBoard) strikes() (x lockingStrikes) {
	if b.loose {
		return x
	}
	c, on := b.turn.Other(), b.king.bit()
	low, free := b.low, b.enemyFree
	if b.free.all&on != 0 {
		low &^= on
	} else if b.underOwn&on != 0 {
		a := b.lower.army(c)
		free = free.and(a.only(on))
	}
	x.board = free.strike(low, c)
	if b.enemyOver.all != 0 {
		x.above = b.enemyOver.strike(b.high&^on, c)
		x.overKnights = (&army{knights: b.enemyOver.knights & b.enemyEqual}).strike(0, c)
	}
	if b.over.kings != 0 {
		x.freeKnights = (&army{knights: free.knights}).strike(0, c)
	}
	return x
}

// alone keeps the squares on which the king may arrive to stand alone, as the royal approach has it (3.8): not beside
// an enemy king locked under one of its own pieces, if that piece could legally land on him.
func (b *lockingBoard) alone(to Bitboard, tag Move) Bitboard {
	enemy := b.lower.kind(King) & b.enemyEqual
	if enemy == 0 || b.loose {
		return to
	}
	for near := to & kingAttacks[enemy.first()&63]; near != 0; near &= near - 1 {
		if b.landsOn(enemy.first(), move(b.king, near.first())|tag) {
			to &^= near & -near
		}
	}
	return to
}

// landsOn says whether, after the king's move, the piece on the square could legally land on him.
func (b *lockingBoard) landsOn(from Square, m Move) bool {
	q := *b.Position
	lockingWood(&q, m)
	q.turn ^= 1
	pc, to := q.upper.at(from), m.To()
	struck := reach(pc.Kind(), q.turn, from, q.upper.occupied())
	if pc.Kind() == Pawn {
		struck |= from.bit().turned(q.turn.forward())
	}
	return struck.Has(to) && lockingSafe(&q, move(from, to)|mark)
}

// castling says castling and castlock (3.5). After castlock the king stands under his rook, so he must be safe from
// above too.
func (b *lockingBoard) castling(x *lockingStrikes) {
	if b.rights == 0 || b.inCheck {
		return
	}
	b.takes = 0
	for i := range wings[b.turn&1] {
		w := &wings[b.turn&1][i]
		if b.rights&w.right == 0 || b.low&w.empty != 0 || b.high.Has(w.rook) || (x.board|x.overKnights)&w.path != 0 {
			continue
		}
		b.add(b.king, b.alone(w.kingTo.bit(), castle), castle)
		b.add(b.king, w.kingTo.bit()&^x.above, castle|mark)
	}
}

// lockingPassing says the captures in passing and the overlays in passing (3.4), each tried out.
func lockingPassing(p *Position, s *sink) {
	near := pawnAttacks[p.turn.Other()&1][p.passed&63]
	stacks := p.upper.occupied()
	for set := near & p.lower.kind(Pawn) & p.lower.of(p.turn) &^ stacks; set != 0; set &= set - 1 {
		if m := move(set.first(), p.passed) | enPassant | capture; s.loose || lockingSafe(p, m) {
			s.one(m)
		}
	}
	for set := near & p.upper.kind(Pawn) & p.upper.of(p.turn); set != 0; set &= set - 1 {
		if m := move(set.first(), p.passed) | enPassant | mark; s.loose || lockingSafe(p, m) {
			s.one(m)
		}
	}
}
