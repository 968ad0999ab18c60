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

// scaleBlind reports whether the scale answers but cannot be used, because somebody leans on the board or did so since
// the board was set up.
func (d *Decoder) scaleBlind() bool {
	b := &d.seen.balance
	return d.g.Scale && b.N > 0 && d.seen.now.since(tick(b.Heard)) < absentAfter && !d.scaleUsable()
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
		for p := range u.places().Places() { // although its own sensors do not show it
			d.against.Add(p)
			d.clear.Add(p)
			d.spare[p] = 0
		}
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
			l, v := d.g.loadChange(1, d.g.Nearest(rest.MG), u.on)
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

// loadChange is the load, with its variance, that pieces add which come to a place (sign 1) or leave it (sign -1).
func (g *geometry) loadChange(sign float64, pieces wood.Pile, p wood.Place) (load, variance scale.Load) {
	t := g.target(pieces)
	x, y := scale.Middle(p.Square())
	off := placementSpread * placementSpread * t.mass * t.mass
	return scale.At(sign*t.mass, x, y), scale.Load{MG: t.variance, X: t.variance*x*x + off, Y: t.variance*y*y + off}
}

// loads is what leaves a place of a scale board by a change, what comes to it, and the variance of both.
type loads struct{ off, on, variance scale.Load }

// moved returns the loads of a change from one pile to another.
func (g *geometry) moved(old, pile wood.Pile, p wood.Place) (l loads) {
	if g.Scale {
		same := commonPieces(pile, old)
		l.off, l.variance = g.loadChange(-1, old[same:], p)
		on, v := g.loadChange(1, pile[same:], p)
		l.on, l.variance = on, l.variance.Plus(v)
	}
	return l
}

// scaleFitOf is how well the wood of a hypothesis fits what the scale shows, in nats. Pieces that were lifted
// elsewhere may be in a hand, so that the scale does not bear them. Or they were put where no reed tells it.
func (d *Decoder) scaleFitOf(h *hypothesis) float64 {
	switch {
	case d.scaleUsable():
	case d.scaleBlind() && d.seen.balance.Known:
		return d.liftFit(h)
	default:
		return 0
	}
	var load, variance scale.Load
	for _, i := range h.changes {
		m := &d.list.changes[i].moved
		load, variance = load.Plus(m.off).Plus(m.on), variance.Plus(m.variance)
	}
	elsewhere := d.against.Minus(h.places).Minus(d.hiddenChange.places()) // where more than the scale contradicts
	if elsewhere.Empty() {
		return d.loadFit(load, variance)
	}
	for p := range elsewhere.Minus(d.seen.closed).Intersect(d.seen.known).Intersect(d.filled).Places() {
		l, v := d.g.loadChange(-1, d.now[p], p)
		load, variance = load.Plus(l), variance.Plus(v)
	}
	fit, rest := d.loadFit(load, variance), d.seen.balance.More().Minus(load)
	if sq, ok := scale.Square(rest.Centre()); ok && rest.MG > d.g.lightest/2 && d.seen.closed.Has(wood.Place(sq)) {
		l, v := d.g.loadChange(1, d.g.Nearest(rest.MG), wood.Place(sq))
		fit = max(fit, scaleAtWork+d.loadFit(load.Plus(l), variance.Plus(v)))
	}
	return fit
}

// liftFit is how well a hypothesis explains what was lifted last before somebody leaned on the board, in nats. It is 0
// if the board lacked just one of the pieces that come or go, or was never lighter.
func (d *Decoder) liftFit(h *hypothesis) float64 {
	var all, variance scale.Load
	held := make([]scale.Load, 0, 8) // what is missing while a hand holds a piece, by piece
	for _, i := range h.changes {
		m := &d.list.changes[i].moved
		held, all, variance = append(held, m.off), all.Plus(m.off).Plus(m.on), variance.Plus(m.variance)
	}
	for _, i := range h.changes {
		held = append(held, all.Minus(d.list.changes[i].moved.on))
	}
	for l, samples := range d.seen.balance.Lighter(time.Duration(d.plyStart(min(h.base, maxReplaced))), d.g.lightest/2) {
		if samples < minLevelSamples {
			continue
		}
		best := liftElsewhere
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
	b := &d.seen.balance
	return d.scaleBlind() || d.scaleContradicts() &&
		(b.More().MG > -d.g.lightest/2 || d.seen.now.since(tick(b.Since)) > settledAfter)
}

// scaleDoubts reports whether the scale contradicts a hypothesis, or cannot tell what no reed tells of it.
func (d *Decoder) scaleDoubts(h *hypothesis) bool {
	return d.scaleFitOf(h) < scaleAtWork || d.scaleBlind() && slices.ContainsFunc(h.changes, func(i int32) bool {
		w := &d.list.changes[i]
		return w.pile != "" && d.now[w.place] != ""
	})
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
	from := d.plyStart(h.base) + tick(settleTime)
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
	r := b.More().Minus(load)
	q, sum := d.loadDistance(r, variance, b.N)
	f := min(1, scaleErr+logprob.Decay(e.now.since(tick(b.Since)), scaleDecay))
	narrow := (1 - scaleWideShare) * logprob.Exp(-q/2)
	wide := scaleWideShare / (scaleWide * scaleWide * scaleWide) * logprob.Exp(-q/2/(scaleWide*scaleWide))
	nats := math.Log((1-f)*(narrow+wide) + f*scaleAny)
	if r.MG > outlier*math.Sqrt(sum) {
		nats = max(nats, scaleHand-float64(e.now.since(tick(b.Since)))/float64(scaleHandTime))
	}
	return nats
}

// loadDistance is the square of the distance of a load from nothing, in standard deviations, for a level of that many
// samples. variance is that of what came or went, and sum that of the weight without it.
func (d *Decoder) loadDistance(r, variance scale.Load, samples int) (q, sum float64) {
	b := &d.seen.balance
	noise := 2 * float64(d.g.CellNoise) // of four cells
	guess := float64(b.Guess) * float64(d.g.MassSpread) * float64(d.g.MassSpread)
	sum = noise*noise/float64(samples) + scaleDrift*scaleDrift + guess
	side := sum*scale.Arm*scale.Arm + scaleShift*scaleShift +
		float64(b.Guess)*placementSpread*placementSpread*d.g.heaviest*d.g.heaviest
	return r.MG*r.MG/(sum+variance.MG) + r.X*r.X/(side+variance.X) + r.Y*r.Y/(side+variance.Y), sum
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
	case !b.Known && (age > reweighAfter || d.weighsAsExpected()):
		b.Settle()
	}
}

// weighsAsExpected reports whether the board weighs what the game's wood should, with its centre where it should be.
func (d *Decoder) weighsAsExpected() bool {
	more, pieces := d.seen.balance.Load, 0
	for p := range d.filled.Places() {
		more = more.Minus(scale.On(d.want[p].mass, p.Square()))
		pieces += len(d.now[p])
	}
	side := outlier * placementSpread * d.g.heaviest * math.Sqrt(float64(pieces))
	return math.Abs(more.MG) < d.g.lightest/2 && max(math.Abs(more.X), math.Abs(more.Y)) < side
}
