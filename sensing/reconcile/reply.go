// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// touched tells whether the other side has begun to reply to a move that only waited for the hand to be done: beyond
// that move nothing differs but pieces of the other side, or what it captures, that were lifted. If it was the mover's hand after all, on its way
// to capture, the move made is corrected when it lands.
func (d *Decoder) touched(lifts []Lift) bool {
	if d.waits == nil || !d.reply || d.t.Commit == ByClock || d.uncounted() {
		return false
	}
	replies := d.turn.Other()
	if d.waits.base == 1 {
		replies = d.turn
	}
	if !d.stands(d.waits, replies) {
		d.waits = nil // the piece itself went on
		return false
	}
	if d.dim(d.waits) || d.lowered(d.waits) {
		return false // what was seen to land, or to be missing, may be the hand that came to reply
	}
	if d.unseen(d.waits) && d.elsewhere(d.waits, lifts) {
		return false
	}
	if (d.unseen(d.waits) || d.removes(d.waits) || d.doubtful(d.waits)) && d.onTheWay() {
		return false // a capture that has only begun explains it as well
	}
	beyond := wood.Set{d.differ[0] &^ d.waits.places[0], d.differ[1] &^ d.waits.places[1]}
	prey := !d.onTheWay() // what the mover would not touch now may be what the reply captures
	for _, l := range lifts {
		if pile := d.now[l.Place]; beyond.Has(l.Place) && (prey || isColor(pile[len(pile)-1], replies)) && d.later(l.Place, d.waits) {
			beyond.Drop(l.Place)
		}
	}
	return beyond.Empty() && !d.inPassing(d.waits)
}

// forestalled tells whether the wood is that of a move but for pieces of the other side that were lifted before it landed: the opponent, in a hurry, holds
// them, and the move counts when they are back.
func (d *Decoder) forestalled(lifts []Lift) bool {
	if !d.reply {
		return false
	}
	replies := d.turn.Other()
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.base > 0 || h.move == rules.NoMove || h.ends != "" {
			continue
		}
		beyond := d.differ.Less(h.places)
		for _, l := range lifts {
			if pile := d.now[l.Place]; isColor(pile[len(pile)-1], replies) {
				beyond.Drop(l.Place)
			}
		}
		if beyond.Empty() && d.stands(h, replies) {
			return true
		}
	}
	return false
}

// elsewhere tells whether one of the lifts may be what the same piece captures in another move than the one that nobody saw to land.
func (d *Decoder) elsewhere(h *hypothesis, lifts []Lift) bool {
	return d.others(h, func(o *hypothesis) bool {
		return slices.ContainsFunc(lifts, func(l Lift) bool { return o.places.Has(l.Place) && !h.places.Has(l.Place) })
	})
}

// strays tells whether a piece that nobody saw to land may have gone where something else was seen to come or go, or where a hand was that may
// have exchanged pieces behind it, and adds those moves to the choice.
func (d *Decoder) strays(best ranked) bool {
	before := len(d.live)
	for i := range d.list.hyps {
		on := &d.list.hyps[i]
		if on == best.h || on.base != best.h.base || on.ask || on.move == rules.NoMove || on.move.From() != best.h.move.From() || on.move.To() == best.h.move.To() {
			continue
		}
		if !on.places.Less(best.h.places).Both(d.seen.turned).Empty() || d.differ.Less(on.places).Empty() && (d.behindHand(on) || d.slipped(on)) || d.lies(on) || d.unwitnessed(on) {
			d.live = append(d.live, ranked{on, best.nats})
		}
	}
	return len(d.live) > before
}

// swallowed tells whether the piece of a move may have gone to a bank of reeds that is gone, and what landed be the reply of a piece from there: nothing would show
// either, and it takes longer than most moves. It adds those moves to the choice.
func (d *Decoder) swallowed(best ranked) bool {
	lost, from, to := d.blame.lost[sensing.Reeds], best.h.move.From(), best.h.move.To()
	if lost.Empty() || best.h.base > 0 || best.h.move == rules.NoMove || d.landing(wood.Place(to)).Sub(d.landing(wood.Place(from))).Abs() < handing {
		return false
	}
	before := len(d.live)
	for i := range d.list.hyps {
		on := &d.list.hyps[i]
		if on.base > 0 || on.ask || on.move == rules.NoMove || on.move.From() != from || on.move.To() == to || !d.veiled(on) {
			continue
		}
		q := d.base
		q.Play(on.move)
		d.next.woods = q.AppendWoods(d.next.woods[:0])
		if slices.ContainsFunc(d.next.woods, func(w rules.Wood) bool {
			p := wood.Place(w.Move.From())
			return w.Move.To() == to && (lost.Has(p) && !d.seen.analog(&d.g, p) || lost.Has(p+64))
		}) {
			d.live = append(d.live, ranked{on, best.nats})
		}
	}
	return len(d.live) > before
}

// landing is when something last came to a square, or left it, as far as reeds or the sensor beside them tell.
func (d *Decoder) landing(p wood.Place) time.Time {
	at := d.seen.jumpedAt[p]
	for _, q := range [2]wood.Place{p, p + 64} {
		if d.seen.turned.Has(q) && d.seen.changed[q].After(at) {
			at = d.seen.changed[q]
		}
	}
	return at
}

// slipped tells whether pieces may have been exchanged as the hypothesis has it while nobody looked at the reeds, since its piece left.
func (d *Decoder) slipped(h *hypothesis) bool {
	from := wood.Place(h.move.From())
	if !d.left(from) || d.seen.lapsed.Before(d.seen.changed[from]) {
		return false
	}
	for i := range h.changes {
		if old, want := d.now[h.changes[i].place], h.changes[i].want.pile; old != "" && want != "" && old[0] != want[0] {
			return true
		}
	}
	return false
}

// unwitnessed tells whether the hypothesis has a piece come to an empty square that has lost the sensor beside its reed, and whose reed has never been seen to
// close: if it is dead, nothing shows it.
func (d *Decoder) unwitnessed(h *hypothesis) bool {
	if !d.g.Weights && !d.g.Heights {
		return false // then no square has more, and each would have to be asked about
	}
	return slices.ContainsFunc(h.changes, func(c change) bool {
		return c.place < 64 && d.now[c.place] == "" && c.want.pile != "" && !d.seen.analog(&d.g, c.place) && d.seen.changed[c.place].IsZero()
	})
}

// lies tells whether a height says that a piece lies where the hypothesis has one come, though the reed there stays open.
func (d *Decoder) lies(h *hypothesis) bool {
	for i := range h.changes {
		c := &h.changes[i]
		if stands, known := d.measured(c.place, 0); known && stands && d.now[c.place] == "" && c.want.pile != "" && d.seen.reed(c.place) && !d.seen.closed.Has(c.place) {
			return true
		}
	}
	return false
}

// inPassing tells whether a move may be the way of a pawn that is captured en passant: it stood where it can be, and was carried to
// where its captor will come.
func (d *Decoder) inPassing(h *hypothesis) bool {
	from := &d.base
	if h.base == 1 && d.past != nil {
		from = d.past
	}
	for i := range d.list.hyps {
		on := &d.list.hyps[i]
		to := on.move.To()
		if on.base != h.base || on.move.From() != h.move.From() || to == h.move.To() || on.move == rules.NoMove || !d.seen.stirred.Has(wood.Place(to)) && !d.seen.stirred.Has(wood.Place(to)+64) {
			continue
		}
		q := *from
		q.Play(on.move)
		d.next.woods = q.AppendWoods(d.next.woods[:0])
		for j := range d.next.woods {
			if m := d.next.woods[j].Move; m.IsEnPassant() && m.To() == h.move.To() {
				return true
			}
		}
	}
	return false
}

// later tells whether a place was last touched after all that a hypothesis moves had come to rest: what was lifted before that
// may be a captured piece whose captor is only passing.
func (d *Decoder) later(p wood.Place, h *hypothesis) bool {
	at := d.seen.changed[p]
	if p < 64 && d.seen.reed(p) && d.seen.closed.Has(p) {
		at = d.seen.jumpedAt[p]
	}
	for q := range h.places.Places() {
		if d.seen.reed(q) && d.seen.changed[q].After(at) {
			return false
		}
	}
	return true
}

// stands tells whether the wood of a hypothesis stood, and still does but for what the other side has lifted from it since.
func (d *Decoder) stands(h *hypothesis, replies rules.Color) bool {
	if _, ok := d.nats(h); ok {
		return true
	}
	taken := false
	for i := range h.changes {
		c := &h.changes[i]
		pile := c.want.pile
		switch {
		case !d.judge(c.place, &c.want).against:
			if d.impossible(h, c) {
				return false
			}
		case pile == "" || !isColor(pile[len(pile)-1], replies) || !d.seen.reed(c.place) || d.seen.closed.Has(c.place):
			return false
		default:
			taken = true
		}
	}
	return taken
}

// isColor tells whether a letter is a piece of the color.
func isColor(letter byte, c rules.Color) bool {
	return letter != wood.Pedestal && (letter >= 'a') == (c == rules.Black)
}
