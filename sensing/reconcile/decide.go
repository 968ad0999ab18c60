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
	"boardd/sensing/wood"
)

// decide explains wood that contradicts the game.
func (d *Decoder) decide(rest time.Duration, at time.Time) Explanation {
	d.rank(d.against)
	o := d.odds(d.pause(nil, rest))
	if o.best != nil && d.mayBeTwo(o.best) && d.pairs() {
		o = d.odds(d.pause(nil, rest))
	}
	if o.best != nil {
		pause := d.pause(o.best, rest)
		o = d.odds(pause)
		if x, ok := d.decideBest(&o, pause, at); ok {
			return x
		}
	}
	if d.pair(d.pause(nil, rest)) {
		return d.decide(rest, at)
	}
	if d.wasBrushed(o.best, rest) {
		d.unmaking, d.proposed = true, d.bases[1].Position
		return Explanation{State: Unmade, Base: 1, Discrepancies: d.discrepancies(), Lifts: d.lifts()}
	}
	switch p := d.sensorFaultProbability(rest); {
	case p > world.FaultProbability:
		return d.synced(rest, at)
	case p > 0.5 && d.against.Intersect(d.turned).Empty():
		return Explanation{State: Synced, NextLook: at.Add(world.LookInterval)}
	}
	x := Explanation{State: Moving, Discrepancies: d.discrepancies(), Lifts: d.lifts(),
		NextLook: at.Add(world.LookInterval)}
	if d.isWrong(rest) {
		x.State = Wrong
	}
	return x
}

// decideBest acts on the best hypothesis, if it is sure enough.
func (d *Decoder) decideBest(o *odds, pause time.Duration, at time.Time) (Explanation, bool) {
	h := o.best
	if h.Score <= 0 || d.deferred(h) {
		return Explanation{}, false
	}
	total, stop := o.sum+o.rival, d.stopOdds(h, pause)
	if o.same/(total+stop) > d.requiredProbability(h, pause) {
		if h.Ask {
			if pause < world.AskAfter {
				return Explanation{}, false
			}
			return d.ask(h, logprob.Never), true
		}
		if d.bases[0].Irrevocable && h.Move != rules.NoMove && !d.clockPressed &&
			o.same/(total+stop) < world.SentProbability {
			return d.holdMove(h, pause, at), true
		}
		return d.explainMove(h, h.Score-max(0, o.second), pause), true
	}
	if min(pause, d.heightsStableFor(h)) >= world.AloneAfter && !d.holding && h.Move != rules.NoMove &&
		o.near/(total+world.LeftIllegal*logprob.Exp(d.stray-h.Score)) > 0.5 && !d.isCovered(h) {
		if o.plain != nil && o.near > 2*o.group {
			h = o.plain // the moves that replace none are together likelier
		}
		return d.ask(h, logprob.Never), true // it needs a sensor that is wrong, or may be a correction as well
	}
	if o.others > 0 && min(pause, d.heightsStableFor(h)) >= world.AskAfter &&
		o.group/(total+stop) > world.SureProbability && !d.isCovered(h) && d.sensorsRead(h, pause) {
		return d.ask(h, logprob.Never), true
	}
	return Explanation{}, false
}

// findReplacement finds a move that leaves the same wood as the last one, and is likelier. The wood will not tell them
// apart. If it is only nearly as likely, people are asked until something moves.
func (d *Decoder) findReplacement(rest time.Duration) (Explanation, bool) {
	if rest < world.SettledAfter || d.soughtReplacement >= d.seen.Flipped || d.turned.Empty() || d.goal.strict {
		return Explanation{}, false
	}
	d.rank(d.turned)
	pause := d.pause(nil, rest)
	o, stands := d.odds(pause), d.idleCost(nil)
	switch h := o.best; {
	case h == nil || h.Base != 1 || h.Move == rules.NoMove || h.Score <= stands-world.DoubtWithin:
		d.soughtReplacement = d.seen.Now
		return Explanation{}, false
	case h.Ask || h.Score <= stands || o.same < world.SettledProbability*o.sum:
		return d.ask(h, stands), true
	}
	return d.explainMove(o.best, o.best.Score-stands, pause), true
}

// holdMove is the explanation for a move that is likely but not sure enough to be sent. It waits, and people are asked
// in the end.
func (d *Decoder) holdMove(h *hypotheses.Hypothesis, pause time.Duration, at time.Time) Explanation {
	if min(pause, d.heightsStableFor(h)) >= world.AloneAfter {
		return d.ask(h, logprob.Never)
	}
	return Explanation{State: Moving, Move: h.Move, Discrepancies: d.discrepancies(), Lifts: d.lifts(),
		NextLook: at.Add(world.LookInterval)}
}

// requiredProbability is the probability above which a move is taken after a pause. It is lower after
// world.SettledAfter, because to wait longer brings nothing new. It is not while a height is new, or somebody leans
// on the scale, or has pressed on another square since the move began. Nor is it if a piece was lifted before the
// move that the move does not explain. Nor if all that was seen is that the piece of the last move was lifted: its
// player may be going to put it elsewhere. Nor if neither a sensor nor a reply tells that its piece is on a pile.
func (d *Decoder) requiredProbability(h *hypotheses.Hypothesis, pause time.Duration) float64 {
	before, _ := d.leantBefore(h)
	presses := d.leant.Minus(before).Minus(h.Places)
	if min(pause, d.heightsStableFor(h)) > world.SettledAfter && presses.Empty() && !d.liftedBefore(h) &&
		!d.scaleBlind() && !d.liftsLastMoved(h) && (h.Reply != rules.NoMove || !d.pilesUnheard(h)) {
		return world.SettledProbability
	}
	return world.SureProbability
}

// liftsLastMoved reports whether a hypothesis only takes away what the last move put down.
func (d *Decoder) liftsLastMoved(h *hypotheses.Hypothesis) bool {
	return h.Move != rules.NoMove && d.list.TakesAway(h) && d.list.Made != rules.NoMove &&
		!slices.ContainsFunc(h.Changes, func(i int32) bool {
			return d.list.Changes[i].Place.Square() != d.list.Made.To()
		})
}

// liftedBefore reports whether a place outside the move contradicts the game and changed before the move began.
func (d *Decoder) liftedBefore(h *hypotheses.Hypothesis) bool {
	began := d.firstDeparture(h)
	for p := range d.unexplained(h).Places() {
		if at := d.changedAt(p); at > d.seen.Epoch && at < began {
			return true
		}
	}
	return false
}

// explainMove is the explanation from a hypothesis that was taken.
func (d *Decoder) explainMove(h *hypotheses.Hypothesis, margin float64, waited time.Duration) Explanation {
	if d.taken = d.against.Union(h.Places); h.Result != "" {
		d.taken = wood.Set{} // kings in the centre do stand there: no sensor is wrong
	}
	if d.proposed = d.bases[h.Base].Position; h.Move != rules.NoMove {
		d.proposed.Play(h.Move)
	}
	switch {
	case h.Result != "":
		return Explanation{State: Ended, Result: h.Result, Discrepancies: d.discrepancies()}
	case h.Move == rules.NoMove:
		return Explanation{State: TakenBack, Base: h.Base, Discrepancies: d.discrepancies()}
	}
	if d.replacing = world.PriorCorrect + d.late; h.Restores {
		d.replacing = d.restoreScore(h) - d.list.OnTheWayCost(h.Base)
	}
	d.idle = d.idlyLifted(h)
	if h.Reply != rules.NoMove {
		d.replied = d.between(h)
	} else if d.replyBegun(h) != 0 {
		d.replied = d.beforeFirstChange(d.unexplained(h))
	}
	if d.seen.Flipped == evidence.Never {
		waited = 0 // for nothing
	}
	return Explanation{State: Moved, Base: h.Base, Move: h.Move, Margin: margin, Waited: waited,
		Discrepancies: d.discrepancies()}
}

// deferred reports whether the game wants the move to wait for the clock or the opponent's touch.
func (d *Decoder) deferred(h *hypotheses.Hypothesis) bool {
	if d.timing.Commit == AtRest || d.clockPressed || h.Base > 0 || h.Move == rules.NoMove || h.Ask {
		return false
	}
	return d.timing.Commit == ByClock || d.bases[0].OpponentHere && d.replyBegun(h) == 0
}

// sensorFaultProbability is the probability that the wood stands as the game has it, and sensors are at fault.
func (d *Decoder) sensorFaultProbability(rest time.Duration) float64 {
	if d.goal.strict || rest < world.AskAfter {
		return d.goal.faultProbability(d)
	}
	pause := d.pause(nil, rest)
	o := d.odds(pause)
	others := 0.0
	if o.best != nil {
		others = o.sum * logprob.Exp(o.best.Score)
	}
	left := 0.0
	if d.hiddenChange.on != wood.Nowhere {
		left = world.LeftIllegal * logprob.Exp(d.stray)
	}
	stands := logprob.Exp(d.idleCost(nil))
	return stands / (stands + d.atWork(pause)*logprob.Exp(d.free) + left + others)
}

// isWrong reports whether the contradiction should be shown as wrong: it begins no legal move, or has rested for long
// without becoming one.
func (d *Decoder) isWrong(rest time.Duration) bool {
	pause, stands := d.pause(nil, rest), d.against
	for p := range d.against.Places() {
		if d.maybeInHand(p) {
			pause = min(pause, d.seen.Now.Since(d.changedAt(p))) // the hand that is seen there may have just come
		}
		if d.handOver(p) || d.leansOn(p, world.AloneAfter) {
			stands.Drop(p)
		}
	}
	if stands.Empty() { // no square is known to be wrong: hands are over the board, or one rests on it
		return false
	}
	if pause < world.WrongAfter || logprob.Exp(d.free)*d.atWork(pause)+logprob.Exp(d.stray)*world.LeftIllegal < 1 {
		return false
	}
	if o := d.odds(pause); o.best != nil && o.best.Score > d.stray+math.Log(world.LeftIllegal) && d.mayGoOn(o.best) {
		return false // a legal explanation is likelier
	}
	if d.mayBeginMove() {
		after := world.StrayAfter
		if d.gone() == 0 { // as hands at work would have
			after /= 2
		}
		return pause >= after && !d.holding && !d.waitsForPiece(pause) &&
			logprob.Exp(d.carried())*carryOutlasts(pause) < logprob.Exp(d.stray)*world.LeftIllegal
	}
	if pause < world.PairsAfter+world.LookInterval && d.replying() {
		return false
	}
	return pause >= world.WrongAfter
}

// replying reports whether the opponent seems to have made, or begun, a move already.
func (d *Decoder) replying() bool {
	if !d.bases[0].OpponentHere {
		return false
	}
	mine := d.base.Turn()
	for p := range d.against.Places() {
		pile := d.now[p]
		if k, ok := d.part(p); ok && k < len(pile) && wood.ColorOf(pile[len(pile)-1]) != mine {
			return true
		}
	}
	return false
}

// mayBeginMove reports whether the contradiction may be a part of a legal move, apart from what is still in a hand.
func (d *Decoder) mayBeginMove() bool {
	put, fingers := d.clear, wood.Set{}
	for p := range d.clear.Places() {
		switch {
		case d.maybeInHand(p):
			put.Drop(p)
		case d.leansOn(p, world.StrayAfter):
			fingers.Add(p)
		}
	}
	if others := put.Minus(fingers); !others.Empty() { // somebody leans there while something is moved elsewhere
		put = others
	}
	for i := range d.list.Hyps[:d.list.Singles] {
		if h := &d.list.Hyps[i]; h.Result == "" && d.theirLifts(put.Minus(h.Places), h) {
			return true
		}
	}
	return false
}

// theirLifts reports whether a hypothesis explains the contradiction, apart from pieces that the opponent has lifted.
func (d *Decoder) theirLifts(outside wood.Set, h *hypotheses.Hypothesis) bool {
	for p := range outside.Places() {
		pile := d.now[p]
		k, ok := d.part(p)
		if !d.bases[0].OpponentHere || h.Move == rules.NoMove || !ok || k >= len(pile) ||
			wood.ColorOf(pile[len(pile)-1]) == h.Mover {
			return false
		}
	}
	return true
}

// odds adds up the probabilities of all that explains the wood.
type odds struct {
	best    *hypotheses.Hypothesis
	second  float64                // nats of the best hypothesis that begins with another move than the best
	sum     float64                // of all hypotheses, relative to the best
	group   float64                // of the moves from the base of the best within world.AskWithin of it, likewise
	near    float64                // of all moves within world.AskWithin of the best, likewise
	plain   *hypotheses.Hypothesis // the best of the moves of near that replaces none
	others  int                    // how many of group are another move than the best
	same    float64                // of the hypotheses that begin with the same move as the best, likewise
	rival   float64                // the game as it stands and a hand at work, relative to the best
	nothing float64                // the game as it stands, relative to the best
}

func (d *Decoder) odds(rest time.Duration) (o odds) {
	for _, i := range d.ranked {
		if h := &d.list.Hyps[i]; o.best == nil || h.Score > o.best.Score {
			o.best = h
		}
	}
	if o.best == nil {
		return o
	}
	top := o.best.Score
	o.second = logprob.Never
	for _, i := range d.ranked {
		h := &d.list.Hyps[i]
		x := math.Exp(h.Score - top)
		o.sum += x
		same := h == o.best || h.Base == o.best.Base && h.Move == o.best.Move && h.Move != rules.NoMove &&
			h.Ask == o.best.Ask
		if top-h.Score < world.AskWithin && h.Move != rules.NoMove {
			o.near += x
			if h.Base == 0 && (o.plain == nil || h.Score > o.plain.Score) {
				o.plain = h
			}
		}
		if top-h.Score < world.AskWithin && h.Base == o.best.Base && h.Move != rules.NoMove {
			o.group += x
			if !same {
				o.others++
			}
		}
		if same {
			o.same += x
		} else {
			o.second = max(o.second, h.Score)
		}
	}
	if d.clockPressed {
		rest += world.ClockPressRest
	}
	o.nothing = math.Exp(d.idleCost(nil) - top)
	work := math.Log(d.atWork(rest))
	hands := d.handsAgainst(o.best)
	o.rival = o.nothing + math.Exp(work+hands-top)
	return o
}
