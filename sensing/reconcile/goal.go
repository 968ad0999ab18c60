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
	// places whose piece is exchanged for another that sensors cannot tell from it: they must be seen to be touched
	must   wood.Set
	since  evidence.Tick      // touches count from this time on
	told   evidence.Tick      // when the game went on
	before bool               // touches of the ply before count too
	off    bool               // nobody watched the wood before: the board was off
	kept   [wood.Places]uint8 // how many pieces stay at the bottom of the piles of must
}

// Follow is Expect for a game that went on without the wood, which still shows the position before. The wood counts as
// following only when every sensor has settled on the game. Where a piece is exchanged for one that sensors cannot
// tell from it, they must see the first one lifted. They need not if everything else of the move was already done when
// it was told, for longer than a hand holds a piece meanwhile. While the wood follows already, only what may happen is
// new.
func (d *Decoder) Follow(bases []Base, before *rules.Position) {
	if d.goal.strict && d.base == bases[0].Position && d.goal.from == *before {
		d.allow(bases, stands)
		d.refill(stands, d.list.Made, 0)
		return
	}
	epoch := d.seen.Epoch
	same := *before == d.base
	d.Expect(bases)
	if same {
		d.seen.Epoch = epoch // earlier touches count
	}
	d.followed = true
	d.goal = goal{strict: true, from: *before, since: d.seen.Epoch, told: d.seen.Now, before: same,
		off: d.seen.Origin.IsZero()}
	old := d.g.Lay(before)
	d.goal.changed = old.Diff(&d.now)
	for p := range wood.Place(wood.Places) {
		if old[p] != d.now[p] && old[p] != "" && d.now[p] != "" && !d.canTell(p, old[p], d.now[p]) {
			d.goal.must.Add(p)
			d.goal.kept[p] = uint8(wood.Common(old[p], d.now[p]))
		}
	}
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
	if d.seen.Flipped != evidence.Never && d.seen.Now.Since(d.seen.Flipped) > world.PlyLookback {
		return s // a reed stuck under a captured piece will never show the touch
	}
	if g.toldAfter(d) {
		return s
	}
	for p := range g.must.Places() {
		touched := d.opened(p, int(g.kept[p]), d.now[p], g.before)
		if g.kept[p] == 0 && d.seen.Known.Has(p) {
			touched = d.seen.Reeds[p].After(g.since) > 0 || d.emptied(p, g.before)
		}
		if !touched {
			s.Add(p)
		}
	}
	return s
}

// toldAfter reports whether the wood had long shown all that its sensors can tell of the move when the move was told.
func (g *goal) toldAfter(d *Decoder) bool {
	told := g.changed.Minus(g.must)
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
