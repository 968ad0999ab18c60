// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// eventCost is what a hypothesis costs, in nats, for the events on the way. These are needed ones that were not seen,
// and seen ones that are not needed. It breaks ties between woods that look alike and never forbids one.
func (d *Decoder) eventCost(h *hypotheses.Hypothesis) (nats float64) {
	leaves, lands := wood.Nowhere, wood.Nowhere
	misread := 0.0 // the cost if the moves that it replaces were never made
	total := d.addedMass(h)
	for _, i := range h.Changes {
		w := &d.list.Changes[i]
		old := d.now[w.Place]
		nats += d.exchangeCost(w.Place, old, w.Pile, 0) + d.unweighedExchangeCost(h, w, total) + d.visitorCost(h, w)
		if d.replaces(h) {
			misread += d.misreadCost(h, w.Place, w.Pile)
		}
		switch {
		case len(w.Pile) < len(old):
			if leaves == wood.Nowhere || w.Place.Square() == h.Move.From() {
				leaves = w.Place
			}
		case len(w.Pile) == 1 && h.Move.Promotion() == rules.NoKind && w.Place.Square() == h.Move.To():
			lands = w.Place
		}
	}
	if h.Base == 1 && h.Move != rules.NoMove {
		from, to := wood.Place(h.Move.From()), wood.Place(h.Move.To())
		misread += world.LandsBefore * d.landedFirst(from, to, d.past[0].wood[from], d.past[0].epoch)
	}
	unsaid := 0.0 // nats: what the game paid for when the last move was taken, and this explains
	if d.replaces(h) {
		for p := range d.past[h.Base-1].idle.Intersect(h.Places).Places() {
			unsaid = min(unsaid, d.reopenedCost(p, d.past[h.Base-1].epoch))
		}
	}
	if d.faults.badIsCurrent && unsaid == 0 && !d.fingersLeft(h) {
		misread = min(misread, world.MisreadAll) // what is odd about the way here may be why the wood was misread
	}
	if h.Reply == rules.NoMove && h.Move != rules.NoMove && leaves != wood.Nowhere && lands != wood.Nowhere &&
		(leaves.Square() == h.Move.From() || len(h.Changes) == 2) {
		cost := world.LandsBefore
		if d.now[lands] != "" && !d.steppedAfter(lands, d.firstAt(leaves)) {
			// what came there is what had stood there, and nobody has seen that it was exchanged later
			cost = world.ExchangeUnseen + d.reopenedCost(lands, d.seen.Epoch)
		}
		nats += cost * d.landedFirst(leaves, lands, d.now[leaves], d.seen.Epoch)
	}
	if h.Move != rules.NoMove && h.Base == 0 {
		nats += d.cameBefore(h)
	}
	if d.replaces(h) {
		nats = max(nats, misread) - unsaid // the piece went on from where it was seen, or never stood there
		if h.Reply == rules.NoMove && d.tooQuick(h, leaves) {
			nats += world.SecondHand
		}
	}
	switch {
	case h.Restores:
		nats += d.restoreScore(h)
	case h.Reply != rules.NoMove:
		nats += d.pairOrderCost(h)
	}
	return nats + d.idleCost(h)
}

// misreadCost is the cost, in nats, of the pile on a place if the last moves were never made. What stands there as
// before was lifted then, as far as that was seen, and put back. Of moves that were taken together with the one before
// them, the events that this one needs are its own. Where nothing was, only a captured piece stood for long.
func (d *Decoder) misreadCost(h *hypotheses.Hypothesis, p wood.Place, pile wood.Pile) float64 {
	past := &d.past[h.Base-1]
	switch c := &d.seen.Reeds[p]; {
	case past.wood[p] != pile || c.Chattering(d.seen.Now):
	case pile == "":
		// it was closed for so long
		if c.LongestOpen(past.epoch, !d.seen.Closed.Has(p)) > world.LiftTakes && !d.takesOff(h, &past.wood) {
			return world.StoodUnexplained
		}
	default:
		flips := c.After(past.epoch)
		if past.joined && h.Base < len(d.past) {
			flips = min(flips, c.After(d.past[h.Base].epoch)-minFlips(d.past[h.Base].wood[p], pile))
		}
		if flips > 1 {
			return d.reopenedCost(p, past.epoch)
		}
	}
	return d.exchangeCost(p, past.wood[p], pile, h.Base)
}

// visitorCost is the cost, in nats, of something that stood where a piece has come, and that the hypothesis knows
// nothing of. A pawn that is exchanged there is known.
func (d *Decoder) visitorCost(h *hypotheses.Hypothesis, w *hypotheses.Change) float64 {
	c, needed := &d.seen.Reeds[w.Place], minFlips(d.now[w.Place], w.Pile)
	for _, s := range h.Shared {
		if s.Place == w.Place {
			needed = max(needed, int(s.Least))
		}
	}
	switch {
	case d.now[w.Place] != "" || h.Ask || h.Move.Promotion() != rules.NoKind || h.Reply.Promotion() != rules.NoKind,
		c.After(d.seen.Epoch) < needed+2, c.Chattering(d.seen.Now):
		return 0
	case c.LongestOpen(d.seen.Epoch, !d.seen.Closed.Has(w.Place)) > world.LiftTakes: // it was closed for so long
		return world.IdleLift
	}
	return world.IdleFlips
}

// exchangeCost is the cost, in nats, of changing one pile for another without the events that this needs. A move that
// replaces others may have begun before they were accepted; then old is the pile of plies ago.
func (d *Decoder) exchangeCost(p wood.Place, old, want wood.Pile, plies int) float64 {
	before := plies > 0
	switch {
	case old == "" || want == "" || old == want:
		return 0
	case old[0] != want[0] && before:
		return d.wholeExchangeCost(p, d.past[plies-1].epoch)
	case old[0] != want[0]:
		return d.wholeExchangeCost(p, d.seen.Epoch)
	}
	kept := wood.Common(old, want)
	switch {
	case d.wholePileLifted(p, plies):
		return world.IdleLift // the pieces that stay were lifted as well
	case kept == len(old), kept == len(want), d.opened(p, kept, want, before):
		return 0
	case p < 64 && d.g.Heights && d.seen.Eyes[p].Top > max(d.want[p].Height, d.g.Target(want).Height)+world.EyeWide:
		return world.Hidden
	}
	return world.StepUnseen
}

// wholeExchangeCost is the cost, in nats, of exchanging everything on a place. Its reed must have opened for long
// enough. Or another sensor must have seen the square empty, if a magnet in the hand kept the reed closed.
func (d *Decoder) wholeExchangeCost(p wood.Place, since evidence.Tick) float64 {
	e := &d.seen
	c, late := &e.Reeds[p], since == e.Epoch && d.landed[p] > since
	if late {
		since = d.landed[p]
	}
	switch {
	case !e.Known.Has(p):
		return 0
	case c.After(since) < 2 && !late && d.emptied(p, since < e.Epoch):
		return world.ShortExchange
	case c.After(since) < 2 && p < 64 && e.HeardEye(p) && e.Eyes[p].High > d.want[p].Height+float64(d.g.CubeHeight)/2:
		return math.Log(math.Exp(world.ExchangeCovered) + e.Trust[sensing.Reeds][p].Err)
	case c.After(since) < 2:
		return math.Log(math.Exp(world.ExchangeUnseen) + e.Trust[sensing.Reeds][p].Err)
	case c.LongestOpen(since, e.Closed.Has(p)) < world.ExchangeTakes:
		return world.ShortExchange
	}
	return 0
}

// emptied reports whether a cell bore nothing or a height sensor saw nothing in this ply, or with before in the last.
// One that showed nothing all the time is dead, and says nothing.
func (d *Decoder) emptied(p wood.Place, before bool) bool {
	e := &d.seen
	if p >= 64 {
		return false
	}
	fell := func(l *evidence.Level, half float64) bool {
		low, high := l.Low, l.High
		if before {
			low, high = min(low, l.Before.Low), max(high, l.Before.High)
		}
		return low < half && high > half
	}
	return e.CellTrusted(p) && fell(&e.Cells[p], d.g.Lightest/2) ||
		e.HeardEye(p) && fell(&e.Eyes[p], float64(d.g.CubeHeight)/2)
}

// opened reports whether, since the ply began, a pile may have been taken down to its kept lowest pieces. Then a cell
// has borne another weight, or the height was that low. With before it looks at the previous ply too.
func (d *Decoder) opened(p wood.Place, kept int, want wood.Pile, before bool) bool {
	e := &d.seen
	if p >= 64 {
		return true
	}
	heard := false
	if e.HeardCell(p) {
		l, half, t := &e.Cells[p], d.g.Lightest/2, d.g.Target(want)
		low, high := l.Low, l.High
		if before {
			low, high = min(low, l.Before.Low), max(high, l.Before.High)
		}
		if low < min(t.Mass, d.want[p].Mass)-half || high > max(t.Mass, d.want[p].Mass)+half {
			return true
		}
		heard = true
	}
	if e.Board.Heights && e.Eyes[p].N > 0 {
		low := e.Eyes[p].Low
		if before {
			low = min(low, e.Eyes[p].Before.Low)
		}
		if low < (float64(kept)+0.5)*float64(d.g.CubeHeight) {
			return true
		}
		heard = true
	}
	return !heard
}

// showed reports whether the sensor of a place, if there is one, has shown in this ply that the pile t stood there.
func (d *Decoder) showed(p wood.Place, t *evidence.Target) bool {
	e, now := &d.seen, &d.want[p]
	switch {
	case e.HeardCell(p) && t.Mass > now.Mass:
		return e.Cells[p].Top > t.Mass-d.g.Lightest/2
	case e.HeardCell(p):
		return e.Cells[p].Low < t.Mass+d.g.Lightest/2
	case e.HeardEye(p) && t.Height > now.Height:
		return e.Eyes[p].Top > t.Height-world.EyeWide
	case e.HeardEye(p):
		return e.Eyes[p].Low < t.Height+world.EyeWide
	}
	return true
}

// tooQuick reports whether a piece was lifted so soon after another one had landed that another hand did it. The piece
// that left leaves for the goal of the move is no other one: two reeds may see it for a moment.
func (d *Decoder) tooQuick(h *hypotheses.Hypothesis, leaves wood.Place) bool {
	e := &d.seen
	for p := range h.Places.Places() {
		lifted := e.Reeds[p].Last()
		if d.now[p] == "" || e.Closed.Has(p) || !e.Known.Has(p) || lifted <= e.Epoch {
			continue
		}
		for q := range h.Places.Places() {
			landed := e.Reeds[q].Last()
			if p == leaves && q.Square() == h.Move.To() {
				continue // one piece, which left late
			}
			if e.Closed.Has(q) && e.Known.Has(q) && landed > e.Epoch && lifted > landed &&
				lifted.Since(landed) < world.HandReaches {
				return true
			}
		}
	}
	return false
}

// idleCost is the cost, in nats, of events on places that a hypothesis (nil: the game) does not touch.
func (d *Decoder) idleCost(h *hypotheses.Hypothesis) (nats float64) {
	e := &d.seen
	if h == nil {
		h = &hypotheses.Hypothesis{}
	}
	for k := range d.turned {
		for q := range (d.turned[k] & d.rivalPlaces[k] &^ h.Places[k]).Squares() {
			p := wood.Place(k*64) + wood.Place(q)
			if h.Move != rules.NoMove && wood.PassesOver(h.Move.From(), q, h.Move.To()) {
				continue // dragged over
			}
			if c := &e.Reeds[p]; c.After(e.Epoch) > 1 && !c.Chattering(e.Now) && !d.ofLastMove(p) {
				nats += d.reopenedCost(p, e.Epoch)
			}
		}
	}
	for q := range (d.rivalPlaces[0] & d.filled[0] &^ (h.Places[0] | d.turned[0] | d.against[0])).Squares() {
		if d.sawLeave(wood.Place(q)) {
			nats += world.IdleLift
		}
	}
	return max(nats, world.IdleFloor)
}

// idlyLifted returns the places whose reed opened for long enough for a hand, and closed again, though a hypothesis
// does not touch them.
func (d *Decoder) idlyLifted(h *hypotheses.Hypothesis) (places wood.Set) {
	e := &d.seen
	for p := range d.turned.Minus(h.Places).Places() {
		if c := &e.Reeds[p]; c.After(e.Epoch) > 1 && !c.Chattering(e.Now) && !d.ofLastMove(p) &&
			c.LongestOpen(e.Epoch, e.Closed.Has(p)) >= world.ExchangeTakes {
			places.Add(p)
		}
	}
	return places
}

// ofLastMove reports whether all that a reed has seen was done by the last move, also if this ply began before that
// was taken.
func (d *Decoder) ofLastMove(p wood.Place) bool {
	return d.changed.Has(p) && d.seen.Reeds[p].Last() <= d.accepted
}

// reopenedCost is the cost, in nats, of what stands on a place again after its reed opened and closed. A piece was
// lifted there if the reed was open for long, or if a cell has borne less.
func (d *Decoder) reopenedCost(p wood.Place, since evidence.Tick) float64 {
	if d.now[p] != "" && (d.seen.Reeds[p].LongestOpen(since, d.seen.Closed.Has(p)) > world.LiftTakes ||
		d.seen.CellTrusted(p) && since == d.seen.Epoch && d.sawLeave(p)) {
		return world.IdleLift
	}
	return world.IdleFlips
}

// sawLeave reports whether a cell or a height sensor has seen a piece leave the pile of a place since the ply began.
// If what it saw counts from before the last move was taken, it may be of the pile that stood there then.
func (d *Decoder) sawLeave(p wood.Place) bool {
	e, now, before := &d.seen, &d.want[p], d.g.Target(d.past[0].wood[p])
	if e.Cells[p].From >= e.Epoch {
		before = *now
	}
	return e.CellTrusted(p) && e.Cells[p].Low < min(now.Mass, before.Mass)-d.g.Lightest/2 ||
		e.HeardEye(p) && e.Eyes[p].Low < min(now.Height, before.Height)-float64(d.g.CubeHeight)/2
}
