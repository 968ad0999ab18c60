// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// touch lists the places that differ from the game as it stands.
func (d *Decoder) touch() []Touch {
	d.touchs = d.touchs[:0]
	for p := range d.differ.Places() {
		d.touchs = append(d.touchs, Touch{Place: p, Want: d.now[p], See: d.count(p)})
	}
	return d.touchs
}

// lifts lists the places that show less than the game has there, and a lower part of it.
func (d *Decoder) lifts() []Lift {
	d.lifted = d.lifted[:0]
	for p := range d.differ.Places() {
		if d.awaits(p) {
			continue
		}
		if k, ok := d.part(p); ok {
			d.lifted = append(d.lifted, Lift{Place: p, Keep: k})
		}
	}
	return d.lifted
}

// leaving adds the places whose upper piece is about to leave: their load has fallen, and has yet to settle. That is soon enough for a
// light, and too soon to find a move by. Of higher piles it cannot be told how many pieces are lifted.
func (d *Decoder) leaving(lifts []Lift) []Lift {
	if !d.g.Weights {
		return lifts
	}
	less := d.g.lightest() / 2
	for p := range d.unsure.Both(d.tall).Places() {
		if len(d.now[p]) != 2 || p >= 64 || !d.seen.reed(p) || !d.seen.closed.Has(p) || d.seen.mute[sensing.Weights].Has(p) {
			continue
		}
		m := &d.seen.mass[p]
		if load := m.last - m.offset; m.n > 0 && load < d.want[p].mass-less && load > float64(d.g.Mass[d.now[p][0]])-less {
			lifts = append(lifts, Lift{Place: p, Keep: 1})
		}
	}
	return lifts
}

// part finds how many pieces of the pile that should stand on a place are left there, from the bottom.
func (d *Decoder) part(p wood.Place) (keep int, ok bool) {
	pile := d.now[p]
	if pile != "" && d.seen.reed(p) && !d.seen.closed.Has(p) {
		return 0, true
	}
	least := 1
	if pile != "" && !d.seen.reed(p) && d.seen.analog(&d.g, p) {
		least = 0 // the reed cannot tell, but what counts the pieces can
	}
	for k := len(pile) - 1; k >= least; k-- {
		part := d.g.target(pile[:k])
		if v := d.judge(p, &part); !v.against && !v.pending {
			return k, true
		}
	}
	return 0, false
}

// count is how many pieces seem to stand on a place, by what can be sensed there.
func (d *Decoder) count(p wood.Place) int {
	if d.seen.reed(p) && !d.seen.closed.Has(p) {
		return 0
	}
	if k, ok := d.part(p); ok {
		return k
	}
	if p < 64 && d.g.Heights {
		if h, ok := d.seen.height[p].steady(); ok {
			return max(1, int(h/float64(d.g.CubeHeight)+0.5))
		}
	}
	if p < 64 && d.g.Weights {
		if m, ok := d.seen.mass[p].steady(); ok {
			if over := m - d.want[p].mass; d.now[p] != "" && d.seen.reed(p) && !d.seen.turned.Has(p) && over > d.g.lightest()/2 {
				return len(d.now[p]) + d.tally.pieces(over) // what stood there has not been lifted
			}
			return d.tally.pieces(m)
		}
	}
	return 1
}

// Reach is where what was lifted may legally go, by what happens there.
type Reach struct {
	Quiet   wood.Set // onto an empty place
	Capture wood.Set // taking something
	Stack   wood.Set // onto a piece that stays: climbing, locking, occupying
	Special wood.Set // castling, castlock, promotion
}

// Any tells whether there is a place to go at all.
func (r *Reach) Any() bool {
	return !r.Quiet.Empty() || !r.Capture.Empty() || !r.Stack.Empty() || !r.Special.Empty()
}

// Reach finds the places to which the moves lead that begin with this lift.
func (d *Decoder) Reach(l Lift) Reach {
	var r Reach
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.base != 0 || h.ask || h.move == rules.NoMove || wood.Place(h.move.From())%64 != l.Place%64 || !h.leaves(&d.now, l) {
			continue
		}
		r.add(&d.now, h)
	}
	return r
}

// leaves tells whether the move leaves on the place of the lift just what the lift left there.
func (h *hypothesis) leaves(now *wood.Wood, l Lift) bool {
	return h.wants(now, l.Place) == now[l.Place][:l.Keep]
}

func (r *Reach) add(now *wood.Wood, h *hypothesis) {
	for i := range h.changes {
		c := &h.changes[i]
		old, want := now[c.place], c.want.pile
		if want == "" || c.place%64 != wood.Place(h.move.To()) {
			continue
		}
		grows := len(want) > len(old) || old != "" && want != old
		switch {
		case h.move.IsCastling() || h.move.Promotion() != rules.NoKind:
			r.Special.Add(c.place)
		case h.move.IsCapture() && grows:
			r.Capture.Add(c.place)
		case old != "" && grows:
			r.Stack.Add(c.place)
		case grows:
			r.Quiet.Add(c.place)
		}
	}
}
