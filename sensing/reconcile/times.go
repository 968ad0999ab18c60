// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"
	"strings"
	"time"

	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/logprob"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// changedAt is when the reed of a place last flipped. If it did not flip in this ply, it is when the cell or the
// height sensor last began a new level.
func (d *Decoder) changedAt(p wood.Place) evidence.Tick {
	e := &d.seen
	if t := e.Reeds[p].Last(); t > d.seen.Epoch || p >= 64 {
		return t
	}
	at := evidence.Never
	if e.HeardCell(p) {
		at = e.Cells[p].Since
	}
	if e.HeardEye(p) {
		at = max(at, e.Eyes[p].Since)
	}
	if p == d.hiddenChange.off || p == d.hiddenChange.on {
		at = max(at, evidence.Tick(e.Balance.Since))
	}
	return at
}

// firstAt is when the reed of a place first flipped in this ply. If it did not, it is changedAt.
func (d *Decoder) firstAt(p wood.Place) evidence.Tick {
	if c := &d.seen.Reeds[p]; c.After(d.seen.Epoch) > 0 {
		return c.Nth(d.seen.Epoch, 1)
	}
	return d.changedAt(p)
}

// lastEvent is the time of the last event on the places of a hypothesis.
func (d *Decoder) lastEvent(h *hypotheses.Hypothesis) evidence.Tick {
	at := evidence.Never
	for p := range h.Places.Places() {
		at = max(at, d.changedAt(p))
	}
	return at
}

// pause is how long the wood has rested, as far as a hypothesis is concerned. In that time no reed flipped. No load
// that contradicts the game began a new level, and no load or height on which the hypothesis relies. What presses on a
// square that is empty then, as the reed says, is none of these. A hand that leans there sways as long as it is there.
func (d *Decoder) pause(h *hypotheses.Hypothesis, rest time.Duration) time.Duration {
	e := &d.seen
	if d.g.Weights {
		moved := d.against[0]
		if h != nil {
			moved |= h.Places[0]
		}
		for q := range moved.Squares() {
			p := wood.Place(q)
			bare := h != nil && e.Known.Has(p) && !e.Closed.Has(p) && d.list.PileOn(h, p) == ""
			if e.CellTrusted(p) && !(bare && e.Cells[q].Mean > d.g.Lightest/2) {
				rest = min(rest, e.Cells[q].Age(e.Now))
			}
		}
	}
	if d.scaleUsable() && (h != nil || d.scaleContradicts()) {
		rest = min(rest, e.Balance.Age(time.Duration(e.Now)))
	}
	if d.g.Heights && h != nil {
		for q := range h.Places[0].Squares() {
			if e.HeardEye(wood.Place(q)) && !d.heightFell(wood.Place(q)) &&
				(len(d.list.PileOn(h, wood.Place(q))) > 1 || len(d.now[q]) > 1 || e.LacksReed(wood.Place(q))) {
				rest = min(rest, e.Eyes[q].Age(e.Now))
			}
		}
	}
	return max(0, rest)
}

// leftAt is when something left a square in this ply, or now if nothing did. It is when the reed opened. If a part of
// the pile stays, it is when the load or the height last began a new level. Only a reed and a cell are exact; a height
// may be that of a hand that passed later.
func (d *Decoder) leftAt(s wood.Place) (at evidence.Tick, exact bool) {
	if at, ok := d.openedAt([2]wood.Place{s, s + 64}); ok {
		return at, true
	}
	e := &d.seen
	k, ok := d.part(s)
	if ok && k > 0 && k < len(d.now[s]) && d.steppedAfter(s, e.Epoch) && e.Reeds[s].Last() <= e.Epoch {
		return d.changedAt(s), e.CellTrusted(s)
	}
	return e.Now, false
}

// arrivedAt is when something last came to a place in this ply, and not from the other deck there, or else never.
func (d *Decoder) arrivedAt(h *hypotheses.Hypothesis, p wood.Place) evidence.Tick {
	e, other := &d.seen, d.now[p^64]
	at := e.Reeds[p].Last()
	if !e.Known.Has(p) || !e.Closed.Has(p) || at <= e.Epoch || other != "" && d.list.PileOn(h, p) == other {
		return evidence.Never
	}
	return at
}

// cameAt is when something first came in this ply to the empty destination of a move, never if that was not seen.
func (d *Decoder) cameAt(h *hypotheses.Hypothesis) evidence.Tick {
	for _, p := range hypotheses.Landing(h.Move) {
		if d.now[p] == "" && d.arrivedAt(h, p) != evidence.Never {
			return d.seen.Reeds[p].Nth(d.seen.Epoch, 1)
		}
	}
	return evidence.Never
}

// departedAt is when the piece of a move left one of two places in this ply. The top of a pile leaves before the reed
// opens, but the cell tells.
func (d *Decoder) departedAt(from [2]wood.Place) (at evidence.Tick, ok bool) {
	for _, p := range from {
		if len(d.now[p]) > 1 {
			return d.relievedAt(p % 64), p < 64 && d.relieved[p] != 0
		}
	}
	return d.openedAt(from)
}

// relievedAt is when the top of a pile left at the earliest. While a hand leans there it may go unnoticed.
func (d *Decoder) relievedAt(p wood.Place) evidence.Tick {
	if at := d.seen.Cells[p].FellAt(d.g.Lightest/2, d.seen.Epoch); at != evidence.Never {
		return min(at, d.relieved[p])
	}
	return d.relieved[p]
}

// openedAt is when the reed of one of two places opened in this ply because its piece left. It is the last time if
// the reed is still open, and the first if it has closed again.
func (d *Decoder) openedAt(from [2]wood.Place) (at evidence.Tick, ok bool) {
	e := &d.seen
	for _, p := range from {
		c, t := &e.Reeds[p], evidence.Never
		switch {
		case d.now[p] == "" || !e.Known.Has(p) || c.Last() <= e.Epoch:
		case !e.Closed.Has(p):
			t = c.Last()
		case c.After(e.Epoch) > 1:
			t = c.Nth(e.Epoch, 1)
		}
		if t != evidence.Never && (!ok || t < at) {
			at, ok = t, true
		}
	}
	return at, ok
}

// landedFirst is how surely what landed on a place did so before the piece of the pile left another, from 0 to 1. It
// left when the reed first opened: later another piece may have stood there. The top of a pile left when the cell was
// relieved.
func (d *Decoder) landedFirst(leaves, lands wood.Place, pile wood.Pile, since evidence.Tick) float64 {
	left, landed := d.seen.Reeds[leaves].Nth(since, 1), d.seen.Reeds[lands].Last()
	gone := !d.seen.Closed.Has(leaves)
	if len(pile) > 1 && leaves < 64 {
		left = d.relievedAt(leaves)
		gone = d.seen.CellTrusted(leaves)
	}
	if pile == "" || !gone || !d.seen.Closed.Has(lands) || min(left, landed) <= since || left <= landed {
		return 0
	}
	if c := &d.seen.Reeds[leaves^64]; len(pile) == 1 && c.After(since) > 0 {
		left = max(landed, min(left, c.Nth(since, 1))) // the piece that stood on the other deck there may be the one
	}
	return 1 - logprob.Decay(left.Since(landed), world.LandsSlack)
}

// between is a time between two moves: after the piece of the first landed and before that of the reply left.
func (d *Decoder) between(h *hypotheses.Hypothesis) evidence.Tick {
	e := &d.seen
	at := e.Now
	for _, p := range hypotheses.Departing(h.Reply) {
		if t := e.Reeds[p].Last(); t > d.seen.Epoch {
			at = min(at, t-1)
		}
	}
	for k, p := range hypotheses.Landing(h.Move) {
		t := e.Reeds[p].Last()
		if n := h.ReplyFlips[k]; n > 0 {
			t = e.Reeds[p].Back(uint32(n-1)) - 1
		}
		if t > d.seen.Epoch {
			at = min(at, t)
		}
	}
	return at
}

// firstDeparture is when the first event of this ply was on the places of a hypothesis where something stood.
func (d *Decoder) firstDeparture(h *hypotheses.Hypothesis) evidence.Tick {
	at := d.seen.Now
	for p := range h.Places.Places() {
		if t := d.firstAt(p); d.now[p] != "" && t > d.seen.Epoch {
			at = min(at, t)
		}
	}
	return at
}

// beforeFirstChange is a time just before the first change of this ply on some places.
func (d *Decoder) beforeFirstChange(places wood.Set) evidence.Tick {
	at := d.seen.Now
	for p := range places.Places() {
		if t := d.changedAt(p); t > d.seen.Epoch {
			at = min(at, t-1)
		}
	}
	return at
}

// contradictedAt is when the wood first contradicted the last move, or else when a reed flipped after it.
func (d *Decoder) contradictedAt() evidence.Tick {
	if d.contradictedSince != evidence.Never {
		return max(d.accepted, d.contradictedSince)
	}
	at := d.seen.Now
	for p := range d.turned.Places() {
		if t := d.firstAt(p); t > d.seen.Epoch {
			at = min(at, t)
		}
	}
	return max(d.accepted, at)
}

// landsUnseen reports whether a hypothesis has a piece arrive where no sensor has shown it. Either none can (deaf), or
// sensors that work show nothing there (unshown). A piece that came in place of one like it counts as seen if
// something was seen to leave. That a hand was there is not enough: it may still hold the piece. No reed tells what
// comes on top of a pile.
func (d *Decoder) landsUnseen(h *hypotheses.Hypothesis) (deaf, unshown bool) {
	for _, i := range h.Changes {
		w := d.weighed(i)
		if w.Gain > world.Negligible || strings.HasPrefix(string(d.now[w.Place]), string(w.Pile)) {
			continue
		}
		switch {
		case d.seen.LacksReed(w.Place), d.addsUnheard(w):
			deaf = deaf || d.seen.LastAt(w.Place) <= d.seen.Epoch
		case w.Gain < -world.Negligible:
			unshown = true
		default:
			unshown = unshown || d.scaleDoubts(h) ||
				d.exchangeCost(w.Place, d.now[w.Place], w.Pile, 0) < world.ShortExchange-world.Negligible
		}
	}
	return deaf, unshown
}

// addsUnheard reports whether a change puts pieces on a pile where nothing tells how high or heavy that is.
func (d *Decoder) addsUnheard(w *hypotheses.Change) bool {
	e, p := &d.seen, w.Place
	return d.now[p] != "" && strings.HasPrefix(string(w.Pile), string(d.now[p])) && !e.HeardCell(p) && !e.HeardEye(p) &&
		!(d.g.Scale && e.HeardScale())
}

// pilesUnheard is addsUnheard for any change of a hypothesis.
func (d *Decoder) pilesUnheard(h *hypotheses.Hypothesis) bool {
	return slices.ContainsFunc(h.Changes, func(i int32) bool { return d.addsUnheard(d.weighed(i)) })
}

// stillCarried returns the odds that the piece of a hypothesis has not landed, where none was seen to. It may be on
// its way to any of its places, or be left in the hand or beside the board. A sensor that shows nothing any more
// explains why nothing landed. Where all sensors work, an exchange that none shows is less likely. Moves in place of
// the last one do not wait for this. It costs more that the game goes on to show a move which the wood does not show.
func (d *Decoder) stillCarried(h *hypotheses.Hypothesis, rest time.Duration) (odds float64) {
	deaf, unshown := d.landsUnseen(h)
	if !deaf && !unshown {
		return 0
	}
	own := unshown
	outlasts := logprob.Decay(rest, world.CarryPause) + world.ThinkShare*logprob.Decay(rest, world.ThinkPause)
	add := func(o *hypotheses.Hypothesis) { odds += math.Exp(o.PartScore - d.list.OnTheWayCost(o.Base) - h.Score) }
	for _, i := range d.halves {
		o := &d.list.Hyps[i]
		add(o)
		own = own && o != h
	}
	if own {
		add(h) // as likely half made as made: nothing shows either
	}
	if !unshown {
		return min(1, odds) * outlasts // no sensor tells: it has landed as likely as not
	}
	return odds * (outlasts + world.LeftIllegal)
}

// minFlips is the least number of flips of a reed when one pile becomes another.
func minFlips(a, b wood.Pile) int {
	switch {
	case a == "" && b == "", a != "" && b != "" && a[0] == b[0]:
		return 0
	case a == "" || b == "":
		return 1
	}
	return 2
}
