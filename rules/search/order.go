// SPDX-License-Identifier: Apache-2.0

package search

import (
	"boardd/rules"
	"boardd/rules/search/eval"
)

// The order in which moves are searched. First comes the move of the transposition table. Then come captures, the
// greatest victim first, and the quiet moves that last refuted a sister position (killers). Other quiet moves follow
// by their history, alone and after the moves before them, and by how much better their piece stands. Last come
// captures that lose the exchange.
const (
	rankFirst   = 1 << 30
	goodCapture = 1 << 26
	rankKiller  = 1 << 25
	rankLosing  = -1 << 20
	standWeight = 16 // of a hundredth of a pawn against one of history
)

// isQuiet reports whether a move neither captures nor promotes.
func isQuiet(m rules.Move) bool { return !m.IsCapture() && m.Promotion() == rules.NoKind }

// pieceValue is what a kind is worth for ordering captures, in hundredths of a pawn.
var pieceValue = [8]int32{rules.Pawn: 100, rules.Knight: 320, rules.Bishop: 330, rules.Rook: 500, rules.Queen: 950}

// gain is what a move wins at once, in hundredths of a pawn. It counts what the move takes and what a pawn becomes. It
// counts two thirds of what it locks, and a third of what it takes or sets free below.
func gain(p *rules.Position, m rules.Move) int32 {
	var won int32
	if m.Promotion() != rules.NoKind {
		won = pieceValue[m.Promotion()] - pieceValue[rules.Pawn]
	}
	if m.IsEnPassant() {
		return won + pieceValue[rules.Pawn]
	}
	low, high := p.Levels(m.To())
	top := high
	if high == rules.NoPiece {
		top = low
	}
	v := p.Variant()
	switch {
	case top == rules.NoPiece:
		return won
	case v.Layered():
		return won + gainLayered(p, m, low, high)
	case m.IsMarked() && !m.IsCapture():
		return won + enemyValue(p, top)*2/3
	case v.Piles():
		return won + gainPile(p, m.To())
	}
	return won + enemyValue(p, low) + enemyValue(p, high)
}

// gainLayered is what a move takes that arrives on what stands on one of two decks, or on both.
func gainLayered(p *rules.Position, m rules.Move, low, high rules.Piece) int32 {
	switch {
	case !m.IsCapture():
		return 0
	case m.IsMarked(): // meirav: on the bottom board
		return pieceValue[low.Kind()] / 3
	case high == rules.NoPiece, p.Variant().Pedestals() && !m.ToAir() && !m.IsHeadbutt() && isEnemy(p, low):
		return pieceValue[low.Kind()]
	}
	return pieceValue[high.Kind()]
}

// gainPile is what a move takes or sets free that arrives on a stack of Pillar Chess.
func gainPile(p *rules.Position, s rules.Square) (won int32) {
	var room [33]rules.Piece
	stack := p.AppendStack(room[:0], s)
	last := len(stack) - 1
	for _, pc := range stack[:last] {
		won += pieceValue[pc.Kind()] / 3
	}
	return won + pieceValue[stack[last].Kind()]
}

// isEnemy reports whether a piece belongs to the side that is not to move.
func isEnemy(p *rules.Position, pc rules.Piece) bool {
	return pc != rules.NoPiece && pc.Color() != p.Turn()
}

// enemyValue is the value of an enemy piece, and 0 of an own one and of none.
func enemyValue(p *rules.Position, pc rules.Piece) int32 {
	if isEnemy(p, pc) {
		return pieceValue[pc.Kind()]
	}
	return 0
}

// exchangeLoss is what the exchange that a capture begins loses, below 0. It is 0 if the exchange loses nothing, or if
// the game has no static exchange evaluation.
func exchangeLoss(p *rules.Position, m rules.Move) int32 {
	won, ok := p.StaticExchange(m, &pieceValue)
	if !ok {
		return 0
	}
	return min(won, 0)
}

// pick is a move and its rank, in one number. The greatest is looked at first, and of two with the same rank the move
// with the greater number. Its lowest bit says that the rank is right only if the move does not lose the exchange.
// That takes long to find out, so it is not asked before the move's turn comes.
type pick int64

func newPick(rank int32, m rules.Move) pick { return pick(rank)<<32 | pick(m)<<1 }

func (p pick) rank() int32      { return int32(p >> 32) }
func (p pick) move() rules.Move { return rules.Move(uint32(p) >> 1) }

// unweighed marks a pick whose exchange was not looked at.
const unweighed pick = 1

// weighed is the pick after a look at the exchange.
func (p pick) weighed(pos *rules.Position) pick {
	p &^= unweighed
	if won := exchangeLoss(pos, p.move()); won < 0 {
		return newPick(rankLosing+won, p.move())
	}
	return p
}

// stage is how far the moves of a frame are ranked.
type stage uint8

const (
	nothing  stage = iota // except the move that the table names
	captures              // and promotions
	all
)

// lead begins the list of a frame with the move that the table names, if it names one. Mostly no other move is looked
// at: then the others need not be listed. The table's move is legal, because the whole key of its position was
// compared.
func (f *frame) lead(m rules.Move) {
	f.picks, f.stage, f.tactical, f.checksKnown = f.picks[:0], nothing, false, false
	if m != rules.NoMove {
		f.picks = append(f.picks, newPick(rankFirst, m))
	}
}

// noGain is less than any move gains.
const noGain = -1 << 16

// leadTactics is lead for a list of the tactics alone, of which captures and promotions must gain more than enough,
// hundredths of a pawn.
func (f *frame) leadTactics(m rules.Move, enough int) {
	if !f.pos.IsTactic(m) {
		m = rules.NoMove
	}
	f.lead(m)
	f.tactical, f.mustGain, f.missed = true, int32(enough), noGain
}

// list lists the moves of the position that the frame is to look at.
func (f *frame) list() {
	if f.tactical {
		f.moves = f.pos.AppendTactics(f.moves[:0])
	} else {
		f.moves = f.pos.AppendMoves(f.moves[:0])
	}
}

// next brings the best of the moves from the i-th on to the i-th place and returns it; false if there is none. With
// unsorted any of them will do.
func (s *Search) next(ply, i int, unsorted bool) (pick, bool) {
	f := &s.frames[ply]
	for {
		if i < len(f.picks) {
			if unsorted && f.stage == all {
				return f.picks[i], true
			}
			p := f.best(i)
			if p&unweighed != 0 {
				p = p.weighed(&f.pos)
				if f.picks[i] = p; p.rank() < 0 {
					continue
				}
			}
			if f.stage == all || p.rank() > rankKiller+1 {
				return p, true
			}
		}
		switch f.stage {
		case nothing:
			f.list()
			f.rankCaptures()
		case captures:
			s.rankQuiets(ply)
		case all:
			return 0, false
		}
	}
}

// best brings the pick of the highest rank from the i-th on to the i-th place.
func (f *frame) best(i int) pick {
	rest := f.picks[i:]
	best, at := rest[0], 0
	for j, p := range rest {
		if p > best {
			best, at = p, j
		}
	}
	rest[0], rest[at] = best, rest[0]
	return best
}

// rankCaptures ranks the listed moves that capture or promote, and leaves the others in the list.
func (f *frame) rankCaptures() {
	lead := rules.NoMove
	if len(f.picks) > 0 {
		lead = f.picks[0].move()
	}
	rest := f.moves[:0]
	for _, m := range f.moves {
		switch {
		case m == lead:
		case isQuiet(m):
			rest = append(rest, m)
		default:
			won := gain(&f.pos, m)
			if f.tactical && won <= f.mustGain {
				f.missed = max(f.missed, won)
				continue
			}
			f.picks = append(f.picks, rankCapture(&f.pos, m, won))
		}
	}
	f.moves, f.stage = rest, captures
}

// rankCapture is unweighed where the piece that arrives is worth more than what the move gains: only then can the
// exchange lose.
func rankCapture(p *rules.Position, m rules.Move, won int32) pick {
	risk := pieceValue[m.Promotion()]
	if risk == 0 {
		risk = pieceValue[p.Mover(m)]
	}
	pick := newPick(goodCapture+16*won-risk, m)
	if won < risk {
		pick |= unweighed
	}
	return pick
}

// rankQuiets ranks the moves that are still in the list.
func (s *Search) rankQuiets(ply int) {
	f := &s.frames[ply]
	turn := f.pos.Turn()
	history := &s.history[turn]
	last, before := s.continuationHistory(ply)
	of, ofBefore := int32(s.tuning.lastWeight), int32(s.tuning.beforeWeight)
	stands := s.eval.PieceSquares(eval.Phase(&f.pos))
	for _, m := range f.moves {
		var r int32
		switch m {
		case f.killers[0]:
			r = rankKiller + 1
		case f.killers[1]:
			r = rankKiller
		default:
			from, to := m.From()&63, m.To()&63
			pc := rules.NewPiece(turn, f.pos.Mover(m))
			t := int(pc.Kind()-1)*64 + int(to)
			stand := &stands[pc&15]
			r = int32(history[from][to]) + (of*int32(last[t])+ofBefore*int32(before[t]))/2 +
				standWeight*int32(stand[to]-stand[from])
			if m.IsMarked() {
				r += gain(&f.pos, m)
			}
		}
		f.picks = append(f.picks, newPick(r, m))
	}
	f.stage = all
}
