// SPDX-License-Identifier: Apache-2.0

package search

import "boardd/rules"

// branch is a position to be searched: of which ply, how deep, between which scores. A cut node is expected to be good
// enough to refute the move before it.
type branch struct {
	ply, depth, alpha, beta int
	cutNode                 bool
}

// nullWindow reports whether the search only asks on which side of one score the position lies.
func (b *branch) nullWindow() bool { return b.beta == b.alpha+1 }

// node searches a position and returns its score: exact between alpha and beta, outside them a bound. With mayPass a
// pass may be tried.
func (s *Search) node(b branch, mayPass bool) int {
	ply, f := b.ply, &s.frames[b.ply]
	f.line = f.line[:0]
	if f.check && ply < 2*s.depth {
		b.depth++
	}
	if b.depth <= 0 || ply >= maxPly {
		return s.quiesce(ply, b.alpha, b.beta, s.limits.QuiescencePlies)
	}
	if s.count(ply); s.stopped {
		return 0
	}
	if ply > 0 {
		if s.isDraw(&f.pos) {
			return 0
		}
		b.alpha, b.beta = max(b.alpha, ply-mate), min(b.beta, mate-ply-1) // a mate found nearer is no worse
		if b.alpha >= b.beta {
			return b.alpha
		}
	}
	known, whole := entry{}, f.excluded == rules.NoMove
	if e := s.table.find(f.pos.Key()); e != nil && whole && ply > 0 {
		known = *e
		if score := fromTable(known.score(), ply); known.depth() >= b.depth && b.nullWindow() &&
			boundCuts(known.bound(), score, b.alpha, b.beta) {
			if score >= b.beta {
				s.refuted(&b, known.move())
			}
			return score
		}
	}
	if !f.check && whole {
		f.static = sharpen(s.estimateAt(ply, &known), &known, ply)
		if ply > 0 && b.nullWindow() {
			if score, ok := s.pruneNode(&b, mayPass); ok || s.stopped {
				return score
			}
		}
	}
	if known.move() == rules.NoMove && b.depth >= internalReductionDepth && whole && ply > 0 {
		b.depth-- // nobody knows what to try first; the next search of the position will
	}
	return s.moves(&b, &known)
}

// count counts a position, and ends the search when its limit is reached.
func (s *Search) count(ply int) {
	s.nodes++
	s.reached = max(s.reached, ply)
	l := &s.limits
	switch {
	case s.depth == 1: // always finished, so that there is a move
	case l.Nodes > 0 && s.nodes >= l.Nodes && s.depth > l.MinDepth:
		s.stopped = true
	case s.nodes&1023 == 0 && l.Stop != nil && l.Stop():
		s.stopped = true
	}
}

func boundCuts(b bound, score, alpha, beta int) bool {
	return b == exact || b == atLeast && score >= beta || b == atMost && score <= alpha
}

// sharpen is the estimate of a position. Where the score that the table knows shows that the estimate is too low or
// too high, it is that score.
func sharpen(static int, known *entry, ply int) int {
	score := fromTable(known.score(), ply)
	if known.bound() == noBound || score > sureMate || score < -sureMate ||
		!boundCuts(known.bound(), score, static, static) {
		return static
	}
	return score
}

// isDraw reports whether the position is a draw by repetition or by fifty moves. One repetition is enough: what was
// good or bad to repeat once is so again.
func (s *Search) isDraw(p *rules.Position) bool {
	back := min(p.HalfMoves(), len(s.keys))
	for i := 2; i <= back; i += 2 {
		if s.keys[len(s.keys)-i] == p.Key() {
			return true
		}
	}
	return p.HalfMoves() >= 100 && p.CountMoves() > 0
}

// improving reports whether the side to move, which is not in check, stands better than at its move before.
func (s *Search) improving(ply int) bool {
	return ply >= 2 && (s.frames[ply-2].check || s.frames[ply].static > s.frames[ply-2].static)
}

// pruneNode tries to do without the moves of a position that looks far better than beta, by reverse futility pruning
// and by a null move.
func (s *Search) pruneNode(b *branch, mayPass bool) (score int, ok bool) {
	f := &s.frames[b.ply]
	over := f.static - b.beta
	if b.beta <= -sureMate || over < 0 {
		return 0, false
	}
	if b.depth <= s.tuning.reverseFutilityPlies && over >= s.reverseFutility(b) {
		return f.static, true
	}
	if !mayPass || b.depth < nullDepth || f.pos.Officers(f.pos.Turn()).Count() < nullOfficers {
		return 0, false
	}
	s.pass(b.ply)
	s.keys = append(s.keys, f.pos.Key())
	depth := b.depth - 3 - b.depth/s.tuning.nullSlope - min(over/200, 2)
	score = -s.node(branch{b.ply + 1, depth, -b.beta, 1 - b.beta, !b.cutNode}, false)
	s.keys = s.keys[:len(s.keys)-1]
	if score < b.beta {
		return 0, false
	}
	return min(score, sureMate), true
}

// reverseFutility is by how much a position must be better than beta to be left.
func (s *Search) reverseFutility(b *branch) int {
	margin := s.tuning.reverseFutilityMargin * b.depth
	if s.improving(b.ply) {
		margin -= s.tuning.reverseFutilityBetter
	}
	return margin
}

// pass makes the position with the turn passed the next ply's.
func (s *Search) pass(ply int) {
	f, next := &s.frames[ply], &s.frames[ply+1]
	next.pos, next.touched, next.summed, next.check, next.moved = f.pos, 0, false, false, 0
	next.pos.Pass()
}

// play makes the position after the move the next ply's; follow notes the rest.
func (s *Search) play(ply int, m rules.Move) *frame {
	f, next := &s.frames[ply], &s.frames[ply+1]
	next.pos = f.pos
	next.pos.Play(m)
	s.table.fetch(next.pos.Key())
	next.check = next.pos.InCheck()
	return next
}

// mayCheck reports whether a move of the position may give check, see Position.MayCheck.
func (f *frame) mayCheck(m rules.Move) bool {
	if !f.checksKnown {
		f.checks, f.checksKnown = f.pos.Checks(), true
	}
	return f.pos.MayCheck(m, &f.checks)
}

// follow notes the move that was played to the next ply, whose sums are made when they are asked for.
func (s *Search) follow(ply int, m rules.Move) {
	f, next := &s.frames[ply], &s.frames[ply+1]
	next.moved = continuationIndex(&f.pos, m)
	next.touched, next.summed = f.pos.Touched(m), false
}

// sum makes the sums of a ply from those of the last ply before it that has them. It returns the ply's frame.
func (s *Search) sum(ply int) *frame {
	f := &s.frames[ply]
	if f.summed {
		return f
	}
	touched, from := f.touched, ply-1
	for ; !s.frames[from].summed; from-- {
		touched |= s.frames[from].touched
	}
	before := &s.frames[from]
	f.sums, f.summed = before.sums, true
	s.eval.Update(&f.sums, &before.pos, &f.pos, touched)
	return f
}
