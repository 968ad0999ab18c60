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

// Ways lists the moves that may be meant when a hand lets go, of those that the wood has still to show: the one of another board that is
// to be copied, or the legal ones. Where the other hand holds
// something, letting go is all.
func (h Hands) Ways(g *wire.Game, left bool, d sensing.Deck, s rules.Square) ([]web.Way, error) {
	if h.Geometry == nil || len(h.Holds(!left)) > 0 {
		return nil, nil
	}
	p, moves, err := next(g)
	if err != nil {
		return nil, err
	}
	stands := h.Board.Wood()
	now := stands.Piles()
	var ways []web.Way
	for _, w := range hands.Drop(h.Geometry, p, moves, &now, wood.Pile(h.Holds(left)), wood.PlaceAt(d, s)) {
		ways = append(ways, way(p, &w, now[wood.PlaceAt(d, s)], left))
	}
	return ways, nil
}

// next is the position that the wood shows, and the moves that may follow.
func next(g *wire.Game) (*rules.Position, []rules.Move, error) {
	v, err := rules.ByID(g.Variant)
	if err != nil {
		return nil, nil, err
	}
	p, err := v.ParseFEN(g.Start)
	if err != nil {
		return nil, nil, err
	}
	for i, name := range g.Moves {
		m, err := p.ParseMove(name)
		if err != nil {
			return nil, nil, err
		}
		if i == g.Wood.Ply {
			return &p, []rules.Move{m}, nil
		}
		p.Play(m)
	}
	if g.Outcome != "" {
		return &p, nil, nil
	}
	return &p, p.AppendMoves(nil), nil
}

// way is a way as the page has it; there stands what it is dropped on.
func way(p *rules.Position, w *hands.Way, there wood.Pile, left bool) web.Way {
	out := web.Way{Move: p.Coord(w.Move), SAN: p.SAN(w.Move), Pile: letters(w.Stands), Taken: taken(p, w.Move)}
	out.Keeps = there != "" && len(out.Taken) < len(there)
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

// deed is an act of a hand as the page asks for it. The hand that holds something is the right one of a plan.
func deed(a *hands.Act, left bool) web.Deed {
	d := web.Deed{Hand: side((a.Hand == hands.Left) != left), Square: a.Place.Square().String(), Deck: a.Place.Deck().String()}
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
