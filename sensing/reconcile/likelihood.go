// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile/logprob"
	"boardd/sensing/wood"
)

// reed is the logarithm of the likelihood of what a reed shows if its place is occupied or empty.
func (e *evidence) reed(p wood.Place, occupied bool) float64 {
	if !e.known.Has(p) || e.closed.Has(p) == occupied {
		return 0
	}
	c := &e.reeds[p]
	if c.stamp == e.stamp {
		return c.wrong
	}
	c.stamp, c.wrong = e.stamp, chatterLogL
	if !c.chattering(e.now) {
		err := e.trust[sensing.Reeds][p].err
		if c.last() > e.epoch {
			err *= reedErrThisPly
		}
		c.wrong = math.Log(err + reedUnsettled*logprob.Decay(e.now.since(c.last()), reedDecay))
	}
	return c.wrong
}

// cell is the same of a load cell under a pile, 0 if it cannot be used. unchanged says that the game has the same pile
// there, so that the cell should show what it showed at rest.
func (e *evidence) cell(p wood.Place, t *target, unchanged bool) float64 {
	if !e.cellTrusted(p) {
		return 0
	}
	return e.bears(p, t, unchanged)
}

// bears is cell for a sensor that is heard, trusted or not.
func (e *evidence) bears(p wood.Place, t *target, unchanged bool) float64 {
	l := &e.cells[p]
	beyond := l.mean - t.mass - l.zero
	shared := e.sharedLoad(p, beyond, t)
	if !unchanged || l.known == 0 {
		return max(e.load(p, beyond, t), shared)
	}
	learned := l.mean - l.rests
	alone := e.load(p, learned, t)
	if math.Abs(beyond) < math.Abs(learned) { // otherwise it is worth no more
		alone = max(alone, e.load(p, beyond, t)-1)
	}
	return max(alone, shared)
}

// sharedLoad is load for what the cell bears together with what it shares with the cells beside it. It is
// logprob.Never if it shares nothing. beyond is the difference without these.
func (e *evidence) sharedLoad(p wood.Place, beyond float64, t *target) float64 {
	share := e.spilledLoad[p] - e.overhangLoad[p]
	if share == 0 {
		return logprob.Never
	}
	return e.load(p, beyond+share, t) + overhangCost
}

// load is the same of a difference, in milligrams, between what the cell shows and what the pile weighs.
func (e *evidence) load(p wood.Place, beyond float64, t *target) float64 {
	l := &e.cells[p]
	n := e.noise[0][p]
	s := math.Sqrt(n*n/float64(l.n) + cellPull*cellPull + t.variance)
	f := min(1, e.trust[sensing.Weights][p].err+logprob.Decay(e.now.since(l.since), cellDecay))
	return logprob.Mixture(beyond, s, f, cellWide, cellWideShare, cellRange)
}

// finger is what it costs, in nats, that fingers rest on the pieces of a place or on an empty square. They press with
// any weight, and leave soon.
func (e *evidence) finger(p wood.Place) float64 {
	return fingerCost - float64(e.now.since(e.cells[p].since))/float64(fingerTime)
}

// eye is the logarithm of the likelihood of what a height sensor shows over a pile, 0 if it cannot be used. It sees
// hands as well, so a greater height is no proof against the pile.
func (e *evidence) eye(p wood.Place, t *target, unchanged bool) float64 {
	if !e.heardEye(p) || e.trust[sensing.Heights][p].err >= distrustAbove {
		return 0
	}
	return e.sees(p, t, unchanged)
}

// sees is eye for a sensor that is heard, trusted or not.
func (e *evidence) sees(p wood.Place, t *target, unchanged bool) float64 {
	l := &e.eyes[p]
	off := l.mean - t.height
	if learned := l.mean - l.rests; unchanged && l.known > 0 && math.Abs(learned) < math.Abs(off) {
		off = learned
	}
	n := e.noise[1][p]
	s2 := n*n/float64(l.n) + eyeSpread*eyeSpread + eyeScale*eyeScale*t.height*t.height
	f := min(1, e.trust[sensing.Heights][p].err+eyeUnsettled*logprob.Decay(e.now.since(l.since), eyeDecay))
	nats := logprob.Mixture(off, math.Sqrt(s2), f, eyeWide, eyeWideShare, eyeRange)
	if off > 0 {
		nats = max(nats, e.hand(p, math.Sqrt(s2)))
	}
	return nats
}

// hand is the logarithm of the likelihood that the height sensor over a place sees a hand. It is relative to the peak
// of a pile of spread s. A hand may be at any height, stays for a while, and comes near where something happens.
func (e *evidence) hand(p wood.Place, s float64) float64 {
	stays := float64(e.now.since(e.eyes[p].since)) / float64(handLeaves)
	return math.Log(handOver*2.5*s/eyeRange) - stays -
		min(6, float64(e.now.since(e.lastActivity(p)))/float64(allHandsLeave))
}

// logLikelihood is the logarithm of the likelihood of all that the sensors of a place show if a pile stands there.
func (e *evidence) logLikelihood(p wood.Place, t *target, unchanged bool) float64 {
	nats := e.reed(p, t.pile != "")
	if p < 64 {
		if e.g.Weights {
			nats += e.cell(p, t, unchanged)
		}
		if e.g.Heights {
			nats += e.eye(p, t, unchanged)
		}
	}
	return nats
}

// stepped reports whether the cell or the height sensor of a place has begun a new level since the ply began.
func (d *Decoder) stepped(p wood.Place) bool {
	e := &d.seen
	return p < 64 && (d.g.Weights && e.cells[p].since > d.seen.epoch || d.g.Heights && e.eyes[p].since > d.seen.epoch)
}

// handAtWork is the score of a hand at work for the readings of a place. It is a flat price, and the best explanation
// of what the hand did there. It may have taken everything, put something down, or held something over the place for a
// while. The second result, left, is the score without the last of these, for a hand that has gone.
func (e *evidence) handAtWork(p wood.Place) (nats, left float64) {
	last := e.lastAt(p)
	hover := -float64(e.now.since(last)) / float64(handLeaves)
	empty, some := e.reed(p, false), e.reed(p, true)
	if e.cellTrusted(p) {
		none := e.cell(p, &target{}, false)
		empty += none
		hover = max(hover+none, anyWeight-float64(e.now.since(last))/float64(pressTime))
		if e.cells[p].mean < e.g.lightest/2 {
			some += weightless
		} else {
			some += anyWeight
		}
	}
	if e.heardEye(p) {
		l, cube := &e.eyes[p], float64(e.g.CubeHeight)
		bare := e.eye(p, &target{}, false)
		empty += bare
		k := max(1, math.Round(l.mean/cube))
		t := target{height: k * cube}
		best := e.eye(p, &t, false)
		if k > 1 {
			t.height -= cube
			best = max(best, e.eye(p, &t, false))
		}
		some += best
		if !e.known.Has(p) || e.closed.Has(p) { // something stands there, or hangs over it
			bare = best
		}
		hover += bare
	}
	left = handPrice + max(empty, some)
	return max(left, handPrice+hover), left
}

// pauseOutlasts is the probability that a pause between two acts of one hand lasts longer than rest.
func pauseOutlasts(rest time.Duration) float64 {
	return fastShare*logprob.Decay(rest, fastPause) + slowShare*logprob.Decay(rest, slowPause) +
		longShare*logprob.Decay(rest, longPause) + restFloor
}

// atWork is the probability that hands which have rested for so long will still go on. It is higher for a hand that
// holds a piece, which it must put somewhere.
func (d *Decoder) atWork(rest time.Duration) float64 {
	s := pauseOutlasts(rest)
	if d.holding {
		s += carryOutlasts(rest)
	}
	return min(1, s+d.hovering)
}

// carryOutlasts is the probability that a hand holds a piece for longer than rest.
func carryOutlasts(rest time.Duration) float64 {
	return carryShare*logprob.Decay(rest, carryPause) + thinkShare*logprob.Decay(rest, thinkPause)
}

// handsAgainst is the score, in nats, of hands at work beside the best hypothesis, before they rest. If it explains
// all that is in disorder, they pay for what they moved and put back elsewhere. Otherwise they are after more, and
// that tells nothing.
func (d *Decoder) handsAgainst(best *hypothesis) float64 {
	hands := d.free
	if d.clear.Minus(best.places).Empty() {
		hands += d.idleCost(&hypothesis{places: d.against})
	}
	if d.holding || best.move != rules.NoMove {
		hands = max(hands, d.partial)
	}
	return hands
}

// handInView is the probability that a hand over a place that contradicts the game is not done there. A hand is seen
// where the height is greater than that of all piles that may stand there.
func (d *Decoder) handInView() (s float64) {
	e := &d.seen
	if !d.g.Heights {
		return 0
	}
	for p := range d.against.Places() {
		if p >= 64 || !e.heardEye(p) || e.now.since(e.eyes[p].heard) > absentAfter {
			continue
		}
		l, top := &e.eyes[p], d.want[p].height
		for i := d.list.first[p]; i >= 0; i = d.list.changes[i].next {
			top = max(top, d.list.changes[i].height)
		}
		if l.mean > top+2*eyeWide {
			s = max(s, handNotDone*logprob.Decay(e.now.since(l.since), handLeaves))
		}
	}
	return s
}

// holds reports whether more seems to have been lifted than was put down.
func (d *Decoder) holds() bool {
	e := &d.seen
	lifts, puts := 0, 0
	d.put = wood.Set{}
	if d.against.Empty() && d.scaleContradicts() && e.balance.More().MG < -d.g.lightest/2 {
		return true // a piece has left a pile, which its reed does not show
	}
	for p := range d.against.Places() {
		switch k, ok := d.part(p); {
		case ok && k < len(d.now[p]) && (!e.closed.Has(p) || e.reeds[p].after(e.epoch) < 2):
			lifts++
		case d.now[p] == "" && e.cellTrusted(p) && e.cells[p].mean < d.g.lightest/2 &&
			e.now.since(e.reeds[p].last()) < allHandsLeave:
			// the piece hangs over the place: its reed is closed, and the cell bears nothing
		case d.now[p] != "" && e.heardEye(p) && !e.cellTrusted(p) && e.closed.Has(p) && e.reeds[p].after(e.epoch) == 0 &&
			d.handBeside(p):
			// a hand that passes over it is seen
		default:
			puts++
			if d.clear.Has(p) {
				d.put.Add(p)
			}
		}
	}
	for q := range (d.closely[0] & d.filled[0] &^ d.against[0]).Squares() {
		if p := wood.Place(q); e.heardEye(p) && d.heightFell(p) && !d.handBeside(p) {
			puts++ // a piece was put on the pile, and the hand has gone
		}
	}
	for p := range d.turned.Minus(d.against).Places() {
		if e.closed.Has(p) && e.reeds[p].after(d.seen.epoch) >= 1 {
			puts++ // something was exchanged
		}
	}
	return lifts > puts
}

// weighed returns a change, with what it gains in this evaluation.
func (d *Decoder) weighed(i int32) *pileChange {
	w := &d.list.changes[i]
	if w.stamp != d.seen.stamp {
		d.weigh(w)
	}
	return w
}

// weigh works out what a change gains, and what it gains half made. Then nothing was done there yet, or what stood
// there was taken up, or a lower part of the new pile was put down.
func (d *Decoder) weigh(w *pileChange) {
	now := d.gameFit(w.place)
	w.stamp, w.gain = d.seen.stamp, d.seen.logLikelihood(w.place, &w.target, false)-now
	w.half, w.part = 0, d.now[w.place]
	for k := len(w.pile) - 1; k >= 0; k-- {
		// what the reed says is the most that a pile can be worth
		if left := w.pile[:k]; left != d.now[w.place] && d.seen.reed(w.place, left != "")-now > w.half {
			t := d.g.target(left)
			if nats := d.seen.logLikelihood(w.place, &t, false) - now; nats > w.half {
				w.half, w.part = nats, left
			}
		}
	}
}

// pilingCost is what it costs a hand at work, in nats, to have piled up pieces to just the height that is seen.
func (d *Decoder) pilingCost(p wood.Place) float64 {
	e := &d.seen
	if d.now[p] == "" || !e.heardEye(p) || e.known.Has(p) && !e.closed.Has(p) ||
		e.eyes[p].mean < d.want[p].height+eyeWide {
		return 0
	}
	return anyHeight
}

// cellTrusted reports whether a load cell can be used now and is trusted.
func (e *evidence) cellTrusted(p wood.Place) bool {
	return e.heardCell(p) && e.trust[sensing.Weights][p].err < distrustAbove
}

// geometry is a board, with figures that are computed from its own.
type geometry struct {
	wood.Geometry
	// the masses of the lightest and the heaviest piece of the set, in milligrams; the pedestal counts as a piece
	lightest, heaviest float64
}

func newGeometry(g *wood.Geometry) *geometry {
	var least, most int32
	for _, m := range g.Mass {
		if most = max(most, m); m > 0 && (least == 0 || m < least) {
			least = m
		}
	}
	return &geometry{*g, float64(least), float64(most)}
}

// target is a pile and what the sensors of its place should show.
type target struct {
	pile     wood.Pile
	mass     float64 // milligrams
	variance float64 // milligrams squared: pieces of a kind differ in mass
	height   float64 // micrometres
}

// target computes the mass and the height of a pile.
func (g *geometry) target(p wood.Pile) target {
	var sum int32
	for i := range len(p) {
		sum += g.Mass[p[i]&127]
	}
	n, s := float64(len(p)), float64(g.MassSpread)
	return target{pile: p, mass: float64(sum), variance: n * s * s, height: n * float64(g.CubeHeight)}
}
