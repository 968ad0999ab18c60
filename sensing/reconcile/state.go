// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// offCentre reports whether a height is too low for the pile of the game, but fits one with a piece less even worse.
func (d *Decoder) offCentre(p wood.Place) bool {
	low := d.want[p].Height - d.seen.Eyes[p].Mean
	return low > -2*world.EyeSpread && low < float64(d.g.CubeHeight)/2
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
	if e.Known.Has(p) && !e.Closed.Has(p) {
		return 0, !e.CellTrusted(p) || e.Cells[p].Mean < d.g.Lightest/2
	}
	least := 1
	if !e.Known.Has(p) {
		least = 0
	}
	if !e.HeardCell(p) && !e.HeardEye(p) {
		return 0, false
	}
	best := d.gameFit(p)
	for k := len(pile) - 1; k >= least; k-- {
		t := d.g.Target(pile[:k])
		if nats := e.LogLikelihood(p, &t, false); nats > best+world.PartBeats {
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
		for q := range (d.filled[k] &^ e.Closed[k] & e.Known[k]).Squares() {
			p := wood.Place(k*64) + wood.Place(q)
			if c := &e.Reeds[p]; e.Now.Since(c.Last()) < world.AskAfter && !c.Chattering(e.Now) && !e.LacksReed(p) &&
				!d.faults.contradictedBefore(d, p) {
				lifts = append(lifts, Lift{Place: p})
			}
		}
	}
	if !d.g.Weights {
		return lifts
	}
	less := d.g.Lightest / 2
	for q := range (d.filled[0] & d.seen.Closed[0]).Squares() {
		p := wood.Place(q)
		l := &d.seen.Cells[p]
		if len(d.now[p]) == 2 && d.seen.HeardCell(p) && l.Mean < d.want[p].Mass-less &&
			l.Mean > float64(d.g.Mass[d.now[p][0]])-less {
			lifts = append(lifts, Lift{Place: p, Keep: 1})
		}
	}
	return lifts
}

// maybeInHand reports whether what is seen on a place that contradicts the game may still be in a hand. It may be over
// an empty square if the reed has closed while the cell bears nothing, or the height is more than one piece. It may
// also be where a height is seen and the reed shows nothing, or a hand is seen where no reed has flipped.
func (d *Decoder) maybeInHand(p wood.Place) bool {
	e := &d.seen
	if d.handOver(p) || d.hangs(p) {
		return true
	}
	if e.Known.Has(p) && !e.Closed.Has(p) {
		return e.HeardEye(p) && e.Eyes[p].Mean > world.EyeWide && e.Now.Since(e.Eyes[p].Since) < world.HandLeaves
	}
	age := e.Now.Since(e.Reeds[p].Last())
	switch {
	case d.now[p] != "" && e.HeardEye(p) && !e.CellTrusted(p):
		return e.Eyes[p].Mean > d.want[p].Height+world.EyeWide && e.Now.Since(e.Eyes[p].Since) < world.AllHandsLeave
	case d.now[p] != "" || !e.Known.Has(p):
		return false
	case e.CellTrusted(p):
		return e.Cells[p].Mean < d.g.Lightest/2 && age < world.HandLeaves
	case e.HeardEye(p):
		return e.Eyes[p].Mean > float64(d.g.CubeHeight)+world.EyeWide && e.Now.Since(e.Eyes[p].Since) < world.HandLeaves
	}
	return age < world.HoverTime
}

// reedStays reports whether the reed of a place has said for the whole ply that the game's pile stands there. A height
// sensor tells of that place as well, and no load cell.
func (d *Decoder) reedStays(p wood.Place) bool {
	e := &d.seen
	return e.HeardEye(p) && !e.CellTrusted(p) && e.Reeds[p].After(e.Epoch) == 0 && e.Closed.Has(p) == (d.now[p] != "")
}

// handOver reports whether a hand is seen over a place, and nothing else has happened there. Even with all that was
// lifted elsewhere its pile would not be so high.
func (d *Decoder) handOver(p wood.Place) bool {
	most := float64(len(d.now[p])+d.gone()) * float64(d.g.CubeHeight)
	return d.reedStays(p) && d.seen.Eyes[p].Mean > max(d.highest(p), most)+2*world.EyeWide
}

// leansOn reports whether what presses on a place may still be a hand, as it has not stood still for so long.
func (d *Decoder) leansOn(p wood.Place, long time.Duration) bool {
	return d.leant.Has(p) && d.seen.Cells[p].Stands(d.seen.Now) < long
}

// hangs reports whether the pile of the game seems to hang in a hand over its place. Then its reed has flipped and is
// closed, and the cell bears nothing.
func (d *Decoder) hangs(p wood.Place) bool {
	e := &d.seen
	return d.now[p] != "" && e.CellTrusted(p) && e.Closed.Has(p) && e.Reeds[p].After(e.Epoch) > 0 &&
		e.Cells[p].Mean < d.g.Lightest/2
}

// gone is how many pieces seem to have been lifted.
func (d *Decoder) gone() (n int) {
	for p := range d.against.Places() {
		if k, ok := d.part(p); ok {
			n += len(d.now[p]) - k
		}
	}
	return n
}

// count is the number of pieces that seem to stand on a place, by its sensors.
func (d *Decoder) count(p wood.Place) int {
	e := &d.seen
	if e.Known.Has(p) && !e.Closed.Has(p) {
		return 0
	}
	if k, ok := d.part(p); ok {
		return k
	}
	if p == d.hiddenChange.on {
		return len(d.now[p]) + 1
	}
	if e.HeardEye(p) {
		return max(1, int(e.Eyes[p].Mean/float64(d.g.CubeHeight)+0.5))
	}
	if e.HeardCell(p) {
		m := e.Cells[p].Mean
		over := m - d.want[p].Mass
		if !d.goal.strict && d.now[p] != "" && e.Reeds[p].After(d.seen.Epoch) == 0 && over > d.g.Lightest/2 {
			return len(d.now[p]) + d.tally.Pieces(over) // the pile of the game was not lifted
		}
		if !d.goal.strict && d.now[p] != "" && math.Abs(over) < d.g.Lightest/2 {
			return len(d.now[p]) // it weighs what another pile may weigh as well
		}
		return d.tally.Pieces(m)
	}
	return 1
}

// ask makes a question of all hypotheses that are about as likely as the best. If some of them follow the last move
// and others are in its place, the question is about that move, which may stand. If a pawn was left on its last rank,
// it is what it becomes.
func (d *Decoder) ask(best *hypotheses.Hypothesis, stood float64) Explanation {
	near := func(h *hypotheses.Hypothesis) bool {
		return h.Move != rules.NoMove && best.Score-h.Score < world.AskWithin
	}
	base, stands, unfinished := best.Base, best.Score-stood < world.AskWithin, false
	d.question.places = d.against
	for _, i := range d.ranked {
		h := &d.list.Hyps[i]
		if !near(h) {
			continue
		}
		if unfinished = unfinished || h.Ask; h.Base+best.Base == 1 {
			base, stands = 1, true
		}
		d.question.places = d.question.places.Union(h.Places)
	}
	e := Explanation{State: Asking, Base: base, Discrepancies: d.discrepancies(), Choices: d.picks[:0]}
	add := func(m rules.Move) {
		if !slices.ContainsFunc(e.Choices, func(c Choice) bool { return c.Move == m }) {
			e.Choices = append(e.Choices, Choice{Move: m, Place: wood.Nowhere})
		}
	}
	for _, i := range d.ranked {
		r := &d.list.Hyps[i]
		if r.Base != base || !near(r) {
			continue
		}
		if r.Reply != rules.NoMove && !r.Ask {
			add(r.Move)
		}
		for j := range d.list.Hyps[:d.list.Singles] {
			if h := &d.list.Hyps[j]; h == r || r.Ask && promotes(h, r) {
				add(h.Move)
			}
		}
	}
	if m := d.lastMove(); stands && m != rules.NoMove {
		add(m)
	}
	slices.SortStableFunc(e.Choices, func(a, b Choice) int { return int(b.Move.Promotion()) - int(a.Move.Promotion()) })
	d.answerPlaces(e.Choices)
	d.picks = e.Choices
	d.question.asked(d.bases[base].Position, e.Choices, unfinished)
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
func promotes(h, unfinished *hypotheses.Hypothesis) bool {
	return h.Base == unfinished.Base && !h.Ask && h.Move.Promotion() != rules.NoKind &&
		h.Move.From() == unfinished.Move.From() && h.Move.To() == unfinished.Move.To() && h.Places == unfinished.Places
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
		for _, p := range hypotheses.Landing(m) {
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
		for _, p := range hypotheses.Landing(m) {
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
