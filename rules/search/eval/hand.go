// SPDX-License-Identifier: Apache-2.0

package eval

import "boardd/rules"

// The hand-made estimate: what a piece is worth, with how much of it in each role, and how well it stands. It keeps
// three numbers of a row: the middle game's worth, the endgame's, and how much play is left. They stand where a
// network has those of the phases. There are no hidden units.
const (
	middleWorth = iota
	endWorth
	playLeft
)

// worth is the value of a kind, in hundredths of a pawn. Assumed; the usual values of orthodox chess.
var worth = [7]int{rules.Pawn: 100, rules.Knight: 320, rules.Bishop: 330, rules.Rook: 500, rules.Queen: 950}

// share is how much of its worth a piece keeps in each role, in hundredths. A buried piece counts a third. Counting it
// in full made captures look like losses of nothing, counting it not at all like wins of everything. Assumed.
var share = map[string][4]int{
	"chess":          {single: 100, above: 100, ownOver: 100, enemyOver: 100},
	"locking":        {single: 100, above: 105, ownOver: 85, enemyOver: 33},
	"meirav":         {single: 100, above: 33},
	"pillar":         {single: 100, above: 60, ownOver: 33, enemyOver: 15},
	"pillar-liberal": {single: 100, above: 60, ownOver: 33, enemyOver: 15},
	"superchess":     {single: 100, above: 110, ownOver: 100, enemyOver: 33},
	"flying":         {single: 100, above: 105},
}

// left is how much a kind counts towards the play that is left, of fullPlay.
var left = [7]int{rules.Knight: 1, rules.Bishop: 1, rules.Rook: 2, rules.Queen: 4}

const fullPlay = 24

// Handcrafted is the hand-made estimate of a game.
func Handcrafted(v *rules.Variant) *Eval {
	return linear(v, func(role int, k rules.Kind, s rules.Square) (middle, end, play int) {
		part := share[v.ID()][role]
		middle, end = place(k, s)
		if role != single && readerOf(v) != readChess {
			middle, end = middle/3, end/3
		}
		return worth[k]*part/100 + middle, worth[k]*part/100 + end, left[k]
	})
}

// Material is worth alone, of pieces that stand in the open; a piece buried or locked under an enemy counts a third.
func Material(v *rules.Variant) *Eval {
	return linear(v, func(role int, k rules.Kind, _ rules.Square) (middle, end, play int) {
		w := worth[k]
		if share[v.ID()][role] < 50 {
			w /= 3
		}
		return w, w, left[k]
	})
}

// linear is an evaluation that adds up the values of White's pieces, and subtracts those of Black's. The value of each
// depends on its role, its kind, and its square as its own side sees it.
func linear(v *rules.Variant, value func(role int, k rules.Kind, s rules.Square) (middle, end, play int)) *Eval {
	e := newEval(v, 0)
	e.handcrafted = true
	for role := range Roles(v) {
		for k := rules.Pawn; k <= rules.King; k++ {
			for s := range rules.NoSquare {
				middle, end, play := value(role, k, s)
				own := [Row]int16{Hidden + middleWorth: int16(middle), Hidden + endWorth: int16(end),
					Hidden + playLeft: int16(play)}
				enemy := own
				enemy[Hidden+middleWorth], enemy[Hidden+endWorth] = int16(-middle), int16(-end)
				in := newFeature(role, rules.NewPiece(rules.White, k), s)
				e.setRow(in, pack(&own))
				e.setRow(in.Turned(), pack(&enemy))
			}
		}
	}
	e.pieceSquares = newPieceSquareTables(e)
	return e
}

func scoreHandcrafted(s *Accumulator, p *rules.Position) int {
	v := &s.views[p.Turn()]
	return v.worth(v.phase(playLeft)) + 10
}

// worth is what a hand-made row says if so much play is left.
func (r *row) worth(play int) int {
	play = min(play, fullPlay)
	return (r.phase(middleWorth)*play + r.phase(endWorth)*(fullPlay-play)) / fullPlay
}

// place is how well a piece of White stands on a square in the middle game and in the endgame, in hundredths of a
// pawn. Knights and bishops belong in the centre, pawns forward, rooks on the seventh rank, kings at home and later
// out.
func place(k rules.Kind, s rules.Square) (middle, end int) {
	file, rank := s.File(), s.Rank()
	centre := min(file, 7-file) + min(rank, 7-rank) // 0 in the corners to 6 in the middle
	switch k {
	case rules.Pawn:
		return 4*rank + 4*min(file, 7-file)*min(rank, 4)/2 - 8, 9*rank - 12
	case rules.Knight:
		return 9*centre - 30, 6*centre - 20
	case rules.Bishop:
		return 6*centre - 16, 4*centre - 12
	case rules.Rook:
		if rank == 6 {
			return 16, 14
		}
		return 3*min(file, 7-file) - 4, 0
	case rules.Queen:
		return 2*centre - 6, 5*centre - 15
	case rules.King:
		middle = -14 * min(rank, 4)
		if rank == 0 && (file <= 2 || file == 6) {
			middle += 22
		}
		return middle, 9*centre - 27
	}
	return 0, 0
}

// InitialWeights is a network that says what the hand-made estimate says: its hidden units are idle. Training begins
// with it.
func InitialWeights(v *rules.Variant) *Weights {
	w := &Weights{Game: GameOf(v), Units: Hidden, Rows: make([][Row]int16, FeatureCount(v))}
	e := Handcrafted(v)
	for i := range w.Rows {
		r := e.row(Feature(i))
		for stage := range Phases {
			w.Rows[i][Hidden+stage] = int16(r.worth((stage + 1) * fullPlay / Phases))
		}
	}
	return w
}
