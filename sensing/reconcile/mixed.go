package reconcile

import (
	"slices"
	"time"

	"boardd/sensing"
)

// pairVote counts how often two places were seen to be mixed up.
type pairVote struct {
	a, b  Place
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

// vote holds the reeds that changed on the way of a move against those that should have.
func (b *blame) vote(d *Decoder, h *hypothesis) {
	if h.base != 0 {
		return
	}
	var should Set
	for i := range h.changes {
		c := &h.changes[i]
		if (c.want.pile == "") != (d.now[c.place] == "") {
			should.Add(c.place)
		}
	}
	missing, extra := should.less(d.seen.turned), d.seen.turned.less(h.places)
	missing = Set{missing[0] & d.seen.known[0], missing[1] & d.seen.known[1]}
	if extra.Count() != 1 || missing.Count() > 1 {
		return
	}
	var x, m Place
	for p := range extra.places() {
		x = p
	}
	if missing.Empty() {
		for p := range should.places() {
			if near := d.seen.changed[p].Sub(d.seen.changed[x]).Abs() <= together; near && beside(p, x) {
				b.count(d, p, x, Crosstalk, talkVotes)
				return
			}
		}
		return
	}
	for p := range missing.places() {
		m = p
	}
	if m.Deck() == x.Deck() {
		b.count(d, min(m, x), max(m, x), Swapped, swapVotes)
	}
}

// beside tells whether two places are neighbors on the same deck.
func beside(a, b Place) bool {
	df, dr := a.Square().File()-b.Square().File(), a.Square().Rank()-b.Square().Rank()
	return a.Deck() == b.Deck() && a != b && df*df <= 1 && dr*dr <= 1
}

// count adds a vote, and makes a fault of it when there are enough.
func (b *blame) count(d *Decoder, x, y Place, k Trouble, enough int) {
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
	b.find(d, Fault{Place: y, Part: sensing.Reeds, Kind: k, With: x, Nats: nats, Since: d.seen.latest})
	if k == Swapped {
		b.find(d, Fault{Place: x, Part: sensing.Reeds, Kind: k, With: y, Nats: nats, Since: d.seen.latest})
	}
}
