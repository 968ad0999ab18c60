// SPDX-License-Identifier: Apache-2.0

package search

import "boardd/rules"

// The order in which moves are looked at. First comes the move the table names; then captures with the greatest victim
// first; the quiet moves that last refuted a sister position (killers); quiet moves by how often they were good
// (history); and last captures that lose the exchange.
const (
	rankFirst   = 1 << 30
	rankCapture = 1 << 26
	rankKiller  = 1 << 25
	rankLosing  = -1 << 20
	mostHistory = 1 << 14
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

// mover is the kind that makes the move.
func mover(p *rules.Position, m rules.Move) rules.Kind {
	var room [33]rules.Piece
	stack := p.AppendStack(room[:0], m.From())
	if p.Variant().Layered() && len(stack) == 2 && (m.IsMarked() || p.Variant().ID() == "flying" && !m.FromAir()) {
		return stack[0].Kind()
	}
	return stack[len(stack)-1].Kind()
}

// loss is what the exchange that a capture begins loses, below 0; 0 if it loses nothing, or if the game has no
// exchanges.
func loss(p *rules.Position, m rules.Move) int32 {
	won, ok := p.Exchange(m, &price)
	return min(won, 0) * b2i(ok)
}

// rank says in which order the moves of a frame are looked at.
func (s *Search) rank(f *frame, first rules.Move) {
	f.ranks = f.ranks[:0]
	history := &s.history[f.pos.Turn()]
	for _, m := range f.moves {
		var r int32
		switch {
		case m == first:
			r = rankFirst
		case !calm(m):
			r = rankCapture + 16*gain(&f.pos, m) - price[mover(&f.pos, m)]
			if won := loss(&f.pos, m); won < 0 {
				r = rankLosing + won
			}
		case m == f.killers[0]:
			r = rankKiller + 1
		case m == f.killers[1]:
			r = rankKiller
		default:
			r = history[m.From()&63][m.To()&63]
			if m.IsMarked() {
				r += gain(&f.pos, m)
			}
		}
		f.ranks = append(f.ranks, r)
	}
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

// praise notes that the i-th move, a quiet one, refuted the position, and that the quiet ones before it did not.
func (s *Search) praise(f *frame, i int, m rules.Move, depth int) {
	if f.killers[0] != m {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	bonus := int32(min(depth*depth, 400))
	history := &s.history[f.pos.Turn()]
	adjust := func(m rules.Move, by int32) {
		h := &history[m.From()&63][m.To()&63]
		*h += by - *h*max(by, -by)/mostHistory
	}
	adjust(m, bonus)
	for _, other := range f.moves[:i] {
		if calm(other) {
			adjust(other, -bonus)
		}
	}
}
