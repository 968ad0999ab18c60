// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"

	"boardd/rules"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/logprob"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// shareOverhangs finds pieces that stand over the edge of their square, so that the cells beside it bear a part. These
// are pieces that were put down in this ply, and pieces that were knocked aside or have stood so since before. What
// has just come beside them may bear anything.
func (d *Decoder) shareOverhangs() {
	e := &d.seen
	for q := range e.Shared.Squares() {
		e.SpilledLoad[q], e.OverhangLoad[q] = 0, 0
	}
	e.Shared = 0
	if !d.g.Weights {
		return
	}
	came, stand := e.Closed[0]&(d.turned[0]|^d.filled[0]), e.Closed[0]&d.filled[0]
	for p := range (d.turned[0] & e.Closed[0] & e.Known[0]).Squares() {
		d.claimOverhang(p, wood.Beside(p)&^came, stand)
	}
	for p := range (d.filled[0] & e.Closed[0] & e.Known[0] &^ d.turned[0]).Squares() {
		if math.Abs(d.excessLoad(p)) > world.MinOverhang && e.Cells[p].N >= evidence.MinLevelSamples {
			piles := stand
			if len(d.now[p]) > 1 {
				piles = ^rules.Bitboard(0)
			}
			d.claimOverhang(p, wood.Beside(p)&^came, piles)
		}
	}
}

// standsAside reports whether a single piece stands so that its cell bears less than it weighs, and no hand is there.
// The load has stayed for longer than hands do, while something else was moved. The piece may lean over the rim.
func (d *Decoder) standsAside(p wood.Place) bool {
	e := &d.seen
	if p >= 64 || !d.g.Weights || len(d.now[p]) != 1 || d.turned.Has(p) || !e.Closed.Has(p) || !e.CellTrusted(p) {
		return false
	}
	l := &e.Cells[p]
	less := -d.excessLoad(p.Square())
	return l.Age(e.Now) > world.AllHandsLeave && e.Flipped > l.Since && less > 0 && less <= d.want[p].Mass/2
}

// claimOverhang counts the excess load of the cells beside a square for that square, if some pile there fits with it.
// Between piles an excess as heavy as a piece is one: it may have gone from one to the other.
func (d *Decoder) claimOverhang(p rules.Square, cells, piles rules.Bitboard) {
	e := &d.seen
	var from rules.Bitboard
	for q := range cells.Squares() {
		over := d.loadBeside(q)
		if piles.Has(q) && over > d.g.Lightest/2 {
			continue
		}
		if e.Cells[q].N >= evidence.MinLevelSamples && over > world.MinOverhang && e.OverhangLoad[q] == 0 {
			from |= q.Bit()
		}
	}
	if from == 0 || !d.claimLoad(p, from, false) && !d.claimLoad(p, from, true) {
		return
	}
	e.Shared |= p.Bit() | from
}

// claimLoad counts the excess of these cells for a square if some pile there fits with it. With all, what they have
// borne more since before counts too. For what the square had then may have stood over the edge, and carry a piece.
func (d *Decoder) claimLoad(p rules.Square, from rules.Bitboard, all bool) bool {
	e := &d.seen
	for q := range from.Squares() {
		e.OverhangLoad[q] = d.loadBeside(q)
		if all && e.Closed[0].Has(q) {
			e.OverhangLoad[q] = e.Cells[q].Mean - d.want[q].Mass - e.Cells[q].Zero
		}
		e.SpilledLoad[p] += e.OverhangLoad[q]
	}
	if d.fitsShared(wood.Place(p)) {
		return true
	}
	e.SpilledLoad[p] = 0
	for q := range from.Squares() {
		e.OverhangLoad[q] = 0
	}
	return false
}

// fitsShared reports whether some pile that may stand on a place fits it better together with the excess load of the
// cells beside it. Each pile is judged for itself, because another one may happen to weigh what the cell bears.
func (d *Decoder) fitsShared(p wood.Place) bool {
	e := &d.seen
	fits := func(t *evidence.Target) bool {
		beyond := e.Cells[p].Mean - t.Mass - e.Cells[p].Zero
		shared := e.SharedLoadFit(p, beyond, t)
		return shared > world.OverhangCost+world.DoubtfulFit && shared > e.LoadFit(p, beyond, t)
	}
	if fits(&d.want[p]) {
		return true
	}
	for i := d.list.First[p]; i >= 0; i = d.list.Changes[i].Next {
		if fits(&d.list.Changes[i].Target) {
			return true
		}
	}
	return false
}

// overLine is what a hypothesis gains, in nats, if one of its piles stands over the line to another place that it
// changes. That cell bears a part of the pile then, but less than half of what a piece weighs.
func (d *Decoder) overLine(h *hypotheses.Hypothesis) (nats float64) {
	e := &d.seen
	if !d.g.Weights || len(h.Changes) < 2 {
		return 0
	}
	for _, i := range h.Changes {
		on := d.weighed(i)
		if on.Place >= 64 || on.Pile == "" || !e.CellTrusted(on.Place) {
			continue
		}
		less := e.Cells[on.Place].Mean - on.Mass - e.Cells[on.Place].Zero
		if less > -world.MinOverhang {
			continue
		}
		for q := range (wood.Beside(on.Place.Square()) & h.Places[0]).Squares() {
			k := slices.IndexFunc(h.Changes, func(j int32) bool { return d.list.Changes[j].Place == wood.Place(q) })
			beside := &d.list.Changes[h.Changes[k]]
			share := e.Cells[q].Mean - beside.Mass - e.Cells[q].Zero
			if !e.CellTrusted(beside.Place) || share < world.MinOverhang || share > min(on.Mass, d.g.Lightest)/2 {
				continue
			}
			off, lost := on.Target, world.OverhangLoss*share
			off.Variance += lost * lost
			nats = max(nats, e.LoadFit(on.Place, less+share, &off)+world.OverhangCost-
				e.CellFit(on.Place, &on.Target, false)-e.CellFit(beside.Place, &beside.Target, false))
		}
	}
	return nats
}

// excessLoad is how much more a cell bears, in milligrams, than in the game.
func (d *Decoder) excessLoad(q rules.Square) float64 {
	l := &d.seen.Cells[q]
	if l.Known > 0 {
		return l.Mean - l.Rests
	}
	return l.Mean - d.want[q].Mass - l.Zero
}

// loadBeside is how much a cell bears, in milligrams, that may be of a piece beside it. That is what is more than in
// the game, or everything if the reed says that what stood there has left.
func (d *Decoder) loadBeside(q rules.Square) float64 {
	e := &d.seen
	if d.filled[0].Has(q) && e.Known[0].Has(q) && !e.Closed[0].Has(q) {
		return e.Cells[q].Mean - e.Cells[q].Zero
	}
	return d.excessLoad(q)
}

// pressedOn reports whether something presses on a place whose reed has not flipped in this ply. Its weight must be
// that of none of the pieces that had left other places when it came. Nor may such a piece have come to it later.
func (d *Decoder) pressedOn(p wood.Place) bool {
	e := &d.seen
	if !e.CellTrusted(p) || e.Reeds[p].Last() > e.Epoch || e.ReedFit(p, d.now[p] != "") < 0 {
		return false
	}
	over := d.excessLoad(p.Square())
	if over < world.CellWide || e.Cells[p].Low < d.want[p].Mass-d.g.Lightest/2 {
		return false // something was taken from there in this ply
	}
	for q := range d.filled[0].Squares() {
		left := -d.excessLoad(q)
		if left < d.g.Lightest/2 || !e.CellTrusted(wood.Place(q)) {
			continue // it is no piece
		}
		if e.Cells[p].RoseAt(left/2) < d.relieved[q]-evidence.Tick(world.LandsSlack) {
			continue // nothing has come there since it left
		}
		came := e.Cells[p].Mean - e.Cells[p].At(d.relieved[q]) // beside fingers that stay
		near := world.Outlier * math.Sqrt(2*d.want[q].Variance+2*world.CellPull*world.CellPull)
		pedestal := 0.0 // a piece may come to stand on a pedestal, or leave one
		if d.base.Variant().Pedestals() {
			pedestal = float64(d.g.Mass[wood.Pedestal])
		}
		for _, more := range [3]float64{0, pedestal, -pedestal} {
			if min(math.Abs(left+more-came), math.Abs(left+more-over)) < near && !d.cameElsewhere(p, left+more, near) {
				return false
			}
		}
	}
	return true
}

// cameElsewhere reports whether another place bears a load more than before, and its reed says that something came.
func (d *Decoder) cameElsewhere(p wood.Place, load, near float64) bool {
	e := &d.seen
	for q := range (e.Closed[0] & d.turned[0]).Squares() {
		if r := wood.Place(q); r != p && e.CellTrusted(r) && math.Abs(d.excessLoad(q)-load) < near {
			return true
		}
	}
	return false
}

// cameBefore is the cost, in nats, of what came to a place before the piece of a move left. Its cell or its height
// sensor shows that. If no departure was seen, it is before the ply. A hand may have leaned there, or hovered. That it
// went just as the piece came is unlikely. Where a reed says when something came, that counts (landedFirst).
func (d *Decoder) cameBefore(h *hypotheses.Hypothesis) (nats float64) {
	e := &d.seen
	left, seen := d.departedAt(hypotheses.Departing(h.Move))
	switch at := d.relieved[h.Move.From()]; {
	case h.Move.Promotion() != rules.NoKind:
		return 0 // what a pawn becomes is another piece, and may come first
	case !seen:
		left = e.Epoch
	case at != 0:
		left = min(left, at) // it may have stood over the line
	}
	for _, i := range h.Changes {
		w := &d.list.Changes[i]
		n, old := len(w.Pile), d.now[w.Place]
		if w.Place >= 64 || n == 0 || n < len(old) || old == "" && e.Reeds[w.Place].After(e.Epoch) > 0 {
			continue
		}
		came := left
		switch added := w.Mass - d.want[w.Place].Mass; {
		case !e.CellTrusted(w.Place):
		case added > d.g.Lightest/2:
			came = e.Cells[w.Place].RoseAt(added / 2)
		case n > 1 && seen && math.Abs(added) < d.g.Lightest/2: // it was exchanged for what weighs the same
			came = e.Cells[w.Place].Since
		}
		if l := &e.Eyes[w.Place]; e.HeardEye(w.Place) && seen && h.Reply == rules.NoMove &&
			w.Place.Square() == h.Move.To() && (n > 1 || e.Reeds[w.Place].After(e.Epoch) == 0) &&
			(l.Heard > left || math.Abs(l.Mean-w.Height) < world.EyeWide) {
			came = min(came, l.Since) // read since, it may show anything: what came would have changed it
		}
		if came < left {
			nats += world.StepUnseen * (1 - logprob.Decay(left.Since(max(came, 0)), world.LandsSlack))
		}
	}
	return nats
}
