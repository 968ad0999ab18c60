// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing/wood"
)

// pair adds moves with their replies to the hypotheses once the wood has rested and nothing else explains it. Then the
// opponent was quicker than recognition. It reports whether it found any.
func (d *Decoder) pair(pause time.Duration) bool {
	if pause < pairsAfter || !d.unpaired() || d.goal.strict {
		return false
	}
	d.paired = d.seen.now
	return d.pairs()
}

// pairs makes the list of pairs again and reports whether there are any.
func (d *Decoder) pairs() bool {
	d.list.reset(d.list.withoutPairs)
	if d.explained() {
		d.rank(d.against)
		return false
	}
	for i := range d.list.singles {
		if h := &d.list.hyps[i]; h.base <= 1 && h.move != rules.NoMove && !h.ask && h.result == "" && d.begun(h) {
			d.replies(i, false)
		}
	}
	d.rank(d.against)
	return len(d.list.hyps) > d.list.singles
}

// unpaired reports whether something has happened since pairs were last looked for.
func (d *Decoder) unpaired() bool { return d.paired < max(d.seen.flipped, d.seen.stepped) }

// mayBeTwo reports whether what looks like a move may be one and its reply. Then a place outside it changed in this
// ply before its piece landed, or the scale does not confirm it. Or it would have to be made in place of several
// moves, or of one where only a scale would tell the other.
func (d *Decoder) mayBeTwo(h *hypothesis) bool {
	if h.move == rules.NoMove || h.reply != rules.NoMove || d.goal.strict || !d.unpaired() {
		return false
	}
	if h.base > 1 || h.base > 0 && d.unseenMove() || d.scaleDoubts(h) {
		return true
	}
	landed := d.lastEvent(h)
	for p := range d.clear.Minus(h.places).Places() {
		at, byEye := d.changedAt(p), !d.seen.cellTrusted(p) && d.seen.reeds[p].last() <= d.seen.epoch
		if at > d.seen.epoch && (at < landed || byEye) { // a height sensor sees it late
			return true
		}
	}
	return false
}

// explained reports whether one move alone explains the whole contradiction. A move in place of the last ones does not
// count, because two moves may be likelier.
func (d *Decoder) explained() bool {
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.score <= 0 || h.base > 0 && h.move != rules.NoMove || !d.clear.Minus(h.places).Empty() ||
			d.scaleDoubts(h) {
			continue
		}
		if !slices.ContainsFunc(h.changes, func(w int32) bool {
			return d.gameFit(d.list.changes[w].place)+d.weighed(w).gain <= handPrice
		}) {
			return true
		}
	}
	return false
}

// begun reports whether a hypothesis may be the first of two moves: a place of it was touched, or only a scale would
// tell.
func (d *Decoder) begun(h *hypothesis) bool {
	for _, i := range h.changes {
		w := &d.list.changes[i]
		if d.turned.Has(w.place) || d.against.Has(w.place) || w.place < 64 && d.stepped(w.place) {
			return true
		}
	}
	return d.unseenMove()
}

// replies adds the replies to the move of hypothesis first that fit what the sensors show, or with restores all.
func (d *Decoder) replies(first int, restores bool) {
	l := &d.list
	h := l.hyps[first]
	q := d.bases[h.base].Position
	q.Play(h.move)
	if q.Result() != rules.Playing {
		return
	}
	mid := *l.now
	for _, i := range h.changes {
		mid[l.changes[i].place] = l.changes[i].pile
	}
	missing := d.clear.Minus(h.places)
	alone := d.scaleFitOf(&l.hyps[first]) // nats that the first move gains without a reply
	for _, i := range h.changes {
		alone += d.weighed(i).gain
	}
	l.woods = q.AppendWoods(l.woods[:0])
	for _, w := range l.woods {
		r := q
		r.Play(w.Move)
		after := mid
		l.g.Relay(&after, &r, w.Touched)
		where := h.places.Union(wood.Set{w.Touched, w.Touched})
		if !restores && !missing.Minus(where).Empty() {
			continue
		}
		mark := l.mark()
		p := l.add(h.base, h.move, &after, where)
		p.reply, p.mover, p.prior = w.Move, h.mover, h.prior+priorPair
		p.flipsNeeded, p.shared = d.flipsNeeded(h.places, &mid, &after)
		if p.undone = d.undonePlace(h.places, &mid, &after); p.undone != wood.Nowhere {
			p.between = l.g.target(mid[p.undone])
		}
		for k, at := range landing(h.move) {
			p.replyFlips[k] = uint8(minFlips(mid[at], after[at]))
		}
		if p.restores = restores; restores {
			p.prior = 0
			continue
		}
		s := p.prior + d.scaleFitOf(p)
		for _, i := range p.changes {
			s += d.weighed(i).gain
		}
		if p.places.Empty() || s-d.scaleFit < askBeats || s-p.prior-alone < replySupport {
			l.reset(mark)
		}
	}
}

// pairOrderCost is what a move with its reply costs, in nats, for the order of the events.
func (d *Decoder) pairOrderCost(h *hypothesis) (nats float64) {
	e := &d.seen
	first, from := wood.Place(h.move.From()), departing(h.reply)
	if h.base == 1 {
		first = wood.Place(d.list.made.To()) // its piece stands there
	}
	a, exact := d.leftAt(first)
	b, _ := d.leftAt(from[0])
	if from[0] == first && d.now[first] != "" && d.now[first+64] != "" {
		from[1] = first // the piece of the reply stood under that of the move
		b = d.seen.now
		if at, ok := d.openedAt(from); ok {
			b = at
		}
	}
	came := d.cameAt(h)
	switch {
	case exact && d.repliedBefore(h, a):
		nats += outOfOrder + wayOutOfOrder
	case exact && b < a, d.repliedBefore(h, came):
		nats += outOfOrder
	}
	if h.base == 0 && d.landsEarly(h, h.move, departing(h.move)) {
		nats += landsBefore
	}
	if d.landsEarly(h, h.reply, from) {
		nats += landsBefore
	}
	if h.flipsNeeded > 0 && e.known.Has(h.shared) && e.reeds[h.shared].after(d.seen.epoch) < h.flipsNeeded {
		nats += exchangeUnseen
	}
	if p := h.undone; p != wood.Nowhere && !d.showed(p, &h.between) && e.reeds[p].last() <= d.seen.epoch {
		nats += stepUnseen
	}
	return nats
}

// landsEarly reports whether something came to the empty destination of one of two moves long before its piece left.
func (d *Decoder) landsEarly(h *hypothesis, m rules.Move, from [2]wood.Place) bool {
	left, ok := d.openedAt(from)
	for _, p := range landing(m) {
		if at := d.arrivedAt(h, p); ok && d.now[p] == "" && at != never && left.since(at) > landsSlack {
			return true
		}
	}
	return false
}

// leftAt is when something left a square in this ply, or now if nothing did. It is when the reed opened. If a part of
// the pile stays, it is when the load or the height last began a new level. Only a reed and a cell are exact; a height
// may be that of a hand that passed later.
func (d *Decoder) leftAt(s wood.Place) (at tick, exact bool) {
	if at, ok := d.openedAt([2]wood.Place{s, s + 64}); ok {
		return at, true
	}
	e := &d.seen
	if k, ok := d.part(s); ok && k > 0 && k < len(d.now[s]) && d.stepped(s) && e.reeds[s].last() <= e.epoch {
		return d.changedAt(s), e.cellTrusted(s)
	}
	return e.now, false
}

// arrivedAt is when something last came to a place in this ply, and not from the other deck there, or else never.
func (d *Decoder) arrivedAt(h *hypothesis, p wood.Place) tick {
	e, other := &d.seen, d.now[p^64]
	at := e.reeds[p].last()
	if !e.known.Has(p) || !e.closed.Has(p) || at <= e.epoch || other != "" && d.list.pileOn(h, p) == other {
		return never
	}
	return at
}

// cameAt is when something first came in this ply to the empty destination of a move, never if that was not seen.
func (d *Decoder) cameAt(h *hypothesis) tick {
	for _, p := range landing(h.move) {
		if d.now[p] == "" && d.arrivedAt(h, p) != never {
			return d.seen.reeds[p].nth(d.seen.epoch, 1)
		}
	}
	return never
}

// repliedBefore reports whether the last event of this ply where a reply lands was that something came, before t.
func (d *Decoder) repliedBefore(h *hypothesis, t tick) bool {
	for _, p := range landing(h.reply) {
		if at := d.arrivedAt(h, p); at != never && at < t {
			return true
		}
	}
	return false
}

// mark is a length of the list, to which reset can return.
type mark struct{ hyps, wishes, arena int }

func (l *generator) mark() mark { return mark{len(l.hyps), len(l.changes), len(l.arena)} }

// reset drops what was added after a mark.
func (l *generator) reset(m mark) {
	for i := len(l.changes) - 1; i >= m.wishes; i-- {
		l.first[l.changes[i].place] = l.changes[i].next
	}
	l.hyps, l.changes, l.arena = l.hyps[:m.hyps], l.changes[:m.wishes], l.arena[:m.arena]
}

// between is a time between two moves: after the piece of the first landed and before that of the reply left.
func (d *Decoder) between(h *hypothesis) tick {
	e := &d.seen
	at := e.now
	for _, p := range departing(h.reply) {
		if t := e.reeds[p].last(); t > d.seen.epoch {
			at = min(at, t-1)
		}
	}
	for k, p := range landing(h.move) {
		t := e.reeds[p].last()
		if n := h.replyFlips[k]; n > 0 {
			t = e.reeds[p].back(uint32(n-1)) - 1
		}
		if t > d.seen.epoch {
			at = min(at, t)
		}
	}
	return at
}

// reconsider keeps a replaced move, with its replies, for the ply that begins. The hands rested before made began.
func (d *Decoder) reconsider(change change, made rules.Move, rested time.Duration) {
	f := &d.replacedMove
	switch {
	case change == corrected && made != rules.NoMove:
		*f = replacedMove{move: made, base: 1, cost: d.replacing, onward: d.list.made.From() == made.From() &&
			wood.PassesOver(made.From(), made.To(), d.list.made.To())}
	case change == corrected: // the reply to that move was replaced
	case change == takenBack:
		*f = replacedMove{move: made, base: 0, cost: priorTakeback + d.late}
	case change == goesOn:
		f.base++
		f.cost -= math.Log(pauseOutlasts(rested))
	default:
		f.move = rules.NoMove
	}
	if f.move == rules.NoMove || f.base > maxReplaced {
		return
	}
	for i := range d.list.singles {
		if h := &d.list.hyps[i]; h.base == f.base && h.move == f.move && !h.ask {
			d.replies(i, true)
			break
		}
	}
	d.list.singles, d.list.withoutPairs = len(d.list.hyps), d.list.mark()
}

// restoreScore is the evidence, in nats, for a replaced move from which a reply starts. It pays back what the
// correction and the choice of one move of so many had cost. But a correction was real if the hand rested for long
// before the reply, or before the piece that was put back left again.
func (d *Decoder) restoreScore(h *hypothesis) float64 {
	rested := plyLookback
	if h.base > 1 && h.reply == d.list.made {
		for p := range d.against.Places() {
			rested = min(rested, max(0, d.firstAt(p).since(d.accepted)))
		}
		return math.Log(pauseOutlasts(rested))
	}
	for _, p := range departing(h.reply) {
		if t := d.firstAt(p); d.now[p] != "" && t > d.past[0].epoch {
			rested = min(rested, max(0, t.since(d.accepted)))
		} else if h.base > 1 && d.now[p] == "" {
			rested = 0 // the piece left before the events that were taken for the last move
		}
	}
	for _, p := range departing(h.move) {
		if t := d.firstAt(p); d.now[p] != "" && t > d.seen.epoch {
			rested = max(rested, t.since(d.accepted))
		}
	}
	nats := math.Log(pauseOutlasts(rested)) - d.replacedMove.cost
	if !d.replacedMove.onward {
		nats -= d.list.onTheWayCost[h.base]
	}
	return nats
}

// openedAt is when the reed of one of two places opened in this ply because its piece left. It is the last time if
// the reed is still open, and the first if it has closed again.
func (d *Decoder) openedAt(from [2]wood.Place) (at tick, ok bool) {
	e := &d.seen
	for _, p := range from {
		c, t := &e.reeds[p], never
		switch {
		case d.now[p] == "" || !e.known.Has(p) || c.last() <= e.epoch:
		case !e.closed.Has(p):
			t = c.last()
		case c.after(e.epoch) > 1:
			t = c.nth(e.epoch, 1)
		}
		if t != never && (!ok || t < at) {
			at, ok = t, true
		}
	}
	return at, ok
}
