// SPDX-License-Identifier: Apache-2.0

package rules

// Flying Chess, RULES 7. The lower level is the ground, the upper level the air.
var flying = Variant{
	id: "flying", name: "Flying Chess", layered: true, gaps: true,
	moves: flyingMoves, wood: flyingWood, passing: flyingPassing, checkers: flyingCheckers,
	words: flyingWords, why: flyingWhy, checked: "7.5", dead: bareKings,
	setup: setup{
		put:      flyingPut,
		fault:    flyingFault,
		home:     chessHome,
		passable: chessPassable,
	},
}

// flyingBoard sorts a position.
type flyingBoard struct {
	*Position
	*sink
	ground, air           pieceSet // of the side to move
	enemyGround, enemyAir pieceSet
	low, high             Bitboard // what stands on the ground; what flies
	king                  Square
	wantGround, wantAir   Bitboard // where, on each level, a move answers a check
	pinned, pinnedAir     Bitboard // what alone stands, flies, on a line between the king and an enemy
}

func flyingMoves(p *Position, s *sink) {
	them := p.turn.Other()
	b := flyingBoard{Position: p, sink: s,
		ground: p.lower.pieceSet(p.turn), air: p.upper.pieceSet(p.turn),
		enemyGround: p.lower.pieceSet(them), enemyAir: p.upper.pieceSet(them)}
	b.low, b.high = b.ground.all|b.enemyGround.all, b.air.all|b.enemyAir.all
	b.king = b.ground.kings.first()
	checked := b.guard()

	b.takes = b.enemyGround.all
	b.kingSteps(checked)
	if b.wantGround|b.wantAir == 0 {
		return
	}
	b.groundMoves()
	if b.high != 0 {
		b.airMoves()
		b.headbutts()
	}
	if p.passed != NoSquare {
		flyingPassing(p, s)
	}
}

// guard finds the checks and pins (7.5), and reports whether the king is in check. The king stands on the ground. He
// can be captured along the ground as in chess, by a bishop or knight that descends, and by any flyer above him.
func (b *flyingBoard) guard() (checked bool) {
	b.wantGround, b.wantAir = ^Bitboard(0), ^Bitboard(0)
	if b.loose {
		return false
	}
	onGround, pinned := b.enemyGround.lineThreats(b.king, b.low)
	onGround |= b.enemyGround.leapers(b.king, b.turn)
	b.pinned = pinned
	var inAir Bitboard
	if b.enemyAir.all != 0 {
		bishops := pieceSet{diag: b.enemyAir.diag}
		inAir, b.pinnedAir = bishops.lineThreats(b.king, b.high)
		inAir |= knightAttacks[b.king&63]&b.enemyAir.knights | b.king.bit()&b.enemyAir.all
	}
	switch {
	case onGround|inAir == 0:
		return false
	case onGround == 0 && !inAir.many():
		b.wantGround, b.wantAir = 0, answers(b.king, inAir)
		if inAir&b.enemyAir.knights != 0 {
			b.wantAir = inAir
		}
	case inAir == 0 && !onGround.many():
		b.wantGround, b.wantAir = answers(b.king, onGround), 0
	default:
		b.wantGround, b.wantAir = 0, 0
	}
	return true
}

// onGround says that a piece may go to squares of the ground, inAir to squares of the air.
func (b *flyingBoard) onGround(from Square, to Bitboard, tag Move) {
	b.takes = b.enemyGround.all
	b.add(from, to&b.wantGround&^b.ground.all, tag)
}

func (b *flyingBoard) inAir(from Square, to Bitboard, tag Move) {
	b.takes = b.enemyAir.all
	b.add(from, to&b.wantAir&^b.air.all, tag|toAir)
}

// groundMoves says the moves of the pieces on the ground other than the king (7.2, 7.3). One that is pinned may not
// rise.
func (b *flyingBoard) groundMoves() {
	for set := b.ground.knights &^ b.pinned; set != 0; set &= set - 1 {
		from := set.first()
		b.onGround(from, knightAttacks[from&63], 0)
		b.inAir(from, set&-set, 0) // straight up
	}
	for set := b.ground.diag | b.ground.ortho; set != 0; set &= set - 1 {
		from, on := set.first(), set&-set
		var to, up Bitboard
		switch {
		case b.ground.ortho&on == 0: // bishop
			to = bishopAttacks(from, b.low)
			up = on
		case b.ground.diag&on == 0: // rook: the last step may rise, and it goes straight up
			to = rookAttacks(from, b.low)
			up = to | on
		default:
			to = bishopAttacks(from, b.low) | rookAttacks(from, b.low)
		}
		if b.pinned&on != 0 {
			to, up = to&lines[b.king&63][from&63], 0
		}
		b.onGround(from, to, 0)
		if up != 0 {
			b.inAir(from, up, 0)
		}
	}
	b.takes = b.enemyGround.all
	b.pawns(b.ground.pawns&^b.pinned, b.wantGround)
	for set := b.ground.pawns & b.pinned; set != 0; set &= set - 1 {
		b.pawns(set&-set, b.wantGround&lines[b.king&63][set.first()&63])
	}
}

func (b *flyingBoard) pawns(pawns, want Bitboard) {
	b.advances(b.turn, pawns, rankOf(b.turn, 1), ^b.low, want&^b.low, 0)
	b.diagonals(b.turn, pawns, b.enemyGround.all&want, 0)
}

// airMoves says the moves of the flyers (7.3). One that is pinned may not descend.
func (b *flyingBoard) airMoves() {
	for set := b.air.all; set != 0; set &= set - 1 {
		from, on := set.first(), set&-set
		var to Bitboard
		down := on // straight down
		switch {
		case b.air.knights&on != 0:
			to = knightAttacks[from&63]
			down |= to
		case b.air.diag&on != 0: // bishop: the last step may descend
			to = bishopAttacks(from, b.high)
			down |= to
		default:
			to = rookAttacks(from, b.high)
		}
		if b.pinnedAir&on != 0 {
			to, down = to&lines[b.king&63][from&63]&sideOf(b.king, from), 0
		}
		b.inAir(from, to, fromAir)
		b.onGround(from, down, fromAir)
	}
}

// sideOf returns the squares on one side of the king, on any line through him. A flyer may cross above him, and then
// the line that it leaves is open.
func sideOf(king, s Square) Bitboard {
	if s > king {
		return ^Bitboard(0) << king << 1
	}
	return king.bit() - 1
}

// headbutts says the captures of flyers from below (7.4). The flyer must not have kept a bishop's line closed.
func (b *flyingBoard) headbutts() {
	for set := b.ground.all & b.enemyAir.all & b.wantAir &^ b.pinnedAir; set != 0; set &= set - 1 {
		b.one(move(set.first(), set.first()) | headbutt | capture)
	}
}

// safe keeps the squares on which no enemy could take the king, who has left his own (7.5).
func (b *flyingBoard) safe(to, low Bitboard) Bitboard {
	if b.loose {
		return to
	}
	to = b.enemyGround.safe(to&^b.enemyAir.all, low, b.turn)
	if b.enemyAir.all == 0 {
		return to
	}
	flyers := pieceSet{knights: b.enemyAir.knights, diag: b.enemyAir.diag}
	return flyers.safe(to, b.high, b.turn)
}

// kingSteps says the king's steps and castling, on the ground.
func (b *flyingBoard) kingSteps(checked bool) {
	b.add(b.king, b.safe(kingAttacks[b.king&63]&^b.ground.all, b.low&^b.king.bit()), 0)
	if b.rights == 0 || checked {
		return
	}
	for i := range wings[b.turn&1] {
		w := &wings[b.turn&1][i]
		if b.rights&w.right != 0 && b.low&w.empty == 0 && b.safe(w.path, b.low) == w.path {
			b.add(b.king, w.kingTo.bit(), castle)
		}
	}
}

// flyingPassing says the captures in passing, each tried out.
func flyingPassing(p *Position, s *sink) {
	pawns := p.lower.kind(Pawn) & p.lower.of(p.turn)
	for b := pawnAttacks[p.turn.Other()&1][p.passed&63] & pawns; b != 0; b &= b - 1 {
		m := move(b.first(), p.passed) | enPassant | capture
		if s.loose || flyingSafe(p, m) {
			s.one(m)
		}
	}
}

func flyingSafe(p *Position, m Move) bool {
	q := *p
	flyingWood(&q, m)
	return flyingCheckers(&q, p.turn) == 0
}

func flyingCheckers(p *Position, c Color) Bitboard {
	ground, air := p.lower.pieceSet(c.Other()), p.upper.pieceSet(c.Other())
	king := p.lower.kind(King) & p.lower.of(c)
	flyers := pieceSet{knights: air.knights, diag: air.diag}
	return ground.attackers(king.first(), p.lower.occupied(), c) |
		flyers.attackers(king.first(), p.upper.occupied(), c) | king&air.all
}

func flyingMover(p *Position, m Move) Piece {
	if m&fromAir != 0 {
		return p.upper.at(m.From())
	}
	return p.lower.at(m.From())
}

// flyingWood moves the pieces, ends the rights that go with them, and returns the piece that moved. What happens on
// the ground alone is chess; only what happens on the ground ends rights.
func flyingWood(p *Position, m Move) Piece {
	if m&(fromAir|toAir|headbutt) == 0 {
		return chessWood(p, m)
	}
	from, to := m.From(), m.To()
	if m&headbutt != 0 {
		p.flipUpper(to, p.upper.at(to))
		return p.lower.at(from)
	}
	switch m & (capture | toAir) {
	case capture | toAir:
		p.flipUpper(to, p.upper.at(to))
	case capture:
		p.flipLower(to, p.lower.at(to))
	}
	pc := flyingMover(p, m)
	switch m & (fromAir | toAir) {
	case fromAir | toAir:
		p.slideUpper(from, to, pc)
	case fromAir:
		p.flipUpper(from, pc)
		p.flipLower(to, pc)
		p.lose(rightsAt[to])
	case toAir:
		p.flipLower(from, pc)
		p.flipUpper(to, pc)
		p.lose(rightsAt[from])
	}
	return pc
}

func flyingPut(p *Position, s Square, stack []Piece) {
	if stack[0] != NoPiece {
		p.flipLower(s, stack[0])
	}
	if len(stack) == 2 {
		p.flipUpper(s, stack[1])
	}
}

func flyingFault(s Square, stack []Piece) error {
	if len(stack) > 2 {
		return flaw("more than two pieces, want at most one on the ground and one in the air")
	}
	if len(stack) == 2 {
		switch k := stack[1].Kind(); k {
		case Rook, Bishop, Knight:
		default:
			return flaw("a %s cannot fly", k)
		}
	}
	return pawnFault(s, stack[0])
}

// flyingWords writes '^' where the piece arrives in the air (2.3). A piece that rises straight up to take a flyer is
// written with its square, as Re1xe1^, because Rxe1^ is its headbutt.
func flyingWords(p *Position, m Move) words {
	w := plainWords(flyingMover(p, m), m)
	w.air = m.FromAir()
	if m.ToAir() || m.IsHeadbutt() {
		w.to += "^"
	}
	if m.ToAir() && m.IsCapture() && m.From() == m.To() {
		w.piece += m.From().String()
	}
	return w
}

func flyingWhy(p *Position, from, to Square) (mover, Reason) {
	ground, air := p.lower.at(from), p.upper.at(from)
	own := func(pc Piece) bool { return pc != NoPiece && pc.Color() == p.turn }
	if from == to && own(ground) && ground.Kind() != Rook && ground.Kind() != Bishop && ground.Kind() != Knight {
		return mover{}, because("7.2", from, "a %s stays on the ground", ground.Kind())
	}
	if own(air) && !own(ground) {
		return mover{air, p.upper.occupied()}, Reason{}
	}
	if ground == NoPiece {
		return p.ours(air, from, p.upper.occupied())
	}
	return p.ours(ground, from, p.lower.occupied())
}
