// SPDX-License-Identifier: Apache-2.0

package rules

// Superchess, RULES 6. The lower level is the board: pieces alone and occupied rooks. The upper level is the
// superpieces, whose color controls the rook below.
var superchess = Variant{
	id: "superchess", name: "Superchess", mark: '*',
	moves: superMoves, wood: superWood, passing: superPassing, checkers: superCheckers,
	words: superWords, why: superWhy, checked: "6.7", dead: bareKings,
	setup: setup{
		put:      lockingPut,
		fault:    superFault,
		home:     func(p *Position, s Square) Piece { return p.lower.at(s) },
		passable: lockingPassable,
	},
}

// superPieces is the side's pieces as they strike: those alone, and superpieces, which also strike as rooks (6.7).
func superPieces(p *Position, c Color) (free, super, all pieceSet) {
	free = p.lower.pieceSet(c)
	free = free.only(^p.upper.occupied())
	super = p.upper.pieceSet(c)
	all = free.or(super)
	all.ortho |= super.all
	return free, super, all
}

// superBoard sorts a position.
type superBoard struct {
	*Position
	*sink
	free, super pieceSet // of the side to move
	us          Bitboard
	them        pieceSet // everything the enemy controls, as it strikes
	occ         Bitboard // squares that block
	ownRooks    Bitboard // free own rooks, which may be occupied (6.2)
	theirRooks  Bitboard // free enemy rooks, likewise
	theirStacks Bitboard // enemy superpieces, which may be taken alone (6.5)
	king        Square
	pinned      Bitboard // pieces and units that may only move along their line to the king
	want        Bitboard // where a move answers a check
}

func superMoves(p *Position, s *sink) {
	b := superBoard{Position: p, sink: s, occ: p.lower.occupied()}
	var own pieceSet
	b.free, b.super, own = superPieces(p, p.turn)
	theirFree, theirSuper, them := superPieces(p, p.turn.Other())
	b.us, b.them = own.all, them
	b.ownRooks, b.theirRooks = b.free.ortho&^b.free.diag, theirFree.ortho&^theirFree.diag
	b.theirStacks = theirSuper.all
	b.king = b.free.kings.first()
	checkers, pinned := them.lineThreats(b.king, b.occ)
	checkers |= them.leapers(b.king, p.turn)
	b.want = ^Bitboard(0)
	if !s.loose {
		b.want, b.pinned = answers(b.king, checkers), pinned
	}
	b.kingSteps(checkers)
	if b.want == 0 {
		return
	}
	b.freePieces()
	if b.super.all != 0 {
		b.units()
		b.leaving()
	}
	if p.passed != NoSquare {
		superPassing(p, s)
	}
}

// lane is where the king's safety lets a piece or unit go that leaves its square empty.
func (b *superBoard) lane(from Square) Bitboard {
	if b.pinned.Has(from) {
		return b.want & lines[b.king&63][from&63]
	}
	return b.want
}

// alone says the moves of a piece that moves alone (6.2, 6.4, 6.5).
func (b *superBoard) alone(from Square, to Bitboard, tag Move) {
	b.takes = b.them.all
	b.add(from, to&^b.us, tag)
	b.takes = b.theirStacks
	b.add(from, to&(b.ownRooks|b.theirRooks|b.theirStacks), tag|mark)
}

// freePieces says the moves of pieces that stand alone, other than the king.
func (b *superBoard) freePieces() {
	for set := b.free.knights; set != 0; set &= set - 1 {
		from := set.first()
		b.alone(from, knightAttacks[from&63]&b.lane(from), 0)
	}
	for set := b.free.diag; set != 0; set &= set - 1 {
		from := set.first()
		to := bishopAttacks(from, b.occ)
		if b.free.ortho&(set&-set) != 0 {
			to |= rookAttacks(from, b.occ)
		}
		b.alone(from, to&b.lane(from), 0)
	}
	b.takes = b.them.all
	for set := b.ownRooks; set != 0; set &= set - 1 {
		from := set.first()
		b.add(from, rookAttacks(from, b.occ)&b.lane(from)&^b.us, 0)
	}
	b.pawns(b.free.pawns&^b.pinned, rankOf(b.turn, 1), b.want, 0)
	for set := b.free.pawns & b.pinned; set != 0; set &= set - 1 {
		b.pawns(set&-set, rankOf(b.turn, 1), b.lane(set.first()), 0)
	}
}

// pawns gives the moves of pawns that move alone onto squares of want (6.2, 6.6). They occupy enemy rooks, or capture
// a superpiece alone, by their capturing move, and own rooks by their advance. They do not promote then.
func (b *superBoard) pawns(pawns, double, want Bitboard, tag Move) {
	b.takes = b.them.all
	b.advances(b.turn, pawns, double, ^b.occ, want&^b.occ, tag)
	b.diagonals(b.turn, pawns, want&b.them.all, tag)
	up := b.turn.forward()
	one := pawns.turned(up)
	two := (one & double.turned(up) &^ b.occ).turned(up)
	left, right := (pawns &^ fileA).turned(up-1), (pawns &^ fileH).turned(up+1)
	b.takes = b.theirStacks
	own, their := want&b.ownRooks, want&(b.theirRooks|b.theirStacks)
	b.steps(one&own, up, tag|mark)
	b.steps(two&own, 2*up, tag|mark|doubleStep)
	b.steps(left&their, up-1, tag|mark)
	b.steps(right&their, up+1, tag|mark)
}

// units says the moves of rook and superpiece together (6.3): they always take both, and never occupy.
func (b *superBoard) units() {
	b.takes = b.them.all
	for set := b.super.all; set != 0; set &= set - 1 {
		from := set.first()
		to := rookAttacks(from, b.occ)
		switch on := set & -set; {
		case b.super.pawns&on != 0:
			to |= pawnAttacks[b.turn&1][from&63] & b.them.all
		case b.super.knights&on != 0:
			to |= knightAttacks[from&63]
		case b.super.diag&on != 0:
			to |= bishopAttacks(from, b.occ)
		}
		b.add(from, to&b.lane(from)&^b.us, 0)
	}
}

// leaving says the moves of superpieces that leave their rook (6.4). The rook stays and keeps the line closed; an
// enemy rook must not be left in a position to take the king (6.7).
func (b *superBoard) leaving() {
	second := Bitboard(0) // 6.6: a superpawn never moves two squares
	for set := b.super.all; set != 0; set &= set - 1 {
		from := set.first()
		want := b.want
		if !b.loose && b.lower.at(from).Color() != b.turn && rookAttacks(from, b.occ).Has(b.king) {
			want &= between[b.king&63][from&63]
		}
		if b.super.pawns&(set&-set) != 0 {
			b.pawns(set&-set&^rankOf(b.turn, 7), second, want, count(1))
			continue
		}
		b.alone(from, reach(b.upper.at(from).Kind(), b.turn, from, b.occ)&want, count(1))
	}
}

// kingSteps says the king's steps and castling (6.5, 6.7, 6.8).
func (b *superBoard) kingSteps(checkers Bitboard) {
	b.takes = b.them.all
	to := kingAttacks[b.king&63] &^ b.us
	if !b.loose {
		to = b.them.safe(to, b.occ&^b.king.bit(), b.turn)
	}
	b.add(b.king, to, 0)
	if b.rights == 0 || checkers != 0 && !b.loose {
		return
	}
	for i := range wings[b.turn&1] {
		w := &wings[b.turn&1][i]
		if b.rights&w.right == 0 || b.occ&w.empty != 0 || b.upper.occupied().Has(w.rook) {
			continue
		}
		if b.loose || b.them.safe(w.path, b.occ, b.turn) == w.path {
			b.add(b.king, w.kingTo.bit(), castle)
		}
	}
}

// superPassing says the captures in passing, by free pawns and by superpawns that leave their rook (6.6), each tried
// out.
func superPassing(p *Position, s *sink) {
	near := pawnAttacks[p.turn.Other()&1][p.passed&63]
	stacks := p.upper.occupied()
	free, super := p.lower.kind(Pawn)&p.lower.of(p.turn), p.upper.kind(Pawn)&p.upper.of(p.turn)
	for b := near & (free | super); b != 0; b &= b - 1 {
		m := move(b.first(), p.passed) | enPassant | capture
		if stacks&(b&-b) != 0 {
			m |= count(1)
		}
		if s.loose || superSafe(p, m) {
			s.one(m)
		}
	}
}

func superSafe(p *Position, m Move) bool {
	q := *p
	superWood(&q, m)
	return superCheckers(&q, p.turn) == 0
}

func superCheckers(p *Position, c Color) Bitboard {
	_, _, them := superPieces(p, c.Other())
	king := p.lower.kind(King) & p.lower.of(c)
	return them.attackers(king.first(), p.lower.occupied(), c)
}

// superWood moves the pieces, ends the rights that go with them, and returns the piece that moved.
func superWood(p *Position, m Move) Piece {
	from := m.From()
	top, base := p.upper.at(from), p.lower.at(from)
	if top == NoPiece && m&(mark|capture) == 0 {
		return chessWood(p, m)
	}
	alone := m.Count() == 1 || top == NoPiece
	mover := top
	switch {
	case top == NoPiece:
		mover = base
		p.flipLower(from, base)
	case alone:
		p.flipUpper(from, top)
	default:
		p.flipUpper(from, top)
		p.flipLower(from, base)
	}
	if m.Count() == 0 {
		p.lose(rightsAt[from])
	}
	return superArrive(p, m, mover, base, alone)
}

// superArrive puts down what moved: the mover alone or on its rook.
func superArrive(p *Position, m Move, mover, base Piece, alone bool) Piece {
	to, put := m.To(), mover
	if k := m.Promotion(); k != NoKind {
		put = NewPiece(p.turn, k)
	}
	if m&(capture|mark) != 0 {
		p.flipUpper(to, p.upper.at(to))
	}
	if m&mark != 0 { // onto a rook
		p.flipUpper(to, put)
		return mover
	}
	if m&capture != 0 {
		at := to
		if m&enPassant != 0 {
			at = beyond(p.turn, to)
		}
		p.flipLower(at, p.lower.at(at))
		p.lose(rightsAt[at])
	}
	if alone {
		p.flipLower(to, put)
		return mover
	}
	p.flipLower(to, base)
	p.flipUpper(to, mover)
	return mover
}

func superFault(s Square, stack []Piece) error {
	switch {
	case len(stack) > 2:
		return flaw("more than two pieces, want at most a superpiece on a rook")
	case len(stack) == 1:
		return pawnFault(s, stack[0])
	case stack[0].Kind() != Rook:
		return flaw("a %s is occupied, and only a rook can be", stack[0].Kind())
	case stack[1].Kind() == Rook || stack[1].Kind() == King:
		return flaw("a %s cannot occupy a rook", stack[1].Kind())
	}
	return nil
}

// superWords names a unit by both pieces and a superpiece that leaves by "o" (2.3).
func superWords(p *Position, m Move) words {
	top, base := p.upper.at(m.From()), p.lower.at(m.From())
	w := plainWords(base, m)
	if top != NoPiece {
		w = plainWords(top, m)
		w.pawn = false
		letter := string(top.Kind().letter())
		switch {
		case m.Count() == 1:
			w.piece = "o" + letter
		case base.Color() == p.turn:
			w.piece = letter + "R"
		default:
			w.piece = letter + "/R"
		}
	}
	if m&mark != 0 {
		w.link += "o"
	}
	return w
}

// superWhy says who controls a rook, and who may not occupy one (6.2, 6.3).
func superWhy(p *Position, from, to Square) (mover, Reason) {
	base, top := p.lower.at(from), p.upper.at(from)
	if top != NoPiece && top.Color() != p.turn && base.Color() == p.turn {
		return mover{}, because("6.1", from, "the rook on %s is occupied by the %s, which controls it", from, top)
	}
	pc := top
	if top == NoPiece {
		pc = base
	}
	w, r := p.ours(pc, from, p.lower.occupied())
	if r.Text != "" {
		return w, r
	}
	if pc.Kind() == Pawn && top != NoPiece && int(to)-int(from) == 2*p.turn.forward() {
		return w, because("6.6", from, "a superpawn may not move two squares")
	}
	if p.lower.at(to).Kind() != Rook || p.upper.at(to) != NoPiece {
		return w, Reason{}
	}
	own := p.lower.at(to).Color() == p.turn
	switch reaches := reach(pc.Kind(), p.turn, from, w.occ).Has(to); {
	case pc.Kind() == Pawn && reaches && own:
		return w, because("6.2", to, "a pawn may occupy an own rook by its advance only")
	case pc.Kind() == Pawn && int(to)-int(from) == p.turn.forward():
		return w, because("6.2", to, "a pawn may occupy an enemy rook by its capturing move only")
	case reaches && top == NoPiece:
		return w, because("6.2", to, "a %s may not occupy a rook", pc.Kind())
	case top != NoPiece && rookAttacks(from, w.occ).Has(to):
		return w, because("6.3", to, "rook and superpiece together may not occupy a rook")
	}
	return w, Reason{}
}
