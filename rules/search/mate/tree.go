// SPDX-License-Identifier: Apache-2.0

package mate

import "boardd/rules"

// mates reports whether the side to move mates in n moves or fewer.
func (s *Solver) mates(at, n int) bool {
	p := &s.ply[at].pos
	if s.count() || n <= 0 || p.HalfMoves() >= tooLong {
		return false
	}
	if n == 1 {
		return s.matesAtOnce(at)
	}
	yes, sure, first := s.lookUp(p.Key(), n)
	if sure {
		return yes
	}
	f := &s.ply[at]
	f.moves = p.AppendMoves(f.moves[:0])
	s.orderAttacks(at, first)
	for i := range f.moves {
		m := f.next(i)
		next := &s.ply[at+1].pos
		*next = *p
		next.Play(m)
		if s.mated(at+1, n-1) && !s.stopped {
			s.store(p.Key(), n, true, m)
			return true
		}
	}
	s.store(p.Key(), n, false, rules.NoMove)
	return false
}

// matesAtOnce reports whether a move mates.
func (s *Solver) matesAtOnce(at int) bool {
	f, next := &s.ply[at], &s.ply[at+1].pos
	f.moves = f.pos.AppendMoves(f.moves[:0])
	for _, m := range f.moves {
		*next = f.pos
		next.Play(m)
		if next.InCheck() && next.CountMoves() == 0 {
			return true
		}
	}
	return false
}

// mated reports whether the side to move, the defender, is mated in n more moves of the attacker whatever it plays.
// With n = 0 it reports whether the defender is mated now.
func (s *Solver) mated(at, n int) bool {
	p := &s.ply[at].pos
	if s.count() {
		return false
	}
	if n == 0 {
		return p.InCheck() && p.CountMoves() == 0
	}
	key := p.Key() ^ defends
	yes, sure, first := s.lookUp(key, n)
	if sure {
		return yes
	}
	f := &s.ply[at]
	f.moves = p.AppendMoves(f.moves[:0])
	if len(f.moves) == 0 {
		return p.InCheck()
	}
	if p.HalfMoves() >= tooLong {
		return false
	}
	f.orderAnswers(first)
	for i := range f.moves {
		m := f.next(i)
		next := &s.ply[at+1].pos
		*next = *p
		next.Play(m)
		if !s.mates(at+1, n) {
			s.store(key, n, false, m)
			return false
		}
	}
	s.store(key, n, true, rules.NoMove)
	return true
}

// orderAttacks puts the tries with the fewest answers first, checks before others.
func (s *Solver) orderAttacks(at int, first rules.Move) {
	f, next := &s.ply[at], &s.ply[at+1].pos
	f.order = f.order[:0]
	for _, m := range f.moves {
		*next = f.pos
		next.Play(m)
		rank := -int32(next.CountMoves())
		if next.InCheck() {
			rank += 1000
		}
		if m == first {
			rank = 1 << 20
		}
		f.order = append(f.order, rank)
	}
}

// orderAnswers puts the answer that helped before first, then captures.
func (f *ply) orderAnswers(first rules.Move) {
	f.order = f.order[:0]
	for _, m := range f.moves {
		var rank int32
		switch {
		case m == first:
			rank = 2
		case m.IsCapture():
			rank = 1
		}
		f.order = append(f.order, rank)
	}
}

// next brings the best of the moves from the i-th on to the i-th place and returns it.
func (f *ply) next(i int) rules.Move {
	best := i
	for j := i + 1; j < len(f.order); j++ {
		if f.order[j] > f.order[best] {
			best = j
		}
	}
	f.moves[i], f.moves[best] = f.moves[best], f.moves[i]
	f.order[i], f.order[best] = f.order[best], f.order[i]
	return f.moves[i]
}
