// SPDX-License-Identifier: Apache-2.0

package rules

// Locking Chess, RULES 3. The lower level is the board: free and locked pieces. The upper level is the overlaid ones.
var locking = Variant{
	id: "locking", name: "Locking Chess", mark: '*', locks: true,
	moves: lockingMoves, wood: lockingWood, passing: lockingPassing, checkers: lockingCheckers,
	words: lockingWords, why: lockingWhy, checked: "3.7", stuck: lockingStuck, dead: bareKings,
	setup: setup{
		put:      lockingPut,
		fault:    lockingFault,
		home:     func(p *Position, s Square) Piece { return p.lower.at(s) },
		passable: lockingPassable,
	},
}

// lockingBoard sorts a position as RULES 3 speaks of it. The four kinds of stacks are sets of squares.
type lockingBoard struct {
	*Position
	*sink
	free, enemyFree pieceSet // alone on their squares: they move on the board (3.2)
	over, enemyOver pieceSet // on top of a stack: they move above it (3.3)
	low, high       Bitboard // what blocks board lines: every piece; what blocks lines above: stacks only
	underOwn        Bitboard // enemy locked under an own piece
	onOwn           Bitboard // enemy on top of an own piece
	enemyEqual      Bitboard // enemy on top of enemy
	climbs          Bitboard // free own pieces that may be stood on

	king           Square
	pinned         Bitboard // free own pieces that alone stand on a board line between king and enemy
	want           Bitboard // where a move can answer a check
	inCheck        bool
	tryFrom, tryTo Bitboard // moves from and to these squares are tried out for the king's safety
	tryAbove       Bitboard // moves of overlaid pieces to these squares too
}

func lockingMoves(p *Position, s *sink) {
	b := lockingSort(p, s)
	b.guard()
	s.takes = b.enemyFree.all | b.enemyEqual | b.underOwn | b.onOwn
	b.freePieces()
	s.takes = b.enemyEqual | b.onOwn
	b.tryTo |= b.tryAbove
	b.overlaidPieces()
	b.kingMoves()
	if p.passed != NoSquare {
		lockingPassing(p, s)
	}
}

func lockingSort(p *Position, s *sink) lockingBoard {
	them := p.turn.Other()
	b := lockingBoard{Position: p, sink: s, low: p.lower.occupied(), high: p.upper.occupied()}
	mine, theirs := p.lower.pieceSet(p.turn), p.lower.pieceSet(them)
	b.free, b.enemyFree = mine.only(^b.high), theirs.only(^b.high)
	b.over, b.enemyOver = p.upper.pieceSet(p.turn), p.upper.pieceSet(them)
	b.underOwn = b.over.all & theirs.all
	b.onOwn = b.enemyOver.all & mine.all
	b.enemyEqual = b.enemyOver.all & theirs.all
	b.king = (mine.kings | b.over.kings).first()
	b.climbs = b.free.all
	return b
}

// freePieces says the moves of the free pieces other than the king (3.2).
func (b *lockingBoard) freePieces() {
	plain := ^b.low | b.enemyFree.all | b.enemyEqual
	marked := b.climbs | b.underOwn
	for set := b.free.knights; set != 0; set &= set - 1 {
		from := set.first()
		b.board(from, knightAttacks[from&63], plain, marked|b.onOwn)
	}
	for set := b.free.diag | b.free.ortho; set != 0; set &= set - 1 {
		from := set.first()
		var to Bitboard
		if b.free.diag.Has(from) {
			to = bishopAttacks(from, b.low)
		}
		if b.free.ortho.Has(from) {
			to |= rookAttacks(from, b.low)
		}
		b.board(from, to, plain, marked)
	}
	one := b.special(b.free.pawns)
	b.freePawns(b.free.pawns&^one, ^Bitboard(0), ^Bitboard(0))
	for ; one != 0; one &= one - 1 {
		from := one.first()
		to := b.pawnReach(from)
		b.freePawns(from.bit(), b.tried(from, to&plain, 0), b.tried(from, to&marked, mark))
	}
}

// freePawns says the moves of free pawns that end on squares of plain, unmarked, and of marked.
func (b *lockingBoard) freePawns(pawns, plain, marked Bitboard) {
	c, second := b.turn, rankOf(b.turn, 1)
	b.advances(c, pawns, second, ^b.low, ^b.low&plain, 0)
	b.advances(c, pawns, second, ^b.low, b.climbs&marked, mark)
	b.diagonals(c, pawns, (b.enemyFree.all|b.enemyEqual)&plain, 0)
	b.diagonals(c, pawns, (b.climbs|b.underOwn)&marked, mark)
}

// overlaidPieces says the moves of the overlaid pieces other than the king (3.3).
func (b *lockingBoard) overlaidPieces() {
	single := b.climbs | b.enemyFree.all
	plain := ^b.low | b.enemyEqual
	marked := single | b.onOwn
	for set := b.over.knights; set != 0; set &= set - 1 {
		from := set.first()
		b.above(from, knightAttacks[from&63], plain, marked)
		if !b.underOwn.Has(from) {
			over := b.takes
			b.takes |= b.enemyFree.all // here it takes, above it landed
			b.above(from, knightAttacks[from&63], b.enemyFree.all, 0)
			b.takes = over
		}
	}
	for set := b.over.diag | b.over.ortho; set != 0; set &= set - 1 {
		from := set.first()
		var to Bitboard
		if b.over.diag.Has(from) {
			to = bishopAttacks(from, b.high)
		}
		if b.over.ortho.Has(from) {
			to |= rookAttacks(from, b.high)
		}
		b.above(from, to, plain, marked)
	}
	one := b.special(b.over.pawns)
	b.overlaidPawns(b.over.pawns&^one, ^Bitboard(0), ^Bitboard(0))
	for ; one != 0; one &= one - 1 {
		from := one.first()
		to := b.pawnReach(from)
		b.overlaidPawns(from.bit(), b.tried(from, to&plain, 0), b.tried(from, to&marked, mark))
	}
}

// overlaidPawns is freePawns for overlaid pawns, which never go two squares.
func (b *lockingBoard) overlaidPawns(pawns, plain, marked Bitboard) {
	if pawns == 0 {
		return
	}
	single := b.climbs | b.enemyFree.all
	b.advances(b.turn, pawns, 0, 0, ^b.low&plain, 0)
	b.advances(b.turn, pawns, 0, 0, single&marked, mark)
	b.diagonals(b.turn, pawns, (^b.low|b.enemyEqual)&plain, 0)
	b.diagonals(b.turn, pawns, (single|b.onOwn)&marked, mark)
}

// lockingStrikers returns the enemies of c whose lines reach its king. They could capture it by a move on the board or
// by one above it. That depends on how the king stands (the table of 3.7).
func lockingStrikers(p *Position, c Color) (king Square, board, over pieceSet) {
	them, stacks := c.Other(), p.upper.occupied()
	king, board = p.KingSquare(c), p.lower.pieceSet(them).only(^stacks)
	switch on := king.bit(); {
	case stacks&on == 0: // free
		over.knights = p.upper.kind(Knight) & p.upper.of(them) & p.lower.of(them)
	case p.lower.of(c)&p.upper.of(c)&on != 0: // in an Equal overlay
		over = p.upper.pieceSet(them)
	case p.lower.of(c)&on != 0: // locked under an enemy piece
	default: // on top of an enemy piece
		board, over = pieceSet{knights: board.knights}, p.upper.pieceSet(them)
	}
	return king, board, over
}

func lockingCheckers(p *Position, c Color) Bitboard {
	king, board, over := lockingStrikers(p, c)
	b := board.attackers(king, p.lower.occupied(), c)
	if over.all|over.knights != 0 {
		b |= over.attackers(king, p.upper.occupied(), c)
	}
	return b
}

// lockingWood moves the pieces, ends the rights that go with them, and returns the piece that moved.
func lockingWood(p *Position, m Move) Piece {
	from, to := m.From(), m.To()
	pc := p.upper.at(from)
	if pc != NoPiece {
		p.flipUpper(from, pc)
	} else {
		pc = p.lower.at(from)
		p.flipLower(from, pc)
		p.lose(rightsAt[from])
	}
	if m&(castle|enPassant) != 0 {
		lockingSpecial(p, m, pc)
		return pc
	}
	put := pc
	if k := m.Promotion(); k != NoKind {
		put = NewPiece(p.turn, k)
	}
	low := p.lower.at(to)
	if low == NoPiece {
		p.flipLower(to, put)
		return pc
	}
	switch high := p.upper.at(to); {
	case m&mark == 0: // takes all that stands there
		p.flipLower(to, low)
		p.flipUpper(to, high)
		p.lose(rightsAt[to])
		p.flipLower(to, put)
	case high == NoPiece: // climbs, or lands and locks
		p.flipUpper(to, put)
	case high.Color() == p.turn: // takes the locked piece's place
		p.flipLower(to, low)
		p.lose(rightsAt[to])
		p.flipLower(to, put)
	default: // takes the place of the piece on top
		p.flipUpper(to, high)
		p.flipUpper(to, put)
	}
	return pc
}

// lockingSpecial puts down the piece of a move that moves a second piece too: castling, castlock, capture in passing
// and its overlay (3.4, 3.5).
func lockingSpecial(p *Position, m Move, pc Piece) {
	to := m.To()
	if m&castle != 0 {
		w, rook := wingTo(p.turn, to), NewPiece(p.turn, Rook)
		p.flipLower(to, pc)
		p.flipLower(w.rook, rook)
		if m&mark != 0 {
			p.flipUpper(to, rook)
		} else {
			p.flipLower(w.rookTo, rook)
		}
		return
	}
	passer := NewPiece(p.turn.Other(), Pawn)
	p.flipLower(beyond(p.turn, to), passer)
	if m&mark != 0 {
		p.flipLower(to, passer)
		p.flipUpper(to, pc)
	} else {
		p.flipLower(to, pc)
	}
}

func lockingPut(p *Position, s Square, stack []Piece) {
	p.flipLower(s, stack[0])
	if len(stack) == 2 {
		p.flipUpper(s, stack[1])
	}
}

func lockingFault(s Square, stack []Piece) error {
	if len(stack) > 2 {
		return flaw("more than two pieces, want at most one on another")
	}
	for _, pc := range stack {
		if f := pawnFault(s, pc); f != nil {
			return f
		}
	}
	return nil
}

func lockingPassable(p *Position, c Color, s Square) error {
	alone := func(s Square) Piece {
		if p.upper.at(s) != NoPiece {
			return NoPiece
		}
		return p.lower.at(s)
	}
	return passable(c, s, alone, p.lower.occupied())
}

// lockingWords names the piece that is taken where another stays on the square (2.3).
func lockingWords(p *Position, m Move) words {
	pc := p.upper.at(m.From())
	if pc == NoPiece {
		pc = p.lower.at(m.From())
	}
	w := plainWords(pc, m)
	if m&mark == 0 {
		return w
	}
	w.tail += "*"
	if m&enPassant != 0 {
		w.link = "x"
	} else if m&capture != 0 {
		taken := p.upper.at(m.To())
		if taken.Color() == p.turn {
			taken = p.lower.at(m.To())
		}
		w.link = "x" + string(taken.Kind().letter())
	}
	return w
}

// lockingStuck is the word for a side without a legal move (3.9).
func lockingStuck(p *Position) Result {
	king := p.KingSquare(p.turn)
	locked := p.lower.at(king) == NewPiece(p.turn, King) && p.upper.at(king) != NoPiece
	overlaid := p.upper.at(king) == NewPiece(p.turn, King)
	checkers := lockingCheckers(p, p.turn)
	his := p.KingSquare(p.turn.Other())
	hisLocked := p.upper.at(his) != NoPiece && p.upper.at(his).Kind() != King // then the piece on him checks, not he
	royal := checkers.Has(his) && !hisLocked
	switch {
	case royal && locked:
		return RoyalLockmate
	case checkers != 0 && royal:
		return RoyalMate
	case checkers != 0 && locked:
		return Lockmate
	case checkers != 0 && overlaid:
		return RefugeeMate
	case checkers != 0:
		return Checkmate
	case locked && p.upper.at(king).Color() != p.turn:
		return Lockout
	case overlaid:
		return Deadlock
	}
	return Stalemate
}

// lockingWhy says what locks a piece, and what may not be landed on or taken (3.1 to 3.3).
func lockingWhy(p *Position, from, to Square) (mover, Reason) {
	low, high := p.lower.at(from), p.upper.at(from)
	if high == NoPiece {
		w, r := p.ours(low, from, p.lower.occupied())
		if r.Text == "" && reach(low.Kind(), p.turn, from, w.occ).Has(to) {
			r = p.lockingWhyStack(to, "3.2", "only a knight may take the %s from the board")
		}
		return w, r
	}
	if high.Color() != p.turn {
		if low.Color() == p.turn {
			return mover{}, because("3.1", from, "the %s on %s is locked by the %s on it", low, from, high)
		}
		return p.ours(high, from, 0)
	}
	w := mover{high, p.upper.occupied()}
	switch {
	case high.Kind() == Pawn && int(to)-int(from) == 2*p.turn.forward():
		return w, because("3.3", from, "a pawn may not move two squares from an overlaid level")
	case !reach(high.Kind(), p.turn, from, w.occ).Has(to):
		return w, Reason{}
	}
	return w, p.lockingWhyStack(to, "3.3", "the %s cannot be taken")
}

// lockingWhyStack says why a piece that reaches a stack may not end on it.
func (p *Position) lockingWhyStack(to Square, rule, enemyOnOwn string) Reason {
	top := p.upper.at(to)
	switch {
	case top == NoPiece:
		return Reason{}
	case top.Color() == p.turn:
		return because(rule, to, "two pieces stand on %s already, the %s on top", to, top)
	}
	return because(rule, to, enemyOnOwn, p.topAt(to))
}

// The king in Locking Chess: which moves endanger him, and his own (RULES 3.4 to 3.8).

// guard finds what the king's safety asks of the other pieces. A move endangers him only in these ways. It opens a
// line on the board (pinned) or above it, uncovers an enemy piece, or removes a stack that blocked a line above. Or it
// begins or ends on his own square, which changes what can capture him. All but the first are rare, and are tried out.
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

// uncovered returns the squares of own pieces whose leaving frees an enemy that might then take the king.
func (b *lockingBoard) uncovered(king Square) Bitboard {
	a := b.lower.pieceSet(b.turn.Other()).only(b.underOwn)
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

// special returns the pawns whose moves have to be looked at one by one.
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

// lockingSafe reports whether the mover's king cannot be taken after the move.
func lockingSafe(p *Position, m Move) bool {
	q := *p
	lockingWood(&q, m)
	return lockingCheckers(&q, p.turn) == 0
}

// lockingStrikes is what the enemy strikes once the king has left his square, by the ways of 3.7.
type lockingStrikes struct {
	board       Bitboard // free pieces, on the board
	above       Bitboard // overlaid pieces, above it
	overKnights Bitboard // knights on their own color, which also take free pieces (3.3)
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
		a := b.lower.pieceSet(c)
		free = free.or(a.only(on))
	}
	x.board = free.strike(low, c)
	if b.enemyOver.all != 0 {
		x.above = b.enemyOver.strike(b.high&^on, c)
		x.overKnights = (&pieceSet{knights: b.enemyOver.knights & b.enemyEqual}).strike(0, c)
	}
	if b.over.kings != 0 {
		x.freeKnights = (&pieceSet{knights: free.knights}).strike(0, c)
	}
	return x
}

// alone keeps the squares on which the king may arrive to stand alone, by the royal approach (3.8). He may not stand
// next to an enemy king locked under one of its own pieces, if that piece could legally land on him.
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

// landsOn reports whether, after the king's move, the piece on the square could legally land on him.
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
