// SPDX-License-Identifier: Apache-2.0

package mate

import (
	"cmp"
	"slices"

	"boardd/rules"
)

// Most is the greatest number of moves that a Solver is asked for.
const Most = 60

// Mate is a first move and in how many moves of the attacker it mates at the shortest, itself counted.
type Mate struct {
	Move rules.Move
	In   int
}

// Solver proves mates. It keeps what it found from one question to the next.
type Solver struct {
	// Stop, if not nil, is asked about every thousand positions; once it says true, answers are not valid (see Mates).
	Stop    func() bool
	Nodes   uint64 // positions looked at so far
	table   []tableEntry
	variant *rules.Variant
	ply     [2*Most + 2]ply
	counts  bool // the seventy-five moves may run out, so what is known of a position does not hold at another count
	stopped bool
}

// ply is what is kept of one ply of the line that is looked at.
type ply struct {
	pos   rules.Position
	moves []rules.Move
	order []int32
}

// tableEntry is what is known of a position: in how many moves the attacker surely mates, and in how many surely not.
// It has the move that did it or, for the defender, prevented it.
type tableEntry struct {
	key     uint64
	move    rules.Move
	yes, no uint8 // yes is 0 if no mate is known
}

// New is a solver with a table of about that many bytes.
func New(bytes int) *Solver {
	n := 1 << 10
	for n*2*16 <= bytes {
		n *= 2
	}
	return &Solver{table: make([]tableEntry, n)}
}

// Mates returns each first move that mates in n moves or fewer, the quickest first, then by coordinate form. Whole is
// false if the solver was stopped; what it returns then is proven but may not be all.
func (s *Solver) Mates(p rules.Position, n int) (found []Mate, whole bool) {
	s.begin(&p, n)
	moves := p.AppendMoves(nil)
	for in := 1; in <= n && !s.stopped; in++ {
		moves = slices.DeleteFunc(moves, func(m rules.Move) bool {
			next := &s.ply[1].pos
			*next = p
			next.Play(m)
			if s.stopped || !s.mated(1, in-1) || s.stopped {
				return false
			}
			found = append(found, Mate{m, in})
			return true
		})
	}
	slices.SortFunc(found, func(a, b Mate) int {
		return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(p.Coord(a.Move), p.Coord(b.Move)))
	})
	return found, !s.stopped
}

// MateIn returns the smallest number of moves in which the side to move mates, at most n; 0 if it does not.
func (s *Solver) MateIn(p rules.Position, n int) (in int, whole bool) {
	s.begin(&p, n)
	s.ply[0].pos = p
	for in := 1; in <= n; in++ {
		if s.mates(0, in) && !s.stopped {
			return in, true
		}
	}
	return 0, !s.stopped
}

// Defence is the best move of the side to move, if its opponent wants to mate in n moves. It is one after which there
// is no such mate, and in is 0 then. If there is none, it is the one that holds out longest, and in is how many moves
// the mate then takes. Wish is tried first, if it is legal. Whole is false if the solver was stopped. Then nothing is
// proven.
func (s *Solver) Defence(p rules.Position, n int, wish rules.Move) (m rules.Move, in int, whole bool) {
	s.begin(&p, n)
	moves := p.AppendMoves(nil)
	if i := slices.Index(moves, wish); i > 0 {
		moves[0], moves[i] = moves[i], moves[0]
	}
	for _, answer := range moves {
		s.ply[1].pos = p
		s.ply[1].pos.Play(answer)
		k := 1
		for k <= n && !s.stopped && !s.mates(1, k) {
			k++
		}
		switch {
		case s.stopped:
			return rules.NoMove, 0, false
		case k > n:
			return answer, 0, true
		case k > in:
			m, in = answer, k
		}
	}
	return m, in, true
}

// Line is the best play of both sides for a mate in n moves at most. The attacker mates as soon as possible, and
// the defender holds out as long as possible. It is empty if there is no such mate.
func (s *Solver) Line(p rules.Position, n int) (line []rules.Move) {
	in, whole := s.MateIn(p, n)
	for ; in > 0 && whole; in-- {
		found, _ := s.Mates(p, in)
		if len(found) == 0 {
			return nil
		}
		line = append(line, found[0].Move)
		p.Play(found[0].Move)
		best, longest := rules.NoMove, -1
		for _, m := range p.AppendMoves(nil) {
			q := p
			q.Play(m)
			if k, _ := s.MateIn(q, in-1); k > longest {
				best, longest = m, k
			}
		}
		if best == rules.NoMove {
			return line
		}
		line = append(line, best)
		p.Play(best)
		in = longest + 1
	}
	return line
}

func (s *Solver) begin(p *rules.Position, n int) {
	s.stopped = false
	s.counts = p.HalfMoves()+2*n >= tooLong
	if s.variant != p.Variant() {
		s.variant = p.Variant()
		clear(s.table)
	}
}

// tooLong is the count of half-moves without progress at which a game that was not won by the last move is drawn
// (RULES 8).
const tooLong = 150

// count counts a position and reports whether the solver must end.
func (s *Solver) count() bool {
	if s.Nodes++; s.Nodes&1023 == 0 && s.Stop != nil && s.Stop() {
		s.stopped = true
	}
	return s.stopped
}

// defends tells the positions in which the defender is to move from those in which the attacker is, should one be
// both.
const defends = 0x5bd1e995973a1fd7

// entry is where what is known of a position stands or would stand.
func (s *Solver) entry(key uint64) *tableEntry { return &s.table[key&uint64(len(s.table)-1)] }

// store writes down whether there is a mate in n, and the move that shows it.
func (s *Solver) store(key uint64, n int, yes bool, m rules.Move) {
	if s.stopped || s.counts {
		return
	}
	f := s.entry(key)
	if f.key != key {
		*f = tableEntry{key: key}
	}
	f.move = m
	if yes {
		f.yes = uint8(n)
	} else {
		f.no = max(f.no, uint8(n))
	}
}

// lookUp is what the table says: whether there is a mate in n, if it can tell, and the move to try first.
func (s *Solver) lookUp(key uint64, n int) (yes, sure bool, first rules.Move) {
	f := s.entry(key)
	switch {
	case s.counts || f.key != key:
		return false, false, rules.NoMove
	case f.yes != 0 && int(f.yes) <= n:
		return true, true, f.move
	case int(f.no) >= n:
		return false, true, f.move
	}
	return false, false, f.move
}
