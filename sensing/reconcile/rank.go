// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing/wood"
)

type ranked struct {
	h    *hypothesis
	nats float64
}

// afterthought is what a correction or a takeback costs, in nats, against a move that leaves the same wood: a position
// that is repeated is played, not taken back.
const afterthought = -sure - 1

// brushed is what a place stirred without need costs, in nats: a piece was touched in passing, or adjusted. The game as it
// stands needs none of the places that were stirred; a hypothesis is spared the cost of its own.
const brushed = -3.0

// rank lists the hypotheses that nothing settled contradicts.
func (d *Decoder) rank() {
	d.live = d.live[:0]
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if (d.differ[0]&^h.places[0])|(d.differ[1]&^h.places[1]) != 0 {
			continue
		}
		if nats, ok := d.nats(h); ok {
			d.live = append(d.live, ranked{h, nats})
		}
	}
	d.overtake()
}

// overtake lets moves that nobody saw to land be as unlikely as a wrong reed where the same piece may have captured another one that was
// in a hand together with it: nobody adjusts a piece just then.
func (d *Decoder) overtake() {
	for i := range d.live {
		r := &d.live[i]
		if r.h.base == 0 && r.h.move != rules.NoMove && d.unseen(r.h) && slices.ContainsFunc(d.live, func(o ranked) bool { return d.overtakes(o.h, r.h) }) {
			r.nats += reedWrong
		}
	}
}

// overtakes tells whether a move captures what another move of the same piece leaves, and what was held together with that piece.
func (d *Decoder) overtakes(h, on *hypothesis) bool {
	if h.base > 0 || h.move == rules.NoMove || h.move.From() != on.move.From() {
		return false
	}
	return slices.ContainsFunc(h.changes, func(c change) bool {
		old, want := d.now[c.place], c.want.pile
		return old != "" && want != "" && old[0] != want[0] && !on.places.Has(c.place) && d.heldWith(c.place, wood.Place(h.move.From()))
	})
}

// heldWith tells whether what was lifted from one place and put there again was in a hand when, or at once after, another place was left.
func (d *Decoder) heldWith(p, from wood.Place) bool {
	if !d.left(from) || !d.landedOn(p) || !d.seen.lifted.Has(p) {
		return false
	}
	at := d.seen.changed[from]
	return d.seen.opened[p].Before(at.Add(handing)) && d.seen.changed[p].After(at)
}

// handing is within which time of lifting a piece no hand puts it down elsewhere and lifts another one.
const handing = 400 * time.Millisecond

// nats is how much likelier the hypothesis makes all that was seen than the game as it stands does.
func (d *Decoder) nats(h *hypothesis) (sum float64, ok bool) {
	for i := range h.changes {
		c := &h.changes[i]
		v := d.judge(c.place, &c.want)
		if v.against || d.impossible(h, c) {
			return 0, false
		}
		sum += v.nats - d.judge(c.place, &d.want[c.place]).nats
	}
	if h.base > 0 {
		sum += afterthought
	}
	if h.base > 1 {
		sum += afterthought // several moves taken back are less likely than one made otherwise
	}
	return sum - brushed*float64(d.seen.stirred.Both(h.places).Count()), true
}

// leaders are the best hypothesis and the figure of its runner-up; the wood as the game has it counts as one (0 nats).
func (d *Decoder) leaders() (best ranked, second float64) {
	best = d.live[0]
	for _, r := range d.live[1:] {
		if r.nats > best.nats {
			second = max(second, best.nats)
			best = r
		} else {
			second = max(second, r.nats)
		}
	}
	return best, second
}
