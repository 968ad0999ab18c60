// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// way is what a hypothesis pays for the way there: what it needs and was not seen, and what was seen and it does not need. It
// breaks ties between woods that look alike and never forbids one.
func (d *Decoder) way(h *hypothesis) (nats float64) {
	leaves, lands := wood.Nowhere, wood.Nowhere
	pairs := 0
	for _, i := range h.wishes {
		w := &d.list.wishes[i]
		old := d.now[w.place]
		nats += d.exchange(w.place, old, w.pile, h.base)
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
	if h.former {
		nats += d.formerly(h)
	} else if h.reply != rules.NoMove {
		nats += d.pairWay(h)
	} else if h.move != rules.NoMove && h.base == 0 && pairs == 2 && leaves != wood.Nowhere && lands != wood.Nowhere {
		nats += d.order(leaves, lands)
	}
	return nats + d.idle(h)
}

// exchange is what it costs to change one pile for another on a place without what that needs.
func (d *Decoder) exchange(p wood.Place, old, want wood.Pile, base int) float64 {
	switch {
	case old == "" || want == "":
		return 0
	case old[0] != want[0]:
		return d.exchangedWhole(p, d.began(base, p))
	}
	kept := common(old, want)
	if kept < len(old) && kept < len(want) && !d.opened(p, kept, want, base > 0 && !d.moved.Has(p)) {
		return unstepped
	}
	return 0
}

// exchangedWhole is what it costs that everything on a place was exchanged, as far as its reed tells: it must have opened, and for long enough.
func (d *Decoder) exchangedWhole(p wood.Place, since tick) float64 {
	e := &d.seen
	c := &e.reeds[p]
	switch {
	case !e.known.Has(p):
		return 0
	case c.after(since) < 2:
		return math.Log(math.Exp(unexchanged) + e.trust[sensing.Reeds][p].err)
	case c.longestOpen(since, e.closed.Has(p)) < exchangeTakes:
		return hurried
	}
	return 0
}

// began is from when on what was seen on a place counts for hypotheses of a base: a correction may have begun before the move that it corrects was
// accepted, but not where that changed something.
func (d *Decoder) began(base int, p wood.Place) tick {
	if base > 0 && !d.moved.Has(p) {
		return d.before
	}
	return d.epoch
}

// common is how many pieces two piles have in common, from the bottom.
func common(a, b wood.Pile) int {
	k := 0
	for k < len(a) && k < len(b) && a[k] == b[k] {
		k++
	}
	return k
}

// opened reports whether a pile may have been taken off down to so many pieces since the ply began: a cell has borne something
// else, or an eye has seen what lies under the rest.
func (d *Decoder) opened(p wood.Place, kept int, want wood.Pile, before bool) bool {
	e := &d.seen
	if p >= 64 {
		return true
	}
	heard := false
	if e.heardCell(p) {
		l, half, t := &e.cells[p], d.g.lightest()/2, d.g.target(want)
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

// stepped reports whether a cell or an eye of a place has stepped since the ply began.
func (d *Decoder) stepped(p wood.Place) bool {
	e := &d.seen
	return p < 64 && (d.g.Weights && e.cells[p].since > d.epoch || d.g.Heights && e.eyes[p].since > d.epoch)
}

// order is what it costs that a piece landed before it left.
func (d *Decoder) order(leaves, lands wood.Place) float64 {
	e := &d.seen
	left, landed := e.reeds[leaves].last(), e.reeds[lands].last()
	if len(d.now[leaves]) != 1 || e.closed.Has(leaves) || !e.closed.Has(lands) || left <= d.epoch || landed <= d.epoch {
		return 0
	}
	if left.since(landed) > landsSlack {
		return landsBefore
	}
	return 0
}

// idle is what it costs that things happened on places which the hypothesis does not touch.
func (d *Decoder) idle(h *hypothesis) (nats float64) {
	e := &d.seen
	for k := range d.turned {
		for q := range (d.turned[k] & d.theirs[k] &^ h.places[k]).Squares() {
			p := wood.Place(k*64) + wood.Place(q)
			if h.move != rules.NoMove && passes(h.move.From(), q, h.move.To()) {
				continue // dragged over
			}
			if c := &e.reeds[p]; c.after(d.epoch) >= 2 && !c.chattering(e.now) {
				nats += handledIdly
			}
		}
	}
	return max(nats, idleFloor)
}

// atWork is the probability that a hand which has rested for so long will still go on.
func atWork(rest time.Duration) float64 {
	return fastShare*fades(rest, fastPause) + slowShare*fades(rest, slowPause) + longShare*fades(rest, longPause) + restFloor
}

// stop is how likely it is that what a hypothesis sees is only a station, relative to that it is the end: the piece slides on, what was taken up
// is still in a hand, or the height of what came is that of a hand.
func (d *Decoder) stop(h *hypothesis, rest time.Duration) (odds float64) {
	if d.hurry {
		return 0
	}
	if d.onlyTakes(h) {
		return held * fades(rest, heldFades)
	}
	if h.onward {
		odds = pausesOn * fades(rest, pauseFades)
		if !d.weighedDown(h) {
			odds += goOn * fades(rest, goOnFades)
		}
	}
	return odds + d.handLike(h)
}

// handLike is how likely it is that a height which speaks for a hypothesis is that of a hand.
func (d *Decoder) handLike(h *hypothesis) (odds float64) {
	e := &d.seen
	for _, i := range h.wishes {
		w := &d.list.wishes[i]
		if len(w.pile) > 1 && len(w.pile) > len(d.now[w.place]) && d.now[w.place] != "" && e.heardEye(w.place) && !e.counts(w.place) {
			odds += handLike * fades(e.now.since(e.eyes[w.place].since), handPasses)
		}
	}
	return odds
}

// weighedDown reports whether a cell bears what has come, or an eye has seen it for a while.
func (d *Decoder) weighedDown(h *hypothesis) bool {
	for _, i := range h.wishes {
		w := &d.list.wishes[i]
		if len(w.pile) <= len(d.now[w.place]) {
			continue
		}
		e := &d.seen
		if e.heardCell(w.place) && e.cells[w.place].n > 1 && e.cell(w.place, &w.target, false) > -2 {
			return true
		}
		if e.heardEye(w.place) && e.now.since(e.eyes[w.place].since) > eyeFades && math.Abs(e.eyes[w.place].mean-w.height) < eyeWide {
			return true
		}
	}
	return false
}

// onlyTakes reports whether a hypothesis only takes pieces away: these may as well be in a hand, on their way elsewhere.
func (d *Decoder) onlyTakes(h *hypothesis) bool {
	for _, i := range h.wishes {
		w := &d.list.wishes[i]
		if d.unseen(w) {
			continue
		}
		if old := d.now[w.place]; len(w.pile) >= len(old) || !within(w.pile, old) {
			return false
		}
	}
	return true
}

// unseen reports whether no sensor tells what a wish is about.
func (d *Decoder) unseen(w *wish) bool {
	e, p, old := &d.seen, w.place, d.now[w.place]
	if w.pile == "" {
		return false
	}
	reed := e.known.Has(p) && (old == "" || old[0] != w.pile[0])
	return len(w.pile) >= len(old) && !reed && !e.counts(p) && !e.heardEye(p)
}

// within reports whether the pieces of one pile stand in another in the same order.
func within(part, whole wood.Pile) bool {
	k := 0
	for i := 0; i < len(whole) && k < len(part); i++ {
		if part[k] == whole[i] {
			k++
		}
	}
	return k == len(part)
}
