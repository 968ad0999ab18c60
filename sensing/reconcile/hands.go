// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/logprob"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// steppedAfter reports whether the cell or the height sensor of a place has begun a new level after a time.
func (d *Decoder) steppedAfter(p wood.Place, at evidence.Tick) bool {
	e := &d.seen
	return p < 64 && (d.g.Weights && e.Cells[p].Since > at || d.g.Heights && e.Eyes[p].Since > at)
}

// pauseOutlasts is the probability that a pause between two acts of one hand lasts longer than rest.
func pauseOutlasts(rest time.Duration) float64 {
	return world.FastShare*logprob.Decay(rest, world.FastPause) + world.SlowShare*logprob.Decay(rest, world.SlowPause) +
		world.LongShare*logprob.Decay(rest, world.LongPause) + world.RestFloor
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
	return world.CarryShare*logprob.Decay(rest, world.CarryPause) + world.ThinkShare*logprob.Decay(rest, world.ThinkPause)
}

// handsAgainst is the score, in nats, of hands at work beside the best hypothesis, before they rest. If it explains
// all that is in disorder, they pay for what they moved and put back elsewhere. Otherwise they are after more, and
// that tells nothing. Somebody who leaned on the board before the move began does so whatever was made.
func (d *Decoder) handsAgainst(best *hypotheses.Hypothesis) float64 {
	_, lean := d.leantBefore(best)
	hands := d.free
	if d.unexplained(best).Empty() {
		hands += d.idleCost(&hypotheses.Hypothesis{Places: d.against})
	}
	if d.holding || best.Move != rules.NoMove {
		hands = max(hands, d.partial)
	}
	return hands - lean
}

// leantBefore returns the places outside a hypothesis on which somebody has leaned since before it began. It also
// returns what hands at work would gain there, in nats.
func (d *Decoder) leantBefore(h *hypotheses.Hypothesis) (places wood.Set, nats float64) {
	outside := d.leant.Minus(h.Places)
	if outside.Empty() {
		return places, 0
	}
	began := d.firstDeparture(h)
	for p := range outside.Places() {
		if d.loaded[p] < began {
			places.Add(p)
			nats += d.spare[p]
		}
	}
	return places, nats
}

// unexplained returns the places that need an explanation beside a hypothesis. Where somebody has leaned since before
// it began, there is one.
func (d *Decoder) unexplained(h *hypotheses.Hypothesis) wood.Set {
	leant, _ := d.leantBefore(h)
	return d.clear.Minus(h.Places).Minus(leant)
}

// handInView is the probability that a hand over a place that contradicts the game is not done there. A hand is seen
// where the height is greater than that of all piles that may stand there.
func (d *Decoder) handInView() (s float64) {
	e := &d.seen
	if !d.g.Heights {
		return 0
	}
	for p := range d.against.Places() {
		if p >= 64 || !e.HeardEye(p) || e.Now.Since(e.Eyes[p].Heard) > world.AbsentAfter {
			continue
		}
		if l := &e.Eyes[p]; l.Mean > d.highest(p)+2*world.EyeWide {
			s = max(s, world.HandNotDone*logprob.Decay(l.Age(e.Now), world.HandLeaves))
		}
	}
	return s
}

// holds reports whether more seems to have been lifted than was put down.
func (d *Decoder) holds() bool {
	e := &d.seen
	lifts, puts := 0, 0
	d.put = wood.Set{}
	if d.against.Empty() && d.scaleContradicts() && e.Balance.More().MG < -d.g.Lightest/2 {
		return true // a piece has left a pile, which its reed does not show
	}
	for p := range d.against.Places() {
		switch k, ok := d.part(p); {
		case ok && k < len(d.now[p]) && (!e.Closed.Has(p) || e.Reeds[p].After(e.Epoch) < 2):
			lifts++
		case d.hangs(p):
			lifts++
		case d.now[p] == "" && e.CellTrusted(p) && e.Cells[p].Mean < d.g.Lightest/2 &&
			e.Now.Since(e.Reeds[p].Last()) < world.AllHandsLeave:
			// the piece hangs over the place: its reed is closed, and the cell bears nothing
		case d.leansOn(p, world.StrayAfter):
			// fingers came
		case d.handOver(p) || d.reedStays(p) && d.now[p] != "" && d.mayBeHand(p):
			// a hand over it is seen
		default:
			puts++
			if d.clear.Has(p) {
				d.put.Add(p)
			}
		}
	}
	for q := range (d.closely[0] & d.filled[0] &^ d.against[0]).Squares() {
		if p := wood.Place(q); e.HeardEye(p) && d.heightFell(p) && !d.mayBeHand(p) {
			puts++ // a piece was put on the pile, and the hand has gone
		}
	}
	for p := range d.turned.Minus(d.against).Places() {
		if e.Closed.Has(p) && e.Reeds[p].After(d.seen.Epoch) >= 1 {
			puts++ // something was exchanged
		}
	}
	return lifts > puts
}

// stopOdds returns the odds that the wood of a hypothesis is only a stop on the way. The piece may slide on, a lifted
// piece may be put back, or the height of a pile may be that of a hand.
func (d *Decoder) stopOdds(h *hypotheses.Hypothesis, rest time.Duration) (odds float64) {
	if d.clockPressed {
		return 0
	}
	if h.Onward > 0 {
		odds = world.PausesOn * logprob.Decay(rest, world.PauseDecay)
		if !d.seenStanding(h) {
			odds += world.PassOn * logprob.Decay(rest, world.PassOnDecay)
		}
		odds *= h.Onward
	}
	if h.Move != rules.NoMove && d.list.TakesAway(h) {
		odds += world.PutBack*logprob.Decay(rest, world.CarryPause) + d.carriedInView()
		if d.liftsLastMoved(h) {
			odds += d.retraction() * logprob.Decay(rest, world.CarryPause)
		}
	}
	if h.Base == 0 {
		odds += d.stillCarried(h, rest)
	}
	return odds + d.handLike(h)
}

// mayGoOn reports whether what a hypothesis leaves unexplained may still be at work, rather than be left so.
func (d *Decoder) mayGoOn(h *hypotheses.Hypothesis) bool {
	others := d.unexplained(h)
	if others.Empty() {
		return true
	}
	last := evidence.Never
	for p := range others.Places() {
		last = max(last, d.changedAt(p))
	}
	return d.atWork(d.seen.Now.Since(last)) > world.LeftIllegal
}

// retraction returns the odds that the player of the last move thinks again, with the piece in the hand. Another move
// comes in its place, or it is taken back, as far as the game allows that.
func (d *Decoder) retraction() (odds float64) {
	if len(d.bases) < 2 {
		return 0
	}
	if d.bases[1].Moves {
		odds += math.Exp(world.PriorCorrect)
	}
	if d.bases[1].Takeback {
		odds += math.Exp(world.PriorTakeback)
	}
	return odds * math.Exp(d.late)
}

// carriedInView returns the odds that a piece which was lifted is in a hand that height sensors still see over the
// board.
func (d *Decoder) carriedInView() (odds float64) {
	e := &d.seen
	if !d.g.Heights {
		return 0
	}
	for q := range e.Eyes {
		if l := &e.Eyes[q]; e.HeardEye(wood.Place(q)) && l.Mean > d.want[q].Height+2*world.EyeWide {
			odds = max(odds, world.HandNotDone*logprob.Decay(l.Age(e.Now), world.HandLeaves))
		}
	}
	return odds
}

// handLike returns the odds that a height which speaks for a hypothesis is that of a hand.
func (d *Decoder) handLike(h *hypotheses.Hypothesis) (odds float64) {
	e := &d.seen
	for _, i := range h.Changes {
		w := &d.list.Changes[i]
		if len(w.Pile) > 1 && len(w.Pile) > len(d.now[w.Place]) && d.now[w.Place] != "" && e.HeardEye(w.Place) &&
			!e.CellTrusted(w.Place) {
			odds += d.handAt(w.Place)
		}
	}
	return odds
}

// handAt returns the odds that the height over a place is that of a hand. After a piece is put down the height falls,
// from the back of the hand to the piece. When a hand comes from the side, the height rises. While the hand is beside
// the place and does not move, time tells little: it may hover, or work there.
func (d *Decoder) handAt(p wood.Place) float64 {
	l := &d.seen.Eyes[p]
	age := l.Age(d.seen.Now)
	beside, moved := d.handBeside(p)
	if moved > l.Heard {
		moved = l.Since // the place was not read since: nobody knows whether it stays
	}
	if beside && !l.Rose {
		stays := max(0, moved.Since(l.Since))
		still := logprob.Decay(age-stays, world.HandHovers) + world.HandNotDone*logprob.Decay(age-stays, world.HandLeaves)
		return world.HandLike * logprob.Decay(stays, world.HandPasses) * still
	}
	if beside {
		age = max(0, moved.Since(l.Since))
	}
	if l.Rose {
		return world.HandRises * logprob.Decay(age, world.HandHovers)
	}
	return world.HandLike * logprob.Decay(age, world.HandPasses)
}

// handBeside reports whether a hand is seen over a square beside a place now, and when it was last seen to move.
func (d *Decoder) handBeside(p wood.Place) (seen bool, moved evidence.Tick) {
	e := &d.seen
	moved = evidence.Never
	for q := range wood.Beside(p.Square()).Squares() {
		b, l := wood.Place(q), &e.Eyes[q]
		if e.HeardEye(b) && e.Now.Since(l.Heard) < world.AbsentAfter && e.Now.Since(l.Since) < world.AllHandsLeave &&
			l.Mean > d.want[b].Height+3*world.EyeWide {
			seen, moved = true, max(moved, l.Since)
		}
	}
	return seen, moved
}

// mayBeHand reports whether what a place shows may be a hand. That is so if a hand is beside it, which has not moved
// since the height there is what it is.
func (d *Decoder) mayBeHand(p wood.Place) bool {
	beside, moved := d.handBeside(p)
	return beside && moved <= d.seen.Eyes[p].Since
}

// seenStanding reports whether a cell bears the piece that has come, or its height has been seen for a while.
func (d *Decoder) seenStanding(h *hypotheses.Hypothesis) bool {
	if d.scaleUsable() && d.seen.Balance.N >= evidence.MinLevelSamples && d.scaleFitOf(h) > -2 {
		return true
	}
	for _, i := range h.Changes {
		w := &d.list.Changes[i]
		if len(w.Pile) <= len(d.now[w.Place]) {
			continue
		}
		e := &d.seen
		if e.HeardCell(w.Place) && e.Cells[w.Place].N > 1 && e.CellFit(w.Place, &w.Target, false) > -2 {
			return true
		}
		if e.HeardEye(w.Place) && e.Eyes[w.Place].Age(e.Now) > world.EyeDecay &&
			math.Abs(e.Eyes[w.Place].Mean-w.Height) < world.EyeWide {
			return true
		}
	}
	return false
}

// heightFell reports whether a height has fallen from the back of a hand to that of a higher pile of some hypothesis.
func (d *Decoder) heightFell(p wood.Place) bool {
	l := &d.seen.Eyes[p]
	for i := d.list.First[p]; i >= 0 && !l.Rose; i = d.list.Changes[i].Next {
		if w := &d.list.Changes[i]; len(w.Pile) > len(d.now[p]) && d.weighed(i).Gain > world.Negligible {
			return true
		}
	}
	return false
}

// fingersLeft reports whether all that contradicts the last move is a load on its places that has changed since, while
// no reed has. Fingers were on the piece then and had to leave it. That they came back now is no likelier.
func (d *Decoder) fingersLeft(h *hypotheses.Hypothesis) bool {
	if h.Base != 1 || d.against.Empty() || !d.against.Minus(d.changed).Empty() {
		return false
	}
	e := &d.seen
	for p := range d.against.Places() {
		if !e.CellTrusted(p) || e.Cells[p].Since <= d.accepted || e.Reeds[p].Last() > d.accepted {
			return false
		}
	}
	return true
}
