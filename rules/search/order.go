// SPDX-License-Identifier: Apache-2.0

package search

import (
	"slices"

	"boardd/rules"
	"boardd/rules/search/eval"
)

// The order in which moves are looked at. First comes the move the table names; then captures with the greatest victim
// first; the quiet moves that last refuted a sister position (killers); quiet moves by how often they were good, alone
// and after the moves before them, and by how much better their piece stands; and last captures that lose the
// exchange.
const (
	rankFirst   = 1 << 30
	rankCapture = 1 << 26
	rankKiller  = 1 << 25
	rankLosing  = -1 << 20
	standWeight = 16 // of a hundredth of a pawn against one of history
)

// calm reports whether a move neither captures nor promotes.
func calm(m rules.Move) bool { return !m.IsCapture() && m.Promotion() == rules.NoKind }

// price is what a kind is worth for ordering captures, in pawns of 100.
var price = [8]int32{rules.Pawn: 100, rules.Knight: 320, rules.Bishop: 330, rules.Rook: 500, rules.Queen: 950}

// gain is what a move wins at once, in hundredths of a pawn: what it takes, a third of what it takes or sets free
// below, two thirds of what it locks, and what a pawn becomes.
func gain(p *rules.Position, m rules.Move) int32 {
	won := price[m.Promotion()] - price[rules.Pawn]*b2i(m.Promotion() != rules.NoKind)
	if m.IsEnPassant() {
		return won + price[rules.Pawn]
	}
	var room [33]rules.Piece
	stack := p.AppendStack(room[:0], m.To())
	v := p.Variant()
	switch last := len(stack) - 1; {
	case last < 0:
		return won
	case v.Layered():
		return won + gainLayered(p, m, stack)
	case m.IsMarked() && !m.IsCapture():
		if stack[last].Color() != p.Turn() {
			won += price[stack[last].Kind()] * 2 / 3
		}
		return won
	case last <= 1 && v.ID() != "pillar" && v.ID() != "pillar-liberal":
		for _, pc := range stack {
			if pc.Color() != p.Turn() {
				won += price[pc.Kind()]
			}
		}
		return won
	default:
		for _, pc := range stack[:last] {
			won += price[pc.Kind()] / 3
		}
		return won + price[stack[last].Kind()]
	}
}

// gainLayered is what a capture takes on one of two decks.
func gainLayered(p *rules.Position, m rules.Move, stack []rules.Piece) int32 {
	last := len(stack) - 1
	switch {
	case !m.IsCapture():
		return 0
	case m.IsMarked(): // meirav: on the bottom board
		return price[stack[0].Kind()] / 3
	case m.ToAir() || m.IsHeadbutt():
		return price[stack[last].Kind()]
	case stack[0] != rules.NoPiece && stack[0].Color() != p.Turn() && last == 1 && p.Variant().ID() == "flying":
		return price[stack[0].Kind()]
	}
	return price[stack[last].Kind()]
}

func b2i(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// loss is what the exchange that a capture begins loses, below 0; 0 if it loses nothing, or if the game has no
// exchanges.
func loss(p *rules.Position, m rules.Move) int32 {
	won, ok := p.Exchange(m, &price)
	return min(won, 0) * b2i(ok)
}

// lead brings the move that the table names to the front, if it is among the moves of the frame, and returns how many
// moves that orders: 1 or 0. Mostly no other move is looked at, and need not be ranked.
func (f *frame) lead(m rules.Move) int {
	f.ranks = f.ranks[:0]
	if i := slices.Index(f.moves, m); m != rules.NoMove && i >= 0 {
		f.moves[0], f.moves[i] = m, f.moves[0]
		f.ranks = append(f.ranks, rankFirst)
	}
	return len(f.ranks)
}

// rank says in which order the moves of a ply from the i-th on are looked at.
func (s *Search) rank(ply, i int) {
	f := &s.frames[ply]
	history := &s.history[f.pos.Turn()]
	last, before := s.trailed(ply)
	stage := eval.Stage(&f.pos)
	for _, m := range f.moves[i:] {
		var r int32
		switch {
		case !calm(m):
			r = s.rankCapture(&f.pos, m)
		case m == f.killers[0]:
			r = rankKiller + 1
		case m == f.killers[1]:
			r = rankKiller
		default:
			from, to := m.From()&63, m.To()&63
			pc := rules.NewPiece(f.pos.Turn(), f.pos.Mover(m))
			t := int(pc.Kind()-1)*64 + int(to)
			r = history[from][to] + int32(last[t]) + int32(before[t]) +
				standWeight*int32(s.eval.Stand(stage, pc, to)-s.eval.Stand(stage, pc, from))
			if m.IsMarked() {
				r += gain(&f.pos, m)
			}
		}
		f.ranks = append(f.ranks, r)
	}
}

func (s *Search) rankCapture(p *rules.Position, m rules.Move) int32 {
	won, risk := gain(p, m), price[p.Mover(m)]
	if won < risk { // else the exchange cannot lose
		if won := loss(p, m); won < 0 {
			return rankLosing + won
		}
	}
	return rankCapture + 16*won - risk
}

// next brings the best of the moves from the i-th on to the i-th place and returns it.
func (f *frame) next(i int) rules.Move {
	best := i
	for j := i + 1; j < len(f.ranks); j++ {
		if f.ranks[j] > f.ranks[best] {
			best = j
		}
	}
	f.moves[i], f.moves[best] = f.moves[best], f.moves[i]
	f.ranks[i], f.ranks[best] = f.ranks[best], f.ranks[i]
	return f.moves[i]
}
