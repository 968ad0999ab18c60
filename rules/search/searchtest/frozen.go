// SPDX-License-Identifier: Apache-2.0

package searchtest

import (
	"slices"

	"boardd/rules"
)

// Frozen searches a number of nodes a move. It has iterative deepening, principal variation search, table, killers,
// history, late moves one ply less deep, six plies of captures. It implements match.Player. It shares no code with
// package search.
type Frozen struct {
	nodes   int
	left    int
	table   map[uint64]known
	killers [80][2]rules.Move
	history [64][64]int
	keys    []uint64
}

type known struct {
	move         rules.Move
	score, depth int
	bound        int // -1 at most, 0 exact, 1 at least
}

const (
	won     = 30000
	deepest = 60
)

// NewFrozen is the yardstick at this many nodes a move.
func NewFrozen(nodes int) *Frozen { return &Frozen{nodes: nodes} }

// Choose searches the position, from nothing.
func (f *Frozen) Choose(p rules.Position, past []uint64) (rules.Move, int) {
	f.left, f.table, f.history = f.nodes, map[uint64]known{}, [64][64]int{}
	f.killers = [80][2]rules.Move{}
	f.keys = append(f.keys[:0], past...)
	var best rules.Move
	score := 0
	for depth := 1; depth <= deepest && f.left > 0; depth++ {
		m, s := f.root(&p, depth)
		if f.left > 0 || best == rules.NoMove {
			best, score = m, s
		}
	}
	return best, score
}

func (f *Frozen) root(p *rules.Position, depth int) (rules.Move, int) {
	moves := f.sorted(p, p.AppendMoves(nil), f.table[p.Key()].move, 0)
	best, score := moves[0], -won
	f.keys = append(f.keys, p.Key())
	for _, m := range moves {
		q := *p
		q.Play(m)
		if s := -f.search(&q, 1, depth-1, -won, -score); s > score && f.left > 0 {
			best, score = m, s
		}
	}
	f.keys = f.keys[:len(f.keys)-1]
	if f.left > 0 {
		f.table[p.Key()] = known{best, score, depth, 0}
	}
	return best, score
}

func (f *Frozen) search(p *rules.Position, ply, depth, alpha, beta int) int {
	check := p.InCheck()
	if check && ply < deepest {
		depth++
	}
	if depth <= 0 || ply >= deepest {
		return f.captures(p, ply, alpha, beta, 6)
	}
	if f.left--; f.left <= 0 {
		return 0
	}
	if slices.Contains(f.keys[max(0, len(f.keys)-p.HalfMoves()):], p.Key()) || p.HalfMoves() >= 100 &&
		p.CountMoves() > 0 {
		return 0
	}
	k, ok := f.table[p.Key()]
	if ok && k.depth >= depth && (k.bound == 0 || k.bound > 0 && k.score >= beta || k.bound < 0 && k.score <= alpha) {
		return k.score
	}
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		if check {
			return ply - won
		}
		return 0
	}
	f.keys = append(f.keys, p.Key())
	best, kept, bound := -won, rules.NoMove, -1
	for i, m := range f.sorted(p, moves, k.move, ply) {
		q := *p
		q.Play(m)
		quiet := !m.IsCapture() && m.Promotion() == rules.NoKind
		s := 0
		if i == 0 {
			s = -f.search(&q, ply+1, depth-1, -beta, -alpha)
		} else {
			less := 0
			if i >= 4 && depth >= 3 && quiet && !check {
				less = 1
			}
			s = -f.search(&q, ply+1, depth-1-less, -alpha-1, -alpha)
			if s > alpha && (less > 0 || s < beta) {
				s = -f.search(&q, ply+1, depth-1, -beta, -alpha)
			}
		}
		if s <= best {
			continue
		}
		best = s
		if s > alpha {
			alpha, kept, bound = s, m, 0
		}
		if s >= beta {
			bound = 1
			if quiet {
				f.history[m.From()][m.To()] += depth * depth
				f.killers[ply] = [2]rules.Move{m, f.killers[ply][0]}
			}
			break
		}
	}
	f.keys = f.keys[:len(f.keys)-1]
	if f.left > 0 {
		f.table[p.Key()] = known{kept, best, depth, bound}
	}
	return best
}

func (f *Frozen) captures(p *rules.Position, ply, alpha, beta, left int) int {
	if f.left--; f.left <= 0 {
		return 0
	}
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		if p.InCheck() {
			return ply - won
		}
		return 0
	}
	best := Material(p)
	if best >= beta || left == 0 {
		return best
	}
	alpha = max(alpha, best)
	moves = slices.DeleteFunc(moves, func(m rules.Move) bool { return !m.IsCapture() })
	for _, m := range f.sorted(p, moves, 0, ply) {
		q := *p
		q.Play(m)
		if s := -f.captures(&q, ply+1, -beta, -alpha, left-1); s > best {
			best, alpha = s, max(alpha, s)
			if s >= beta {
				break
			}
		}
	}
	return best
}

// sorted orders the moves: the known one, captures by victim, killers, history.
func (f *Frozen) sorted(p *rules.Position, moves []rules.Move, first rules.Move, ply int) []rules.Move {
	value := func(m rules.Move) int {
		switch {
		case m == first:
			return 1 << 40
		case m.IsCapture() || m.Promotion() != rules.NoKind:
			v := 0
			for _, pc := range p.AppendStack(nil, m.To()) {
				v = max(v, worth[pc.Kind()])
			}
			return 1<<30 + v + worth[m.Promotion()]
		case m == f.killers[ply][0] || m == f.killers[ply][1]:
			return 1 << 29
		}
		return f.history[m.From()][m.To()]
	}
	slices.SortFunc(moves, func(a, b rules.Move) int {
		if d := value(b) - value(a); d != 0 {
			return d
		}
		return int(a) - int(b)
	})
	return moves
}

var worth = [8]int{rules.Pawn: 100, rules.Knight: 300, rules.Bishop: 300, rules.Rook: 500, rules.Queen: 900}

// Material is what the side to move has more than its opponent, in hundredths of a pawn. A piece buried, or locked
// under an enemy, counts a third.
func Material(p *rules.Position) int {
	sum := 0
	game := p.Variant().ID()
	for s := range p.Occupied().Squares() {
		stack := p.AppendStack(nil, s)
		top := stack[len(stack)-1]
		for i, pc := range stack {
			w := worth[pc.Kind()]
			if i < len(stack)-1 && game != "flying" && (game == "meirav" || game == "pillar" || game == "pillar-liberal" ||
				pc.Color() != top.Color()) {
				w /= 3
			}
			if pc.Color() != p.Turn() {
				w = -w
			}
			sum += w
		}
	}
	return sum
}
