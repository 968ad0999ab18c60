// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/logprob"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// evaluate compares the game's wood with what the sensors show, and finds the places that contradict it.
func (d *Decoder) evaluate() {
	e := &d.seen
	e.Stamp++
	d.against, d.clear, d.pressed, d.leant, d.free, d.stray = wood.Set{}, wood.Set{}, wood.Set{}, wood.Set{}, 0, 0
	d.closely = wood.Set{(e.Closed[0] ^ d.filled[0]) & e.Known[0], (e.Closed[1] ^ d.filled[1]) & e.Known[1]}
	d.shareOverhangs()
	d.closeCells()
	d.closeEyes()
	for k := range d.closely {
		for q := range d.closely[k].Squares() {
			p := wood.Place(k*64) + wood.Place(q)
			d.fit[p], d.spare[p] = e.LogLikelihood(p, &d.want[p], true), 0
			if d.pressedOn(p) {
				if d.leant.Add(p); e.Finger(p) > d.fit[p] {
					d.pressed.Add(p)
					d.fit[p] = e.Finger(p)
				}
			}
			flat, left := e.HandAtWork(p, &d.want[p], d.highest(p))
			if d.fit[p] >= flat || d.goal.strict && d.faults.contradictedBefore(d, p) {
				continue
			}
			d.against.Add(p)
			if !d.faults.contradictedBefore(d, p) && !d.standsAside(p) {
				d.spare[p] = max(0, flat-d.fit[p])
				d.free += d.spare[p]
				d.stray += left - d.fit[p]
				if d.spare[p] > world.Negligible {
					d.clear.Add(p)
				}
			}
		}
	}
	uncopied := d.goal.uncopiedGain(d)
	d.free, d.stray = d.free+uncopied, d.stray+uncopied
	d.weighAgainstGame()
	d.holding, d.hovering = d.holds(), d.handInView()
}

// closeCells adds the places whose load cell may contradict the game's wood.
func (d *Decoder) closeCells() {
	e := &d.seen
	if !d.g.Weights {
		return
	}
	for q := range 64 {
		l := &e.Cells[q]
		want := d.want[q].Mass + l.Zero
		e.Leans[q] = 0
		if l.Known > 0 {
			want, e.Leans[q] = l.Rests, max(0, l.Rests-want)
		}
		used := e.CellTrusted(wood.Place(q)) || e.HeardCell(wood.Place(q)) && e.IsDiscounted(sensing.Weights, wood.Place(q))
		if off := l.Mean - want; used && (off > world.CellPull || off < -world.CellPull) {
			d.closely[0] |= 1 << q
		}
		lasts(&d.loaded[q], used && l.Mean-want > world.CellWide, l.Since)
		lasts(&d.relieved[q], used && want-l.Mean > world.CellWide, l.Since)
	}
}

// lasts keeps since when something has been so: at, if it is new; 0 if it is not so.
func lasts(since *evidence.Tick, so bool, at evidence.Tick) {
	switch {
	case !so:
		*since = 0
	case *since == 0:
		*since = at
	}
}

// closeEyes adds the places whose height sensor may contradict the game's wood.
func (d *Decoder) closeEyes() {
	e := &d.seen
	if !d.g.Heights {
		return
	}
	for q := range 64 {
		l := &e.Eyes[q]
		want := d.want[q].Height
		if l.Known > 0 {
			want = l.Rests
		}
		if off := l.Mean - want; l.N > 0 && (off > 2*world.EyeSpread || off < -2*world.EyeSpread) {
			d.closely[0] |= 1 << q
		}
	}
}

// gameFit is the score, in nats, of the game's pile on a place for what its sensors show.
func (d *Decoder) gameFit(p wood.Place) float64 {
	if !d.closely.Has(p) {
		d.closely.Add(p)
		d.fit[p] = d.seen.LogLikelihood(p, &d.want[p], true)
	}
	return d.fit[p]
}

// changedLate is what it costs, in nats, that a player changes a move which has stood for so long.
func changedLate(stood time.Duration) float64 {
	return math.Log(world.CorrectLate + (1-world.CorrectLate)*logprob.Decay(stood, world.CorrectDecay))
}

// rank scores all hypotheses that explain some of the changed places.
func (d *Decoder) rank(changed wood.Set) {
	d.ranked, d.rivalPlaces = d.ranked[:0], wood.Set{}
	d.halves = d.halves[:0]
	d.late = changedLate(d.contradictedAt().Since(d.accepted))
	for i := range d.list.Hyps {
		d.score(&d.list.Hyps[i], int32(i), changed)
	}
	best := logprob.Never
	for _, i := range d.ranked {
		best = max(best, d.list.Hyps[i].Score)
	}
	for _, i := range d.ranked {
		if h := &d.list.Hyps[i]; h.Score > best-world.RivalWithin {
			d.rivalPlaces = d.rivalPlaces.Union(h.Places)
		}
	}
	partial := logprob.NewSum()
	for _, i := range d.halves {
		h := &d.list.Hyps[i]
		if h.PartScore += d.idleCost(h); h.Reply != rules.NoMove {
			h.PartScore += d.pairOrderCost(h)
		}
		if h.Restores {
			h.PartScore += min(0, d.restoreScore(h))
		}
		partial.Add(h.PartScore)
	}
	d.partial = partial.Nats()
	for _, i := range d.ranked {
		h := &d.list.Hyps[i]
		h.Score += d.eventCost(h) + d.replyBegun(h)
		if h.Move == rules.NoMove {
			leant, _ := d.leantBefore(h)
			h.Score += world.Unexplained * float64(d.fresh().Minus(h.Places).Minus(leant).Count())
		}
	}
}

// score adds up what a hypothesis gains on its places.
func (d *Decoder) score(h *hypotheses.Hypothesis, i int32, changed wood.Set) {
	h.Score = logprob.Never
	if changed.Intersect(h.Places).Empty() && !d.scaleContradicts() || d.goal.strict && h.Move == rules.NoMove &&
		h.Result == "" && d.turned.Intersect(h.Places).Empty() && !(d.goal.off && h.Places != d.goal.changed) {
		return // untouched places were not taken back, unless that was done while the board was off
	}
	if u := d.goal.uncopied(); h.Move != rules.NoMove && !u.Empty() &&
		(!u.Intersect(h.Places).Empty() || d.g.Scale && d.turned.Intersect(h.Places).Empty()) {
		return // nor do they show that the wood followed first; the scale weighs all that has not followed yet
	}
	s := h.Prior
	if h.Base > 0 && h.Move != rules.NoMove && !h.Restores {
		s += d.late
	}
	part := s + d.free + d.list.OnTheWayCost(h.Base)
	half := false
	for _, i := range h.Changes {
		w := d.weighed(i)
		g := w.Gain
		s += g
		if w.Half > g {
			half, g = true, w.Half
		}
		part += g
		if d.against.Has(w.Place) {
			part -= d.spare[w.Place]
		}
	}
	s += d.scaleFitOf(h) - d.scaleFit + d.overLine(h)
	if s >= world.FloorScore {
		h.Score = s
		d.ranked = append(d.ranked, i)
	}
	part += world.SlipCost * float64(d.put.Minus(h.Places).Count())
	h.PartScore = part
	if half && (d.holding || d.clear.Minus(h.Places).Minus(d.put).Empty()) && part > s+world.HalfMadeGain && part > 0 &&
		(h.Reply == rules.NoMove || d.replyShows(h)) {
		d.halves = append(d.halves, i)
	}
}

// replyShows reports whether something of the reply of a pair is seen. If not, the pair half made is only its first
// move half made, which counts once and not for every reply.
func (d *Decoder) replyShows(h *hypotheses.Hypothesis) bool {
	for _, i := range h.Changes {
		w := d.weighed(i)
		q := w.Place.Square()
		if (q == h.Reply.From() || q == h.Reply.To()) && (w.Gain >= w.Half || w.Part != d.now[w.Place]) {
			return true
		}
	}
	return false
}

// replyBegun is what the opponent's first lift after a move gains over a hand at work, in nats, because such a lift is
// expected.
func (d *Decoder) replyBegun(h *hypotheses.Hypothesis) (nats float64) {
	if h.Base > 0 || !d.bases[0].OpponentHere || h.Move == rules.NoMove || h.Reply != rules.NoMove {
		return 0
	}
	outside := d.unexplained(h)
	leant, _ := d.leantBefore(h)
	if outside.Empty() || outside.Count() > 2 || !d.pressed.Minus(h.Places).Minus(leant).Empty() {
		return 0 // the lifted piece may lie there
	}
	for p := range outside.Places() {
		pile := d.now[p]
		if pile == "" {
			return 0
		}
		keep, ok := d.part(p)
		if !ok || keep >= len(pile) {
			return 0
		}
		if at := d.changedAt(p); at < d.lastEvent(h) {
			if nats += world.EarlyLift - world.ReplyLift; at > d.seen.Epoch && at < d.firstDeparture(h) {
				nats += world.OutOfOrder
			}
		}
		if top := pile[len(pile)-1]; wood.ColorOf(top) == h.Mover {
			if top == 'K' || top == 'k' {
				return 0
			}
			nats += world.CaptureLift
		}
		left := d.g.Target(pile[:keep])
		nats += world.ReplyLift + min(0, d.seen.LogLikelihood(p, &left, false)) - d.gameFit(p)
	}
	return nats
}

// carried is the score, in nats, of all half-made hypotheses of which a piece lies on none of their places yet. A
// pedestal does not count, because it comes from beside the board.
func (d *Decoder) carried() float64 {
	sum := logprob.NewSum()
	for _, i := range d.halves {
		if h := &d.list.Hyps[i]; d.lacksPiece(h) {
			sum.Add(h.PartScore)
		}
	}
	return sum.Nats()
}

// lacksPiece reports whether a piece of a half-made hypothesis lies on none of its places yet.
func (d *Decoder) lacksPiece(h *hypotheses.Hypothesis) bool {
	var missing [128]int8
	for _, j := range h.Changes {
		w := &d.list.Changes[j]
		lies := w.Pile
		if w.Half > w.Gain {
			lies = w.Part
		}
		for _, c := range []byte(w.Pile) {
			missing[c]++
		}
		for _, c := range []byte(lies) {
			missing[c]--
		}
	}
	missing[wood.Pedestal] = 0
	return slices.Max(missing[:]) > 0
}

// waitsForPiece reports whether all that contradicts the game fits a hypothesis, half made, better than any thing that
// was left there, after a pause. What it lacks is in a hand then, as when a pedestal stands where the piece did.
func (d *Decoder) waitsForPiece(pause time.Duration) bool {
	left := d.stray + math.Log(world.LeftIllegal) - math.Log(carryOutlasts(pause))
	return slices.ContainsFunc(d.halves, func(i int32) bool {
		h := &d.list.Hyps[i]
		return d.against.Minus(h.Places).Empty() && h.PartScore-d.list.OnTheWayCost(h.Base) > left && d.lacksPiece(h)
	})
}

// weighed returns a change, with what it gains in this evaluation.
func (d *Decoder) weighed(i int32) *hypotheses.Change {
	w := &d.list.Changes[i]
	if w.Stamp != d.seen.Stamp {
		d.weigh(w)
	}
	return w
}

// weigh works out what a change gains, and what it gains half made. Then nothing was done there yet, or what stood
// there was taken up, or a lower part of the new pile was put down.
func (d *Decoder) weigh(w *hypotheses.Change) {
	now := d.gameFit(w.Place)
	w.Stamp, w.Gain = d.seen.Stamp, d.seen.LogLikelihood(w.Place, &w.Target, false)-now
	w.Half, w.Part = 0, d.now[w.Place]
	for k := len(w.Pile) - 1; k >= 0; k-- {
		// what the reed says is the most that a pile can be worth
		if left := w.Pile[:k]; left != d.now[w.Place] && d.seen.ReedFit(w.Place, left != "")-now > w.Half {
			t := d.g.Target(left)
			if nats := d.seen.LogLikelihood(w.Place, &t, false) - now; nats > w.Half {
				w.Half, w.Part = nats, left
			}
		}
	}
}

// highest is the height, in micrometres, of the highest pile that stands on a place or that a hypothesis has there.
func (d *Decoder) highest(p wood.Place) float64 {
	top := d.want[p].Height
	for i := d.list.First[p]; i >= 0; i = d.list.Changes[i].Next {
		top = max(top, d.list.Changes[i].Height)
	}
	return top
}
