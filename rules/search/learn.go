// SPDX-License-Identifier: Apache-2.0

package search

import "boardd/rules"

// What a search learns while it goes on, and keeps for the next one of the game. It learns which quiet moves refute
// positions: by themselves (history) and after the moves before them (continuation history). It learns by how much the
// estimate is wrong with given pawns (correction history).
const (
	continuations  = 12 * 64 // the kinds of both sides on all squares
	correctionSize = 1 << 14
	correctionUnit = 256 // a hundredth of a pawn
	maxCorrection  = 200 // hundredths of a pawn
	maxHistory     = 1 << 14
)

// continuationIndex numbers the piece of a move and its square of arrival. 0 is no move, because no pawn of White
// arrives on a1.
func continuationIndex(p *rules.Position, m rules.Move) uint16 {
	return uint16((int(p.Turn())*6+int(p.Mover(m))-1)*64 + int(m.To()))
}

// continuationHistory is how good moves were after the move that led to a ply, and after the one before that.
func (s *Search) continuationHistory(ply int) (last, before *[continuations / 2]int16) {
	return &s.continuation[s.frames[ply].moved], &s.continuation[s.frames[max(ply-1, 0)].moved]
}

// updateHistory notes that the i-th move, a quiet one, refuted the position. The quiet ones before it did not, or were
// pruned.
func (s *Search) updateHistory(ply, i int, m rules.Move, depth int) {
	f := &s.frames[ply]
	if f.killers[0] != m {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	bonus := s.bonus(s.tuning.historyBonus, depth)
	s.adjustHistory(ply, m, bonus)
	for _, p := range f.picks[:i] {
		if other := p.move(); isQuiet(other) {
			s.adjustHistory(ply, other, -bonus)
		}
	}
}

// refuted notes that the table's move refutes the position once more.
func (s *Search) refuted(b *branch, m rules.Move) {
	if s.tuning.tableBonus > 0 && m != rules.NoMove && isQuiet(m) {
		s.adjustHistory(b.ply, m, s.bonus(s.tuning.tableBonus, b.depth))
	}
}

// bonus is what a refutation at a depth adds to the history of a move.
func (s *Search) bonus(factor, depth int) int32 {
	return int32(min(factor*depth*depth, s.tuning.mostBonus))
}

// adjustHistory adds to all histories of a quiet move of a ply, the less the nearer they are to the greatest.
func (s *Search) adjustHistory(ply int, m rules.Move, by int32) {
	f := &s.frames[ply]
	last, before := s.continuationHistory(ply)
	t := continuationIndex(&f.pos, m) % (continuations / 2)
	for _, h := range [...]*int16{&s.history[f.pos.Turn()&1][m.From()&63][m.To()&63], &last[t], &before[t]} {
		*h += int16(by - int32(*h)*max(by, -by)/maxHistory)
	}
}

// fade halves what was learnt of moves, before the next search. Much of it still holds in a position two plies later.
// At its full weight it would outweigh what that search learns.
func (s *Search) fade() {
	for i := range s.history {
		for j := range s.history[i] {
			halve(s.history[i][j][:])
		}
	}
	for i := range s.continuation {
		halve(s.continuation[i][:])
	}
}

func halve(list []int16) {
	for i := range list {
		list[i] /= 2
	}
}

// estimate evaluates a position, and corrects that by what searches of positions with the same pawns found.
func (s *Search) estimate(f *frame) int {
	f.raw = s.eval.Score(&f.sums, &f.pos)
	return s.corrected(f)
}

// corrected is the evaluation of a position, which was made before, with its correction.
func (s *Search) corrected(f *frame) int { return f.raw + int(*s.correctionOf(f))/correctionUnit }

// estimateAt is the estimate of the position of a ply, which is not in check. It evaluates only what the table does
// not know.
func (s *Search) estimateAt(ply int, known *entry) int {
	raw, ok := known.raw()
	if !ok {
		return s.estimate(s.sum(ply))
	}
	f := &s.frames[ply]
	f.raw = raw
	return s.corrected(f)
}

func (s *Search) correctionOf(f *frame) *int32 {
	return &s.corrections[f.pos.Turn()][f.pos.PawnKey()%correctionSize]
}

// correct learns from what a search of the position found how wrong its estimate was. It learns nothing where the best
// move captures, because the estimate was then of a position in the midst of an exchange. Nor does it where the score
// is a bound on the side on which the estimate lies.
func (s *Search) correct(f *frame, best, depth int, kind bound, move rules.Move) {
	if f.check || best > sureMate || best < -sureMate || move != rules.NoMove && !isQuiet(move) ||
		kind == atMost && best >= f.static || kind == atLeast && best <= f.static {
		return
	}
	drift := s.correctionOf(f)
	wrong := max(-maxCorrection, min(best-f.raw, maxCorrection)) * correctionUnit
	*drift += (int32(wrong) - *drift) * int32(min(depth+1, 16)) / 256
}

// rawOrNone is what the table keeps of the evaluation.
func (f *frame) rawOrNone() int {
	if f.check {
		return unevaluated
	}
	return f.raw
}
