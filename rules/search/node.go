// SPDX-License-Identifier: Apache-2.0

package search

import (
	"slices"

	"boardd/rules"
)

// node searches the position of a ply to a depth and returns its score: exact between alpha and beta, outside them a
// bound.
func (s *Search) node(ply, depth, alpha, beta int, mayPass bool) int {
	f := &s.frames[ply]
	f.line = f.line[:0]
	if f.check && ply < 2*s.depth {
		depth++
	}
	if depth <= 0 || ply >= maxPly {
		return s.quiet(ply, alpha, beta, s.limits.Quiet)
	}
	if s.count(ply); s.out {
		return 0
	}
	p := &f.pos
	if ply > 0 {
		if s.drawn(p) {
			return 0
		}
		alpha, beta = max(alpha, ply-mate), min(beta, mate-ply-1) // a mate found nearer is no worse
		if alpha >= beta {
			return alpha
		}
	}
	first := rules.NoMove
	if e := s.table.find(p.Key()); e != nil {
		first = e.move()
		if score := fromTable(e.score(), ply); ply > 0 && e.depth() >= depth && beta == alpha+1 &&
			cuts(e.bound(), score, alpha, beta) {
			return score
		}
	}
	static := s.eval.Score(&f.sums, p)
	if ply > 0 && !f.check && beta == alpha+1 {
		if score, ok := s.cutEarly(ply, depth, static, beta, mayPass); ok || s.out {
			return score
		}
	}
	return s.moves(ply, depth, static, alpha, beta, first)
}

// count counts a position, and ends the search when its limit is reached.
func (s *Search) count(ply int) {
	s.nodes++
	s.reached = max(s.reached, ply)
	l := &s.limits
	switch {
	case s.depth == 1: // always finished, so that there is a move
	case l.Nodes > 0 && s.nodes >= l.Nodes && s.depth > l.LeastDepth:
		s.out = true
	case s.nodes&1023 == 0 && l.Stop != nil && l.Stop():
		s.out = true
	}
}

func cuts(b bound, score, alpha, beta int) bool {
	return b == exact || b == atLeast && score >= beta || b == atMost && score <= alpha
}

// drawn reports whether the position is a draw by repetition or by fifty moves. One repetition is enough: what was
// good or bad to repeat once is so again.
func (s *Search) drawn(p *rules.Position) bool {
	back := min(p.HalfMoves(), len(s.keys))
	for i := 2; i <= back; i += 2 {
		if s.keys[len(s.keys)-i] == p.Key() {
			return true
		}
	}
	return p.HalfMoves() >= 100 && p.CountMoves() > 0
}

// cutEarly tries to do without the moves of a position that looks far better than beta.
func (s *Search) cutEarly(ply, depth, static, beta int, mayPass bool) (score int, ok bool) {
	p := &s.frames[ply].pos
	if beta <= -sureMate || static < beta {
		return 0, false
	}
	if depth <= futilePlies && static-futileMargin*depth >= beta {
		return static, true
	}
	if !mayPass || depth < nullDepth || p.Officers(p.Turn()).Count() < nullOfficers {
		return 0, false
	}
	next := &s.frames[ply+1]
	next.pos, next.sums, next.check = *p, s.frames[ply].sums, false
	next.pos.Pass()
	s.keys = append(s.keys, p.Key())
	score = -s.node(ply+1, depth-3-depth/4-min((static-beta)/200, 2), -beta, 1-beta, false)
	s.keys = s.keys[:len(s.keys)-1]
	if score < beta {
		return 0, false
	}
	return min(score, sureMate), true
}

// play makes the position after the move the next ply's.
func (s *Search) play(ply int, m rules.Move) *frame {
	f, next := &s.frames[ply], &s.frames[ply+1]
	next.pos = f.pos
	next.pos.Play(m)
	next.sums = f.sums
	s.eval.Update(&next.sums, &f.pos, &next.pos, f.pos.Touched(m))
	next.check = next.pos.InCheck()
	return next
}

// moves searches the legal moves of a position.
func (s *Search) moves(ply, depth, static, alpha, beta int, first rules.Move) int {
	f := &s.frames[ply]
	f.moves = f.pos.AppendMoves(f.moves[:0])
	if len(f.moves) == 0 {
		if f.check {
			return ply - mate
		}
		return 0
	}
	s.rank(f, first)
	s.keys = append(s.keys, f.pos.Key())
	best, kind, move := -infinite, atMost, rules.NoMove
	hopeless := depth <= hopelessPlies && !f.check && static+hopelessMargin*depth <= alpha && alpha > -sureMate && ply > 0
	for i := range f.moves {
		m := f.next(i)
		if ply == 0 && !s.mayBegin(m) {
			continue
		}
		calm, late := calm(m), calm(m) || f.ranks[i] < 0 // what loses the exchange is as late as what changes nothing
		next := s.play(ply, m)
		if hopeless && late && !next.check && best > -sureMate {
			continue
		}
		score := s.child(ply, depth, alpha, beta, i, best == -infinite, late)
		if s.out {
			break
		}
		if score <= best {
			continue
		}
		best = score
		if score <= alpha {
			continue
		}
		alpha, kind, move = score, exact, m
		f.line = append(append(f.line[:0], m), next.line...)
		if ply == 0 {
			s.rootScore = score
		}
		if score >= beta {
			kind = atLeast
			if calm {
				s.praise(f, i, m, depth)
			}
			break
		}
	}
	s.keys = s.keys[:len(s.keys)-1]
	if s.out {
		return 0
	}
	if best == -infinite { // every move was hopeless
		best = static
	}
	if ply > 0 || len(s.done) == 0 && len(s.limits.Only) == 0 {
		s.table.put(f.pos.Key(), move, toTable(best, ply), depth, kind)
	}
	return best
}

// child searches the position after the i-th move: the first with the whole window, the others first with a window
// that only asks whether they are better, and late quiet ones less deep.
func (s *Search) child(ply, depth, alpha, beta, i int, first, late bool) int {
	f, next := &s.frames[ply], &s.frames[ply+1]
	if first {
		return -s.node(ply+1, depth-1, -beta, -alpha, true)
	}
	less := 0
	if depth >= reduceDepth && i >= reduceAfter && late && !f.check && !next.check {
		less = s.reduce.of(depth, i)
		if beta > alpha+1 {
			less--
		}
		less = max(0, min(less, depth-2))
	}
	score := -s.node(ply+1, depth-1-less, -alpha-1, -alpha, true)
	if less > 0 && score > alpha && !s.out {
		score = -s.node(ply+1, depth-1, -alpha-1, -alpha, true)
	}
	if score > alpha && score < beta && !s.out {
		score = -s.node(ply+1, depth-1, -beta, -alpha, true)
	}
	return score
}

// mayBegin reports whether a first move is looked at in this line.
func (s *Search) mayBegin(m rules.Move) bool {
	return !slices.Contains(s.done, m) && (len(s.limits.Only) == 0 || slices.Contains(s.limits.Only, m))
}
