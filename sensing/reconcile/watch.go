// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// watch looks for sensors that do not answer, and for reeds that are noisy for good.
func (b *blame) watch(d *Decoder, at time.Time) {
	for k := range b.lost {
		lost := d.lost(sensing.Kind(k))
		if lost != b.lost[k] {
			b.lost[k], b.lostAt[k] = lost, at
		}
		patience := deaf
		if d.seen.heard[k].Empty() {
			patience = waking
		}
		if at.Sub(b.lostAt[k]) < patience {
			continue
		}
		b.silence(d, sensing.Kind(k), at)
	}
	for p := range d.seen.noisy.Places() {
		if _, known := b.has(p, sensing.Reeds); !known && d.seen.level[p] > 3*often {
			b.find(d, Fault{Place: p, Part: sensing.Reeds, Kind: Noisy, Nats: -reedWrong * d.seen.level[p] / often, Since: at})
		}
	}
}

// silence makes faults of the places of a kind that do not answer or only tremble, and lifts those of the places that do.
func (b *blame) silence(d *Decoder, k sensing.Kind, at time.Time) {
	for i := len(b.faults) - 1; i >= 0; i-- {
		if f := &b.faults[i]; f.Part == k && (f.Kind == Silent || k != sensing.Reeds && f.Kind == Noisy) && !b.lost[k].Has(f.Place) {
			b.clear(d, i)
		}
	}
	for p := range b.lost[k].Places() {
		if _, known := b.has(p, k); known {
			continue
		}
		f := Fault{Place: p, Part: k, Kind: Silent, Since: at}
		if k != sensing.Reeds && p < 64 && d.seen.shake[k-sensing.Weights][p].on {
			f.Kind = Noisy
		}
		b.find(d, f)
	}
}

// lost is the places whose sensor of a kind should answer and does not.
func (d *Decoder) lost(k sensing.Kind) wood.Set {
	all := ^rules.Bitboard(0)
	switch {
	case k == sensing.Reeds && d.g.TwoDecks:
		return wood.Set{all &^ d.seen.known[0], all &^ d.seen.known[1]}
	case k == sensing.Reeds:
		return wood.Set{all &^ d.seen.known[0]}
	case k == sensing.Weights && d.g.Weights:
		return wood.Set{silentMeters(&d.seen.mass)}
	case k == sensing.Heights && d.g.Heights:
		return wood.Set{silentMeters(&d.seen.height)}
	}
	return wood.Set{}
}

func silentMeters(m *[64]meter) (s rules.Bitboard) {
	for q := range m {
		if m[q].n == 0 {
			s |= 1 << q
		}
	}
	return s
}

// settle looks at the sensors while the wood stands as the game has it and rests: who does not agree is at fault, and who is
// called faulty but agrees may be cured.
func (b *blame) settle(d *Decoder, at time.Time) {
	if d.doubts != b.doubted {
		b.doubted, b.since = d.doubts, at
	}
	if !d.doubts.Empty() && b.crossed(d, at) {
		return
	}
	if at.Sub(b.since) >= d.t.Fault {
		for p := range d.doubts.Places() {
			b.find(d, d.reedFault(p, -floorNats, at))
		}
	}
	b.weary(d, at)
	if len(b.faults) > 0 {
		b.cure(d, at)
	}
}

// weary finds load cells whose zero has wandered far: they are followed, but should be tared.
func (b *blame) weary(d *Decoder, at time.Time) {
	if !d.g.Weights {
		return
	}
	limit := d.g.lightest() / 4
	for q := range d.seen.mass {
		m := &d.seen.mass[q]
		if math.Abs(m.offset) > limit {
			b.find(d, Fault{Place: wood.Place(q), Part: sensing.Weights, Kind: Drifting, Nats: -floorNats, Since: at})
		}
	}
}

// reedFault is what is wrong with a reed that contradicts the game as it stands.
func (d *Decoder) reedFault(p wood.Place, nats float64, at time.Time) Fault {
	f := Fault{Place: p, Part: sensing.Reeds, Kind: Dead, Nats: nats, Since: at}
	if d.seen.closed.Has(p) {
		f.Kind = Stuck
	}
	return f
}

// cured is how long a faulty sensor must show what it should before it is trusted again.
const cured = time.Second

// cure lifts the faults of sensors that have shown what they should for a while, where that means something: a dead reed says
// nothing by being open.
func (b *blame) cure(d *Decoder, at time.Time) {
	var agreed [3]wood.Set
	for i := range b.faults {
		if f := &b.faults[i]; d.agrees(f, at) {
			agreed[f.Part].Add(f.Place)
		}
	}
	for k := range agreed {
		if agreed[k] != b.agreed[k] {
			b.agreed[k], b.agreedAt[k] = agreed[k], at
		}
	}
	for i := len(b.faults) - 1; i >= 0; i-- {
		if f := &b.faults[i]; agreed[f.Part].Has(f.Place) && at.Sub(b.agreedAt[f.Part]) >= cured {
			b.clear(d, i)
		}
	}
}

// agrees tells whether a faulty sensor shows what stands on its place, in a way that a faulty one would not.
func (d *Decoder) agrees(f *Fault, at time.Time) bool {
	p, want := f.Place, &d.want[f.Place]
	stands := want.pile != ""
	if f.Part == sensing.Reeds {
		switch f.Kind {
		case Dead:
			return d.seen.known.Has(p) && stands && d.seen.closed.Has(p)
		case Stuck:
			return d.seen.known.Has(p) && !stands && !d.seen.closed.Has(p)
		case Noisy:
			return d.seen.known.Has(p) && stands == d.seen.closed.Has(p) && at.Sub(d.seen.changed[p]) >= 10*time.Second
		case Crosstalk:
			return d.seen.known.Has(p) && !stands && !d.seen.closed.Has(p) && d.want[f.With].pile != "" && d.seen.closed.Has(f.With)
		}
		return false
	}
	if f.Kind == Silent || f.Kind == Noisy || f.Kind == Dead && !stands || f.Kind == Stuck && stands {
		return false
	}
	m, mean, of := &d.seen.mass[p], want.mass, d.g.cell(p.Square())
	if f.Part == sensing.Heights {
		m, mean, of = &d.seen.height[p], want.height, d.g.eye(p.Square())
	}
	if f.Part == sensing.Weights && math.Abs(m.offset) > d.g.lightest()/8 {
		return false
	}
	var v verdict
	return v.hold(m, mean, m.spread(of, want.variance), f.Part)
}
