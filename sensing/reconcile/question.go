// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"slices"

	"boardd/rules"
	"boardd/sensing/wood"
)

// ask makes a question of all hypotheses that are about as likely as the best. A pawn left on its last rank asks for
// the piece it becomes. When the best corrects the last move, and another takes that for right, it stands for choice itself.
func (d *Decoder) ask(best ranked) Explanation {
	e := Explanation{State: Asking, Base: best.h.base, Touch: d.touch(), Choices: d.picks[:0]}
	add := func(m rules.Move) {
		for _, c := range e.Choices {
			if c.Move == m {
				return
			}
		}
		e.Choices = append(e.Choices, Choice{Move: m, Place: wood.Nowhere})
	}
	for _, r := range d.live {
		if best.h.base == 1 && d.list.made != rules.NoMove && (r.h.base == 0 && best.nats-r.nats < sure || d.secret() || d.belated(best.h)) {
			add(d.list.made)
		}
		if r.h.base != best.h.base || r.h.move == rules.NoMove || best.nats-r.nats >= sure {
			continue
		}
		for i := range d.list.hyps {
			if h := &d.list.hyps[i]; h == r.h || r.h.ask && promotes(h, r.h) {
				add(h.move)
			}
		}
	}
	slices.SortStableFunc(e.Choices, func(a, b Choice) int { return int(b.Move.Promotion()) - int(a.Move.Promotion()) })
	d.answerPlaces(e.Choices)
	d.picks = e.Choices
	return e
}

// promotes tells whether h is the promotion that the unfinished one may become.
func promotes(h, unfinished *hypothesis) bool {
	return h.base == unfinished.base && !h.ask && h.move.Promotion() != rules.NoKind &&
		h.move.From() == unfinished.move.From() && h.move.To() == unfinished.move.To() && h.places == unfinished.places
}

// answerPlaces finds the places whose pieces answer for the choices when they are lifted and put back: the square of arrival, if a piece stood there before or
// there is no other choice, or a piece of the promoted kind; for those left over any that is not taken, at last the pawn itself. The first choices come first
// when there are too few.
func (d *Decoder) answerPlaces(choices []Choice) {
	var taken wood.Set
	give := func(find func(m rules.Move, free func(wood.Place) bool) wood.Place) {
		for i := range choices {
			if c := &choices[i]; c.Place == wood.Nowhere {
				if c.Place = find(c.Move, func(p wood.Place) bool { return d.now[p] != "" && !d.differ.Has(p) && !taken.Has(p) }); c.Place != wood.Nowhere {
					taken.Add(c.Place)
				}
			}
		}
	}
	arrived := func(m rules.Move, _ func(wood.Place) bool) wood.Place {
		for _, p := range [2]wood.Place{wood.Place(m.To()), wood.Place(m.To()) + 64} {
			if (p < 64 || d.g.TwoDecks) && !taken.Has(p) && d.count(p) > 0 {
				return p
			}
		}
		return wood.Nowhere
	}
	if len(choices) == 1 && choices[0].Move.Promotion() == rules.NoKind {
		give(arrived)
	}
	give(func(m rules.Move, free func(wood.Place) bool) wood.Place { return d.plainAnswer(m, &taken, free) })
	give(func(_ rules.Move, free func(wood.Place) bool) wood.Place {
		for p := range wood.Place(wood.Places) {
			if free(p) {
				return p
			}
		}
		return wood.Nowhere
	})
	give(arrived)
}

// plainAnswer is the place that answers for a move as people expect: where it arrived, or where a piece of the promoted kind stands, the mover's own first.
func (d *Decoder) plainAnswer(m rules.Move, taken *wood.Set, free func(wood.Place) bool) wood.Place {
	if m.Promotion() == rules.NoKind {
		for _, p := range [2]wood.Place{wood.Place(m.To()), wood.Place(m.To()) + 64} {
			if d.now[p] != "" && d.count(p) > 0 && !taken.Has(p) {
				return p
			}
		}
	}
	for _, c := range [2]rules.Color{d.turn, d.turn.Other()} {
		letter := rules.NewPiece(c, m.Promotion()).Letter()
		for p := range wood.Place(wood.Places) {
			if free(p) && d.now[p] == wood.Pile(letter) {
				return p
			}
		}
	}
	return wood.Nowhere
}

// unpromoted asks what a pawn becomes that was left on its last rank while the other side has already touched something else.
func (d *Decoder) unpromoted() (Explanation, bool) {
	d.live = d.live[:0]
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if !h.ask || h.base > 0 || d.quiet < d.t.Ask || h.places.Both(d.differ) != h.places {
			continue
		}
		if nats, ok := d.nats(h); ok && nats >= sure && d.settled(h) {
			d.live = append(d.live, ranked{h, nats})
		}
	}
	if len(d.live) == 0 {
		return Explanation{}, false
	}
	return d.ask(d.live[0]), true
}
