// SPDX-License-Identifier: Apache-2.0

package search

import (
	"slices"

	"boardd/rules"
)

// try is a move of a position that is looked at: how many came before it, its rank, and whether it is one of those
// that seldom change much.
type try struct {
	move   rules.Move
	number int
	rank   int
	late   bool
}

// sift is how far the moves of a position are through.
type sift struct {
	number    int  // moves looked at or left out
	improving bool // see Search.improving
	passed    bool // a move was left out
	rest      bool // all late ones are from here on, so that their order does not matter
}

// moves searches the legal moves of a position, of which the table knows something or nothing.
func (s *Search) moves(b *branch, known *entry) int {
	f, next := &s.frames[b.ply], &s.frames[b.ply+1]
	longer := s.single(b, known)
	if s.out {
		return 0
	}
	if b.ply == 0 {
		f.lead(s.first)
	} else {
		f.lead(known.move())
	}
	s.keys = append(s.keys, f.pos.Key())
	best, kind, move := -infinite, atMost, rules.NoMove
	so := sift{improving: !f.check && s.improving(b.ply)}
	for i := 0; ; i++ {
		p, more := s.next(b.ply, i, so.rest)
		if !more {
			break
		}
		t, entered := s.enter(b, &so, p, best)
		if !entered {
			continue
		}
		deeper := 0
		if t.move == known.move() {
			deeper = longer
		}
		score := s.child(b, &t, deeper)
		if s.out {
			break
		}
		if score <= best {
			continue
		}
		best = score
		if score <= b.alpha {
			continue
		}
		b.alpha, kind, move = score, exact, t.move
		f.line = append(append(f.line[:0], move), next.line...)
		if b.ply == 0 {
			s.first, s.found = move, Line{score, append(s.found.Moves[:0], f.line...)}
		}
		if score >= b.beta {
			kind = atLeast
			if calm(move) {
				s.praise(b.ply, i, move, b.depth)
			}
			break
		}
	}
	s.keys = s.keys[:len(s.keys)-1]
	switch {
	case s.out:
		return 0
	case len(f.picks) == 0 && f.check:
		return b.ply - mate
	case len(f.picks) == 0:
		return 0
	case so.passed || best == -infinite: // of what was left out no more is known than that it hardly raises alpha
		best = max(best, b.alpha)
	}
	if f.without == rules.NoMove {
		s.correct(f, best, b.depth, kind, move)
		if b.ply > 0 { // at the root moves may be left out on purpose
			s.table.put(f.pos.Key(), move, toTable(best, b.ply), b.depth, kind)
		}
	}
	return best
}

// enter plays a move, if it is not left out: for good or as hopeless. Best is the best score so far. As long as that
// is a mate against the side to move nothing is hopeless.
func (s *Search) enter(b *branch, so *sift, p pick, best int) (t try, entered bool) {
	f, m := &s.frames[b.ply], p.move()
	if m == f.without || b.ply == 0 && !s.mayBegin(m) {
		return t, false
	}
	// what loses the exchange is as late as what changes nothing
	t = try{m, so.number, int(p.rank()), calm(m) || p.rank() < 0}
	so.number++
	hopeless := so.rest
	if best > -sureMate && !so.rest {
		hopeless, so.rest = s.hopeless(b, &t, so.improving)
	}
	if hopeless && !f.mayCheck(m) {
		so.passed = true
		return t, false
	}
	if next := s.play(b.ply, m); hopeless && !next.check {
		so.passed = true
		return t, false
	}
	s.follow(b.ply, m)
	return t, true
}

// hopeless reports whether a late move is left out unless it gives check, and whether so are all after it. Nothing is
// left out where an exact score is asked for: in orthodox chess at 6,000 to 10,000 nodes a move, what was left out
// there cost over 150 points of Elo.
func (s *Search) hopeless(b *branch, t *try, improving bool) (it, rest bool) {
	f := &s.frames[b.ply]
	if !t.late || f.check || b.ply == 0 || !b.narrow() {
		return false, false
	}
	if b.depth <= hopelessPlies && f.static+hopelessMargin*b.depth <= b.alpha && b.alpha > -sureMate {
		return true, true
	}
	if b.depth <= latePlies {
		most := lateMoves + b.depth*b.depth
		if !improving {
			most /= 2
		}
		if t.number >= most {
			return true, true
		}
	}
	if b.depth > losingPlies {
		return false, false
	}
	if !calm(t.move) {
		return t.rank < rankLosing-losingCapture*b.depth, false
	}
	won, ok := f.pos.Exchange(t.move, &price)
	return ok && int(won) < -losingCalm*b.depth, false
}

// single says by how many plies deeper the move that the table names is to be looked at. It searches the position
// without that move, less deep: if every other is clearly worse the move is worth one ply more, and if others are as
// good in a position that is expected to refute the move before it, one less.
func (s *Search) single(b *branch, known *entry) int {
	f, score := &s.frames[b.ply], fromTable(known.score(), b.ply)
	if b.ply == 0 || b.ply >= 2*s.depth || b.depth < singleDepth || f.without != rules.NoMove ||
		known.bound() != atLeast || known.depth() < b.depth-3 || score > sureMate || score < -sureMate {
		return 0
	}
	target := score - 2*b.depth
	f.without = known.move()
	score = s.node(branch{b.ply, (b.depth - 1) / 2, target - 1, target, b.cut}, false)
	f.without, f.line = rules.NoMove, f.line[:0]
	switch {
	case score < target:
		return 1
	case b.cut:
		return -1
	}
	return 0
}

// child searches the position after a move that was played: the first with the whole window, the others first with a
// window that only asks whether they are better, and late ones less deep.
func (s *Search) child(b *branch, t *try, deeper int) int {
	next := branch{b.ply + 1, b.depth - 1 + deeper, -b.beta, -b.alpha, b.narrow() && !b.cut}
	if t.number == 0 {
		return -s.node(next, true)
	}
	less := s.less(b, t)
	ask := branch{next.ply, next.depth - less, -b.alpha - 1, -b.alpha, less > 0 || !b.cut}
	score := -s.node(ask, true)
	if less > 0 && score > b.alpha && !s.out {
		ask.depth, ask.cut = next.depth, !b.cut
		score = -s.node(ask, true)
	}
	if score > b.alpha && score < b.beta && !s.out {
		next.cut = false
		score = -s.node(next, true)
	}
	return score
}

// less is by how many plies less a late move is searched at first.
func (s *Search) less(b *branch, t *try) int {
	if b.depth < reduceDepth || t.number < reduceAfter || !t.late || s.frames[b.ply].check || s.frames[b.ply+1].check {
		return 0
	}
	less := s.reduce.of(b.depth, t.number)
	if !b.narrow() {
		less--
	}
	if b.cut {
		less++
	}
	if calm(t.move) && t.rank < rankKiller {
		less -= t.rank / reduceHistory
	}
	return max(0, min(less, b.depth-2))
}

// mayBegin reports whether a first move is looked at in this line.
func (s *Search) mayBegin(m rules.Move) bool {
	return !slices.Contains(s.done, m) && (len(s.limits.Only) == 0 || slices.Contains(s.limits.Only, m))
}
