// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"
	"time"

	"boardd/sensing"
	"boardd/sensing/wood"
)

// pairVote counts how often two places were seen to be mixed up.
type pairVote struct {
	a, b  wood.Place
	kind  Trouble
	count int
}

// together is within which time two reeds change that are closed by the same magnet: three sweeps.
const together = 6 * time.Millisecond

// How often two places must have been mixed up before it is no accident.
const (
	swapVotes = 2
	talkVotes = 3
)

// vote holds the reeds that changed on the way of a move that was recognised against those that should have.
func (b *blame) vote(d *Decoder, h *hypothesis) {
	if h.base != 0 {
		return
	}
	var should wood.Set
	for i := range h.changes {
		c := &h.changes[i]
		if (c.want.pile == "") != (d.now[c.place] == "") {
			should.Add(c.place)
		}
	}
	missing, extra := should.Less(d.seen.turned), d.seen.turned.Less(h.places)
	missing = missing.Both(d.seen.known)
	if extra.Count() != 1 || missing.Count() > 1 {
		return
	}
	var x, m wood.Place
	for p := range extra.Places() {
		x = p
	}
	if missing.Empty() {
		for p := range should.Places() {
			if beside(p, x) && d.together(p, x) {
				b.count(d, p, x, Crosstalk, talkVotes)
				return
			}
		}
		return
	}
	for p := range missing.Places() {
		m = p
	}
	if m.Deck() == x.Deck() {
		b.count(d, min(m, x), max(m, x), Swapped, swapVotes)
	}
}

// echoes tells whether the reeds of two places of a deck were closed at the same time, as one magnet does it and no hands do.
func (d *Decoder) echoes(p, q wood.Place) bool {
	return p.Deck() == q.Deck() && d.landedOn(p) && d.landedOn(q) && d.together(p, q)
}

// together tells whether two reeds changed at the same time, as far as somebody looked.
func (d *Decoder) together(p, q wood.Place) bool {
	return d.seen.changed[p].Sub(d.seen.changed[q]).Abs() <= together && !d.seen.unwatched.Has(p) && !d.seen.unwatched.Has(q)
}

// told finds reeds that close along with another, and notes which may answer for each other, when a move that was not recognised, or wrongly, is given
// otherwise: one that turned on its way though the move has nothing to do with it, and one that contradicts the move in the opposite way. Further moves may
// have begun.
func (b *blame) told(d *Decoder, after *wood.Wood, turned wood.Set) {
	differ := d.now.Diff(after)
	for x := range turned.Less(differ).Both(d.seen.reeds()).Places() {
		for m := range differ.Both(d.seen.reeds()).Places() {
			if after[m] != "" && after[x] == "" && d.echoes(m, x) {
				b.find(d, Fault{Place: x, Part: sensing.Reeds, Kind: Crosstalk, With: m, Nats: -reedWrong, Since: d.seen.latest})
				continue
			}
			closed := d.seen.closed.Has(x)
			if m.Deck() == x.Deck() && closed != d.seen.closed.Has(m) && closed == (after[x] == "") && closed != (after[m] == "") && len(b.hints) < mostHints {
				b.hints = append(b.hints, [2]wood.Place{min(m, x), max(m, x)})
			}
		}
	}
}

// mostHints is how many pairs of reeds are kept that may answer for each other: some for each move given by people.
const mostHints = 64

// beside tells whether two places are neighbors on the same deck.
func beside(a, b wood.Place) bool {
	df, dr := a.Square().File()-b.Square().File(), a.Square().Rank()-b.Square().Rank()
	return a.Deck() == b.Deck() && a != b && df*df <= 1 && dr*dr <= 1
}

// count adds a vote, and makes a fault of it when there are enough.
func (b *blame) count(d *Decoder, x, y wood.Place, k Trouble, enough int) {
	i := slices.IndexFunc(b.votes, func(v pairVote) bool { return v.a == x && v.b == y && v.kind == k })
	if i < 0 {
		if len(b.votes) >= 64 {
			b.votes = b.votes[1:]
		}
		b.votes = append(b.votes, pairVote{a: x, b: y, kind: k})
		i = len(b.votes) - 1
	}
	b.votes[i].count++
	if b.votes[i].count < enough {
		return
	}
	nats := -reedWrong * float64(b.votes[i].count)
	b.votes = slices.Delete(b.votes, i, i+1)
	if k == Swapped {
		b.swap(d, x, y, nats)
		return
	}
	b.find(d, Fault{Place: y, Part: sensing.Reeds, Kind: k, With: x, Nats: nats, Since: d.seen.latest})
}

// swap takes the wires of two reeds for swapped or, if they were taken for that, for straight again.
func (b *blame) swap(d *Decoder, x, y wood.Place, nats float64) {
	if i, ok := b.has(x, sensing.Reeds); ok && b.faults[i].Kind == Swapped && b.faults[i].With == y {
		b.clear(d, i)
		if i, ok = b.has(y, sensing.Reeds); ok {
			b.clear(d, i)
		}
		d.seen.trade(x, y)
		return
	}
	b.find(d, Fault{Place: y, Part: sensing.Reeds, Kind: Swapped, With: x, Nats: nats, Since: d.seen.latest})
	b.find(d, Fault{Place: x, Part: sensing.Reeds, Kind: Swapped, With: y, Nats: nats, Since: d.seen.latest})
	d.seen.trade(x, y)
}

// crossed finds two reeds of which each shows what the other should, and takes their wires for swapped: where heights say that the one
// is closed over nothing and the other open under a piece, or where the game says so after a move for which the reeds
// changed as if they were.
func (b *blame) crossed(d *Decoder, at time.Time) bool {
	if x, y, ok := d.opposed(func(p wood.Place) (stands, known bool) { return d.measured(p, d.t.Fault) }); ok {
		b.swap(d, min(x, y), max(x, y), -reedWrong-floorNats)
		return true
	}
	if d.differ.Count() != 2 || d.quiet < d.t.Fault {
		return false
	}
	x, y, ok := d.opposed(func(p wood.Place) (stands, known bool) { return d.now[p] != "", d.differ.Has(p) })
	if !ok || !slices.Contains(b.hints, [2]wood.Place{min(x, y), max(x, y)}) {
		return false
	}
	b.swap(d, min(x, y), max(x, y), -2*reedWrong)
	b.hints = b.hints[:0]
	return true
}

// opposed finds the only two reeds of a deck that contradict what is known otherwise of their places, if one is closed and the other open.
func (d *Decoder) opposed(what func(p wood.Place) (stands, known bool)) (x, y wood.Place, ok bool) {
	shut, open := 0, 0
	for p := range wood.Place(wood.Places) {
		if !d.seen.reed(p) {
			continue
		}
		stands, known := what(p)
		switch closed := d.seen.closed.Has(p); {
		case !known || closed == stands:
		case closed:
			x = p
			shut++
		default:
			y = p
			open++
		}
	}
	return x, y, shut == 1 && open == 1 && x.Deck() == y.Deck()
}

// measured tells what the height sensor of a place has said for long, also since its reed last changed: whether something stands there. The longer, the less
// it may be a hand.
func (d *Decoder) measured(p wood.Place, long time.Duration) (stands, known bool) {
	if p >= 64 || !d.g.Heights || d.seen.mute[sensing.Heights].Has(p) {
		return false, false
	}
	m, of := &d.seen.height[p], d.g.eye(p.Square())
	if m.n == 0 || m.mean > of.unit/2 == d.seen.closed.Has(p) {
		return d.seen.closed.Has(p), m.n > 0 // the reed says the same: how well it is known is all one
	}
	mean, ok := m.steady()
	since := m.since
	if changed := d.seen.changed[p]; changed.After(since) {
		since = changed
	}
	if near := outlier * m.spread(of, 0); !ok || m.heard.Sub(since) < long || mean > lowestHand || math.Abs(mean-of.unit/2) < near-of.unit/2 {
		return false, false
	}
	return mean > of.unit/2, true
}
