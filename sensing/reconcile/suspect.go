// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// again is when it is worth looking at a wood that nothing explains once more.
func (b *blame) again(d *Decoder, at time.Time) time.Time {
	for _, wait := range []time.Duration{d.t.Ask, lingers, d.t.Fault, d.t.Unseen + d.t.Ask, d.t.Blind} {
		if d.quiet < wait {
			return d.seen.moved.Add(wait)
		}
	}
	return time.Time{}
}

// explain looks for sensors whose fault makes sense of a wood that nothing explains and that has rested for a while.
func (b *blame) explain(d *Decoder, at time.Time) (Explanation, bool) {
	if d.still < d.t.Fault || at.Sub(d.seen.first) < d.t.Fault || !d.unsure.Less(d.differ).Empty() {
		return Explanation{}, false
	}
	if b.standing(d, at) {
		return Explanation{State: Synced}, true
	}
	return b.moved(d, at)
}

// standing tells whether nothing was moved at all and all sensors that contradict are at fault: then they are named.
func (b *blame) standing(d *Decoder, at time.Time) bool {
	var found []Fault
	dead, stuck := 0, 0
	for p := range d.differ.Places() {
		f, ok := d.alone(p, &d.want[p], at)
		if !ok || d.seen.turned.Has(p) || d.seen.shifted.Has(p) || d.awaits(p) {
			return false
		}
		if f.Part == sensing.Reeds {
			if f.Kind == Stuck {
				stuck++
			} else {
				dead++
			}
			if given := d.vacated.Has(p) && d.differ.Count() == 1 && d.must.Empty(); given {
				found = append(found, f)
				continue // what stood there has gone elsewhere, as people say
			}
			if dead+stuck > 2 || d.still < d.t.Blind || at.Sub(d.seen.first) < d.t.Blind || !d.seen.changed[p].IsZero() {
				return false
			}
		}
		found = append(found, f)
	}
	if len(found) > 4 {
		return false // so many do not fail at once: the wood is wrong
	}
	if dead > 0 && stuck > 0 {
		return false // a piece that stands elsewhere shows the same
	}
	for _, f := range found {
		b.find(d, f)
	}
	return true
}

// alone finds the one sensor of a place that contradicts a pile there, if the fault is the sensor's: an analog value that fits
// another pile as well speaks for the value, not against the sensor.
func (d *Decoder) alone(p wood.Place, want *target, at time.Time) (Fault, bool) {
	v := d.judge(p, want)
	f := Fault{Place: p, Nats: -floorNats, Since: at}
	switch v.wrong {
	case 1 << sensing.Reeds:
		f.Part, f.Nats = sensing.Reeds, -reedWrong
		if d.seen.closed.Has(p) {
			f.Kind = Stuck
		}
		return f, !v.pending
	case 1 << sensing.Weights:
		f.Part = sensing.Weights
		mean, ok := d.seen.mass[p].steady()
		f.Kind = analogTrouble(mean, want.mass, d.g.lightest())
		return f, ok && d.seen.reed(p) && !d.fitsOther(mean, want.pile)
	case 1 << sensing.Heights:
		f.Part = sensing.Heights
		mean, ok := d.seen.height[p].steady()
		f.Kind = analogTrouble(mean, want.height, float64(d.g.CubeHeight))
		return f, ok && d.seen.reed(p) && len(want.pile) <= 1 && (want.pile == "" || mean < float64(d.g.CubeHeight)/2)
	}
	return Fault{}, false
}

// fitsOther tells whether a weight may be that of other pieces where at least one must stand, or of one where none must.
func (d *Decoder) fitsOther(mg float64, want wood.Pile) bool {
	if want == "" {
		return d.tally.fits(mg, 1)
	}
	for n := 1; n <= len(want)+1; n++ {
		if d.tally.fits(mg, n) {
			return true
		}
	}
	return false
}

func analogTrouble(value, want, unit float64) Trouble {
	switch {
	case want > 0 && value < unit/2:
		return Dead
	case want == 0 && value > unit/2:
		return Stuck
	}
	return Drifting
}

// moved looks for moves that explain everything but one sensor. If an analog sensor is the odd one, and the reed has seen the
// move, it is made; if it takes the rules alone to contradict a reed, somebody must say.
func (b *blame) moved(d *Decoder, at time.Time) (Explanation, bool) {
	b.suspects = b.suspects[:0]
	all := b.odds(d, 0, at)
	if len(all) == 0 && d.past != nil {
		all = b.odds(d, 1, at)
	}
	switch {
	case len(all) == 0:
		return Explanation{}, false
	case len(all) == 1 && b.plain(d, all[0].h, &b.suspects[0].fault):
		f := b.suspects[0].fault
		b.find(d, f)
		return Explanation{State: Moved, Base: all[0].h.base, Move: all[0].h.move, Margin: f.Nats, Waited: d.waited()}, true
	case d.still < d.t.Unseen+d.t.Ask || len(d.lifts()) > 0 && d.still < d.t.Blind || d.inHand(): // first the wood is called wrong
		return Explanation{}, false
	}
	d.live = all
	return d.ask(all[0]), true
}

// odds lists the moves of a base that explain everything but one sensor, and suspects those.
func (b *blame) odds(d *Decoder, base int, at time.Time) []ranked {
	all := d.live[:0]
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.base != base || h.ask || h.ends != "" || h.move == rules.NoMove {
			continue
		}
		if f, ok := b.odd(d, h, at); ok {
			all = append(all, ranked{h, 0})
			after := d.now
			for j := range h.changes {
				after[h.changes[j].place] = h.changes[j].want.pile
			}
			b.suspects = append(b.suspects, suspect{after, f})
		}
	}
	return all
}

// plain tells whether the sensor that alone contradicts a move is at fault beyond doubt: an analog one where the reed has seen the move; a reed that has
// shown the same ever since the first reading, so that it has nothing to do with the move; or one that closed along with another where the piece landed.
func (b *blame) plain(d *Decoder, h *hypothesis, f *Fault) bool {
	p := f.Place
	switch {
	case f.Part != sensing.Reeds:
		return h.places.Has(p) && d.seen.turned.Has(p)
	case h.places.Has(p):
		return false
	case d.seen.changed[p].IsZero():
		return true
	}
	for i := range h.changes {
		if c := &h.changes[i]; c.want.pile != "" && d.echoes(c.place, p) {
			f.Kind, f.With = Crosstalk, c.place
			return true
		}
	}
	return false
}

// inHand tells whether all that differs is pieces of the side to move that are missing: a person thinks.
func (d *Decoder) inHand() bool {
	lifts := d.lifts()
	if len(lifts) != d.differ.Count() {
		return false
	}
	for _, l := range lifts {
		if pile := d.now[l.Place]; !isColor(pile[len(pile)-1], d.turn) {
			return false
		}
	}
	return true
}

// odd tells whether a hypothesis explains all sensors but one.
func (b *blame) odd(d *Decoder, h *hypothesis, at time.Time) (f Fault, ok bool) {
	outside := d.differ.Less(h.places)
	if outside.Count() > 1 {
		return f, false
	}
	for p := range outside.Places() {
		if f, ok = d.alone(p, &d.want[p], at); !ok {
			return f, false
		}
	}
	for i := range h.changes {
		c := &h.changes[i]
		v := d.judge(c.place, &c.want)
		if v.against {
			if ok {
				return f, false
			}
			if f, ok = d.alone(c.place, &c.want, at); !ok {
				return f, false
			}
			continue
		}
		if d.untouched(h, c) {
			return f, false
		}
	}
	return f, ok
}

// confirm takes the fault for real that was suspected when the move was asked for that has now been made, if the sensor still says
// otherwise.
func (b *blame) confirm(d *Decoder) {
	for i := range b.suspects {
		s := &b.suspects[i]
		if p := s.fault.Place; s.after == d.now {
			if d.judge(p, &d.want[p]).wrong&(1<<s.fault.Part) != 0 {
				b.find(d, s.fault)
			}
			break
		}
	}
	b.suspects = b.suspects[:0]
}
