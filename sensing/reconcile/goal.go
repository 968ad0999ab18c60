// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"boardd/rules"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/logprob"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// goal is what has to be seen before the wood counts as following a game that went on without it.
type goal struct {
	strict  bool           // every sensor must have settled on the game
	from    rules.Position // where the wood stood
	via     []wood.Wood    // of moves told since then, before the last one: hands may copy each of them
	was     wood.Wood      // what stood on each place, as far as it has been seen
	changed wood.Set       // places where the game has something else
	shown   wood.Set       // of these, places where something has changed, and that stood as the game has it then
	// places whose piece is exchanged for another: that has to be seen, by its load, or as a touch
	must   wood.Set
	empty  wood.Set      // places from which the first piece had been lifted already
	since  evidence.Tick // touches count from this time on
	told   evidence.Tick // when the game went on
	before bool          // touches of the ply before count too
	off    bool          // nobody watched the wood before: the board was off
}

// Follow is Expect for a game that went on without the wood, which still shows the position before. The wood counts as
// following only when every sensor has settled on the game. Where a piece is exchanged for another, they must see that
// by its load, or see the first one lifted. They need not if they cannot tell the two apart and everything else of the
// move was done long before it was told. Hands hold a piece for less long. While the wood follows already, only what
// may happen is new. If the game goes on again meanwhile, what was copied stays copied.
func (d *Decoder) Follow(bases []Base, before *rules.Position) {
	if d.goal.strict && d.base == bases[0].Position && d.goal.from == *before {
		d.allow(bases, stands)
		d.refill(stands, d.list.Made, 0)
		return
	}
	epoch, same, shifted := d.seen.Epoch, *before == d.base, d.scaleContradicts()
	g := goal{strict: true, from: *before, was: d.g.Lay(before), off: d.seen.Origin.IsZero()}
	if d.goal.strict && d.goal.from == *before {
		g.was, g.via = d.goal.stands(d), append(d.goal.via, d.now)
	}
	if same && !d.goal.strict {
		d.confirm()
	}
	d.Expect(bases)
	if g.before = same && (shifted || d.copying(&g.was, g.was.Diff(&d.now))); g.before {
		d.seen.Epoch = epoch // earlier touches count
	}
	d.goal, d.followed = g, true
	d.goal.begin(d, d.seen.Epoch)
}

// begin finds what has to be seen from a time on, until the wood stands as the game has it.
func (g *goal) begin(d *Decoder, since evidence.Tick) {
	e := &d.seen
	g.changed, g.shown, g.must = g.was.Diff(&d.now), wood.Set{}, wood.Set{}
	g.since, g.told = since, e.Now
	g.empty = wood.Set{e.Known[0] &^ e.Closed[0], e.Known[1] &^ e.Closed[1]}
	for p := range g.changed.Places() {
		if g.was[p] != "" && d.now[p] != "" {
			g.must.Add(p)
		}
	}
}

// stands is the wood as far as it has been seen: as the game has it where that was shown, elsewhere as before.
func (g *goal) stands(d *Decoder) wood.Wood {
	w := g.was
	for p := range g.shown.Union(g.must).Minus(g.missing(d)).Places() {
		w[p] = d.now[p]
	}
	return w
}

// uncopied are the places that have not shown yet that the wood follows.
func (g *goal) uncopied() wood.Set { return g.changed.Minus(g.shown) }

// uncopiedGain is what hands that have not copied the move yet gain over the game, in nats. Each place still shows
// what stood there, or that it was lifted.
func (g *goal) uncopiedGain(d *Decoder) (nats float64) {
	for p := range g.changed.Places() {
		best := logprob.Never
		for k := range len(g.was[p]) + 1 {
			t := d.g.Target(g.was[p][:k])
			best = max(best, d.seen.LogLikelihood(p, &t, false))
		}
		nats += best - d.gameFit(p)
		if d.against.Has(p) {
			nats -= d.spare[p]
		}
	}
	return max(0, nats)
}

// copying reports whether any of these places does not show any more what stood there. If none does, hands may have
// touched pieces before, but have not begun to copy.
func (d *Decoder) copying(was *wood.Wood, changed wood.Set) bool {
	e := &d.seen
	for p := range changed.Places() {
		if e.Known.Has(p) && e.Closed.Has(p) != (was[p] != "") ||
			d.canTell(p, was[p], d.now[p]) && d.likelier(p, d.now[p], was[p]) {
			return true
		}
	}
	return false
}

// look notes what stands as the game has it, if only for a moment. A reed that has just flipped is not yet believed,
// but it does not show what it contradicts.
func (g *goal) look(d *Decoder) {
	e := &d.seen
	for i := range g.via {
		if !g.copied(d, &g.via[i]) {
			continue
		}
		g.was, g.before = g.via[i], false
		g.via = g.via[i+1:]
		g.begin(d, e.Now)
		for q := range g.must[0].Squares() {
			e.Cells[q].ResetExtremes(e.Now+evidence.Tick(world.SettleTime), false)
			e.Eyes[q].ResetExtremes(e.Now+evidence.Tick(world.SettleTime), false)
		}
		break
	}
	other := wood.Set{(e.Closed[0] ^ d.filled[0]) & e.Known[0], (e.Closed[1] ^ d.filled[1]) & e.Known[1]}
	for p := range g.uncopied().Minus(d.against).Minus(other).Places() {
		if d.turned.Has(p) || d.canTell(p, g.was[p], d.now[p]) && d.likelier(p, d.now[p], g.was[p]) {
			g.shown.Add(p)
		}
	}
}

// copied reports whether a move that was told before the last one stands on the board, though the last one does not.
// Then what comes to its places or leaves them from now on belongs to the moves after it. Where it exchanges a piece,
// a sensor must tell the two apart: that one was lifted may also mean that it was put back.
func (g *goal) copied(d *Decoder, via *wood.Wood) bool {
	e := &d.seen
	if d.rest() <= world.Bounce {
		return false
	}
	for p := range g.was.Diff(via).Union(via.Diff(&d.now)).Places() {
		if e.Known.Has(p) && e.Closed.Has(p) != (via[p] != "") || d.unlike(p, via[p]) || via[p] != g.was[p] &&
			(!d.canTell(p, g.was[p], via[p]) || !d.likelier(p, via[p], g.was[p])) {
			return false
		}
	}
	return true
}

// canTell reports whether a sensor of a place shows which of two piles stands there.
func (d *Decoder) canTell(p wood.Place, a, b wood.Pile) bool {
	e := &d.seen
	if e.Known.Has(p) && (a == "") != (b == "") {
		return true
	}
	return e.HeardCell(p) && d.g.Weighable(a, b) || p < 64 && d.g.Heights && e.Eyes[p].N > 0 && len(a) != len(b)
}

// missing returns the places that still have to be touched.
func (g *goal) missing(d *Decoder) (s wood.Set) {
	if g.must.Empty() {
		return s
	}
	after := g.toldAfter(d)
	for p := range g.must.Places() {
		seen := after && !d.canTell(p, g.was[p], d.now[p]) || g.exchanged(d, p, d.now[p])
		if !seen && !g.late(d, p) {
			s.Add(p)
		}
	}
	return s
}

// exchanged reports whether the sensors of a place show that a pile has come there in exchange for the first one. They
// tell the two apart, or have seen the first one lifted.
func (g *goal) exchanged(d *Decoder, p wood.Place, pile wood.Pile) bool {
	if d.canTell(p, g.was[p], pile) && !g.partAlike(d, p, pile) && d.likelier(p, pile, g.was[p]) && !d.unlike(p, pile) {
		return true
	}
	kept := wood.Common(g.was[p], pile)
	if kept == 0 && d.seen.Known.Has(p) {
		open := d.seen.Reeds[p].LongestOpen(g.since, d.seen.Closed.Has(p)) // a sleeve opens it for less
		return open >= world.ExchangeTakes || g.empty.Has(p) && d.seen.Closed.Has(p) || d.emptied(p, g.before)
	}
	return d.opened(p, kept, pile, g.before) && !d.scaleContradicts()
}

// partAlike reports whether a lower part of the first pile, its top taken off, looks like the pile that comes.
func (g *goal) partAlike(d *Decoder, p wood.Place, pile wood.Pile) bool {
	for k := wood.Common(g.was[p], pile) + 1; k < len(g.was[p]); k++ {
		if !d.canTell(p, g.was[p][:k], pile) {
			return true
		}
	}
	return false
}

// unlike reports whether a sensor of a place shows anything else than a pile.
func (d *Decoder) unlike(p wood.Place, pile wood.Pile) bool {
	e, t := &d.seen, d.g.Target(pile)
	return e.HeardCell(p) && e.CellWrong(p, &t) || !e.HeardCell(p) && e.HeardEye(p) && e.EyeWrong(p, &t)
}

// late reports whether a touch that nothing has shown will not be shown any more: a reed may be stuck under a captured
// piece. If its reed has moved at all, and the captor has left its own square, hands do not hold it for that long.
func (g *goal) late(d *Decoder, p wood.Place) bool {
	if !d.against.Empty() || d.seen.Flipped == evidence.Never {
		return false
	}
	rest, others := d.seen.Now.Since(max(d.seen.Flipped, g.told)), g.uncopied()
	others.Drop(p)
	return rest > world.PlyLookback || d.seen.Reeds[p].After(g.since) > 0 && others.Empty() &&
		carryOutlasts(rest) < 1-world.SureProbability
}

// faultProbability is the probability that a sensor at fault is all that keeps the wood from following. It is 1 if the
// rest of the move was copied so long ago that no hand holds a piece any more, and 0 before.
func (g *goal) faultProbability(d *Decoder) float64 {
	rest := d.seen.Now.Since(max(d.seen.Flipped, g.told))
	begun := !g.shown.Empty() || d.g.Scale && !d.scaleBlind()
	if rest <= world.PlyLookback || d.against.Count() != 1 || !begun || d.scaleContradicts() {
		return 0
	}
	for p := range g.uncopied().Minus(d.against).Places() {
		if d.canTell(p, g.was[p], d.now[p]) {
			return 0
		}
	}
	return 1
}

// likelier reports whether a pile explains what stands on a place better than another one.
func (d *Decoder) likelier(p wood.Place, pile, other wood.Pile) bool {
	a, b := d.g.Target(pile), d.g.Target(other)
	return d.seen.LogLikelihood(p, &a, false) > d.seen.LogLikelihood(p, &b, false)
}

// toldAfter reports whether the wood had long shown all that its sensors can tell of the move when the move was told.
func (g *goal) toldAfter(d *Decoder) bool {
	told := g.changed
	for p := range g.must.Places() {
		if !d.canTell(p, g.was[p], d.now[p]) {
			told.Drop(p)
		}
	}
	for p := range told.Places() {
		if d.against.Has(p) || d.changedAt(p) > g.told-evidence.Tick(world.AllHandsLeave) {
			return false
		}
	}
	return !told.Empty()
}

// met reports whether nothing has to be touched any more.
func (g *goal) met(d *Decoder) bool { return g.must.Empty() || g.missing(d).Empty() }

// settledOnGame reports whether no sensor is still on its way to what the game has.
func (d *Decoder) settledOnGame() bool {
	e := &d.seen
	for q := range (d.closely[0]).Squares() {
		p := wood.Place(q)
		if d.fit[p] < world.DoubtfulFit && e.Now.Since(e.LastAt(p)) < world.SettledAfter {
			return false
		}
	}
	return e.Now.Since(e.Stepped) > world.CellDecay || e.Now.Since(e.Flipped) > world.AskAfter
}
