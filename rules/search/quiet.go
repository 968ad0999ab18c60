// SPDX-License-Identifier: Apache-2.0

package search

import "boardd/rules"

// quiesce scores a position by its captures alone, until none is worth while or left plies are over. In orthodox chess
// a few quiet checks are looked at as well, while all plies are left. The side to move may always stand as it is,
// unless it is in check: then every answer is looked at. The limit is what lets the search end: in Meirav and Pillar
// Chess what is taken stays on the board and is taken again.
func (s *Search) quiesce(ply, alpha, beta, left int) int {
	f := &s.frames[ply]
	f.line = f.line[:0]
	if s.count(ply); s.stopped {
		return 0
	}
	if left <= 0 || ply >= maxPly {
		if f.check && f.pos.CountMoves() == 0 {
			return ply - mate
		}
		return s.estimate(s.sum(ply))
	}
	var known entry
	if e := s.table.find(f.pos.Key()); e != nil {
		known = *e
		if score := fromTable(known.score(), ply); beta == alpha+1 && boundCuts(known.bound(), score, alpha, beta) {
			return score
		}
	}
	stand, h := -infinite, harvest{alpha, beta, ply - mate, rules.NoMove, atMost}
	if f.check {
		f.lead(known.move())
	} else {
		stand = sharpen(s.estimateAt(ply, &known), &known, ply)
		if h.best = stand; stand >= beta {
			return stand
		}
		h.alpha = max(alpha, stand)
		f.leadTactics(known.move(), h.alpha-stand-s.tuning.deltaMargin)
	}
	for i := 0; ; i++ {
		p, more := s.next(ply, i, false)
		if !more {
			break
		}
		m := p.move()
		if !f.check {
			if p.rank() < 0 { // it loses the exchange, or what it locks was no good to lock; so with all that come after it
				break
			}
			if won := gain(&f.pos, m); stand+int(won)+s.tuning.deltaMargin <= h.alpha {
				f.missed = max(f.missed, won)
				continue
			}
		}
		s.play(ply, m)
		if s.gather(ply, left, &h, m) {
			break
		}
	}
	if !f.check && left == s.limits.QuiescencePlies && h.best < beta && stand > h.alpha-checkMargin {
		s.quietChecks(ply, left, &h)
	}
	if s.stopped {
		return 0
	}
	if !f.check { // what was left out may be as good as that
		h.best = max(h.best, stand+int(f.missed)+s.tuning.deltaMargin)
	}
	if known.depth() == 0 {
		s.table.put(f.pos.Key(), h.move, toTable(h.best, ply), f.rawOrNone(), 0, h.kind)
	}
	return h.best
}

// harvest is what the moves of a position have brought so far, as its captures are searched.
type harvest struct {
	alpha, beta, best int
	move              rules.Move
	kind              bound
}

// gather searches the position after a move that was played. It reports whether no other move need be looked at.
func (s *Search) gather(ply, left int, h *harvest, m rules.Move) (over bool) {
	s.follow(ply, m)
	score := -s.quiesce(ply+1, -h.beta, -h.alpha, left-1)
	if s.stopped {
		return true
	}
	if h.best = max(h.best, score); score <= h.alpha {
		return false
	}
	h.alpha, h.move, h.kind = score, m, exact
	f := &s.frames[ply]
	f.line = append(append(f.line[:0], m), s.frames[ply+1].line...)
	if score >= h.beta {
		h.kind = atLeast
		return true
	}
	return false
}

// quietChecks searches the first few quiet moves that give check and lose no exchange.
func (s *Search) quietChecks(ply, left int, h *harvest) {
	f := &s.frames[ply]
	most := s.tuning.quietChecks
	if most == 0 {
		return
	}
	f.moves = f.pos.AppendMoves(f.moves[:0])
	for _, m := range f.moves {
		if most == 0 {
			return
		}
		if !isQuiet(m) || !f.mayCheck(m) || exchangeLoss(&f.pos, m) < 0 {
			continue
		}
		if next := s.play(ply, m); !next.check {
			continue
		}
		if most--; s.gather(ply, left, h, m) {
			return
		}
	}
}
