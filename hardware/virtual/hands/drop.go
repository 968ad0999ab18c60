// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"slices"
	"strings"

	"boardd/rules"
	"boardd/sensing/wood"
)

// Way is a legal move that may be meant when a hand lets go of what it holds. It has what hands still have to do for
// the move.
type Way struct {
	Move   rules.Move
	Stands wood.Pile // after the move, where the hand lets go
	Acts   []Act     // the right hand is the one that holds something
}

// Drop lists the moves that may be meant when the right hand lets go, at a place, of pieces that it has just lifted. A
// person who drops a rook on a knight captures it, and expects no pile. There are none when other pieces than the
// lifted ones have left their places, because then somebody is making the move piece by piece. There are none either
// when only letting go is a move and more moves begin like it, as castling and castlock do. A way without a move is to
// put the pieces back.
func Drop(g *wood.Geometry, p *rules.Position, moves []rules.Move, now *wood.Wood, held wood.Pile,
	at wood.Place) []Way {
	stood := g.Lay(p)
	from, ok := origin(&stood, now, held)
	if !ok {
		return nil
	}
	if from == at {
		return inPlace(g, p, moves, now, held, at)
	}
	var ways, exact []Way
	for _, m := range moves {
		after := *p
		after.Play(m)
		want := g.Lay(&after)
		if m.From() != from.Square() || m.To() != at.Square() || want[at] == now[at] {
			continue
		}
		if !m.IsHeadbutt() && !strings.ContainsFunc(string(want[at]), owned(p.Turn())) {
			continue // it ends on the other deck
		}
		w := Way{Move: m, Stands: want[at], Acts: finish(now, &want, held, from, at, m)}
		if ways = append(ways, w); want[from] == now[from] || m.IsHeadbutt() {
			exact = append(exact, w)
		}
	}
	if exact != nil {
		ways = exact // this many pieces were lifted, and no others are meant
	}
	if now[at] == "" && exact != nil && ways[0].Move.Promotion() == rules.NoKind && beginAlike(ways) {
		return nil
	}
	// What most people want a pawn to become is offered first.
	slices.SortStableFunc(ways, func(a, b Way) int { return int(b.Move.Promotion()) - int(a.Move.Promotion()) })
	return ways
}

// beginAlike reports whether two of the ways begin by letting go. A move into the air does not: first something has to
// be put beneath.
func beginAlike(ways []Way) bool {
	grounded := slices.DeleteFunc(slices.Clone(ways), func(w Way) bool { return w.Move.ToAir() })
	return len(grounded) > 1 || len(ways)-len(grounded) > 1
}

// inPlace is Drop where the pieces were lifted. If they may take off or land there, the first way is to put them back.
func inPlace(g *wood.Geometry, p *rules.Position, moves []rules.Move, now *wood.Wood, held wood.Pile,
	at wood.Place) (ways []Way) {
	back := now[at] + held
	for _, m := range moves {
		after := *p
		after.Play(m)
		want := g.Lay(&after)
		if m.From() == at.Square() && m.To() == at.Square() && want[at] != back && want[at] != "" {
			ways = append(ways, Way{Move: m, Stands: want[at], Acts: finish(now, &want, held, at, at, m)})
		}
	}
	if ways != nil {
		ways = slices.Insert(ways, 0, Way{Stands: back, Acts: []Act{{Do: Put, Place: at}}})
	}
	return ways
}

// origin is the only place where the wood is not as it stood: there the held pieces are missing.
func origin(stood, now *wood.Wood, held wood.Pile) (from wood.Place, ok bool) {
	for p := range wood.Place(wood.Places) {
		if now[p] == stood[p] {
			continue
		}
		if ok || held == "" || now[p]+held != stood[p] {
			return 0, false
		}
		from, ok = p, true
	}
	return from, ok
}

// owned reports of a letter whether it is a piece of a side.
func owned(c rules.Color) func(rune) bool {
	return func(r rune) bool { return r != rune(wood.Pedestal) && (r >= 'a') == (c == rules.Black) }
}

// finish plans what the hands do from holding the pieces to the wood that is wanted. What has to go leaves before they
// are put down. Where something has to be put back on top of them, both hands are needed: then they go back first, as
// a person does.
func finish(now, want *wood.Wood, held wood.Pile, from, at wood.Place, m rules.Move) []Act {
	w := *now
	if m.Promotion() != rules.NoKind {
		return append([]Act{{Do: Discard}}, Plan(&w, want)...)
	}
	for keep := len(now[at]); keep >= 0; keep-- {
		if now[at][:keep]+held != want[at] {
			continue
		}
		var acts []Act
		if goes := len(now[at]) - keep; goes > 0 {
			acts = []Act{{Do: Lift, Hand: Left, Place: at, Count: goes}, {Do: Discard, Hand: Left}}
		}
		w[at] = want[at]
		return append(append(acts, Act{Do: Put, Place: at}), Plan(&w, want)...)
	}
	w[from] += held
	return append([]Act{{Do: Put, Place: from}}, Plan(&w, want)...)
}
