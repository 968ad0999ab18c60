// SPDX-License-Identifier: Apache-2.0

package page

import (
	"strings"

	"boardd/hardware/virtual/hands"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
	"boardd/sync/web"
	"boardd/sync/wire"
)

// Ways lists the moves that may be meant when a hand lets go, of those that the wood has yet to show. They are moves
// of another board that have to be copied, or legal moves. The wood may be ahead of what the board has recognised
// until now. If the other hand holds something, there are none: the hand only lets go.
func (h Hands) Ways(g *wire.Game, left bool, d sensing.Deck, s rules.Square) ([]web.Way, error) {
	if h.Geometry == nil || len(h.Holds(!left)) > 0 {
		return nil, nil
	}
	v, err := rules.ByID(g.Variant)
	if err != nil {
		return nil, err
	}
	p, err := v.ParseFEN(g.Start)
	if err != nil {
		return nil, err
	}
	now, held, at := h.Wood(), wood.Pile(h.Holds(left)), wood.PlaceAt(d, s)
	for i := 0; ; i++ {
		moves := p.AppendMoves(nil)
		if i < len(g.Moves) {
			m, err := p.ParseMove(g.Moves[i])
			if err != nil {
				return nil, err
			}
			moves = []rules.Move{m}
		} else if g.Outcome != "" {
			return nil, nil
		}
		if i >= g.Wood.Ply || i == len(g.Moves) {
			if ways := hands.Drop(h.Geometry, &p, moves, &now, held, at); ways != nil {
				return told(&p, ways, now[at], left), nil
			}
		}
		if i == len(g.Moves) {
			return nil, nil
		}
		p.Play(moves[0])
	}
}

func told(p *rules.Position, ways []hands.Way, there wood.Pile, left bool) (list []web.Way) {
	for _, w := range ways {
		list = append(list, way(p, &w, there, left))
	}
	return list
}

// way is a way in the form of the page. there is the pile on which the piece is dropped.
func way(p *rules.Position, w *hands.Way, there wood.Pile, left bool) web.Way {
	out := web.Way{Pile: letters(w.Stands), Taken: []string{}}
	if w.Move != rules.NoMove {
		out.Move, out.SAN, out.Taken = p.Coord(w.Move), p.SAN(w.Move), taken(p, w.Move)
		out.Keeps = there != "" && len(out.Taken) < len(there)
	}
	if k := w.Move.Promotion(); k != rules.NoKind {
		out.Become = string(rules.NewPiece(p.Turn(), k).Letter())
	}
	for _, a := range w.Acts {
		out.Deeds = append(out.Deeds, deed(&a, left))
	}
	return out
}

// taken is what a move takes off the board. A pawn that is promoted is not taken.
func taken(p *rules.Position, m rules.Move) []string {
	after, list := *p, []string{}
	after.Play(m)
	before, then := material(p), material(&after)
	for _, c := range "QRBNPqrbnp" {
		gone := strings.Count(before, string(c)) - strings.Count(then, string(c))
		if pawn := rules.NewPiece(p.Turn(), rules.Pawn).Letter(); m.Promotion() != rules.NoKind && c == rune(pawn) {
			gone--
		}
		for range gone {
			list = append(list, string(c))
		}
	}
	return list
}

// material is every piece of a position, and nothing else of it.
func material(p *rules.Position) string {
	placement, _, _ := strings.Cut(p.FEN(), " ")
	return placement
}

// deed is an act of a hand in the form of the page. In a plan, the hand that holds something is the right one.
func deed(a *hands.Act, left bool) web.Deed {
	d := web.Deed{Hand: side((a.Hand == hands.Left) != left), Square: a.Place.Square().String(),
		Deck: a.Place.Deck().String()}
	switch a.Do {
	case hands.Lift:
		count := a.Count
		d.Do, d.Count = "lift", &count
	case hands.Put:
		d.Do = "place"
	case hands.Discard:
		d = web.Deed{Do: "discard", Hand: d.Hand}
	case hands.Take:
		d = web.Deed{Do: "take", Hand: d.Hand, Pieces: letters(wood.Pile(a.Pieces))}
	}
	return d
}

func letters(pile wood.Pile) []string {
	list := []string{}
	for i := range len(pile) {
		list = append(list, string(pile[i]))
	}
	return list
}
