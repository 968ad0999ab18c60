// SPDX-License-Identifier: Apache-2.0

package search

import "boardd/rules"

// quiesce scores a position by its captures alone, until none is worth while or left plies are over. The side to move
// may always stand as it is, unless it is in check: then every answer is looked at. The limit is what lets the search
// end: in Meirav and Pillar Chess what is taken stays on the board and is taken again.
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
	best, stand, move, kind := ply-mate, -infinite, rules.NoMove, atMost
	if f.check {
		f.lead(known.move())
	} else {
		stand = sharpen(s.estimateAt(ply, &known), &known, ply)
		if best = stand; best >= beta {
			return best
		}
		alpha = max(alpha, best)
		f.leadTactics(known.move(), alpha-stand-s.tuning.deltaMargin)
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
			if won := gain(&f.pos, m); stand+int(won)+s.tuning.deltaMargin <= alpha {
				f.missed = max(f.missed, won)
				continue
			}
		}
		next := s.play(ply, m)
		s.follow(ply, m)
		score := -s.quiesce(ply+1, -beta, -alpha, left-1)
		if s.stopped {
			return 0
		}
		if score <= best {
			continue
		}
		best = score
		if score > alpha {
			alpha, move, kind = score, m, exact
			f.line = append(append(f.line[:0], m), next.line...)
			if score >= beta {
				kind = atLeast
				break
			}
		}
	}
	if !f.check { // what was left out may be as good as that
		best = max(best, stand+int(f.missed)+s.tuning.deltaMargin)
	}
	if known.depth() == 0 {
		s.table.put(f.pos.Key(), move, toTable(best, ply), f.rawOrNone(), 0, kind)
	}
	return best
}
