// SPDX-License-Identifier: Apache-2.0

// Package hypotheses lists the ways in which the wood of a board may stand. These are each legal move, another one in
// place of the last, takebacks, and the kings on the centre. Each is a list of piles that it changes, with a prior.
package hypotheses

import (
	"math"
	"strings"

	"boardd/rules"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// List is the list of hypotheses. It reuses its slices: what it held is gone when it is filled again.
type List struct {
	board *evidence.Geometry
	now   *wood.Wood

	Hyps         []Hypothesis       // those without a reply first
	Singles      int                // how many these are
	Changes      []Change           // what hypotheses change; several may share one
	First        [wood.Places]int32 // index of the first change of each place, -1 for none
	Made         rules.Move         // the move that led from base 1 to the game as it stands
	WithoutPairs Mark               // the end of the list without pairs
	Woods        []rules.Wood       // scratch: the moves of a position

	arena   []int32
	earlier wood.Wood                // of the base before
	onWay   [MaxReplaced + 1]float64 // by base: see OnTheWayCost
}

// New returns an empty list for a board. now is the wood of the game, which the caller keeps up to date.
func New(g *evidence.Geometry, now *wood.Wood) List { return List{board: g, now: now} }

// Fill lists all hypotheses that the bases allow, except the game as it stands.
func (l *List) Fill(bases []Base) {
	l.Hyps, l.Changes, l.arena, l.Made = l.Hyps[:0], l.Changes[:0], l.arena[:0], rules.NoMove
	for p := range l.First {
		l.First[p] = -1
	}
	for i := range l.onWay {
		l.onWay[i] = OneMoveCost(0)
	}
	for i := range bases {
		b := &bases[i]
		before := *l.now
		if i > 0 {
			before = l.board.Lay(&b.Position)
		}
		differ := l.now.Diff(&before)
		if b.Takeback && i > 0 {
			h := l.Add(i, rules.NoMove, &before, differ)
			if h.Prior = world.PriorTakeback; i > 1 {
				h.Prior += world.PriorLongTakeback
			}
		}
		if b.Moves {
			from := len(l.Hyps)
			l.addMoves(i, b, &before, differ)
			l.onWay[i] = OneMoveCost(len(l.Hyps) - from)
			for j := from; j < len(l.Hyps); j++ {
				if h := &l.Hyps[j]; l.TakesAway(h) {
					h.Prior += world.PriorLift
				}
			}
		}
		l.earlier = before
	}
	l.markRepetitions()
	l.addKingResults()
	l.markOnward()
	l.Singles, l.WithoutPairs = len(l.Hyps), l.Mark()
}

// OnTheWayCost is what it costs, in nats, that hands are on the way to one particular move of a base, of so many. A
// takeback of more moves costs as much as one of MaxReplaced.
func (l *List) OnTheWayCost(base int) float64 {
	return l.onWay[min(base, MaxReplaced)]
}

// OneMoveCost is what it costs, in nats, that hands are on the way to one particular move of so many.
func OneMoveCost(moves int) float64 { return -math.Log(float64(world.OtherAims + moves)) }

// markRepetitions finds takebacks of several moves to a wood that is also got by moving one pile. That is far
// likelier, be it a move that repeats a position or a piece that slipped.
func (l *List) markRepetitions() {
	for i := range l.Hyps {
		back, grown := &l.Hyps[i], 0
		for _, j := range back.Changes {
			grown += len(l.Changes[j].Pile) - len(l.now[l.Changes[j].Place])
		}
		if back.Base > 1 && back.Move == rules.NoMove && grown == 0 && (back.Places[0]|back.Places[1]).Count() <= 2 {
			back.Prior += world.PriorTakebackOrMove
		}
	}
}

// Add adds a hypothesis for a wood that differs from now at most on the places given.
func (l *List) Add(base int, m rules.Move, after *wood.Wood, where wood.Set) *Hypothesis {
	from := len(l.arena)
	h := Hypothesis{Base: base, Move: m}
	for d := range where {
		for q := range where[d].Squares() {
			p := wood.Place(d*64) + wood.Place(q)
			if after[p] != l.now[p] {
				l.arena = append(l.arena, l.changeFor(p, after[p]))
				h.Places.Add(p)
			}
		}
	}
	h.Changes = l.arena[from:len(l.arena):len(l.arena)]
	l.Hyps = append(l.Hyps, h)
	return &l.Hyps[len(l.Hyps)-1]
}

// changeFor finds or adds the change to a pile on a place.
func (l *List) changeFor(p wood.Place, pile wood.Pile) int32 {
	for i := l.First[p]; i >= 0; i = l.Changes[i].Next {
		if l.Changes[i].Pile == pile {
			return i
		}
	}
	l.Changes = append(l.Changes, Change{Target: l.board.Target(pile), Moved: l.board.Moved(l.now[p], pile, p), Place: p,
		Next: l.First[p]})
	l.First[p] = int32(len(l.Changes) - 1)
	return l.First[p]
}

// addMoves adds the legal moves of a base. Its wood is before, which differs from now at most on some places.
func (l *List) addMoves(i int, b *Base, before *wood.Wood, differ wood.Set) {
	l.Woods = b.Position.AppendWoods(l.Woods[:0])
	for _, w := range l.Woods {
		q := b.Position
		q.Play(w.Move)
		after := *before
		l.board.Relay(&after, &q, w.Touched)
		where := wood.Set{differ[0] | w.Touched, differ[1] | w.Touched}
		if i > 0 && l.same(&after, where) {
			if i == 1 {
				l.Made = w.Move
			}
			continue // not a correction of itself
		}
		if i > 1 && after == l.earlier {
			continue // a takeback of the last move alone
		}
		h := l.Add(i, w.Move, &after, where)
		h.Mover = b.Position.Turn()
		h.Prior = priorInPlace[i]
		if (l.board.Weights || l.board.Scale) && w.Move.Promotion() == rules.Queen {
			left := unpromoted(w.Move, b.Position.Turn(), l.now, &after)
			a := l.Add(i, w.Move, &left, where)
			a.Ask, a.Mover, a.Prior = true, b.Position.Turn(), world.PriorAsk+priorInPlace[i]
		}
	}
}

func (l *List) same(after *wood.Wood, where wood.Set) bool {
	for d := range where {
		for q := range where[d].Squares() {
			if p := wood.Place(d*64) + wood.Place(q); after[p] != l.now[p] {
				return false
			}
		}
	}
	return true
}

// unpromoted is the wood after a promotion whose pawn has not been exchanged yet.
func unpromoted(m rules.Move, c rules.Color, now, after *wood.Wood) wood.Wood {
	left := *after
	pawn, queen := rules.NewPiece(c, rules.Pawn).Letter(), rules.NewPiece(c, rules.Queen).Letter()
	for _, p := range Landing(m) {
		pile := []byte(left[p])
		for k := len(pile) - 1; k >= 0; k-- {
			if pile[k] == queen && left[p] != now[p] {
				pile[k] = pawn
				break
			}
		}
		left[p] = wood.Pile(pile)
	}
	return left
}

// markOnward finds the moves to squares that the piece may only be passing on its way to a farther one.
func (l *List) markOnward() {
	for i := range l.Hyps {
		h := &l.Hyps[i]
		if h.Move == rules.NoMove || h.Move.IsCapture() || h.Move.From() == h.Move.To() {
			continue
		}
		for j := range l.Hyps {
			o := &l.Hyps[j]
			if o.Base != h.Base || o.Move == rules.NoMove || o.Move.From() != h.Move.From() {
				continue
			}
			if off, ok := wood.BesideLine(h.Move.From(), h.Move.To(), o.Move.To()); ok {
				h.Onward = max(h.Onward, math.Exp(-off*off/(2*world.PathSpread*world.PathSpread)))
			}
		}
	}
}

// TakesAway reports whether a hypothesis only takes pieces away, as when a piece captures the one on top of it.
func (l *List) TakesAway(h *Hypothesis) bool {
	for _, i := range h.Changes {
		c := &l.Changes[i]
		if old := string(l.now[c.Place]); len(c.Pile) >= len(old) || !strings.HasPrefix(old, string(c.Pile)) {
			return false
		}
	}
	return true
}

// PileOn is the pile that a hypothesis has on a place.
func (l *List) PileOn(h *Hypothesis, p wood.Place) wood.Pile {
	if !h.Places.Has(p) {
		return l.now[p]
	}
	for _, i := range h.Changes {
		if l.Changes[i].Place == p {
			return l.Changes[i].Pile
		}
	}
	return l.now[p]
}

// Mark is a length of the list, to which Reset can return.
type Mark struct{ hyps, changes, arena int }

// Mark returns the length of the list as it is now.
func (l *List) Mark() Mark { return Mark{len(l.Hyps), len(l.Changes), len(l.arena)} }

// Reset drops what was added after a mark.
func (l *List) Reset(m Mark) {
	for i := len(l.Changes) - 1; i >= m.changes; i-- {
		l.First[l.Changes[i].Place] = l.Changes[i].Next
	}
	l.Hyps, l.Changes, l.arena = l.Hyps[:m.hyps], l.Changes[:m.changes], l.arena[:m.arena]
}
