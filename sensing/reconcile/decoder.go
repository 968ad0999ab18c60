// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// Decoder turns readings into explanations. It belongs to one goroutine.
type Decoder struct {
	g            geometry
	timing       Timing
	tally        scale.Tally
	seen         evidence
	bases        []Base
	base         rules.Position      // bases[0].Position
	now          wood.Wood           // the wood of base 0
	past         [maxReplaced]ply    // of bases 1 and on: the last moves, which another may replace
	want         [wood.Places]target // the piles of now, as sensors see them
	filled       wood.Set            // places where something stands in now
	list         generator
	replacedMove replacedMove
	replacing    float64 // nats that it costs that the move being accepted replaces the last one
	// places that contradicted the game, or that the move changes, as of the last accepted explanation
	taken             wood.Set
	turned            wood.Set // places whose reed has flipped in this ply
	clockPressed      bool     // the clock was pressed since the last Expect
	goal              goal     // what has to be seen before the wood counts as base 0
	paired            tick     // when pairs were last looked for
	faults            faults
	soughtReplacement tick // when findReplacement last looked
	accepted          tick // when base 0 became the game
	contradictedSince tick // since when the wood has contradicted base 0; never: it does not
	replied           tick // when the reply began that was found together with the move being accepted; 0: none was

	// As of the last evaluation.
	against         wood.Set             // places that contradict base 0 by more than a hand at work pays
	clear           wood.Set             // those of them that need an explanation
	put             wood.Set             // those of clear on which something seems to have been put
	pressed         wood.Set             // places that bear too much although their reed says that nothing has changed
	closely         wood.Set             // places looked at closely
	fit             [wood.Places]float64 // of closely: nats by which the pile of the game fits
	spare           [wood.Places]float64 // of against: nats that a hand at work gains there over the game
	partial         float64              // nats that hands on the way to any hypothesis gain over the game
	stray           float64              // nats that hands which have left the wood as it is gain over the game
	scaleFit        float64              // nats by which the game as it stands fits what the scale shows
	hiddenChange    hiddenChange         // a change of piles that only the scale shows
	free            float64              // nats that a hand at work gains over the game
	ranked          []int32              // hypotheses that were scored
	halves          []int32              // hypotheses that fit better half made
	holding         bool                 // more seems to have been lifted than put down
	hovering        float64              // probability that a hand in view is not done
	late            float64              // nats that a move in place of the last one costs, which has stood for long
	discrepancyList []Discrepancy
	lifted          []Lift
	picks           []Choice

	rivalPlaces wood.Set // all places of the hypotheses close to the best
}

// New returns a decoder for a board. It expects nothing yet: call Expect before Explain.
func New(g wood.Geometry, t Timing) *Decoder {
	d := &Decoder{g: *newGeometry(&g), timing: t}
	d.tally = scale.NewTally(g.Mass[:], float64(g.Mass['b']), float64(g.MassSpread), float64(g.CellNoise))
	d.seen = newEvidence(&d.g)
	d.list.g, d.list.now = &d.g, &d.now
	return d
}

// Geometry is the board that the decoder was made for.
func (d *Decoder) Geometry() *wood.Geometry { return &d.g.Geometry }

// Wood is the wood of the game as it stands.
func (d *Decoder) Wood() *wood.Wood { return &d.now }

// Observe takes in one reading.
func (d *Decoder) Observe(r *sensing.Reading) {
	before := d.seen.closed
	d.seen.observe(r)
	for k := range before {
		d.turned[k] |= before[k] ^ d.seen.closed[k]
	}
}

// PressClock says that the player has pressed the clock. What rests now is the move: the piece will not slide on.
func (d *Decoder) PressClock() { d.clockPressed = true }

// Expect sets the positions from which the wood may be explained: that of the game, then earlier ones.
func (d *Decoder) Expect(bases []Base) {
	was, old, made, rested := d.base, d.now, d.list.made, d.contradictedAt().since(d.accepted)
	change := d.changes(bases)
	chain := len(bases) > 1 && bases[1].Position == was && d.seen.now.since(d.accepted) < chained || d.replied != 0
	d.base = bases[0].Position
	d.bases = append(d.bases[:0], bases...)
	for i := range d.bases {
		d.bases[i].Moves = d.bases[i].Moves && (i < maxReplaced || i == maxReplaced && chain)
	}
	d.now = d.g.Lay(&d.base)
	for k := range d.past {
		if d.past[k].wood = d.now; k+1 < len(bases) {
			d.past[k].wood = d.g.Lay(&bases[k+1].Position)
		}
	}
	if change == goesOn {
		d.confirm()
	}
	d.faults.badIsCurrent, d.faults.bad = false, [3]wood.Set{}
	d.begin(&old, change == corrected)
	d.expectLoad(&old)
	d.filled = wood.Set{}
	for p := range wood.Place(wood.Places) {
		if d.now[p] != old[p] || d.want[p].pile != d.now[p] {
			d.want[p] = d.g.target(d.now[p])
			if p < 64 {
				d.seen.cells[p].known, d.seen.eyes[p].known = 0, 0
			}
		}
		if d.now[p] != "" {
			d.filled.Add(p)
		}
	}
	d.list.list(d.bases)
	d.ranked = d.ranked[:0]
	d.reconsider(change, made, rested)
	d.replacing = priorCorrect
	d.noteOverruled()
	d.clockPressed, d.goal, d.paired = false, goal{}, never
}

// begin begins a ply. Events up to the last one on the places that the previous ply changed belong to that ply.
func (d *Decoder) begin(old *wood.Wood, same bool) {
	changed := old.Diff(&d.now)
	latest := never
	paired := d.replied != 0
	for q := range d.seen.cells {
		from := d.seen.now
		if changed.Has(wood.Place(q)) {
			from += tick(settleTime)
		}
		if !paired {
			d.seen.cells[q].resetExtremes(from)
			d.seen.eyes[q].resetExtremes(from)
		}
	}
	if paired {
		latest, changed, d.replied = d.replied, wood.Set{}, 0
	}
	for k := range changed {
		for q := range changed[k].Squares() {
			p := wood.Place(k*64) + wood.Place(q)
			at := d.seen.reeds[p].doneAt(d.seen.epoch, minFlips(old[p], d.now[p])) // what came after belongs to this ply
			if at == never {
				at = d.changedAt(p)
			}
			latest = max(latest, at)
		}
	}
	if latest == never {
		latest = d.seen.now
	}
	if !same {
		for k := len(d.past) - 1; k > 0; k-- {
			d.past[k].epoch = d.past[k-1].epoch
		}
		d.past[0].epoch = d.seen.epoch
	}
	d.accepted, d.contradictedSince = d.seen.now, never
	d.seen.epoch = max(d.seen.epoch, latest, d.seen.now-tick(plyLookback))
	d.turned = wood.Set{}
	for p := range wood.Place(wood.Places) {
		if d.seen.reeds[p].last() > d.seen.epoch {
			d.turned.Add(p)
		}
	}
}

// Explain says what the wood means at a time not before the newest reading. Its lists are valid until the next call.
func (d *Decoder) Explain(at time.Time) Explanation {
	d.seen.now = max(d.seen.now, d.seen.tick(at))
	d.seen.epoch = max(d.seen.epoch, d.seen.now-tick(plyLookback))
	if d.unread() {
		return Explanation{State: Moving}
	}
	rest := d.rest()
	d.evaluate()
	d.watch(at)
	if d.against.Empty() && d.goal.met(d) && !d.scaleContradicts() {
		if x, ok := d.findReplacement(rest); ok {
			return x
		}
		x := d.synced(rest, at)
		if x.NextLook.IsZero() && len(d.faults.list) > 0 {
			x.NextLook = at.Add(watchInterval) // a fault may be over
		}
		return x
	}
	if d.contradictedSince == never {
		d.contradictedSince = d.seen.now
	}
	return d.decide(rest, at)
}

// unread reports whether nothing can be said yet: a bank that the board has was never read, and may still be.
func (d *Decoder) unread() bool {
	e := &d.seen
	if e.origin.IsZero() {
		return true
	}
	heard := e.heard[sensing.Reeds][0] && (!d.g.TwoDecks || e.heard[sensing.Reeds][1]) &&
		(!d.g.Weights || e.heard[sensing.Weights][0]) && (!d.g.Heights || e.heard[sensing.Heights][0]) &&
		(!d.g.Scale || e.balance.N > 0)
	return !heard && e.now < tick(plyLookback/20)
}

// rest is the time since a reed last flipped, up to the last sweep.
func (d *Decoder) rest() time.Duration {
	e := &d.seen
	until := e.now
	for k := range e.swept {
		if e.known[k] != 0 {
			until = min(until, e.swept[k])
		}
	}
	if e.flipped == never {
		return time.Duration(until)
	}
	return max(0, until.since(e.flipped))
}

// synced is the explanation for wood that stands as the game has it.
func (d *Decoder) synced(rest time.Duration, at time.Time) Explanation {
	x := Explanation{State: Synced}
	d.contradictedSince = never
	if d.goal.strict && !d.settledOnGame() {
		return Explanation{State: Moving, NextLook: at.Add(lookInterval)}
	}
	if d.lifted = d.leaving(d.lifted[:0]); len(d.lifted) > 0 {
		x.State, x.Lifts, x.NextLook = Moving, d.lifted, at.Add(lookInterval)
		return x
	}
	if rest > askAfter {
		d.goal = goal{}
		d.noteContradicting()
		d.learnRestLevels()
		d.weighAtRest()
	} else {
		x.NextLook = at.Add(askAfter)
	}
	return x
}

// learnRestLevels learns what the sensors show while the game's wood stands.
func (d *Decoder) learnRestLevels() {
	for q := range rules.Square(64) {
		p := wood.Place(q)
		if d.g.Weights && d.seen.cellTrusted(p) && !d.closely.Has(p) { // what a faulty cell shows is not its zero
			d.seen.cells[q].followRest(d.now[p] == "")
		}
		if l := &d.seen.eyes[q]; d.g.Heights && (!d.closely.Has(p) || d.offCentre(p)) {
			if d.closely.Has(p) {
				l.known = 0 // the piece was straightened, or pushed off the centre
			}
			l.followRest(false)
		}
	}
}

// goal is what has to be seen before the wood counts as following a game that went on without it.
type goal struct {
	strict  bool     // every sensor must have settled on the game
	changed wood.Set // places that differ from the wood before
	// places whose piece is exchanged for another that sensors cannot tell from it: they must be seen to be touched
	must   wood.Set
	since  tick               // touches count from this time on
	before bool               // touches of the ply before count too
	kept   [wood.Places]uint8 // how many pieces stay at the bottom of the piles of must
}

// Follow is Expect for a game that went on without the wood, which still shows the position before. The wood counts as
// following only when every sensor has settled on the game. Where a piece is exchanged for one that sensors cannot
// tell from it, they must see the first one lifted.
func (d *Decoder) Follow(bases []Base, before *rules.Position) {
	epoch := d.seen.epoch
	same := *before == d.base
	d.Expect(bases)
	if same {
		d.seen.epoch = epoch // earlier touches count
		for p := range wood.Place(wood.Places) {
			if d.seen.reeds[p].last() > epoch {
				d.turned.Add(p)
			}
		}
	}
	d.goal = goal{strict: true, since: d.seen.epoch, before: same}
	old := d.g.Lay(before)
	d.goal.changed = old.Diff(&d.now)
	for p := range wood.Place(wood.Places) {
		if old[p] != d.now[p] && old[p] != "" && d.now[p] != "" && !d.canTell(p, old[p], d.now[p]) {
			d.goal.must.Add(p)
			d.goal.kept[p] = uint8(commonPieces(old[p], d.now[p]))
		}
	}
}

// canTell reports whether a sensor of a place shows which of two piles stands there.
func (d *Decoder) canTell(p wood.Place, a, b wood.Pile) bool {
	e := &d.seen
	if e.known.Has(p) && (a == "") != (b == "") {
		return true
	}
	return e.heardCell(p) && d.g.weighable(a, b) || p < 64 && d.g.Heights && e.eyes[p].n > 0 && len(a) != len(b)
}

// missing returns the places that still have to be touched.
func (g *goal) missing(d *Decoder) (s wood.Set) {
	if d.seen.flipped != never && d.seen.now.since(d.seen.flipped) > plyLookback {
		return s // a reed stuck under a captured piece will never show the touch
	}
	for p := range g.must.Places() {
		touched := d.opened(p, int(g.kept[p]), d.now[p], g.before)
		if g.kept[p] == 0 && d.seen.known.Has(p) {
			touched = d.seen.reeds[p].after(g.since) > 0 || d.emptied(p, g.before)
		}
		if !touched {
			s.Add(p)
		}
	}
	return s
}

// met reports whether nothing has to be touched any more.
func (g *goal) met(d *Decoder) bool { return g.must.Empty() || g.missing(d).Empty() }

// settledOnGame reports whether no sensor is still on its way to what the game has.
func (d *Decoder) settledOnGame() bool {
	e := &d.seen
	for q := range (d.closely[0]).Squares() {
		p := wood.Place(q)
		if d.fit[p] < doubtfulFit && e.now.since(e.lastAt(p)) < settledAfter {
			return false
		}
	}
	return e.now.since(e.stepped) > cellDecay || e.now.since(e.flipped) > askAfter
}
