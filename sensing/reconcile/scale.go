// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile/logprob"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// takeScale takes in a reading of the scale. It ignores a reading that lacks a corner.
func (e *evidence) takeScale(r *sensing.Reading, at tick) {
	if r.Known&scale.Known != scale.Known || time.Duration(at) <= e.balance.Heard && e.balance.N > 0 {
		return
	}
	var bear [scale.Corners]float64
	for i, sq := range scale.Squares {
		bear[i] = float64(r.Value[sq])
	}
	if e.balance.Add(scale.Read(&bear), float64(e.g.CellNoise), time.Duration(at)) {
		e.stepped = max(e.stepped, at)
	}
}

// scaleUsable reports whether the scale can be used: it answers, the wood of the game was weighed, and nobody leans on
// the board.
func (d *Decoder) scaleUsable() bool {
	if !d.g.Scale {
		return false
	}
	b := &d.seen.balance
	more, most := b.More().MG, d.g.heaviest
	return b.Known && d.seen.now.since(tick(b.Heard)) < absentAfter && more < scaleLean*most && more > -scaleRelease*most
}

// leanedOn reports whether the scale cannot be used because somebody leans on the board.
func (d *Decoder) leanedOn() bool {
	b := &d.seen.balance
	return d.g.Scale && b.Known && d.seen.now.since(tick(b.Heard)) < absentAfter && !d.scaleUsable()
}

// scaleContradicts reports whether the scale contradicts the game by more than a hand at work costs.
func (d *Decoder) scaleContradicts() bool { return d.scaleFit < scaleAtWork }

// weighAgainstGame compares what the scale shows with the game's wood.
func (d *Decoder) weighAgainstGame() {
	d.scaleFit, d.hiddenChange = 0, hiddenChange{off: wood.Nowhere, on: wood.Nowhere}
	if !d.scaleUsable() {
		return
	}
	d.scaleFit = d.loadFit(scale.Load{}, scale.Load{})
	if !d.scaleContradicts() {
		return
	}
	age := d.seen.now.since(tick(d.seen.balance.Since))
	switch u := d.findHiddenChange(); {
	case age < settleTime:
	case u.off == wood.Nowhere && u.on == wood.Nowhere:
		if d.against.Empty() && age > reweighAfter {
			// the wood has rested for so long that the reeds must be right: weigh it again
			d.seen.balance.Known, d.scaleFit = false, 0
			return
		}
	case u.on == wood.Nowhere || age > settledAfter:
		d.hiddenChange = u
		d.markContradicting(u.off)
		d.markContradicting(u.on)
	}
	d.free += scaleAtWork - d.scaleFit
	d.stray += max(scaleAtWork, d.hiddenChange.fit) - d.scaleFit
}

// hiddenChange is a change of piles that only the scale shows, because their reeds stay closed. The upper pieces of
// one were taken off, a piece was put on one, or both.
type hiddenChange struct {
	off  wood.Place // the pile that pieces left, Nowhere for none
	keep int        // the number of pieces left there
	on   wood.Place // the pile that a piece came to, Nowhere for none
	fit  float64    // how well that fits what the scale shows, in nats
}

// markContradicting adds a place to those that contradict the game, although its own sensors do not show it.
func (d *Decoder) markContradicting(p wood.Place) {
	if p != wood.Nowhere {
		d.against.Add(p)
		d.clear.Add(p)
		d.spare[p] = 0
	}
}

// findHiddenChange finds the change of piles that, together with the pieces in a hand, explains the scale. It finds
// none if a piece has come to an empty square, because the reed says more than the scale then.
func (d *Decoder) findHiddenChange() hiddenChange {
	best := hiddenChange{off: wood.Nowhere, on: wood.Nowhere}
	e := &d.seen
	var load, variance scale.Load
	for p := range d.against.Places() {
		if d.now[p] == "" || e.closed.Has(p) || !e.known.Has(p) {
			return best
		}
		l, v := d.g.loadChange(-1, d.now[p], p)
		load, variance = load.Plus(l), variance.Plus(v)
	}
	if e.balance.N < minLevelSamples {
		return best
	}
	best.fit = d.loadFit(load, variance)
	least, second := max(best.fit+partBeats, scaleAtWork), best.fit
	consider := func(u hiddenChange, load, variance scale.Load) {
		rest := e.balance.More().Minus(load)
		if x, y := rest.Centre(); rest.MG > d.g.lightest/2 {
			sq, ok := scale.Square(x, y)
			u.on = wood.Place(sq)
			if !ok || d.now[u.on] == "" || d.against.Has(u.on) {
				return
			}
			l, v := d.g.loadChange(1, d.nearest(rest.MG), u.on)
			load, variance = load.Plus(l), variance.Plus(v)
		}
		switch u.fit = d.loadFit(load, variance); {
		case u.fit > best.fit:
			best, second = u, best.fit
		case u.fit > second && (u.off != best.off || u.on != best.on):
			second = u.fit
		}
	}
	consider(best, load, variance)
	for p := range d.filled.Minus(d.against).Places() {
		pile := d.now[p]
		for k := len(pile) - 1; k > 0 && p < 64; k-- {
			l, v := d.g.loadChange(-1, pile[k:], p)
			consider(hiddenChange{off: p, keep: k, on: wood.Nowhere}, load.Plus(l), variance.Plus(v))
		}
	}
	if best.fit < least || best.fit < second+partBeats {
		return hiddenChange{off: wood.Nowhere, on: wood.Nowhere}
	}
	return best
}

// nearest is the piece whose mass is nearest to a number of milligrams.
func (d *Decoder) nearest(mg float64) wood.Pile {
	best, off := wood.Pile(""), math.Inf(1)
	for _, kind := range "KQRBNP" {
		if x := math.Abs(float64(d.g.Mass[kind]) - mg); x < off {
			best, off = wood.Pile(kind), x
		}
	}
	return best
}

// loadChange is the load, with its variance, that pieces add which come to a place (sign 1) or leave it (sign -1).
func (g *geometry) loadChange(sign float64, pieces wood.Pile, p wood.Place) (load, variance scale.Load) {
	t := g.target(pieces)
	x, y := scale.Middle(p.Square())
	off := placementSpread * placementSpread * t.mass * t.mass
	return scale.At(sign*t.mass, x, y), scale.Load{MG: t.variance, X: t.variance*x*x + off, Y: t.variance*y*y + off}
}

// scaleFitOf is how well the wood of a hypothesis fits what the scale shows, in nats.
func (d *Decoder) scaleFitOf(h *hypothesis) float64 {
	if !d.scaleUsable() {
		return 0
	}
	var load, variance scale.Load
	for _, i := range h.changes {
		w := &d.list.changes[i]
		old := &d.want[w.place]
		x, y := scale.Middle(w.place.Square())
		load = load.Plus(scale.At(w.mass-old.mass, x, y))
		same := d.g.target(w.pile[:commonPieces(w.pile, old.pile)])
		spread := w.variance + old.variance - 2*same.variance
		off := placementSpread * placementSpread * ((w.mass-same.mass)*(w.mass-same.mass) +
			(old.mass-same.mass)*(old.mass-same.mass))
		variance = variance.Plus(scale.Load{MG: spread, X: spread*x*x + off, Y: spread*y*y + off})
	}
	return d.loadFit(load, variance)
}

// addedMass is how much more the wood of a hypothesis weighs than that of the game, in milligrams.
func (d *Decoder) addedMass(h *hypothesis) (mg float64) {
	for _, i := range h.changes {
		w := &d.list.changes[i]
		mg += w.mass - d.want[w.place].mass
	}
	return mg
}

// unweighedExchangeCost is the cost, in nats, of a hypothesis that exchanges the upper pieces of a pile, if the scale
// has not seen the exchange. Between lifting the old pieces and putting down the new ones, the board must have weighed
// less. total is how much more the board bears after it. A hand that leaned on the board may have hidden the exchange,
// which then costs nothing.
func (d *Decoder) unweighedExchangeCost(h *hypothesis, w *pileChange, total float64) float64 {
	old, b := &d.want[w.place], &d.seen.balance
	kept := commonPieces(w.pile, old.pile)
	if !d.g.Scale || !b.Known || h.move == rules.NoMove || h.reply != rules.NoMove || h.base > maxReplaced || kept == 0 ||
		kept == len(old.pile) || kept == len(w.pile) {
		return 0
	}
	from := d.seen.epoch
	if h.base > 0 {
		from = d.past[h.base-1].epoch
	}
	from += tick(settleTime)
	for _, i := range h.changes {
		if v := &d.list.changes[i]; v.pile == "" && d.seen.known.Has(v.place) && !d.seen.closed.Has(v.place) {
			from = max(from, d.seen.reeds[v.place].last())
		}
	}
	same := d.g.target(w.pile[:kept])
	low, high, ok := b.Span(time.Duration(from))
	if !ok || high > b.Rests.MG+scaleLean*d.g.heaviest || low < b.Rests.MG+total-(w.mass-same.mass)+d.g.lightest/2 {
		return 0
	}
	return stepUnseen
}

// loadFit is the logarithm of the likelihood of what the scale shows, 0 when it fits. load is what came since the
// game's wood was weighed, negative if it went, and variance the variance of that.
func (d *Decoder) loadFit(load, variance scale.Load) float64 {
	e, b := &d.seen, &d.seen.balance
	noise := 2 * float64(d.g.CellNoise) // of four cells
	guess := float64(b.Guess) * float64(d.g.MassSpread) * float64(d.g.MassSpread)
	sum := noise*noise/float64(b.N) + scaleDrift*scaleDrift + guess
	side := sum*scale.Arm*scale.Arm + scaleShift*scaleShift +
		float64(b.Guess)*placementSpread*placementSpread*d.g.heaviest*d.g.heaviest
	r := b.More().Minus(load)
	q := r.MG*r.MG/(sum+variance.MG) + r.X*r.X/(side+variance.X) + r.Y*r.Y/(side+variance.Y)
	f := min(1, scaleErr+logprob.Decay(e.now.since(tick(b.Since)), scaleDecay))
	narrow := (1 - scaleWideShare) * math.Exp(-q/2)
	wide := scaleWideShare / (scaleWide * scaleWide * scaleWide) * math.Exp(-q/2/(scaleWide*scaleWide))
	nats := math.Log((1-f)*(narrow+wide) + f*scaleAny)
	if r.MG > outlier*math.Sqrt(sum) {
		nats = max(nats, scaleHand-float64(e.now.since(tick(b.Since)))/float64(scaleHandTime))
	}
	return nats
}

// expectLoad tells the scale by how much the weight of the game's wood has changed from the wood before.
func (d *Decoder) expectLoad(old *wood.Wood) {
	b := &d.seen.balance
	if !d.g.Scale || !b.Known {
		return
	}
	changed := old.Diff(&d.now)
	if changed.Count() > reweighPlaces {
		b.Known = false
		return
	}
	for p := range changed.Places() {
		was, is := d.g.target(old[p]), d.g.target(d.now[p])
		same := commonPieces(old[p], d.now[p])
		b.AddExpected(scale.On(is.mass-was.mass, p.Square()), len(old[p])+len(d.now[p])-2*same)
	}
}

// weighAtRest weighs the game's wood while it rests. Because a hand may lean on the board, wood that was never weighed
// must weigh what it should, or rest for long.
func (d *Decoder) weighAtRest() {
	b := &d.seen.balance
	age := d.seen.now.since(tick(b.Since))
	switch {
	case !d.g.Scale || age < settleTime:
	case b.Known && d.scaleUsable() && !d.scaleContradicts():
		b.Settle()
	case !b.Known && (age > reweighAfter || math.Abs(b.Load.MG-d.total()) < d.g.lightest/2):
		b.Settle()
	}
}

// total is what the game's wood should weigh, in milligrams.
func (d *Decoder) total() (mg float64) {
	for p := range d.filled.Places() {
		mg += d.want[p].mass
	}
	return mg
}

// tally knows what numbers of pieces may weigh. It serves to guess how many stand on a square where no known pile
// fits.
type tally struct {
	sums   [mostCounted + 1][]float64 // by number of pieces: all sums of their masses, in milligrams, ascending
	spread float64                    // milligrams, standard deviation of one piece
	noise  float64                    // milligrams, of a reading
	mean   float64                    // milligrams, of a typical piece
}

// mostCounted is the largest number of pieces that are counted by the sums of their masses. More are counted by the
// mean.
const mostCounted = 5

func newTally(g *geometry) tally {
	t := tally{spread: float64(g.MassSpread), noise: float64(g.CellNoise), mean: float64(g.Mass['b'])}
	var kinds []float64
	for _, m := range g.Mass {
		if m > 0 {
			kinds = append(kinds, float64(m))
		}
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	t.sums[0] = []float64{0}
	for k := 1; k <= mostCounted; k++ {
		var next []float64
		for _, s := range t.sums[k-1] {
			for _, m := range kinds {
				next = append(next, s+m)
			}
		}
		slices.Sort(next)
		t.sums[k] = slices.Compact(next)
	}
	return t
}

// fits reports whether this many pieces may weigh mg together.
func (t *tally) fits(mg float64, pieces int) bool { return t.fitsOn(0, mg, pieces) }

// fitsOn reports whether this many pieces may weigh mg together, where others is the number of pieces under them,
// which add to the spread.
func (t *tally) fitsOn(others int, mg float64, pieces int) bool {
	if pieces < 0 || pieces > mostCounted {
		return true
	}
	near := outlier * math.Sqrt(float64(others+pieces)*t.spread*t.spread+t.noise*t.noise)
	sums := t.sums[pieces]
	i, _ := slices.BinarySearch(sums, mg-near)
	return i < len(sums) && sums[i] <= mg+near
}

// pieces is the least number of pieces, at least one, whose masses add up to what a cell shows.
func (t *tally) pieces(mg float64) int {
	for k := 1; k <= mostCounted; k++ {
		if t.fits(mg, k) {
			return k
		}
	}
	if t.mean <= 0 {
		return 1
	}
	return max(1, int(mg/t.mean+0.5))
}
