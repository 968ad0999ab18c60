// SPDX-License-Identifier: Apache-2.0

package search

import (
	"slices"

	"boardd/rules"
)

// try is a move of a position that is searched. It has how many moves came before it, its rank, and whether it is
// late: one of those that seldom change much.
type try struct {
	move   rules.Move
	number int
	rank   int
	late   bool
}

// progress is how far the loop over the moves of a position has come.
type progress struct {
	number    int  // moves looked at or left out
	improving bool // see Search.improving
	pruned    bool // a move was left out
	skipLate  bool // all late ones are from here on, so that their order does not matter
}

// moves searches the legal moves of a position, of which the table knows something or nothing.
func (s *Search) moves(b *branch, known *entry) int {
	f, next := &s.frames[b.ply], &s.frames[b.ply+1]
	longer := s.singularExtension(b, known)
	if s.stopped {
		return 0
	}
	if b.ply == 0 {
		f.lead(s.first)
	} else {
		f.lead(known.move())
	}
	s.keys = append(s.keys, f.pos.Key())
	best, kind, move := -infinite, atMost, rules.NoMove
	so := progress{improving: !f.check && s.improving(b.ply)}
	for i := 0; ; i++ {
		p, more := s.next(b.ply, i, so.skipLate)
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
		if s.stopped {
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
			if isQuiet(move) {
				s.updateHistory(b.ply, i, move, b.depth)
			}
			break
		}
	}
	s.keys = s.keys[:len(s.keys)-1]
	switch {
	case s.stopped:
		return 0
	case len(f.picks) == 0 && f.check:
		return b.ply - mate
	case len(f.picks) == 0:
		return 0
	case so.pruned || best == -infinite: // of what was left out no more is known than that it hardly raises alpha
		best = max(best, b.alpha)
	}
	if f.excluded == rules.NoMove {
		s.correct(f, best, b.depth, kind, move)
		if b.ply > 0 { // at the root moves may be left out on purpose
			s.table.put(f.pos.Key(), move, toTable(best, b.ply), f.rawOrNone(), b.depth, kind)
		}
	}
	return best
}

// enter plays a move unless it is excluded or pruned. Best is the best score so far. As long as that is a mate against
// the side to move, nothing is pruned.
func (s *Search) enter(b *branch, so *progress, p pick, best int) (t try, entered bool) {
	f, m := &s.frames[b.ply], p.move()
	if m == f.excluded || b.ply == 0 && !s.mayBegin(m) {
		return t, false
	}
	// what loses the exchange is as late as what changes nothing
	t = try{m, so.number, int(p.rank()), isQuiet(m) || p.rank() < 0}
	so.number++
	hopeless := so.skipLate
	if best > -sureMate && !so.skipLate {
		hopeless, so.skipLate = s.prune(b, &t, so.improving)
	}
	if hopeless && !f.mayCheck(m) {
		so.pruned = true
		return t, false
	}
	if next := s.play(b.ply, m); hopeless && !next.check {
		so.pruned = true
		return t, false
	}
	s.follow(b.ply, m)
	return t, true
}

// prune reports whether a late move is left out unless it gives check, and whether all late moves after it are as
// well. Nothing is pruned where an exact score is asked for. In orthodox chess at 6,000 to 10,000 nodes a move,
// pruning there cost over 150 points of Elo.
func (s *Search) prune(b *branch, t *try, improving bool) (it, rest bool) {
	f := &s.frames[b.ply]
	if !t.late || f.check || b.ply == 0 || !b.nullWindow() {
		return false, false
	}
	if b.depth <= futilityPlies && f.static+s.tuning.futilityMargin*b.depth <= b.alpha && b.alpha > -sureMate {
		return true, true
	}
	if b.depth <= lateMovePruningPlies {
		most := lateMovePruningBase + b.depth*b.depth
		if !improving {
			most /= 2
		}
		if t.number >= most {
			return true, true
		}
	}
	if b.depth <= historyPruningPlies && isQuiet(t.move) && t.rank < -historyPruningMargin*b.depth {
		return true, false
	}
	if b.depth > exchangePruningPlies {
		return false, false
	}
	if !isQuiet(t.move) {
		return t.rank < rankLosing-exchangeMarginCapture*b.depth, false
	}
	won, ok := f.pos.StaticExchange(t.move, &pieceValue)
	return ok && int(won) < -exchangeMarginQuiet*b.depth, false
}

// singularExtension is by how many plies deeper the move of the table is searched. It searches the position without
// that move, less deep. If every other move is clearly worse, the move gets one ply more. If others are as good in a
// cut node, it gets one less.
func (s *Search) singularExtension(b *branch, known *entry) int {
	f, score := &s.frames[b.ply], fromTable(known.score(), b.ply)
	if b.ply == 0 || b.ply >= 2*s.depth || b.depth < singularDepth || f.excluded != rules.NoMove ||
		known.bound() != atLeast || known.depth() < b.depth-3 || score > sureMate || score < -sureMate {
		return 0
	}
	target := score - 2*b.depth
	f.excluded = known.move()
	score = s.node(branch{b.ply, (b.depth - 1) / 2, target - 1, target, b.cutNode}, false)
	f.excluded, f.line = rules.NoMove, f.line[:0]
	switch {
	case score < target:
		return 1
	case b.cutNode:
		return -1
	}
	return 0
}

// child searches the position after a move that was played. The first move has the whole window. The others are first
// searched with a null window, which only asks whether they are better, and late ones less deep.
func (s *Search) child(b *branch, t *try, deeper int) int {
	next := branch{b.ply + 1, b.depth - 1 + deeper, -b.beta, -b.alpha, b.nullWindow() && !b.cutNode}
	if t.number == 0 {
		return -s.node(next, true)
	}
	less := s.reduction(b, t)
	ask := branch{next.ply, next.depth - less, -b.alpha - 1, -b.alpha, less > 0 || !b.cutNode}
	score := -s.node(ask, true)
	if less > 0 && score > b.alpha && !s.stopped {
		ask.depth, ask.cutNode = next.depth, !b.cutNode
		score = -s.node(ask, true)
	}
	if score > b.alpha && score < b.beta && !s.stopped {
		next.cutNode = false
		score = -s.node(next, true)
	}
	return score
}

// reduction is by how many plies less a late move is searched at first.
func (s *Search) reduction(b *branch, t *try) int {
	if b.depth < reduceDepth || t.number < reduceAfter || !t.late || s.frames[b.ply].check || s.frames[b.ply+1].check {
		return 0
	}
	less := s.reductions.of(b.depth, t.number)
	if !b.nullWindow() {
		less--
	}
	if b.cutNode {
		less++
	}
	if isQuiet(t.move) && t.rank < rankKiller {
		less -= t.rank / s.tuning.reduceHistory
	}
	return max(0, min(less, b.depth-2))
}

// mayBegin reports whether a first move is looked at in this line.
func (s *Search) mayBegin(m rules.Move) bool {
	return !slices.Contains(s.done, m) && (len(s.limits.SearchMoves) == 0 || slices.Contains(s.limits.SearchMoves, m))
}
