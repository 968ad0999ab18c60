// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile/logprob"
	"boardd/sensing/wood"
)

// eventCost is what a hypothesis costs, in nats, for the events on the way. These are needed ones that were not seen,
// and seen ones that are not needed. It breaks ties between woods that look alike and never forbids one.
func (d *Decoder) eventCost(h *hypothesis) (nats float64) {
	leaves, lands := wood.Nowhere, wood.Nowhere
	misread, pairs := 0.0, 0 // misread: the cost if the moves that it replaces were never made
	total := d.addedMass(h)
	for _, i := range h.changes {
		w := &d.list.changes[i]
		old := d.now[w.place]
		nats += d.exchangeCost(w.place, old, w.pile, 0) + d.unweighedExchangeCost(h, w, total)
		if d.replaces(h) {
			misread += d.exchangeCost(w.place, d.past[h.base-1].wood[w.place], w.pile, h.base)
		}
		switch {
		case len(w.pile) < len(old):
			leaves = w.place
			pairs++
		case len(w.pile) == 1 && h.move.Promotion() == rules.NoKind:
			lands = w.place
			pairs++
		default:
			pairs++
		}
	}
	if h.base == 1 && h.move != rules.NoMove {
		from, to := wood.Place(h.move.From()), wood.Place(h.move.To())
		misread += d.orderCost(from, to, d.past[0].wood[from], d.past[0].epoch)
	}
	if d.faults.badIsCurrent {
		misread = min(misread, misreadAll) // what is odd about the way here may be why the wood was misread
	}
	if h.reply == rules.NoMove && h.move != rules.NoMove && pairs == 2 && leaves != wood.Nowhere &&
		lands != wood.Nowhere && lands.Square() == h.move.To() {
		nats += d.orderCost(leaves, lands, d.now[leaves], d.seen.epoch)
	}
	if d.replaces(h) {
		nats = max(nats, misread) // the piece went on from where it was seen, or never stood there
		if h.reply == rules.NoMove && d.tooQuick(h, leaves) {
			nats += secondHand
		}
	}
	switch {
	case h.restores:
		nats += d.restoreScore(h)
	case h.reply != rules.NoMove:
		nats += d.pairOrderCost(h)
	}
	return nats + d.idleCost(h)
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
		return d.wholeExchangeCost(p, d.seen.epoch)
	}
	kept := commonPieces(old, want)
	switch {
	case d.wholePileLifted(p, plies):
		return idleLift // the pieces that stay were lifted as well
	case kept == len(old), kept == len(want), d.opened(p, kept, want, before):
		return 0
	case p < 64 && d.g.Heights && d.seen.eyes[p].top > max(d.want[p].height, d.g.target(want).height)+eyeWide:
		return hidden
	}
	return stepUnseen
}

// wholeExchangeCost is the cost, in nats, of exchanging everything on a place. Its reed must have opened for long
// enough. Or another sensor must have seen the square empty, if a magnet in the hand kept the reed closed.
func (d *Decoder) wholeExchangeCost(p wood.Place, since tick) float64 {
	e := &d.seen
	c := &e.reeds[p]
	switch {
	case !e.known.Has(p):
		return 0
	case c.after(since) < 2 && d.emptied(p, since < e.epoch):
		return shortExchange
	case c.after(since) < 2 && p < 64 && e.heardEye(p) && e.eyes[p].high > d.want[p].height+float64(d.g.CubeHeight)/2:
		return math.Log(math.Exp(exchangeCovered) + e.trust[sensing.Reeds][p].err)
	case c.after(since) < 2:
		return math.Log(math.Exp(exchangeUnseen) + e.trust[sensing.Reeds][p].err)
	case c.longestOpen(since, e.closed.Has(p)) < exchangeTakes:
		return shortExchange
	}
	return 0
}

// emptied reports whether a cell bore nothing or a height sensor saw nothing in this ply, or with before in the last.
func (d *Decoder) emptied(p wood.Place, before bool) bool {
	e := &d.seen
	if p >= 64 {
		return false
	}
	if l := &e.cells[p]; e.cellTrusted(p) && (l.low < d.g.lightest/2 || before && l.lowBefore < d.g.lightest/2) {
		return true
	}
	l, half := &e.eyes[p], float64(d.g.CubeHeight)/2
	return e.heardEye(p) && (l.low < half || before && l.lowBefore < half)
}

// opened reports whether, since the ply began, a pile may have been taken down to its kept lowest pieces. Then a cell
// has borne another weight, or the height was that low. With before it looks at the previous ply too.
func (d *Decoder) opened(p wood.Place, kept int, want wood.Pile, before bool) bool {
	e := &d.seen
	if p >= 64 {
		return true
	}
	heard := false
	if e.heardCell(p) {
		l, half, t := &e.cells[p], d.g.lightest/2, d.g.target(want)
		low, high := l.low, l.high
		if before {
			low, high = min(low, l.lowBefore), max(high, l.highBefore)
		}
		if low < min(t.mass, d.want[p].mass)-half || high > max(t.mass, d.want[p].mass)+half {
			return true
		}
		heard = true
	}
	if e.g.Heights && e.eyes[p].n > 0 {
		low := e.eyes[p].low
		if before {
			low = min(low, e.eyes[p].lowBefore)
		}
		if low < (float64(kept)+0.5)*float64(d.g.CubeHeight) {
			return true
		}
		heard = true
	}
	return !heard
}

// showed reports whether the sensor of a place, if there is one, has shown in this ply that the pile t stood there.
func (d *Decoder) showed(p wood.Place, t *target) bool {
	e, now := &d.seen, &d.want[p]
	switch {
	case e.heardCell(p) && t.mass > now.mass:
		return e.cells[p].top > t.mass-d.g.lightest/2
	case e.heardCell(p):
		return e.cells[p].low < t.mass+d.g.lightest/2
	case e.heardEye(p) && t.height > now.height:
		return e.eyes[p].top > t.height-eyeWide
	case e.heardEye(p):
		return e.eyes[p].low < t.height+eyeWide
	}
	return true
}

// orderCost is the cost, in nats, of a piece of the pile that landed before it left, where a replaced move had put it.
// It left when the reed first opened: later another piece may have stood there.
func (d *Decoder) orderCost(leaves, lands wood.Place, pile wood.Pile, since tick) float64 {
	left, landed := d.seen.reeds[leaves].nth(since, 1), d.seen.reeds[lands].last()
	if len(pile) != 1 || d.seen.closed.Has(leaves) || !d.seen.closed.Has(lands) || min(left, landed) <= since ||
		left.since(landed) <= landsSlack {
		return 0
	}
	return landsBefore
}

// tooQuick reports whether a piece was lifted so soon after another one had landed that another hand did it. The piece
// that left leaves for the goal of the move is no other one: two reeds may see it for a moment.
func (d *Decoder) tooQuick(h *hypothesis, leaves wood.Place) bool {
	e := &d.seen
	for p := range h.places.Places() {
		lifted := e.reeds[p].last()
		if d.now[p] == "" || e.closed.Has(p) || !e.known.Has(p) || lifted <= e.epoch {
			continue
		}
		for q := range h.places.Places() {
			landed := e.reeds[q].last()
			if p == leaves && q.Square() == h.move.To() {
				continue // one piece, which left late
			}
			if e.closed.Has(q) && e.known.Has(q) && landed > e.epoch && lifted > landed && lifted.since(landed) < handReaches {
				return true
			}
		}
	}
	return false
}

// idleCost is the cost, in nats, of events on places that a hypothesis (nil: the game) does not touch.
func (d *Decoder) idleCost(h *hypothesis) (nats float64) {
	e := &d.seen
	if h == nil {
		h = &hypothesis{}
	}
	for k := range d.turned {
		for q := range (d.turned[k] & d.rivalPlaces[k] &^ h.places[k]).Squares() {
			p := wood.Place(k*64) + wood.Place(q)
			if h.move != rules.NoMove && wood.PassesOver(h.move.From(), q, h.move.To()) {
				continue // dragged over
			}
			if c := &e.reeds[p]; c.after(e.epoch) > 1 && !c.chattering(e.now) {
				nats += d.reopenedCost(p, e.epoch)
			}
		}
	}
	for q := range (d.rivalPlaces[0] & d.filled[0] &^ (h.places[0] | d.turned[0] | d.against[0])).Squares() {
		if d.sawLeave(wood.Place(q)) {
			nats += idleLift
		}
	}
	return max(nats, idleFloor)
}

// reopenedCost is the cost, in nats, of what stands on a place again after its reed opened and closed.
func (d *Decoder) reopenedCost(p wood.Place, since tick) float64 {
	if d.now[p] != "" && d.seen.reeds[p].longestOpen(since, d.seen.closed.Has(p)) > liftTakes {
		return idleLift
	}
	return idleFlips
}

// sawLeave reports whether a cell or a height sensor has seen a piece leave the pile of a place since the ply began.
// The ply may have begun before the last move was taken.
func (d *Decoder) sawLeave(p wood.Place) bool {
	e, now, before := &d.seen, &d.want[p], d.g.target(d.past[0].wood[p])
	return e.cellTrusted(p) && e.cells[p].low < min(now.mass, before.mass)-d.g.lightest/2 ||
		e.heardEye(p) && e.eyes[p].low < min(now.height, before.height)-float64(d.g.CubeHeight)/2
}

// stopOdds returns the odds that the wood of a hypothesis is only a stop on the way. The piece may slide on, a lifted
// piece may be put back, or the height of a pile may be that of a hand.
func (d *Decoder) stopOdds(h *hypothesis, rest time.Duration) (odds float64) {
	if d.clockPressed {
		return 0
	}
	if h.onward {
		odds = pausesOn * logprob.Decay(rest, pauseDecay)
		if !d.seenStanding(h) {
			odds += passOn * logprob.Decay(rest, passOnDecay)
		}
	}
	if h.move != rules.NoMove && d.takesAway(h) {
		odds += putBack * logprob.Decay(rest, carryPause)
	}
	return odds + d.handLike(h)
}

// takesAway reports whether a hypothesis only takes pieces away.
func (d *Decoder) takesAway(h *hypothesis) bool {
	for _, i := range h.changes {
		w := &d.list.changes[i]
		if len(w.pile) >= len(d.now[w.place]) {
			return false
		}
	}
	return true
}

// handLike returns the odds that a height which speaks for a hypothesis is that of a hand.
func (d *Decoder) handLike(h *hypothesis) (odds float64) {
	e := &d.seen
	for _, i := range h.changes {
		w := &d.list.changes[i]
		if len(w.pile) > 1 && len(w.pile) > len(d.now[w.place]) && d.now[w.place] != "" && e.heardEye(w.place) &&
			!e.cellTrusted(w.place) {
			odds += d.handAt(w.place)
		}
	}
	return odds
}

// handAt returns the odds that the height over a place is that of a hand. After a piece is put down the height falls,
// from the back of the hand to the piece. When a hand comes from the side, the height rises.
func (d *Decoder) handAt(p wood.Place) float64 {
	l := &d.seen.eyes[p]
	age := d.seen.now.since(l.since)
	if d.handBeside(p) {
		age = 0
	}
	if l.rose {
		return handRises * logprob.Decay(age, handHovers)
	}
	return handLike * logprob.Decay(age, handPasses)
}

// handBeside reports whether a hand is seen over a square beside a place now.
func (d *Decoder) handBeside(p wood.Place) bool {
	e := &d.seen
	for q := range wood.Beside(p.Square()).Squares() {
		b, l := wood.Place(q), &e.eyes[q]
		if e.heardEye(b) && e.now.since(l.heard) < absentAfter && e.now.since(l.since) < allHandsLeave &&
			l.mean > d.want[b].height+3*eyeWide {
			return true
		}
	}
	return false
}

// seenStanding reports whether a cell bears the piece that has come, or its height has been seen for a while.
func (d *Decoder) seenStanding(h *hypothesis) bool {
	if d.scaleUsable() && d.seen.balance.N >= minLevelSamples && d.scaleFitOf(h) > -2 {
		return true
	}
	for _, i := range h.changes {
		w := &d.list.changes[i]
		if len(w.pile) <= len(d.now[w.place]) {
			continue
		}
		e := &d.seen
		if e.heardCell(w.place) && e.cells[w.place].n > 1 && e.cell(w.place, &w.target, false) > -2 {
			return true
		}
		if e.heardEye(w.place) && e.now.since(e.eyes[w.place].since) > eyeDecay &&
			math.Abs(e.eyes[w.place].mean-w.height) < eyeWide {
			return true
		}
	}
	return false
}

// heightFell reports whether a height has fallen from the back of a hand to that of a higher pile of some hypothesis.
func (d *Decoder) heightFell(p wood.Place) bool {
	l := &d.seen.eyes[p]
	for i := d.list.first[p]; i >= 0 && !l.rose; i = d.list.changes[i].next {
		if w := &d.list.changes[i]; len(w.pile) > len(d.now[p]) && d.weighed(i).gain > negligible {
			return true
		}
	}
	return false
}

func landing(m rules.Move) [2]wood.Place {
	return [2]wood.Place{wood.Place(m.To()), wood.Place(m.To()) + 64}
}
