// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// compare finds the places that contradict the game as it stands. The upper deck has reeds only.
func (d *Decoder) compare() {
	d.differ, d.unsure, d.doubts, d.wrong = wood.Set{}, wood.Set{}, wood.Set{}, [3]wood.Set{}
	reeds := d.seen.reeds()
	for p := range wood.Place(wood.Places) {
		if p >= 64 && (reeds[1] == 0 || !reeds.Has(p)) {
			continue
		}
		v := d.judge(p, &d.want[p])
		if v.against {
			d.differ.Add(p)
			for k := range d.wrong {
				if v.wrong&(1<<k) != 0 {
					d.wrong[k].Add(p)
				}
			}
		}
		switch {
		case v.wrong&^(1<<sensing.Reeds) != 0:
			d.strange.Add(p)
		case !v.pending:
			d.strange.Drop(p)
		}
		if v.doubt {
			d.doubts.Add(p)
		}
		if v.pending {
			d.unsure.Add(p)
		}
	}
	for p := range d.must.Places() {
		if d.awaits(p) {
			d.differ.Add(p)
		}
	}
	d.parted = wood.Set{d.parted[0] & (d.differ[0] | d.unsure[0]), d.parted[1] & (d.differ[1] | d.unsure[1])}
	for p := range d.tall.Both(d.differ).Places() {
		if k, ok := d.part(p); ok && k > 0 && p < 64 {
			if !d.parted.Has(p) {
				d.kept[p] = 0
			}
			d.parted.Add(p)
			d.kept[p] = max(d.kept[p], uint8(k))
		}
	}
}

// Awaited is the squares over which a hand hung, or of whose height too little was read, when [Decoder.Explain] was last called: what they show
// next decides, and who can measure some squares sooner than others measures these. If it is known by the reeds what was lifted, they are those
// whose height tells where that went.
func (d *Decoder) Awaited() (squares rules.Bitboard) {
	var counts wood.Set
	if !d.differ.Empty() {
		for i := range d.list.hyps {
			if h := &d.list.hyps[i]; h.ends == "" && d.differ.Less(h.places).Empty() {
				for j := range h.changes {
					if c := &h.changes[j]; d.now[c.place] != "" && c.want.pile != "" || len(c.want.pile) > 1 {
						counts.Add(c.place)
					}
				}
			}
		}
	}
	for p := range (wood.Set{d.unsure[0]}).Places() {
		m := &d.seen.height[p]
		if mean, ok := m.steady(); m.n > 0 && (!ok || !d.seen.stands(&d.g, mean)) {
			squares |= p.Square().Bit()
		}
	}
	decide := squares & counts[0]
	for q := range (around(squares) & counts[0] &^ squares).Squares() {
		if d.seen.latest.Sub(d.seen.height[q].heard) > lag {
			decide |= q.Bit() // it sits out for one beside it, and the hand may be here
		}
	}
	if decide != 0 {
		return decide
	}
	return squares
}

// around is the squares beside some squares, along files and ranks: their sensors see what hangs over those.
func around(s rules.Bitboard) rules.Bitboard {
	const a, h = rules.Bitboard(0x0101010101010101), rules.Bitboard(0x8080808080808080)
	return s<<8 | s>>8 | s&^h<<1 | s&^a>>1
}

// judge holds a pile against what a place shows now.
func (d *Decoder) judge(p wood.Place, want *target) verdict {
	v := d.seen.judge(&d.g, p, want, d.quiet, !d.tall.Has(p) && len(want.pile) <= 1 && !d.stale(p))
	if d.seen.turned.Has(p) && (len(want.pile) > 1 || want.pile != "" && d.now[p] == "") && d.underlaid(p, want.pile) {
		v.wrong |= 1 << sensing.Weights
		v.against, v.doubt = true, false
	}
	return v
}

// stale tells whether a reed contradicts the game as it stands without having changed since: it was doubted when the last move was accepted, and
// does not tell what came after it.
func (d *Decoder) stale(p wood.Place) bool {
	return d.seen.closed.Has(p) == (d.now[p] == "") && !d.seen.turned.Has(p)
}

// underlaid tells whether another piece was weighed on a place when its reed closed than a pile has at the bottom, though the reed has
// not opened since: then something was put on top of it, be it as heavy.
func (d *Decoder) underlaid(p wood.Place, pile wood.Pile) bool {
	if p >= 64 || !d.g.Weights || !d.seen.reed(p) || !d.seen.closed.Has(p) || d.seen.weighedAt[p].IsZero() || d.seen.weighedAt[p] != d.seen.changed[p] {
		return false
	}
	if d.seen.mute[sensing.Weights].Has(p) || !d.fitsOther(d.seen.weighed[p], pile) {
		return false // the cell is not to be believed
	}
	lowest := d.g.target(pile[:1])
	above := d.seen.weighed[p] - lowest.mass
	if math.Abs(above) <= outlier*math.Sqrt(float64(d.g.CellNoise)*float64(d.g.CellNoise)+lowest.variance) {
		return false
	}
	for n := 1; n <= len(pile)+1; n++ {
		if d.tally.fitsOn(1, above, n) {
			return false // others that came with it
		}
	}
	return true
}

// awaits tells whether a place must still be seen to be touched before the wood can be what the game has.
func (d *Decoder) awaits(p wood.Place) bool {
	return d.must.Has(p) && !d.seen.stirred.Has(p) && !d.seen.dipped.Has(p)
}

func (d *Decoder) synced(at time.Time) Explanation {
	e := Explanation{State: Synced}
	if !d.unsure.Empty() {
		if d.lifted = d.leaving(d.lifted[:0]); len(d.lifted) > 0 {
			e.State, e.Lifts = Moving, d.lifted
		}
		return e
	}
	if d.quiet < d.t.Slide {
		e.Again = d.seen.moved.Add(d.t.Slide)
		return e
	}
	if e, ok := d.instead(); ok {
		return e
	}
	if d.g.Heights && d.quiet < hover {
		e.Again = d.seen.moved.Add(hover) // heights that contradict reeds count then
	}
	keep := d.replaced(at)
	if again := at.Add(exchanging); !keep.Empty() && (e.Again.IsZero() || again.Before(e.Again)) {
		e.Again = again
	}
	d.handled = d.handled.Union(d.seen.lifted.Union(d.seen.dipped))
	d.seen.begin(keep)
	d.must = wood.Set{}
	d.seen.follow(&d.g, &d.want)
	d.blame.settle(d, at)
	return e
}

// exchanging is how long after the piece that a pawn becomes has been put in place of the captured one the pawn itself is lifted.
const exchanging = 1500 * time.Millisecond

// replaced is the places where, as far as their reeds tell, a piece was lifted and put back, but where a pawn may capture and become another: what
// stands there now may be that, and the pawn still to be lifted.
func (d *Decoder) replaced(at time.Time) (places wood.Set) {
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.base > 0 || h.move.Promotion() == rules.NoKind {
			continue
		}
		for _, to := range [2]wood.Place{wood.Place(h.move.To()), wood.Place(h.move.To()) + 64} {
			if d.now[to] != "" && d.seen.lifted.Has(to) && at.Sub(d.seen.changed[to]) < exchanging && !d.tells(to, d.now[to], h.wants(&d.now, to)) {
				places.Add(to)
			}
		}
	}
	return places
}
