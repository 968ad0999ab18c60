// SPDX-License-Identifier: Apache-2.0

package search

import "boardd/rules"

// What a search learns while it goes on: which quiet moves refute positions, by themselves (history) and after the
// moves before them (answers), and by how much the estimate is wrong with given pawns (drift).
const (
	trails      = 12 * 64 // the kinds of both sides on all squares
	drifts      = 1 << 14
	driftUnit   = 256 // a hundredth of a pawn
	mostDrift   = 200 // hundredths of a pawn
	mostHistory = 1 << 14
)

// trail numbers what a move moves, and where to; 0 is no move: no pawn of White arrives on a1.
func trail(p *rules.Position, m rules.Move) uint16 {
	return uint16((int(p.Turn())*6+int(p.Mover(m))-1)*64 + int(m.To()))
}

// trailed is what was good after the move that led to a ply, and after the one before that.
func (s *Search) trailed(ply int) (last, before *[trails / 2]int16) {
	return &s.answers[s.frames[ply].moved], &s.answers[s.frames[max(ply-1, 0)].moved]
}

// praise notes that the i-th move, a quiet one, refuted the position, and that the quiet ones before it did not, or
// were left out.
func (s *Search) praise(ply, i int, m rules.Move, depth int) {
	f := &s.frames[ply]
	if f.killers[0] != m {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	bonus := int32(min(16*depth*depth, 1200))
	history := &s.history[f.pos.Turn()]
	last, before := s.trailed(ply)
	adjust := func(m rules.Move, by int32) {
		t := trail(&f.pos, m) % (trails / 2)
		for _, h := range [...]*int16{&history[m.From()&63][m.To()&63], &last[t], &before[t]} {
			*h += int16(by - int32(*h)*max(by, -by)/mostHistory)
		}
	}
	adjust(m, bonus)
	for _, p := range f.picks[:i] {
		if other := p.move(); calm(other) {
			adjust(other, -bonus)
		}
	}
}

// estimate evaluates a position, and corrects that by what searches of positions with the same pawns found.
func (s *Search) estimate(f *frame) int {
	f.raw = s.eval.Score(&f.sums, &f.pos)
	return f.raw + int(*s.driftOf(f))/driftUnit
}

func (s *Search) driftOf(f *frame) *int32 { return &s.drift[f.pos.Turn()][f.pos.PawnKey()%drifts] }

// correct learns from what a search of the position found how wrong its estimate was. Where the best move captures,
// the estimate was of a position in the midst of an exchange, and a bound on the side where the estimate lies says
// nothing.
func (s *Search) correct(f *frame, best, depth int, kind bound, move rules.Move) {
	if f.check || best > sureMate || best < -sureMate || move != rules.NoMove && !calm(move) ||
		kind == atMost && best >= f.static || kind == atLeast && best <= f.static {
		return
	}
	drift := s.driftOf(f)
	wrong := max(-mostDrift, min(best-f.raw, mostDrift)) * driftUnit
	*drift += (int32(wrong) - *drift) * int32(min(depth+1, 16)) / 256
}
