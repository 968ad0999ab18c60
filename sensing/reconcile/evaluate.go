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

// evaluate compares the game's wood with what the sensors show, and finds the places that contradict it.
func (d *Decoder) evaluate() {
	e := &d.seen
	e.stamp++
	d.against, d.clear, d.pressed, d.free, d.stray = wood.Set{}, wood.Set{}, wood.Set{}, 0, 0
	d.closely = wood.Set{(e.closed[0] ^ d.filled[0]) & e.known[0], (e.closed[1] ^ d.filled[1]) & e.known[1]}
	d.shareOverhangs()
	d.closeCells()
	d.closeEyes()
	for k := range d.closely {
		for q := range d.closely[k].Squares() {
			p := wood.Place(k*64) + wood.Place(q)
			d.fit[p] = e.logLikelihood(p, &d.want[p], true)
			if d.pressedOn(p) && e.finger(p) > d.fit[p] {
				d.pressed.Add(p)
				d.fit[p] = e.finger(p)
			}
			flat, left := e.handAtWork(p)
			if d.fit[p] >= flat {
				continue
			}
			d.against.Add(p)
			d.spare[p] = 0
			if !d.faults.contradictedBefore(d, p) {
				piled := d.pilingCost(p)
				d.spare[p] = max(0, flat+piled-d.fit[p])
				d.free += d.spare[p]
				d.stray += left + piled - d.fit[p]
				if d.spare[p] > negligible {
					d.clear.Add(p)
				}
			}
		}
	}
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
		l := &e.cells[q]
		want := d.want[q].mass + l.zero
		if l.known > 0 {
			want = l.rests
		}
		if off := l.mean - want; e.cellTrusted(wood.Place(q)) && (off > cellPull || off < -cellPull) {
			d.closely[0] |= 1 << q
		}
	}
}

// shareOverhangs finds pieces that stand over the edge of their square, so that the cells beside it bear a part. These
// are pieces that were put down in this ply, and pieces that were knocked aside, if nothing stands beside them.
func (d *Decoder) shareOverhangs() {
	e := &d.seen
	for q := range e.shared.Squares() {
		e.spilledLoad[q], e.overhangLoad[q] = 0, 0
	}
	e.shared = 0
	if !d.g.Weights {
		return
	}
	for p := range (d.turned[0] & e.closed[0] & e.known[0]).Squares() {
		d.claimOverhang(p, wood.Beside(p)&^d.turned[0])
	}
	for p := range (d.filled[0] & e.closed[0] & e.known[0] &^ d.turned[0]).Squares() {
		if -d.excessLoad(p) > minOverhang && e.cells[p].n >= minLevelSamples {
			d.claimOverhang(p, wood.Beside(p)&^(d.turned[0]|d.filled[0]|e.closed[0]))
		}
	}
}

// claimOverhang counts the excess load of the cells beside a square for that square. It does so if the square's own
// load alone fits no pile that may stand there.
func (d *Decoder) claimOverhang(p rules.Square, cells rules.Bitboard) {
	e := &d.seen
	var from rules.Bitboard
	for q := range cells.Squares() {
		if over := d.excessLoad(q); e.cells[q].n >= minLevelSamples && over > minOverhang && e.overhangLoad[q] == 0 {
			e.spilledLoad[p] += over
			from |= q.Bit()
		}
	}
	if from == 0 || !d.fitsShared(wood.Place(p)) {
		e.spilledLoad[p] = 0
		return
	}
	for q := range from.Squares() {
		e.overhangLoad[q] = d.excessLoad(q)
	}
	e.shared |= p.Bit() | from
}

// fitsShared reports whether some pile fits a place better together with the excess load of the cells beside it.
func (d *Decoder) fitsShared(p wood.Place) bool {
	e := &d.seen
	alone, shared := logprob.Never, logprob.Never
	weigh := func(t *target) {
		beyond := e.cells[p].mean - t.mass - e.cells[p].zero
		alone, shared = max(alone, e.load(p, beyond, t)), max(shared, e.sharedLoad(p, beyond, t))
	}
	weigh(&d.want[p])
	for i := d.list.first[p]; i >= 0; i = d.list.changes[i].next {
		weigh(&d.list.changes[i].target)
	}
	return shared > alone
}

// excessLoad is how much more a cell bears, in milligrams, than in the game.
func (d *Decoder) excessLoad(q rules.Square) float64 {
	l := &d.seen.cells[q]
	if l.known > 0 {
		return l.mean - l.rests
	}
	return l.mean - d.want[q].mass - l.zero
}

// closeEyes adds the places whose height sensor may contradict the game's wood.
func (d *Decoder) closeEyes() {
	e := &d.seen
	if !d.g.Heights {
		return
	}
	for q := range 64 {
		l := &e.eyes[q]
		want := d.want[q].height
		if l.known > 0 {
			want = l.rests
		}
		if off := l.mean - want; l.n > 0 && (off > 2*eyeSpread || off < -2*eyeSpread) {
			d.closely[0] |= 1 << q
		}
	}
}

// gameFit is the score, in nats, of the game's pile on a place for what its sensors show.
func (d *Decoder) gameFit(p wood.Place) float64 {
	if !d.closely.Has(p) {
		d.closely.Add(p)
		d.fit[p] = d.seen.logLikelihood(p, &d.want[p], true)
	}
	return d.fit[p]
}

// rank scores all hypotheses that explain some of the changed places.
func (d *Decoder) rank(changed wood.Set) {
	d.ranked, d.rivalPlaces = d.ranked[:0], wood.Set{}
	d.halves = d.halves[:0]
	d.late = math.Log(correctLate + (1-correctLate)*logprob.Decay(d.contradictedAt().since(d.accepted), correctDecay))
	for i := range d.list.hyps {
		d.score(&d.list.hyps[i], int32(i), changed)
	}
	best := logprob.Never
	for _, i := range d.ranked {
		best = max(best, d.list.hyps[i].score)
	}
	for _, i := range d.ranked {
		if h := &d.list.hyps[i]; h.score > best-rivalWithin {
			d.rivalPlaces = d.rivalPlaces.Union(h.places)
		}
	}
	partial := logprob.NewSum()
	for _, i := range d.halves {
		h := &d.list.hyps[i]
		h.partScore += d.idleCost(h)
		partial.Add(h.partScore)
	}
	d.partial = partial.Nats()
	for _, i := range d.ranked {
		h := &d.list.hyps[i]
		h.score += d.eventCost(h) + d.replyBegun(h)
		if h.move == rules.NoMove {
			h.score += unexplained * float64(d.fresh().Minus(h.places).Count())
		}
	}
}

// score adds up what a hypothesis gains on its places.
func (d *Decoder) score(h *hypothesis, i int32, changed wood.Set) {
	h.score = logprob.Never
	if changed.Intersect(h.places).Empty() && !d.scaleContradicts() || d.goal.strict && h.move == rules.NoMove &&
		h.result == "" && d.turned.Intersect(h.places).Empty() {
		return // untouched places were not taken back
	}
	if d.goal.strict && h.move != rules.NoMove && !d.goal.changed.Intersect(h.places).Minus(d.turned).Empty() {
		return // nor do they show that the wood followed the game first
	}
	s := h.prior
	if h.base > 0 && h.move != rules.NoMove && !h.restores {
		s += d.late
	}
	part := s + d.free + d.list.onTheWayCost[min(h.base, maxReplaced)]
	half := false
	for _, i := range h.changes {
		w := d.weighed(i)
		g := w.gain
		s += g
		if w.half > g {
			half, g = true, w.half
		}
		part += g
		if d.against.Has(w.place) {
			part -= d.spare[w.place]
		}
	}
	s += d.scaleFitOf(h) - d.scaleFit
	if s >= floorScore {
		h.score = s
		d.ranked = append(d.ranked, i)
	}
	part += slipCost * float64(d.put.Minus(h.places).Count())
	if h.partScore = part; half && (d.holding || d.clear.Minus(h.places).Minus(d.put).Empty()) && part > s+halfMadeGain &&
		part > 0 {
		d.halves = append(d.halves, i)
	}
}

// floorScore is the score below which a hypothesis is dropped before its way is judged.
const floorScore = -12.0

const rivalWithin = 12.0 // nats: a hypothesis this close to the best, before the way counts, is a rival of it

// replyBegun is what the opponent's first lift after a move gains over a hand at work, in nats, because such a lift is
// expected.
func (d *Decoder) replyBegun(h *hypothesis) (nats float64) {
	if h.base > 0 || !d.bases[0].OpponentHere || h.move == rules.NoMove || h.reply != rules.NoMove {
		return 0
	}
	outside := d.clear.Minus(h.places)
	if outside.Empty() || outside.Count() > 2 || !d.pressed.Minus(h.places).Empty() {
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
			if nats += earlyLift - replyLift; at > d.seen.epoch && at < d.firstDeparture(h) {
				nats += outOfOrder
			}
		}
		if top := pile[len(pile)-1]; colorOf(top) == h.mover {
			if top == 'K' || top == 'k' {
				return 0
			}
			nats += captureLift
		}
		left := d.g.target(pile[:keep])
		nats += replyLift + min(0, d.seen.logLikelihood(p, &left, false)) - d.gameFit(p)
	}
	return nats
}

// changedAt is when the reed of a place last flipped. If it did not flip in this ply, it is when the cell or the
// height sensor last began a new level.
func (d *Decoder) changedAt(p wood.Place) tick {
	e := &d.seen
	if t := e.reeds[p].last(); t > d.seen.epoch || p >= 64 {
		return t
	}
	at := never
	if e.heardCell(p) {
		at = e.cells[p].since
	}
	if e.heardEye(p) {
		at = max(at, e.eyes[p].since)
	}
	if p == d.hiddenChange.off || p == d.hiddenChange.on {
		at = max(at, tick(e.balance.Since))
	}
	return at
}

// firstAt is when the reed of a place first flipped in this ply. If it did not, it is changedAt.
func (d *Decoder) firstAt(p wood.Place) tick {
	if c := &d.seen.reeds[p]; c.after(d.seen.epoch) > 0 {
		return c.nth(d.seen.epoch, 1)
	}
	return d.changedAt(p)
}

// lastEvent is the time of the last event on the places of a hypothesis.
func (d *Decoder) lastEvent(h *hypothesis) tick {
	at := never
	for p := range h.places.Places() {
		at = max(at, d.changedAt(p))
	}
	return at
}

// pause is how long the wood has rested, as far as a hypothesis is concerned. In that time no reed flipped. No load
// that contradicts the game began a new level, and no load or height on which the hypothesis relies.
func (d *Decoder) pause(h *hypothesis, rest time.Duration) time.Duration {
	e := &d.seen
	if d.g.Weights {
		moved := d.against[0]
		if h != nil {
			moved |= h.places[0]
		}
		for q := range moved.Squares() {
			if e.cellTrusted(wood.Place(q)) {
				rest = min(rest, e.now.since(e.cells[q].since))
			}
		}
	}
	if d.scaleUsable() && (h != nil || d.scaleContradicts()) {
		rest = min(rest, e.now.since(tick(e.balance.Since)))
	}
	if d.g.Heights && h != nil {
		for q := range h.places[0].Squares() {
			if e.heardEye(wood.Place(q)) && !d.heightFell(wood.Place(q)) &&
				(len(d.list.pileOn(h, wood.Place(q))) > 1 || len(d.now[q]) > 1 || e.lacksReed(wood.Place(q))) {
				rest = min(rest, e.now.since(e.eyes[q].since))
			}
		}
	}
	return max(0, rest)
}

// lacksReed reports whether a place has no reed that tells whether something stands there.
func (e *evidence) lacksReed(p wood.Place) bool {
	return !e.known.Has(p) || e.trust[sensing.Reeds][p].err > 0.1
}
