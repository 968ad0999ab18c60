// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/logprob"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// scaleUsable reports whether the scale can be used: it answers, the wood of the game was weighed, and nobody leans on
// the board.
func (d *Decoder) scaleUsable() bool {
	if !d.g.Scale {
		return false
	}
	b := &d.seen.Balance
	more, most := b.More().MG, d.g.Heaviest
	return b.Known && d.seen.HeardScale() &&
		more < world.ScaleLean*most && more > -world.ScaleRelease*most
}

// scaleBlind reports whether the scale answers but cannot be used, because somebody leans on the board or did so since
// the board was set up.
func (d *Decoder) scaleBlind() bool {
	return d.g.Scale && d.seen.HeardScale() && !d.scaleUsable()
}

// scaleContradicts reports whether the scale contradicts the game by more than a hand at work costs.
func (d *Decoder) scaleContradicts() bool { return d.scaleFit < world.ScaleAtWork }

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
	age := d.seen.Balance.Age(time.Duration(d.seen.Now))
	switch u := d.findHiddenChange(); {
	case age < world.SettleTime:
	case u.off == wood.Nowhere && u.on == wood.Nowhere:
		if d.against.Empty() && d.weighsOddly(age) && !u.several {
			// no pieces weigh that, and the wood has rested for so long that the reeds must be right: weigh it again
			d.seen.Balance.Known, d.scaleFit = false, 0
			return
		}
	case u.on == wood.Nowhere || age > world.SettledAfter:
		d.hiddenChange = u
		for p := range u.places().Places() { // although its own sensors do not show it
			d.against.Add(p)
			d.clear.Add(p)
			d.spare[p] = 0
		}
	}
	d.free += world.ScaleAtWork - d.scaleFit
	d.stray += max(world.ScaleAtWork, d.hiddenChange.fit) - d.scaleFit
}

// hiddenChange is a change of piles that only the scale shows, because their reeds stay closed. The upper pieces of
// one were taken off, a piece was put on one, or both.
type hiddenChange struct {
	off  wood.Place // the pile that pieces left, Nowhere for none
	keep int        // the number of pieces left there
	on   wood.Place // the pile that a piece came to, Nowhere for none
	fit  float64    // how well that fits what the scale shows, in nats

	several bool // off and on are Nowhere because the scale fits several changes
}

// places are the places of a hidden change.
func (u *hiddenChange) places() (s wood.Set) {
	for _, p := range [...]wood.Place{u.off, u.on} {
		if p != wood.Nowhere {
			s.Add(p)
		}
	}
	return s
}

// findHiddenChange finds the change of piles that, together with the pieces in a hand, explains the scale. It finds
// none if a piece has come to an empty square, because the reed says more than the scale then.
func (d *Decoder) findHiddenChange() hiddenChange {
	best := hiddenChange{off: wood.Nowhere, on: wood.Nowhere}
	e := &d.seen
	var load, variance scale.Load
	for p := range d.against.Places() {
		if d.now[p] == "" || e.Closed.Has(p) || !e.Known.Has(p) {
			return best
		}
		l, v := d.g.LoadChange(-1, d.now[p], p)
		load, variance = load.Plus(l), variance.Plus(v)
	}
	if e.Balance.N < evidence.MinLevelSamples {
		return best
	}
	best.fit = d.loadFit(load, variance)
	least, second := max(best.fit+world.PartBeats, world.ScaleAtWork), best.fit
	consider := func(u hiddenChange, load, variance scale.Load) {
		rest := e.Balance.More().Minus(load)
		if x, y := rest.Centre(); rest.MG > d.g.Lightest/2 {
			sq, ok := scale.Square(x, y)
			u.on = wood.Place(sq)
			if !ok || d.now[u.on] == "" || d.against.Has(u.on) {
				return
			}
			l, v := d.g.LoadChange(1, d.g.Nearest(rest.MG), u.on)
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
			l, v := d.g.LoadChange(-1, pile[k:], p)
			consider(hiddenChange{off: p, keep: k, on: wood.Nowhere}, load.Plus(l), variance.Plus(v))
		}
	}
	if best.fit < least || best.fit < second+world.PartBeats {
		return hiddenChange{off: wood.Nowhere, on: wood.Nowhere, several: best.fit >= least}
	}
	return best
}

// scaleFitOf is how well the wood of a hypothesis fits what the scale shows, in nats. Pieces that were lifted
// elsewhere may be in a hand, so that the scale does not bear them. Or they were put where no reed tells it.
func (d *Decoder) scaleFitOf(h *hypotheses.Hypothesis) float64 {
	switch {
	case d.scaleUsable():
	case d.scaleBlind() && d.seen.Balance.Known:
		return d.liftFit(h)
	default:
		return 0
	}
	var load, variance scale.Load
	for _, i := range h.Changes {
		m := &d.list.Changes[i].Moved
		load, variance = load.Plus(m.Off).Plus(m.On), variance.Plus(m.Variance)
	}
	elsewhere := d.against.Minus(h.Places).Minus(d.hiddenChange.places()) // where more than the scale contradicts
	if elsewhere.Empty() {
		// fingers press and pull while they lift, so what the board lacked then tells half as much
		return d.loadFit(load, variance) + max(d.liftFit(h), world.LiftElsewhere/2)
	}
	for p := range elsewhere.Minus(d.seen.Closed).Intersect(d.seen.Known).Intersect(d.filled).Places() {
		l, v := d.g.LoadChange(-1, d.now[p], p)
		load, variance = load.Plus(l), variance.Plus(v)
	}
	fit, rest := d.loadFit(load, variance), d.seen.Balance.More().Minus(load)
	if sq, ok := scale.Square(rest.Centre()); ok && rest.MG > d.g.Lightest/2 && d.seen.Closed.Has(wood.Place(sq)) {
		l, v := d.g.LoadChange(1, d.g.Nearest(rest.MG), wood.Place(sq))
		fit = max(fit, world.ScaleAtWork+d.loadFit(load.Plus(l), variance.Plus(v)))
	}
	return fit
}

// liftFit is how well a hypothesis explains what was lifted last before somebody leaned on the board, in nats. It is 0
// if the board lacked just one of the pieces that come or go, or was never lighter.
func (d *Decoder) liftFit(h *hypotheses.Hypothesis) float64 {
	var all, variance scale.Load
	held := make([]scale.Load, 0, 32) // what is missing while a hand holds a piece, by piece
	for _, i := range h.Changes {
		m := &d.list.Changes[i].Moved
		held, all, variance = append(held, m.Off), all.Plus(m.Off).Plus(m.On), variance.Plus(m.Variance)
	}
	for _, i := range h.Changes {
		held = append(held, all.Minus(d.list.Changes[i].Moved.On))
	}
	from := d.plyStart(min(h.Base, hypotheses.MaxReplaced))
	for l, samples := range d.seen.Balance.Lighter(time.Duration(from), d.g.Lightest/2) {
		if samples < evidence.MinLevelSamples {
			continue
		}
		best := world.LiftElsewhere
		for i := range held {
			q, _ := d.loadDistance(l.Minus(held[i]), variance, samples)
			best = max(best, -q/2)
		}
		return best
	}
	return 0
}

// unseenMove reports whether a move may have been made that only a scale can tell. While a hand holds a piece the
// scale shows no more than that.
func (d *Decoder) unseenMove() bool {
	b := &d.seen.Balance
	return d.scaleBlind() || d.scaleContradicts() &&
		(b.More().MG > -d.g.Lightest/2 || d.seen.Now.Since(evidence.Tick(b.Since)) > world.SettledAfter)
}

// weighsOddly reports whether the scale has contradicted the wood for so long that it is the scale that is wrong. If a
// told move has not been seen everywhere, hands must have begun it, and that takes longer.
func (d *Decoder) weighsOddly(age time.Duration) bool {
	g, rest := &d.goal, min(age, d.rest())
	if g.strict && !g.uncopied().Empty() {
		return d.seen.Flipped > g.told && rest > world.PlyLookback
	}
	return rest > world.ReweighAfter
}

// scaleDoubts reports whether the scale contradicts a hypothesis, or cannot tell what no reed tells of it.
func (d *Decoder) scaleDoubts(h *hypotheses.Hypothesis) bool {
	return d.scaleFitOf(h) < world.ScaleAtWork || d.scaleBlind() && slices.ContainsFunc(h.Changes, func(i int32) bool {
		w := &d.list.Changes[i]
		return w.Pile != "" && d.now[w.Place] != ""
	})
}

// addedMass is how much more the wood of a hypothesis weighs than that of the game, in milligrams.
func (d *Decoder) addedMass(h *hypotheses.Hypothesis) (mg float64) {
	for _, i := range h.Changes {
		w := &d.list.Changes[i]
		mg += w.Mass - d.want[w.Place].Mass
	}
	return mg
}

// unweighedExchangeCost is the cost, in nats, of a hypothesis that exchanges the upper pieces of a pile, if the scale
// has not seen the exchange. Between lifting the old pieces and putting down the new ones, the board must have weighed
// less. total is how much more the board bears after it. A hand that leaned on the board may have hidden the exchange,
// which then costs nothing.
func (d *Decoder) unweighedExchangeCost(h *hypotheses.Hypothesis, w *hypotheses.Change, total float64) float64 {
	old, b := &d.want[w.Place], &d.seen.Balance
	kept := wood.Common(w.Pile, old.Pile)
	if !d.g.Scale || !b.Known || h.Move == rules.NoMove || h.Reply != rules.NoMove ||
		h.Base > hypotheses.MaxReplaced || kept == 0 || kept == len(old.Pile) || kept == len(w.Pile) {
		return 0
	}
	from := d.plyStart(h.Base) + evidence.Tick(world.SettleTime)
	for _, i := range h.Changes {
		if v := &d.list.Changes[i]; v.Pile == "" && d.seen.Known.Has(v.Place) && !d.seen.Closed.Has(v.Place) {
			from = max(from, d.seen.Reeds[v.Place].Last())
		}
	}
	same := d.g.Target(w.Pile[:kept])
	low, high, ok := b.Span(time.Duration(from))
	if !ok || high > b.Rests.MG+world.ScaleLean*d.g.Heaviest || low < b.Rests.MG+total-(w.Mass-same.Mass)+d.g.Lightest/2 {
		return 0
	}
	return world.StepUnseen
}

// loadFit is the logarithm of the likelihood of what the scale shows, 0 when it fits. load is what came since the
// game's wood was weighed, negative if it went, and variance the variance of that.
func (d *Decoder) loadFit(load, variance scale.Load) float64 {
	e, b := &d.seen, &d.seen.Balance
	r := b.More().Minus(load)
	q, sum := d.loadDistance(r, variance, b.N)
	f := min(1, world.ScaleErr+logprob.Decay(b.Age(time.Duration(e.Now)), world.ScaleDecay))
	narrow := (1 - world.ScaleWideShare) * logprob.Exp(-q/2)
	const w = world.ScaleWide
	wide := world.ScaleWideShare / (w * w * w) * logprob.Exp(-q/2/(w*w))
	nats := math.Log((1-f)*(narrow+wide) + f*world.ScaleAny)
	if r.MG > world.Outlier*math.Sqrt(sum) {
		nats = max(nats, world.ScaleHand-float64(e.Now.Since(evidence.Tick(b.Since)))/float64(world.ScaleHandTime))
	}
	return nats
}

// loadDistance is the square of the distance of a load from nothing, in standard deviations, for a level of that many
// samples. variance is that of what came or went, and sum that of the weight without it.
func (d *Decoder) loadDistance(r, variance scale.Load, samples int) (q, sum float64) {
	b := &d.seen.Balance
	noise := 2 * float64(d.g.CellNoise) // of four cells
	guess := float64(b.Guess) * float64(d.g.MassSpread) * float64(d.g.MassSpread)
	sum = noise*noise/float64(samples) + world.ScaleDrift*world.ScaleDrift + guess
	side := sum*scale.Arm*scale.Arm + world.ScaleShift*world.ScaleShift +
		float64(b.Guess)*world.PlacementSpread*world.PlacementSpread*d.g.Heaviest*d.g.Heaviest
	return r.MG*r.MG/(sum+variance.MG) + r.X*r.X/(side+variance.X) + r.Y*r.Y/(side+variance.Y), sum
}

// expectLoad tells the scale by how much the weight of the game's wood has changed from the wood before.
func (d *Decoder) expectLoad(old *wood.Wood) {
	b := &d.seen.Balance
	if !d.g.Scale || !b.Known {
		return
	}
	changed := old.Diff(&d.now)
	if changed.Count() > world.ReweighPlaces {
		b.Known = false
		return
	}
	for p := range changed.Places() {
		was, is := d.g.Target(old[p]), d.g.Target(d.now[p])
		same := wood.Common(old[p], d.now[p])
		b.AddExpected(scale.On(is.Mass-was.Mass, p.Square()), len(old[p])+len(d.now[p])-2*same)
	}
}

// weighAtRest weighs the game's wood while it rests. Because a hand may lean on the board, wood that was never weighed
// must weigh what it should, or rest for long.
func (d *Decoder) weighAtRest() {
	b := &d.seen.Balance
	age := b.Age(time.Duration(d.seen.Now))
	switch {
	case !d.g.Scale || age < world.SettleTime:
	case b.Known && d.scaleUsable() && !d.scaleContradicts():
		b.Settle()
	case !b.Known && (age > world.ReweighAfter || d.weighsAsExpected()):
		b.Settle()
	}
}

// weighsAsExpected reports whether the board weighs what the game's wood should, with its centre where it should be.
func (d *Decoder) weighsAsExpected() bool {
	more, pieces := d.seen.Balance.Load, 0
	for p := range d.filled.Places() {
		more = more.Minus(scale.On(d.want[p].Mass, p.Square()))
		pieces += len(d.now[p])
	}
	side := world.Outlier * world.PlacementSpread * d.g.Heaviest * math.Sqrt(float64(pieces))
	return math.Abs(more.MG) < d.g.Lightest/2 && max(math.Abs(more.X), math.Abs(more.Y)) < side
}
