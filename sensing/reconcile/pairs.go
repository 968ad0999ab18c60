// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// pair adds moves with their replies to the hypotheses once the wood has rested and nothing else explains it. Then the
// opponent was quicker than recognition. It reports whether it found any.
func (d *Decoder) pair(pause time.Duration) bool {
	if pause < world.PairsAfter || !d.unpaired() || d.goal.strict {
		return false
	}
	d.paired = d.seen.Now
	return d.pairs()
}

// pairs makes the list of pairs again and reports whether there are any.
func (d *Decoder) pairs() bool {
	d.list.Reset(d.list.WithoutPairs)
	if d.explained() {
		d.rank(d.against)
		return false
	}
	for i := range d.list.Singles {
		h := &d.list.Hyps[i]
		if h.Base <= hypotheses.MaxReplaced && h.Move != rules.NoMove && !h.Ask && h.Result == "" && d.begun(h) {
			d.replies(i, false)
		}
	}
	d.rank(d.against)
	return len(d.list.Hyps) > d.list.Singles
}

// unpaired reports whether something has happened since pairs were last looked for.
func (d *Decoder) unpaired() bool { return d.paired < max(d.seen.Flipped, d.seen.Stepped) }

// mayBeTwo reports whether what looks like a move may be one and its reply. Then a place outside it changed in this
// ply before its piece landed, or the scale does not confirm it. Or it would have to be made in place of several
// moves, or of one where only a scale would tell the other.
func (d *Decoder) mayBeTwo(h *hypotheses.Hypothesis) bool {
	if h.Move == rules.NoMove || h.Reply != rules.NoMove && !h.Restores || d.goal.strict || !d.unpaired() {
		return false
	}
	if h.Base > 1 || h.Base > 0 && d.unseenMove() || d.scaleDoubts(h) {
		return true
	}
	landed := d.lastEvent(h)
	for p := range d.unexplained(h).Places() {
		at, byEye := d.changedAt(p), !d.seen.CellTrusted(p) && d.seen.Reeds[p].Last() <= d.seen.Epoch
		if at > d.seen.Epoch && (at < landed || byEye) { // a height sensor sees it late
			return true
		}
	}
	return false
}

// explained reports whether one move alone explains the whole contradiction. A move in place of the last ones does not
// count, because two moves may be likelier.
func (d *Decoder) explained() bool {
	for i := range d.list.Hyps {
		h := &d.list.Hyps[i]
		if h.Score <= 0 || h.Base > 0 && h.Move != rules.NoMove || !d.unexplained(h).Empty() || d.scaleDoubts(h) {
			continue
		}
		if !slices.ContainsFunc(h.Changes, func(w int32) bool {
			return d.gameFit(d.list.Changes[w].Place)+d.weighed(w).Gain <= world.HandPrice
		}) {
			return true
		}
	}
	return false
}

// begun reports whether a hypothesis may be the first of two moves: a place of it was touched, or only a scale would
// tell.
func (d *Decoder) begun(h *hypotheses.Hypothesis) bool {
	for _, i := range h.Changes {
		w := &d.list.Changes[i]
		if d.turned.Has(w.Place) || d.against.Has(w.Place) || w.Place < 64 && d.steppedAfter(w.Place, d.seen.Epoch) {
			return true
		}
	}
	return d.unseenMove()
}

// replies adds the replies to the move of hypothesis first that fit what the sensors show, or with restores all.
func (d *Decoder) replies(first int, restores bool) {
	l := &d.list
	h := l.Hyps[first]
	q := d.bases[h.Base].Position
	q.Play(h.Move)
	if q.Result() != rules.Playing {
		return
	}
	mid := d.now
	for _, i := range h.Changes {
		mid[l.Changes[i].Place] = l.Changes[i].Pile
	}
	missing := d.clear.Minus(h.Places)
	alone := d.scaleFitOf(&l.Hyps[first]) // nats that the first move gains without a reply
	for _, i := range h.Changes {
		alone += d.weighed(i).Gain
	}
	l.Woods = q.AppendWoods(l.Woods[:0])
	for _, w := range l.Woods {
		r := q
		r.Play(w.Move)
		after := mid
		d.g.Relay(&after, &r, w.Touched)
		where := h.Places.Union(wood.Set{w.Touched, w.Touched})
		if !restores && !missing.Minus(where).Empty() {
			continue
		}
		mark := l.Mark()
		p := l.Add(h.Base, h.Move, &after, where)
		p.Reply, p.Mover, p.Prior = w.Move, h.Mover, h.Prior+world.PriorPair
		if made := l.Made; h.Base == 1 && w.Move.From() == made.To() && w.Move.To() == made.From() ||
			d.turned.Union(d.against).Intersect(p.Places.Minus(h.Places)).Empty() {
			// the last move, taken back with a stop on the way, looks so. Or only a scale tells of the reply
			p.Prior += hypotheses.OneMoveCost(len(l.Woods))
		}
		p.Shared = d.shared(h.Places, &mid, &after)
		if p.Undone = d.undonePlace(h.Places, &mid, &after); p.Undone != wood.Nowhere {
			p.Between = d.g.Target(mid[p.Undone])
		}
		for k, at := range hypotheses.Landing(h.Move) {
			p.ReplyFlips[k] = uint8(minFlips(mid[at], after[at]))
		}
		if p.Restores = restores; restores {
			p.Prior = 0
			continue
		}
		s := p.Prior + d.scaleFitOf(p)
		for _, i := range p.Changes {
			s += d.weighed(i).Gain
		}
		if p.Places.Empty() || s-d.scaleFit < world.AskBeats || s-p.Prior-alone < world.ReplySupport {
			l.Reset(mark)
		}
	}
}

// pairOrderCost is what a move with its reply costs, in nats, for the order of the events.
func (d *Decoder) pairOrderCost(h *hypotheses.Hypothesis) (nats float64) {
	e := &d.seen
	first, from := d.leaves(h), hypotheses.Departing(h.Reply)
	if made := d.list.Made; h.Base == hypotheses.MaxReplaced && made.From() == h.Reply.From() {
		from = hypotheses.Landing(made) // the reply replaces that move
	}
	a, exact := d.leftAt(first)
	b, _ := d.leftAt(from[0])
	if from[0] == first && d.now[first] != "" && d.now[first+64] != "" {
		from[1] = first // the piece of the reply stood under that of the move
		b = d.seen.Now
		if at, ok := d.openedAt(from); ok {
			b = at
		}
	}
	came := d.cameAt(h)
	switch {
	case exact && d.repliedBefore(h, a):
		nats += world.OutOfOrder + world.WayOutOfOrder
	case exact && b < a, d.repliedBefore(h, came):
		nats += world.OutOfOrder
	}
	if h.Base == 0 && d.landsEarly(h, h.Move, hypotheses.Departing(h.Move)) {
		nats += world.LandsBefore
	}
	if d.landsEarly(h, h.Reply, from) {
		nats += world.LandsBefore
	}
	if d.flipsMissing(h) {
		nats += world.ExchangeUnseen
	}
	if p := h.Undone; p != wood.Nowhere && !d.showed(p, &h.Between) && e.Reeds[p].Last() <= d.seen.Epoch {
		nats += world.StepUnseen
	}
	return nats
}

// leaves is the place that the first of two moves empties first. If it comes in place of a move that was taken, that
// is where this one has brought its piece.
func (d *Decoder) leaves(h *hypotheses.Hypothesis) wood.Place {
	switch h.Base {
	case 1:
		return wood.Place(d.list.Made.To())
	case hypotheses.MaxReplaced:
		before, after := &d.past[1].wood, &d.past[0].wood
		for p := range before.Diff(after).Places() {
			if len(after[p]) > 0 && (len(after[p]) > len(before[p]) || after[p][0] != before[p][0]) {
				return wood.Place(p.Square())
			}
		}
	}
	return wood.Place(h.Move.From())
}

// landsEarly reports whether what last came to the destination of one of two moves did so long before its piece left.
// Onto other pieces it may come unseen.
func (d *Decoder) landsEarly(h *hypotheses.Hypothesis, m rules.Move, from [2]wood.Place) bool {
	left, ok := d.openedAt(from)
	for _, p := range hypotheses.Landing(m) {
		at := d.arrivedAt(h, p)
		onto := d.now[p] != "" && len(d.list.PileOn(h, p)) > 1
		if ok && !onto && at != evidence.Never && left.Since(at) > 2*world.LandsSlack {
			return true
		}
	}
	return false
}

// repliedBefore reports whether the last event of this ply where a reply lands was that something came, before t.
func (d *Decoder) repliedBefore(h *hypotheses.Hypothesis, t evidence.Tick) bool {
	for _, p := range hypotheses.Landing(h.Reply) {
		if at := d.arrivedAt(h, p); at != evidence.Never && at < t {
			return true
		}
	}
	return false
}

// reconsider keeps a replaced move, with its replies, for the ply that begins. The hands rested before made began.
func (d *Decoder) reconsider(change change, made rules.Move, rested time.Duration) {
	f := &d.replacedMove
	switch {
	case change == corrected && made != rules.NoMove:
		onward := d.list.Made.From() == made.From() && wood.PassesOver(made.From(), made.To(), d.list.Made.To())
		*f = replacedMove{move: made, base: 1, corrected: true, cost: d.replacing, onward: onward}
	case change == corrected || change == stands: // the reply to that move was replaced, or only the bases are others
	case change == takenBack || change == unmade:
		*f = replacedMove{move: made, base: 0, cost: world.PriorTakeback + d.late}
	case change == goesOn:
		f.base++
		f.cost -= math.Log(pauseOutlasts(rested))
	default:
		f.move = rules.NoMove
	}
	if f.move == rules.NoMove || f.base > hypotheses.MaxReplaced {
		return
	}
	for i := range d.list.Singles {
		if h := &d.list.Hyps[i]; h.Base == f.base && h.Move == f.move && !h.Ask {
			d.replies(i, true)
			break
		}
	}
	d.list.Singles, d.list.WithoutPairs = len(d.list.Hyps), d.list.Mark()
}

// restoreScore is the evidence, in nats, for a replaced move from which a reply starts. It pays back what the
// correction and the choice of one move of so many had cost. But a correction was real if the hand rested for long
// before the reply, or before the piece that was put back left again.
func (d *Decoder) restoreScore(h *hypotheses.Hypothesis) float64 {
	rested := world.PlyLookback
	if h.Base > 1 && h.Reply == d.list.Made {
		for p := range d.against.Places() {
			rested = min(rested, max(0, d.firstAt(p).Since(d.past[0].epoch)))
		}
		return math.Log(pauseOutlasts(rested))
	}
	for _, p := range hypotheses.Departing(h.Reply) {
		if t := d.firstAt(p); d.now[p] != "" && t > d.past[0].epoch {
			rested = min(rested, max(0, t.Since(d.accepted)))
		} else if h.Base > 1 && d.now[p] == "" {
			rested = 0 // the piece left before the events that were taken for the last move
		}
	}
	again := 0.0 // nats: a correction that stood was corrected again
	if stood, ok := d.correctionStood(h); ok {
		rested = max(rested, stood)
		again = world.PriorCorrect + changedLate(stood)
	}
	nats := again + math.Log(pauseOutlasts(rested)) - d.replacedMove.cost
	if !d.replacedMove.onward {
		nats -= d.list.OnTheWayCost(h.Base)
	}
	return nats
}

// correctionStood is how long what the correction of a restored move had put down stood there, if it has left again.
func (d *Decoder) correctionStood(h *hypotheses.Hypothesis) (stood time.Duration, ok bool) {
	var put wood.Set
	since := d.accepted
	switch after := &d.now; {
	case d.replacedMove.corrected:
		if h.Base > 1 {
			after, since = &d.past[h.Base-2].wood, d.past[h.Base-2].epoch
		}
		for p := range d.past[h.Base-1].wood.Diff(after).Intersect(d.against).Places() {
			if wood.Common(after[p], d.list.PileOn(h, p)) < len(after[p]) {
				put.Add(p) // it is gone, and nothing has come on top of it
			}
		}
	default:
		if h.Base > 0 {
			since = d.past[h.Base-1].epoch // the takeback ended before that ply began
		}
		for _, p := range hypotheses.Departing(h.Move) {
			put.Add(p)
		}
	}
	for p := range put.Intersect(d.filled).Places() {
		if t := d.firstAt(p); t > d.seen.Epoch {
			stood, ok = max(stood, t.Since(since)), true
		}
	}
	return stood, ok
}
