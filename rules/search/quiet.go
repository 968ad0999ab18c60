// SPDX-License-Identifier: Apache-2.0

package search

// quiet scores a position by its captures alone, until none is worth while or left plies are over. The side to move
// may always stand as it is, unless it is in check: then every answer is looked at. The limit is what lets the search
// end: in Meirav and Pillar Chess what is taken stays on the board and is taken again.
func (s *Search) quiet(ply, alpha, beta, left int) int {
	f := &s.frames[ply]
	f.line = f.line[:0]
	if s.count(ply); s.out {
		return 0
	}
	if left <= 0 || ply >= maxPly {
		if f.check && f.pos.CountMoves() == 0 {
			return ply - mate
		}
		return s.eval.Score(&f.sums, &f.pos)
	}
	best, stand := ply-mate, -infinite
	if f.check {
		f.moves = f.pos.AppendMoves(f.moves[:0])
	} else {
		stand = s.eval.Score(&f.sums, &f.pos)
		if best = stand; best >= beta {
			return best
		}
		alpha = max(alpha, best)
		f.moves = f.pos.AppendTactics(f.moves[:0])
	}
	s.rank(f, 0)
	for i := range f.moves {
		m := f.next(i)
		if !f.check && stand+int(gain(&f.pos, m))+deltaMargin <= alpha {
			continue
		}
		if !f.check && f.ranks[i] < 0 { // it loses the exchange, and so do all that come after it
			break
		}
		next := s.play(ply, m)
		score := -s.quiet(ply+1, -beta, -alpha, left-1)
		if s.out {
			return 0
		}
		if score <= best {
			continue
		}
		best = score
		if score > alpha {
			alpha = score
			f.line = append(append(f.line[:0], m), next.line...)
			if score >= beta {
				break
			}
		}
	}
	return best
}
