// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"

	"boardd/rules"
	"boardd/sensing/wood"
)

// offCentre reports whether a height is too low for the pile of the game, but fits one with a piece less even worse.
func (d *Decoder) offCentre(p wood.Place) bool {
	low := d.want[p].height - d.seen.eyes[p].mean
	return low > -2*eyeSpread && low < float64(d.g.CubeHeight)/2
}

// discrepancies lists the places that differ from the game as it stands.
func (d *Decoder) discrepancies() []Discrepancy {
	d.discrepancyList = d.discrepancyList[:0]
	for p := range d.against.Union(d.goal.missing(d)).Places() {
		d.discrepancyList = append(d.discrepancyList, Discrepancy{Place: p, Want: d.now[p], See: d.count(p)})
	}
	return d.discrepancyList
}

// lifts lists the places that show only a lower part of the game's pile.
func (d *Decoder) lifts() []Lift {
	d.lifted = d.lifted[:0]
	for p := range d.against.Places() {
		if k, ok := d.part(p); ok {
			d.lifted = append(d.lifted, Lift{Place: p, Keep: k})
		}
	}
	if len(d.lifted) == 0 {
		d.lifted = d.leaving(d.lifted)
	}
	return d.lifted
}

// part finds how many pieces of the game's pile are left on a place, from the bottom. ok is false if none seems to be
// gone.
func (d *Decoder) part(p wood.Place) (keep int, ok bool) {
	pile := d.now[p]
	if pile == "" {
		return 0, false
	}
	if p == d.hiddenChange.off {
		return d.hiddenChange.keep, true
	}
	e := &d.seen
	if e.known.Has(p) && !e.closed.Has(p) {
		return 0, !e.cellTrusted(p) || e.cells[p].mean < d.g.lightest/2
	}
	least := 1
	if !e.known.Has(p) {
		least = 0
	}
	if !e.heardCell(p) && !e.heardEye(p) {
		return 0, false
	}
	best := d.gameFit(p)
	for k := len(pile) - 1; k >= least; k-- {
		t := d.g.target(pile[:k])
		if nats := e.logLikelihood(p, &t, false); nats > best+partBeats {
			best, keep, ok = nats, k, true
		}
	}
	return keep, ok
}

// leaving lists what seems to be leaving just now. It is the piece over a reed that has opened, and the upper one of
// two pieces whose load has fallen but not settled. That is soon enough for a light, but too soon to find a move.
func (d *Decoder) leaving(lifts []Lift) []Lift {
	e := &d.seen
	for k := range d.filled {
		for q := range (d.filled[k] &^ e.closed[k] & e.known[k]).Squares() {
			p := wood.Place(k*64) + wood.Place(q)
			if c := &e.reeds[p]; e.now.since(c.last()) < askAfter && !c.chattering(e.now) && !e.lacksReed(p) &&
				!d.faults.contradictedBefore(d, p) {
				lifts = append(lifts, Lift{Place: p})
			}
		}
	}
	if !d.g.Weights {
		return lifts
	}
	less := d.g.lightest / 2
	for q := range (d.filled[0] & d.seen.closed[0]).Squares() {
		p := wood.Place(q)
		l := &d.seen.cells[p]
		if len(d.now[p]) == 2 && d.seen.heardCell(p) && l.mean < d.want[p].mass-less &&
			l.mean > float64(d.g.Mass[d.now[p][0]])-less {
			lifts = append(lifts, Lift{Place: p, Keep: 1})
		}
	}
	return lifts
}

// maybeInHand reports whether what is seen on a place that contradicts the game may still be in a hand. It may be over
// an empty square if the reed has closed while the cell bears nothing, or the height is more than one piece. It may
// also be where a height is seen and the reed shows nothing.
func (d *Decoder) maybeInHand(p wood.Place) bool {
	e := &d.seen
	if e.known.Has(p) && !e.closed.Has(p) {
		return e.heardEye(p) && e.eyes[p].mean > eyeWide && e.now.since(e.eyes[p].since) < handLeaves
	}
	age := e.now.since(e.reeds[p].last())
	switch {
	case d.now[p] != "" && e.heardEye(p) && !e.cellTrusted(p):
		return e.eyes[p].mean > d.want[p].height+eyeWide && e.now.since(e.eyes[p].since) < allHandsLeave
	case d.now[p] != "" || !e.known.Has(p):
		return false
	case e.cellTrusted(p):
		return e.cells[p].mean < d.g.lightest/2 && age < handLeaves
	case e.heardEye(p):
		return e.eyes[p].mean > float64(d.g.CubeHeight)+eyeWide && e.now.since(e.eyes[p].since) < handLeaves
	}
	return age < hoverTime
}

// pressedOn reports whether something presses on a place whose reed has not flipped in this ply. Its weight must be
// that of none of the pieces that have left other places.
func (d *Decoder) pressedOn(p wood.Place) bool {
	e := &d.seen
	if !e.cellTrusted(p) || e.reeds[p].last() > e.epoch || e.reed(p, d.now[p] != "") < 0 {
		return false
	}
	over := d.excessLoad(p.Square())
	if over < cellWide || e.cells[p].low < d.want[p].mass-d.g.lightest/2 {
		return false // something was taken from there in this ply
	}
	for q := range d.filled[0].Squares() {
		left := -d.excessLoad(q)
		if left < d.g.lightest/2 || !e.cellTrusted(wood.Place(q)) {
			continue
		}
		near := outlier * math.Sqrt(2*d.want[q].variance+2*cellPull*cellPull)
		pedestal := 0.0 // a piece may come to stand on a pedestal, or leave one
		if d.base.Variant().Pedestals() {
			pedestal = float64(d.g.Mass[wood.Pedestal])
		}
		for _, more := range [3]float64{0, pedestal, -pedestal} {
			if math.Abs(left+more-over) < near {
				return false
			}
		}
	}
	return true
}

// count is the number of pieces that seem to stand on a place, by its sensors.
func (d *Decoder) count(p wood.Place) int {
	e := &d.seen
	if e.known.Has(p) && !e.closed.Has(p) {
		return 0
	}
	if k, ok := d.part(p); ok {
		return k
	}
	if p == d.hiddenChange.on {
		return len(d.now[p]) + 1
	}
	if e.heardEye(p) {
		return max(1, int(e.eyes[p].mean/float64(d.g.CubeHeight)+0.5))
	}
	if e.heardCell(p) {
		m := e.cells[p].mean
		if over := m - d.want[p].mass; d.now[p] != "" && e.reeds[p].after(d.seen.epoch) == 0 && over > d.g.lightest/2 {
			return len(d.now[p]) + d.tally.Pieces(over) // the pile of the game was not lifted
		}
		return d.tally.Pieces(m)
	}
	return 1
}

// Destinations finds the places to which the moves that begin with a lift lead.
func (d *Decoder) Destinations(l Lift) (r Destinations) {
	for i := range d.list.hyps[:d.list.singles] {
		h := &d.list.hyps[i]
		if h.base == 0 && !h.ask && h.move != rules.NoMove && wood.Place(h.move.From())%64 == l.Place%64 &&
			d.begins(h, l) {
			d.addDestination(&r, h)
		}
	}
	return r
}

// begins reports whether a move leaves what still stands of a lifted pile, or lets the piece below come up there.
func (d *Decoder) begins(h *hypothesis, l Lift) bool {
	after := d.list.pileOn(h, l.Place)
	return after == d.now[l.Place][:l.Keep] ||
		l.Keep == 0 && l.Place >= 64 && after == d.now[l.Place-64] && d.list.pileOn(h, l.Place-64) == ""
}

func (d *Decoder) addDestination(r *Destinations, h *hypothesis) {
	for _, i := range h.changes {
		w := &d.list.changes[i]
		old := d.now[w.place]
		if w.pile == "" || w.place%64 != wood.Place(h.move.To()) || colorOf(w.pile[len(w.pile)-1]) != h.mover {
			continue // what it captured may go to the other deck
		}
		grows := len(w.pile) > len(old) || old != "" && w.pile != old
		switch {
		case h.move.IsCastling() || h.move.Promotion() != rules.NoKind:
			r.Special.Add(w.place)
		case h.move.IsCapture() && grows:
			r.Capture.Add(w.place)
		case old != "" && grows:
			r.Stack.Add(w.place)
		case grows:
			r.Quiet.Add(w.place)
		}
	}
}

// contradictedAt is when the wood first contradicted the last move, or else when a reed flipped after it.
func (d *Decoder) contradictedAt() tick {
	if d.contradictedSince != never {
		return max(d.accepted, d.contradictedSince)
	}
	at := d.seen.now
	for p := range d.turned.Places() {
		if t := d.firstAt(p); t > d.seen.epoch {
			at = min(at, t)
		}
	}
	return max(d.accepted, at)
}

// ask makes a question of all hypotheses that are about as likely as the best. If some of them follow the last move
// and others are in its place, the question is about that move, which may stand. If a pawn was left on its last rank,
// it is what it becomes.
func (d *Decoder) ask(best *hypothesis) Explanation {
	near := func(h *hypothesis) bool { return h.move != rules.NoMove && best.score-h.score < askWithin }
	base, stands := best.base, false
	for _, i := range d.ranked {
		if h := &d.list.hyps[i]; near(h) && h.base+best.base == 1 {
			base, stands = 1, true
		}
	}
	e := Explanation{State: Asking, Base: base, Discrepancies: d.discrepancies(), Choices: d.picks[:0]}
	add := func(m rules.Move) {
		if !slices.ContainsFunc(e.Choices, func(c Choice) bool { return c.Move == m }) {
			e.Choices = append(e.Choices, Choice{Move: m, Place: wood.Nowhere})
		}
	}
	for _, i := range d.ranked {
		r := &d.list.hyps[i]
		if r.base != base || !near(r) {
			continue
		}
		if r.reply != rules.NoMove && !r.ask {
			add(r.move)
		}
		for j := range d.list.hyps[:d.list.singles] {
			if h := &d.list.hyps[j]; h == r || r.ask && promotes(h, r) {
				add(h.move)
			}
		}
	}
	if m := d.lastMove(); stands && m != rules.NoMove {
		add(m)
	}
	slices.SortStableFunc(e.Choices, func(a, b Choice) int { return int(b.Move.Promotion()) - int(a.Move.Promotion()) })
	d.answerPlaces(e.Choices)
	d.picks = e.Choices
	return e
}

// lastMove is the move that led to the game as it stands, NoMove if none is known.
func (d *Decoder) lastMove() rules.Move {
	if len(d.bases) < 2 {
		return rules.NoMove
	}
	for _, m := range d.bases[1].Position.AppendMoves(nil) {
		p := d.bases[1].Position
		if p.Play(m); p == d.bases[0].Position {
			return m
		}
	}
	return rules.NoMove
}

// promotes reports whether the unfinished promotion may become h.
func promotes(h, unfinished *hypothesis) bool {
	return h.base == unfinished.base && !h.ask && h.move.Promotion() != rules.NoKind &&
		h.move.From() == unfinished.move.From() && h.move.To() == unfinished.move.To() && h.places == unfinished.places
}

// answerPlaces finds the places whose pieces answer for the choices when they are lifted and put back. That is the
// destination, if a piece stood there before or there is no other choice. For a promotion it is a piece of the
// promoted kind. The choices left over get any free piece, and at last the pawn itself. If there are too few places,
// the first choices get them.
func (d *Decoder) answerPlaces(choices []Choice) {
	var taken wood.Set
	give := func(find func(m rules.Move, free func(wood.Place) bool) wood.Place) {
		for i := range choices {
			if c := &choices[i]; c.Place == wood.Nowhere {
				free := func(p wood.Place) bool { return d.now[p] != "" && !d.against.Has(p) && !taken.Has(p) }
				if c.Place = find(c.Move, free); c.Place != wood.Nowhere {
					taken.Add(c.Place)
				}
			}
		}
	}
	arrived := func(m rules.Move, _ func(wood.Place) bool) wood.Place {
		for _, p := range landing(m) {
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

// plainAnswer is the place that people expect to answer for a move: its destination. For a promotion it is a piece of
// that kind, the mover's own first.
func (d *Decoder) plainAnswer(m rules.Move, taken *wood.Set, free func(wood.Place) bool) wood.Place {
	if m.Promotion() == rules.NoKind {
		for _, p := range landing(m) {
			if d.now[p] != "" && d.count(p) > 0 && !taken.Has(p) {
				return p
			}
		}
	}
	for _, c := range [2]rules.Color{d.base.Turn(), d.base.Turn().Other()} {
		letter := rules.NewPiece(c, m.Promotion()).Letter()
		for p := range wood.Place(wood.Places) {
			if free(p) && d.now[p] == wood.Pile(letter) {
				return p
			}
		}
	}
	return wood.Nowhere
}
