// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// Base is a position from which the wood may be explained.
type Base = hypotheses.Base

// Decoder turns readings into explanations. It belongs to one goroutine.
type Decoder struct {
	g            evidence.Geometry
	timing       Timing
	tally        scale.Tally
	seen         evidence.Record
	bases        []Base
	base         rules.Position               // bases[0].Position
	now          wood.Wood                    // the wood of base 0
	past         [hypotheses.MaxReplaced]ply  // of bases 1 and on: the last moves, which another may replace
	want         [wood.Places]evidence.Target // the piles of now, as sensors see them
	filled       wood.Set                     // places where something stands in now
	list         hypotheses.List
	replacedMove replacedMove
	replacing    float64 // nats that it costs that the move being accepted replaces the last one
	// places that contradicted the game, or that the move changes, as of the last accepted explanation
	taken        wood.Set
	proposed     rules.Position // the game if that explanation is followed
	changed      wood.Set       // places on which the game changed last
	idle         wood.Set       // of the move being accepted: see ply
	joined       bool           // of the ply that goes on: see ply
	turned       wood.Set       // places whose reed has flipped in this ply
	clockPressed bool           // the clock was pressed since the game last went on
	goal         goal           // what has to be seen before the wood counts as base 0
	followed     bool           // the wood had to be brought to base 0 since the ply began
	// since when a cell has borne too much, or too little, without a pause; 0: it does not
	loaded, relieved  [64]evidence.Tick
	paired            evidence.Tick // when pairs were last looked for
	faults            faults
	soughtReplacement evidence.Tick // when findReplacement last found none
	// when the last move had changed a place; 0: it did not, or that was not seen. This may be after the ply began
	landed            [wood.Places]evidence.Tick
	accepted          evidence.Tick // when base 0 became the game
	contradictedSince evidence.Tick // since when the wood has contradicted base 0; never: it does not
	unmaking          bool          // the explanation is that the last move was never made
	// when the reply began that was found together with the move being accepted; 0: none was
	replied evidence.Tick

	// As of the last evaluation.
	against         wood.Set             // places that contradict base 0 by more than a hand at work pays
	clear           wood.Set             // those of them that need an explanation
	put             wood.Set             // those of clear on which something seems to have been put
	leant           wood.Set             // places that bear too much although their reed says that nothing has changed
	pressed         wood.Set             // those of them on which fingers may rest that leave soon
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
	question        question

	rivalPlaces wood.Set // all places of the hypotheses close to the best
}

// New returns a decoder for a board. It expects nothing yet: call Expect before Explain.
func New(g wood.Geometry, t Timing) *Decoder {
	d := &Decoder{g: *evidence.NewGeometry(&g), timing: t}
	d.tally = scale.NewTally(g.Mass[:], float64(g.Mass['b']), float64(g.MassSpread), float64(g.CellNoise))
	d.seen = evidence.New(&d.g)
	d.list = hypotheses.New(&d.g, &d.now)
	return d
}

// Geometry is the board that the decoder was made for.
func (d *Decoder) Geometry() *wood.Geometry { return &d.g.Geometry }

// Wood is the wood of the game as it stands.
func (d *Decoder) Wood() *wood.Wood { return &d.now }

// Observe takes in one reading.
func (d *Decoder) Observe(r *sensing.Reading) {
	before := d.seen.Closed
	d.seen.Observe(r)
	if d.seen.Closed != before {
		d.findTurned()
	}
}

// PressClock says that the player has pressed the clock. What rests now is the move: the piece will not slide on.
func (d *Decoder) PressClock() { d.clockPressed = true }

// Expect sets the positions from which the wood may be explained: that of the game, then earlier ones. If the game
// stands as before, only what may happen is new, and the ply goes on. It begins anew when the wood was brought to it.
func (d *Decoder) Expect(bases []Base) {
	old, made, rested := d.now, d.list.Made, d.contradictedAt().Since(d.accepted)
	change := d.changes(bases)
	if change != stands {
		d.clockPressed = false
		d.forgetUnplayed(&bases[0].Position)
	}
	if d.allow(bases, change); change == stands {
		d.refill(change, made, rested)
		if d.question.answered {
			d.overruleAnswered()
		}
		return
	}
	if change == goesOn {
		d.confirm()
	}
	d.faults.badIsCurrent, d.faults.bad = false, [3]wood.Set{}
	if change == unmade {
		d.resume(&old)
	} else {
		d.begin(&old, change)
	}
	d.expectLoad(&old)
	d.filled = wood.Set{}
	for p := range wood.Place(wood.Places) {
		if d.now[p] != old[p] || d.want[p].Pile != d.now[p] {
			d.want[p] = d.g.Target(d.now[p])
			if p < 64 {
				d.seen.Cells[p].Known, d.seen.Eyes[p].Known = 0, 0
				d.loaded[p], d.relieved[p] = 0, 0
			}
		}
		if d.now[p] != "" {
			d.filled.Add(p)
		}
	}
	d.refill(change, made, rested)
	d.replacing = world.PriorCorrect
	d.noteOverruled()
	d.overruleAnswered()
	d.goal, d.followed = goal{}, false
}

// allow takes over the bases. Two moves back another move may only follow in place of one that was taken at once.
func (d *Decoder) allow(bases []Base, change change) {
	const last = hypotheses.MaxReplaced
	chain := d.replied != 0 || change == goesOn && d.seen.Now.Since(d.accepted) < world.Chained ||
		change == stands && len(d.bases) > last && d.bases[last].Moves
	d.base = bases[0].Position
	d.bases = append(d.bases[:0], bases...)
	for i := range d.bases {
		d.bases[i].Moves = d.bases[i].Moves && (i < last || i == last && chain)
	}
	d.now = d.g.Lay(&d.base)
	for k := range d.past {
		if d.past[k].wood = d.now; k+1 < len(bases) {
			d.past[k].wood = d.g.Lay(&bases[k+1].Position)
		}
	}
}

// refill lists the hypotheses of the bases.
func (d *Decoder) refill(change change, made rules.Move, rested time.Duration) {
	d.list.Fill(d.bases)
	d.ranked, d.paired, d.soughtReplacement = d.ranked[:0], evidence.Never, evidence.Never
	d.reconsider(change, made, rested)
}

// Explain says what the wood means at a time not before the newest reading. Its lists are valid until the next call.
func (d *Decoder) Explain(at time.Time) Explanation {
	d.seen.Now = max(d.seen.Now, d.seen.Tick(at))
	if at := d.lookback(); at > d.seen.Epoch {
		d.seen.Epoch = at
		d.findTurned()
	}
	if d.unread() {
		return Explanation{State: Moving}
	}
	d.idle, d.replied, d.unmaking = wood.Set{}, 0, false
	rest := d.rest()
	d.evaluate()
	d.goal.look(d)
	d.watch(at)
	if d.against.Empty() && d.goal.met(d) && !d.scaleContradicts() {
		if x, ok := d.findReplacement(rest); ok {
			return x
		}
		x := d.synced(rest, at)
		if x.NextLook.IsZero() && len(d.faults.list) > 0 {
			x.NextLook = at.Add(world.WatchInterval) // a fault may be over
		}
		return x
	}
	if d.contradictedSince == evidence.Never {
		d.contradictedSince = d.seen.Now
	}
	if d.seen.Now < evidence.Tick(world.SettleTime) { // loads and heights begin anywhere when a board is switched on
		return Explanation{State: Moving, NextLook: at.Add(world.LookInterval)}
	}
	return d.decide(rest, at)
}

// unread reports whether nothing can be said yet. A bank that the board has was never read, and may still be. Or no
// sensor at all has answered since the start, as on a computer with too much to do.
func (d *Decoder) unread() bool {
	e := &d.seen
	if e.Origin.IsZero() {
		return true
	}
	heard := e.Heard[sensing.Reeds][0] && (!d.g.TwoDecks || e.Heard[sensing.Reeds][1]) &&
		(!d.g.Weights || e.Heard[sensing.Weights][0]) && (!d.g.Heights || e.Heard[sensing.Heights][0]) &&
		(!d.g.Scale || e.Balance.N > 0)
	return !heard && e.Now < evidence.Tick(world.PlyLookback/20) || e.Silent() && e.Now < evidence.Tick(world.PlyLookback)
}

// rest is the time since a reed last flipped, up to the last sweep.
func (d *Decoder) rest() time.Duration {
	e := &d.seen
	until := e.Now
	for k := range e.Swept {
		if e.Known[k] != 0 {
			until = min(until, e.Swept[k])
		}
	}
	if e.Flipped == evidence.Never {
		return time.Duration(until)
	}
	return max(0, until.Since(e.Flipped))
}

// synced is the explanation for wood that stands as the game has it.
func (d *Decoder) synced(rest time.Duration, at time.Time) Explanation {
	x := Explanation{State: Synced}
	d.contradictedSince = evidence.Never
	if d.goal.strict && !d.settledOnGame() {
		return Explanation{State: Moving, NextLook: at.Add(world.LookInterval)}
	}
	if d.lifted = d.leaving(d.lifted[:0]); len(d.lifted) > 0 {
		x.State, x.Lifts, x.NextLook = Moving, d.lifted, at.Add(world.LookInterval)
		return x
	}
	if min(rest, d.landedRests()) > world.AskAfter {
		d.goal = goal{}
		d.noteContradicting()
		d.learnRestLevels()
		d.weighAtRest()
	} else {
		x.NextLook = at.Add(world.AskAfter)
	}
	return x
}

// landedRests is how long the loads have rested on the places of the last move. Fingers may bear a part of them long
// after the reeds rest, until all hands have left.
func (d *Decoder) landedRests() time.Duration {
	rest := time.Duration(math.MaxInt64)
	if d.seen.Now.Since(d.accepted) > world.AllHandsLeave {
		return rest
	}
	for p := range d.changed.Places() {
		if d.seen.CellTrusted(p) {
			rest = min(rest, d.seen.Cells[p].Age(d.seen.Now))
		}
	}
	return rest
}

// learnRestLevels learns what the sensors show while the game's wood stands.
func (d *Decoder) learnRestLevels() {
	for q := range rules.Square(64) {
		p := wood.Place(q)
		if d.g.Weights && d.seen.CellTrusted(p) && !d.closely.Has(p) { // what a faulty cell shows is not its zero
			d.seen.Cells[q].FollowRest(d.now[p] == "")
		}
		if l := &d.seen.Eyes[q]; d.g.Heights && (!d.closely.Has(p) || d.offCentre(p)) {
			if d.closely.Has(p) {
				l.Known = 0 // the piece was straightened, or pushed off the centre
			}
			l.FollowRest(false)
		}
	}
}

// HeightsNeeded returns the squares whose heights are needed next, so that they can be measured before the others.
// They contradict the game, or a hypothesis changes a pile there that a reed cannot tell.
func (d *Decoder) HeightsNeeded() (squares rules.Bitboard) {
	if !d.g.Heights {
		return 0
	}
	squares = d.against[0]
	if d.goal.strict {
		squares = d.closely[0]
	}
	squares &= d.seen.Answers[sensing.Heights][0] // it may be a hand that has gone meanwhile
	if d.against.Empty() {
		return squares
	}
	for _, i := range d.ranked {
		h := &d.list.Hyps[i]
		for _, j := range h.Changes {
			if w := &d.list.Changes[j]; w.Place < 64 && (len(w.Pile) > 1 || len(d.now[w.Place]) > 1 || w.Pile != "" &&
				d.now[w.Place] != "") {
				squares |= w.Place.Square().Bit()
			}
		}
	}
	return squares
}
