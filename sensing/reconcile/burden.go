// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"strings"
	"time"

	"boardd/sensing"
	"boardd/sensing/wood"
)

// burden is what a place was seen to bear that is more than the game has there. Times of zero are never.
type burden struct {
	value float64   // milligrams or micrometres: what it last showed for as long as laid, if that was more
	at    time.Time // when it last did
	alone time.Time // when it last showed just what the game has
}

// laid is for how long a place must show more than the game has there for that to be pieces that were put down, and no hand.
const laid = 300 * time.Millisecond

// bear notes what the places bear where something stands. Where load cells count the pieces heights are not asked.
func (d *Decoder) bear(r *sensing.Reading) {
	if r.Deck == sensing.Upper || r.Kind != d.counting() {
		return
	}
	for q := range (d.filled[0] & r.Known &^ r.Stale).Squares() {
		m, want, unit := &d.seen.height[q], d.want[q].height, d.g.eye(q).unit
		if r.Kind == sensing.Weights {
			m, want, unit = &d.seen.mass[q], d.want[q].mass, d.g.cell(q).unit
		}
		mean, ok := m.steady()
		switch b := &d.burdens[q]; {
		case !ok:
		case math.Abs(mean-want) < unit/2:
			b.alone = r.At
		case mean > want && r.At.Sub(m.since) >= laid:
			b.value, b.at = mean, r.At
		}
	}
}

// counting is the kind of sensors that count pieces, Reeds if none do.
func (d *Decoder) counting() sensing.Kind {
	switch {
	case d.g.Weights:
		return sensing.Weights
	case d.g.Heights:
		return sensing.Heights
	}
	return sensing.Reeds
}

// overturned tells whether what a change has at the bottom was put on top of its captor, and came back with it in one go: then it stands above
// it. In parts, or lifted once more, it may have come to stand below.
func (d *Decoder) overturned(h *hypothesis, c *change) bool {
	if !d.g.Weights && d.g.flat() {
		return false // a hand over tiles looks like some more of them
	}
	if !d.seen.analog(&d.g, c.place) || !d.landedOn(c.place) || d.seen.landings[c.place] != 1 || d.burdens[c.place].alone.After(d.seen.changed[c.place]) {
		return false
	}
	under := d.now[c.place]
	carried, ok := strings.CutPrefix(string(c.want.pile), string(under))
	if !ok || under == "" || carried == "" || under+wood.Pile(carried) == wood.Pile(carried)+under {
		return false // nothing comes on top, or either way round is the same
	}
	for i := range h.changes {
		from := &h.changes[i]
		if d.seen.analog(&d.g, from.place) && from.want.pile+wood.Pile(carried) == d.now[from.place] && d.bore(from, under, d.seen.changed[c.place]) {
			return true
		}
	}
	return false
}

// bore tells whether a pile that was put on what stood on the place of a change left it together with that, before a time.
func (d *Decoder) bore(from *change, above wood.Pile, before time.Time) bool {
	b := &d.burdens[from.place]
	if b.at.IsZero() || b.alone.After(b.at) || !b.at.Before(before) || from.want.pile == "" && !(d.left(from.place) && d.seen.changed[from.place].Before(before)) {
		return false
	}
	all := d.g.target(d.now[from.place] + above)
	if d.g.Weights {
		return math.Abs(b.value-all.mass) <= outlier*d.seen.mass[from.place].spread(d.g.cell(from.place.Square()), all.variance)
	}
	return math.Abs(b.value-all.height) <= outlier*d.seen.height[from.place].spread(d.g.eye(from.place.Square()), 0)
}
