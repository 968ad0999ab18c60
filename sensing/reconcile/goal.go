// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"boardd/rules"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// goal is what has to be seen before the wood counts as following a game that went on without it.
type goal struct {
	strict  bool           // every sensor must have settled on the game
	from    rules.Position // where the wood stood
	changed wood.Set       // places that differ from the wood before
	shown   wood.Set       // of these, places where something has changed, and that stood as the game has it then
	was     wood.Wood      // the wood before
	// places whose piece is exchanged for another: that has to be seen, by its load, or as a touch
	must   wood.Set
	empty  wood.Set           // places of must from which the first piece had been lifted already
	since  evidence.Tick      // touches count from this time on
	told   evidence.Tick      // when the game went on
	before bool               // touches of the ply before count too
	off    bool               // nobody watched the wood before: the board was off
	kept   [wood.Places]uint8 // how many pieces stay at the bottom of the piles of must
}

// Follow is Expect for a game that went on without the wood, which still shows the position before. The wood counts as
// following only when every sensor has settled on the game. Where a piece is exchanged for another, they must see that
// by its load, or see the first one lifted. They need not if they cannot tell the two apart and everything else of the
// move was done long before it was told. Hands hold a piece for less long. While the wood follows already, only what
// may happen is new.
func (d *Decoder) Follow(bases []Base, before *rules.Position) {
	if d.goal.strict && d.base == bases[0].Position && d.goal.from == *before {
		d.allow(bases, stands)
		d.refill(stands, d.list.Made, 0)
		return
	}
	epoch, old := d.seen.Epoch, d.g.Lay(before)
	same := *before == d.base
	d.Expect(bases)
	changed := old.Diff(&d.now)
	if same = same && d.copying(&old, changed); same {
		d.seen.Epoch = epoch // earlier touches count
	}
	d.followed = true
	d.goal = goal{strict: true, from: *before, was: old, changed: changed, since: d.seen.Epoch, told: d.seen.Now,
		before: same, off: d.seen.Origin.IsZero()}
	for p := range wood.Place(wood.Places) {
		if old[p] != d.now[p] && old[p] != "" && d.now[p] != "" {
			d.goal.must.Add(p)
			if d.seen.Known.Has(p) && !d.seen.Closed.Has(p) {
				d.goal.empty.Add(p)
			}
			d.goal.kept[p] = uint8(wood.Common(old[p], d.now[p]))
		}
	}
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
	other := wood.Set{(e.Closed[0] ^ d.filled[0]) & e.Known[0], (e.Closed[1] ^ d.filled[1]) & e.Known[1]}
	for p := range g.changed.Minus(g.shown).Minus(d.against).Minus(other).Places() {
		if d.turned.Has(p) || d.canTell(p, g.was[p], d.now[p]) && d.likelier(p, d.now[p], g.was[p]) {
			g.shown.Add(p)
		}
	}
}

// waits reports whether a place has not shown yet that the wood follows, though its own sensors can tell.
func (g *goal) waits(d *Decoder) bool {
	for p := range g.changed.Minus(g.shown).Places() {
		if d.canTell(p, g.was[p], d.now[p]) {
			return true
		}
	}
	return false
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
		told := d.canTell(p, g.was[p], d.now[p])
		if told && d.likelier(p, d.now[p], g.was[p]) && !d.unlike(p) || !told && after {
			continue
		}
		touched := d.opened(p, int(g.kept[p]), d.now[p], g.before) && !d.scaleContradicts()
		if g.kept[p] == 0 && d.seen.Known.Has(p) {
			open := d.seen.Reeds[p].LongestOpen(g.since, d.seen.Closed.Has(p)) // a sleeve opens it for less
			touched = open >= world.ExchangeTakes || g.empty.Has(p) && d.seen.Closed.Has(p) || d.emptied(p, g.before)
		}
		if !touched && !g.late(d, p) {
			s.Add(p)
		}
	}
	return s
}

// unlike reports whether a sensor of a place shows anything else than the pile of the game.
func (d *Decoder) unlike(p wood.Place) bool {
	e, t := &d.seen, d.g.Target(d.now[p])
	return e.HeardCell(p) && e.CellWrong(p, &t) || !e.HeardCell(p) && e.HeardEye(p) && e.EyeWrong(p, &t)
}

// late reports whether a touch that nothing has shown will not be shown any more: a reed may be stuck under a captured
// piece. If its reed has moved at all, and the captor has left its own square, hands do not hold it for that long.
func (g *goal) late(d *Decoder, p wood.Place) bool {
	if !d.against.Empty() || d.seen.Flipped == evidence.Never {
		return false
	}
	rest, others := d.seen.Now.Since(max(d.seen.Flipped, g.told)), g.changed.Minus(g.must)
	return rest > world.PlyLookback || d.seen.Reeds[p].After(g.since) > 0 && !others.Empty() &&
		others.Minus(g.shown).Empty() && carryOutlasts(rest) < 1-world.SureProbability
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
