// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"time"

	"boardd/rules"
	"boardd/sensing/wood"
)

// covered asks for the moves that only need an exchange of pieces which no sensor of their place can tell, where a hand was seen after
// their first piece had been lifted: it may have made the exchange, or only hung there with the piece. What is in a hand is put
// down sooner or later; when nobody has touched anything for as long as people think, somebody must say.
func (d *Decoder) covered(at time.Time) (Explanation, bool) {
	d.live = d.live[:0]
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.base == 0 && h.move != rules.NoMove && !h.ask && d.differ.Less(h.places).Empty() && d.restedOn(h.places, at) >= d.t.Unseen && d.behindHand(h) {
			d.live = append(d.live, ranked{h, 0})
		}
	}
	if len(d.live) == 0 {
		return Explanation{}, false
	}
	return d.ask(d.live[0]), true
}

// behindHand tells whether all that speaks against a hypothesis is exchanges that may have been made behind a hand.
func (d *Decoder) behindHand(h *hypothesis) bool {
	hidden := false
	for i := range h.changes {
		c := &h.changes[i]
		v := d.judge(c.place, &c.want)
		if v.against || v.pending || d.early(h, c) || d.piecemeal(h, c) || d.unfounded(h, c) {
			return false
		}
		if !d.untouched(h, c) {
			continue
		}
		from := wood.Place(h.move.From())
		lifted := d.seen.shiftedAt[from]
		if d.left(from) {
			lifted = d.seen.changed[from]
		}
		if c.place >= 64 || d.now[c.place][0] != c.want.pile[0] || !d.seen.shifted.Has(c.place) || !d.seen.jumpedAt[c.place].After(lifted) {
			return false
		}
		hidden = true
	}
	return hidden
}
