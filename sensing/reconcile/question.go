package reconcile

import (
	"slices"

	"boardd/rules"
)

// ask makes a question of all hypotheses that are about as likely as the best. A pawn left on its last rank asks for
// the piece it becomes. When the best corrects the last move, and another takes that for right, it stands for choice itself.
func (d *Decoder) ask(best ranked) Explanation {
	e := Explanation{State: Asking, Base: best.h.base, Touch: d.touch(), Choices: d.picks[:0]}
	var taken Set
	add := func(m rules.Move) {
		for _, c := range e.Choices {
			if c.Move == m {
				return
			}
		}
		p := d.answerPlace(m, &taken)
		taken.Add(p)
		e.Choices = append(e.Choices, Choice{Move: m, Place: p})
	}
	for _, r := range d.live {
		if best.h.base == 1 && d.list.made != rules.NoMove && (r.h.base == 0 && best.nats-r.nats < sure || d.secret()) {
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
	d.picks = e.Choices
	return e
}

// promotes tells whether h is the promotion that the unfinished one may become.
func promotes(h, unfinished *hypothesis) bool {
	return h.base == unfinished.base && !h.ask && h.move.Promotion() != rules.NoKind &&
		h.move.From() == unfinished.move.From() && h.move.To() == unfinished.move.To() && h.places == unfinished.places
}

// answerPlace finds the place whose piece answers for the move when it is lifted and put back: the square of arrival, if a piece stands there,
// or, when another choice has it, a place with a piece of the promoted kind, or any place that is not yet taken.
func (d *Decoder) answerPlace(m rules.Move, taken *Set) Place {
	free := func(p Place) bool { return d.now[p] != "" && !d.differ.Has(p) && !taken.Has(p) }
	if m.Promotion() == rules.NoKind {
		for _, p := range []Place{Place(m.To()), Place(m.To()) + 64} {
			if d.now[p] != "" && d.count(p) > 0 && !taken.Has(p) {
				return p
			}
		}
	}
	for _, c := range []rules.Color{d.turn, d.turn.Other()} { // the mover's own piece of the kind is the plainest answer
		letter := rules.NewPiece(c, m.Promotion()).Letter()
		for p := range Place(Places) {
			if free(p) && d.now[p] == Pile(letter) {
				return p
			}
		}
	}
	for p := range Place(Places) {
		if free(p) {
			return p
		}
	}
	return Place(m.To())
}

// unpromoted asks what a pawn becomes that was left on its last rank while the other side has already touched something else.
func (d *Decoder) unpromoted() (Explanation, bool) {
	d.live = d.live[:0]
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if !h.ask || h.base > 0 || d.quiet < d.t.Ask || both(h.places, d.differ) != h.places {
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
