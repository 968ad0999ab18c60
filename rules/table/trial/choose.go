// SPDX-License-Identifier: Apache-2.0

package trial

import (
	"boardd/rules"
	"boardd/rules/table/trial/physics"
	"boardd/sensing/wood"
)

// choose draws a legal move, captures and stacks before others; there is none when the game is over or no move can
// be judged.
func (g *game) choose() (rules.Move, bool) {
	p := g.now()
	var moves []rules.Move
	var worth []int
	total := 0
	for _, m := range p.AppendMoves(nil) {
		if !g.fits(p, m) {
			continue
		}
		w := 1
		switch {
		case m.IsCastling() || m.IsEnPassant():
			w = 20
		case m.IsMarked() || m.Count() > 0 || m.FromAir() != m.ToAir():
			w = 4
		case m.IsCapture():
			w = 5
		case m.Promotion() != rules.NoKind:
			w = 3
		}
		moves, worth, total = append(moves, m), append(worth, w), total+w
	}
	if total == 0 {
		return rules.NoMove, false
	}
	at := g.dice.IntN(total)
	for i, w := range worth {
		if at -= w; at < 0 {
			return moves[i], true
		}
	}
	return rules.NoMove, false
}

// fits reports whether a move can be judged. It must not look like another message of the wood: moves taken back, the
// array set up again, or both kings in the centre. And it must have room under the upper deck.
func (g *game) fits(p *rules.Position, m rules.Move) bool {
	after := *p
	after.Play(m)
	if centre.Has(after.KingSquare(rules.White)) && centre.Has(after.KingSquare(rules.Black)) {
		return false
	}
	lies := g.geometry.Lay(&after)
	if g.Board == physics.Twin {
		for _, pile := range lies {
			if len(pile) > highest {
				return false
			}
		}
	}
	return !g.earlier(&lies)
}

// centre is d4, e4, d5 and e5.
const centre rules.Bitboard = 1<<27 | 1<<28 | 1<<35 | 1<<36

// earlier reports whether the wood stood so before, as far back as it can take moves back, or at the start.
func (g *game) earlier(w *wood.Wood) bool {
	for i := max(0, len(g.places)-lookBack); i < len(g.places); i++ {
		if then := g.geometry.Lay(&g.places[i]); then == *w {
			return true
		}
	}
	start := g.Game.Start()
	array := g.geometry.Lay(&start)
	return array == *w
}
