// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// balanced takes a reading of the scale in. One that lacks a corner says nothing.
func (e *evidence) balanced(r *sensing.Reading, at tick) {
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

// felt reports whether the scale says anything: it answers, the wood of the game was weighed, and nobody leans on the
// board.
func (d *Decoder) felt() bool {
	if !d.g.Scale {
		return false
	}
	b := &d.seen.balance
	more, most := b.More().MG, d.g.heaviest
	return b.Known && d.seen.now.since(tick(b.Heard)) < unheard && more < scaleLean*most && more > -scaleHeld*most
}

// leant reports whether the scale says nothing because somebody leans on the board.
func (d *Decoder) leant() bool {
	b := &d.seen.balance
	return d.g.Scale && b.Known && d.seen.now.since(tick(b.Heard)) < unheard && !d.felt()
}

// tips reports whether the scale contradicts the game by more than a hand at work pays.
func (d *Decoder) tips() bool { return d.poise < scaleAtWork }

// balance holds what the scale shows against the game's wood.
func (d *Decoder) balance() {
	d.poise, d.unseen = 0, unseen{off: wood.Nowhere, on: wood.Nowhere}
	if !d.felt() {
		return
	}
	d.poise = d.poised(scale.Load{}, scale.Load{})
	if !d.tips() {
		return
	}
	age := d.seen.now.since(tick(d.seen.balance.Since))
	switch u := d.feel(); {
	case age < settles:
	case u.off == wood.Nowhere && u.on == wood.Nowhere:
		if d.against.Empty() && age > scaleWrong {
			// it has rested for so long: what the reeds show is right, and is weighed anew
			d.seen.balance.Known, d.poise = false, 0
			return
		}
	case u.on == wood.Nowhere || age > settledAfter:
		d.unseen = u
		d.suspect(u.off)
		d.suspect(u.on)
	}
	d.free += scaleAtWork - d.poise
	d.stray += max(scaleAtWork, d.unseen.fit) - d.poise
}

// unseen is what the scale tells of piles whose reeds show nothing: that the topmost pieces of one were taken off,
// that one was put on one, or both.
type unseen struct {
	off  wood.Place // from where, Nowhere for none
	keep int        // pieces left there
	on   wood.Place // to where, Nowhere for none
	fit  float64    // nats by which that fits what the scale shows
}

// suspect adds a place to those that contradict the game, of which no sensor of its own says so.
func (d *Decoder) suspect(p wood.Place) {
	if p != wood.Nowhere {
		d.against.Add(p)
		d.clear.Add(p)
		d.spare[p] = 0
	}
}

// feel finds what explains the scale besides pieces that are in a hand. Where a piece stands on a square where none
// stood, the reed says more than the scale.
func (d *Decoder) feel() unseen {
	best := unseen{off: wood.Nowhere, on: wood.Nowhere}
	e := &d.seen
	var load, variance scale.Load
	for p := range d.against.Places() {
		if d.now[p] == "" || e.closed.Has(p) || !e.known.Has(p) {
			return best
		}
		l, v := d.g.shifts(-1, d.now[p], p)
		load, variance = load.Plus(l), variance.Plus(v)
	}
	if e.balance.N < stands {
		return best
	}
	best.fit = d.poised(load, variance)
	least, second := max(best.fit+partBeats, scaleAtWork), best.fit
	consider := func(u unseen, load, variance scale.Load) {
		rest := e.balance.More().Minus(load)
		if x, y := rest.Centre(); rest.MG > d.g.lightest/2 {
			sq, ok := scale.Square(x, y)
			u.on = wood.Place(sq)
			if !ok || d.now[u.on] == "" || d.against.Has(u.on) {
				return
			}
			l, v := d.g.shifts(1, d.nearest(rest.MG), u.on)
			load, variance = load.Plus(l), variance.Plus(v)
		}
		switch u.fit = d.poised(load, variance); {
		case u.fit > best.fit:
			best, second = u, best.fit
		case u.fit > second && (u.off != best.off || u.on != best.on):
			second = u.fit
		}
	}
	consider(best, load, variance)
	for p := range d.filled.Less(d.against).Places() {
		pile := d.now[p]
		for k := len(pile) - 1; k > 0 && p < 64; k-- {
			l, v := d.g.shifts(-1, pile[k:], p)
			consider(unseen{off: p, keep: k, on: wood.Nowhere}, load.Plus(l), variance.Plus(v))
		}
	}
	if best.fit < least || best.fit < second+partBeats {
		return unseen{off: wood.Nowhere, on: wood.Nowhere}
	}
	return best
}

// nearest is the piece that weighs about so much.
func (d *Decoder) nearest(mg float64) wood.Pile {
	best, off := wood.Pile(""), math.Inf(1)
	for _, kind := range "KQRBNP" {
		if x := math.Abs(float64(d.g.Mass[kind]) - mg); x < off {
			best, off = wood.Pile(kind), x
		}
	}
	return best
}

// shifts is what pieces that come to a place (1) or leave it (-1) add to the load, and its variance.
func (g *geometry) shifts(sign float64, pieces wood.Pile, p wood.Place) (load, variance scale.Load) {
	t := g.target(pieces)
	x, y := scale.Middle(p.Square())
	off := scaleOff * scaleOff * t.mass * t.mass
	return scale.At(sign*t.mass, x, y), scale.Load{MG: t.variance, X: t.variance*x*x + off, Y: t.variance*y*y + off}
}

// poises is the same of the wood of a hypothesis.
func (d *Decoder) poises(h *hypothesis) float64 {
	if !d.felt() {
		return 0
	}
	var load, variance scale.Load
	for _, i := range h.wishes {
		w := &d.list.wishes[i]
		old := &d.want[w.place]
		x, y := scale.Middle(w.place.Square())
		load = load.Plus(scale.At(w.mass-old.mass, x, y))
		same := d.g.target(w.pile[:common(w.pile, old.pile)])
		spread := w.variance + old.variance - 2*same.variance
		off := scaleOff * scaleOff * ((w.mass-same.mass)*(w.mass-same.mass) + (old.mass-same.mass)*(old.mass-same.mass))
		variance = variance.Plus(scale.Load{MG: spread, X: spread*x*x + off, Y: spread*y*y + off})
	}
	return d.poised(load, variance)
}

// brings is how much more the board bears after a hypothesis than in the game, milligrams.
func (d *Decoder) brings(h *hypothesis) (mg float64) {
	for _, i := range h.wishes {
		w := &d.list.wishes[i]
		mg += w.mass - d.want[w.place].mass
	}
	return mg
}

// unborne is the cost, in nats, of a hypothesis that exchanges pieces on top of a pile that stays, after which the
// board bears so much more. It applies if the scale has not shown, since the new pieces were lifted, the lower
// weight that an exchange must pass through. A hand that leaned on the board then may have hidden it.
func (d *Decoder) unborne(h *hypothesis, w *wish, total float64) float64 {
	old, b := &d.want[w.place], &d.seen.balance
	kept := common(w.pile, old.pile)
	if !d.g.Scale || !b.Known || h.move == rules.NoMove || h.reply != rules.NoMove || h.base > deepest || kept == 0 ||
		kept == len(old.pile) || kept == len(w.pile) {
		return 0
	}
	from := d.seen.epoch
	if h.base > 0 {
		from = d.past[h.base-1].epoch
	}
	from += tick(settles)
	for _, i := range h.wishes {
		if v := &d.list.wishes[i]; v.pile == "" && d.seen.known.Has(v.place) && !d.seen.closed.Has(v.place) {
			from = max(from, d.seen.reeds[v.place].last())
		}
	}
	same := d.g.target(w.pile[:kept])
	low, high, ok := b.Span(time.Duration(from))
	if !ok || high > b.Rests.MG+scaleLean*d.g.heaviest || low < b.Rests.MG+total-(w.mass-same.mass)+d.g.lightest/2 {
		return 0
	}
	return unstepped
}

// poised is the logarithm of the likelihood of what the scale shows if so much came or went since the game's wood was
// weighed, with such variances, in nats, 0 when it fits.
func (d *Decoder) poised(load, variance scale.Load) float64 {
	e, b := &d.seen, &d.seen.balance
	noise := 2 * float64(d.g.CellNoise) // of four cells
	guess := float64(b.Guess) * float64(d.g.MassSpread) * float64(d.g.MassSpread)
	sum := noise*noise/float64(b.N) + scaleDrift*scaleDrift + guess
	side := sum*scale.Arm*scale.Arm + scaleAside*scaleAside + float64(b.Guess)*scaleOff*scaleOff*d.g.heaviest*d.g.heaviest
	r := b.More().Minus(load)
	q := r.MG*r.MG/(sum+variance.MG) + r.X*r.X/(side+variance.X) + r.Y*r.Y/(side+variance.Y)
	f := min(1, scaleErr+fades(e.now.since(tick(b.Since)), scaleFades))
	narrow := (1 - scaleWideP) * math.Exp(-q/2)
	wide := scaleWideP / (scaleWide * scaleWide * scaleWide) * math.Exp(-q/2/(scaleWide*scaleWide))
	nats := math.Log((1-f)*(narrow+wide) + f*scaleAny)
	if r.MG > outlier*math.Sqrt(sum) {
		nats = max(nats, scaleHand-float64(e.now.since(tick(b.Since)))/float64(scaleStays))
	}
	return nats
}

// reckon says what the wood of the game weighs more than that before.
func (d *Decoder) reckon(old *wood.Wood) {
	b := &d.seen.balance
	if !d.g.Scale || !b.Known {
		return
	}
	changed := old.Diff(&d.now)
	if changed.Count() > scaleAnew {
		b.Known = false
		return
	}
	for p := range changed.Places() {
		was, is := d.g.target(old[p]), d.g.target(d.now[p])
		same := common(old[p], d.now[p])
		b.Reckon(scale.On(is.mass-was.mass, p.Square()), len(old[p])+len(d.now[p])-2*same)
	}
}

// rebalance weighs the wood of the game that stands and rests. A hand may lean on the board: what was never weighed
// must weigh what it should, or stand for long.
func (d *Decoder) rebalance() {
	b := &d.seen.balance
	age := d.seen.now.since(tick(b.Since))
	switch {
	case !d.g.Scale || age < settles:
	case b.Known && d.felt() && !d.tips():
		b.Settle()
	case !b.Known && (age > scaleWrong || math.Abs(b.Load.MG-d.total()) < d.g.lightest/2):
		b.Settle()
	}
}

// total is what the wood of the game weighs.
func (d *Decoder) total() (mg float64) {
	for p := range d.filled.Places() {
		mg += d.want[p].mass
	}
	return mg
}

// tally knows what piles may weigh, to guess how many pieces stand on a square where no pile that is known fits.
type tally struct {
	sums   [mostCounted + 1][]float64 // by number of pieces: what that many may weigh, in milligrams, ascending
	spread float64                    // milligrams, standard deviation of one piece
	noise  float64                    // milligrams, of a reading
	mean   float64                    // milligrams, of a piece of the middle sort
}

// mostCounted is how many pieces are counted by what they can weigh together; more are counted by their mean.
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

// fits reports whether so many pieces may weigh so much.
func (t *tally) fits(mg float64, pieces int) bool { return t.fitsOn(0, mg, pieces) }

// fitsOn reports whether so many pieces may weigh, together with so many others, so much more than those should weigh.
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
