// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"strings"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// rest is how long the wood must rest before the hypothesis is taken.
func (d *Decoder) rest(h *hypothesis) time.Duration {
	rest := d.t.Bounce
	switch {
	case d.hurry && !h.ask:
	case d.unseen(h), h.passed, d.doubtful(h), d.lowered(h), h.begins && d.removes(h), d.unreturned(h), h.base > 1 && h.move == rules.NoMove && d.steps(h), h.ends != "" && !h.gathers():
		rest = d.t.Unseen
	case d.dim(h), d.removes(h) && d.again(h), d.hung(h, d.exchangeable()):
		rest = lingers
	case d.removes(h):
		rest = 2 * d.t.Slide
	case h.base > 0 || h.ends != "":
		rest = d.t.Back
	case h.ask:
		rest = d.t.Ask
	case h.goesOn:
		rest = d.t.Slide
	}
	if noisy := (h.places[0]&d.seen.noisy[0])|(h.places[1]&d.seen.noisy[1]) != 0; noisy {
		rest = max(rest, calms+d.t.Bounce)
	}
	return rest
}

// rested is how long the wood of the hypothesis has rested: since a reed last changed or, where no reed tells of it, since the
// load or the height of one of its places did. A height does not bounce.
func (d *Decoder) rested(h *hypothesis, rest time.Duration, at time.Time) time.Duration {
	rested := d.quiet
	for i := range h.changes {
		c := &h.changes[i]
		flips := (c.want.pile == "") != (d.now[c.place] == "") && d.seen.reed(c.place)
		if !flips && c.place < 64 && d.seen.shifted.Has(c.place) && (d.g.Weights || rest > d.t.Bounce) {
			rested = min(rested, at.Sub(d.seen.jumpedAt[c.place]))
		}
		if d.dimly(c) {
			rested = min(rested, d.landedFor(h, c, at))
		}
	}
	return rested
}

// steps tells whether a hypothesis only has one piece go from one place to another.
func (d *Decoder) steps(h *hypothesis) bool {
	if len(h.changes) != 2 {
		return false
	}
	a, b := &h.changes[0], &h.changes[1]
	return a.want.pile == "" && b.want.pile == d.now[a.place] || b.want.pile == "" && a.want.pile == d.now[b.place]
}

// restedOn is how long some places have rested: since any reed last changed, or the load or the height of one of them did.
func (d *Decoder) restedOn(where wood.Set, at time.Time) time.Duration {
	rested := d.quiet
	for p := range where.Both(d.seen.shifted).Places() {
		rested = min(rested, at.Sub(d.seen.jumpedAt[p%64]))
	}
	return rested
}

// landedFor is for how long a height has shown what is to have landed; nothing when it did so before that was lifted.
func (d *Decoder) landedFor(h *hypothesis, c *change, at time.Time) time.Duration {
	since := d.seen.height[c.place].since
	for i := range h.changes {
		if from := h.changes[i].place; h.changes[i].want.pile == "" && d.left(from) && since.Before(d.seen.changed[from]) && d.quiet < d.t.Unseen {
			return 0
		}
	}
	return at.Sub(since)
}

// lingers is how long a hand that is about to move on stays over a place.
const lingers = 900 * time.Millisecond

// dim tells whether pieces of the hypothesis come to stand where only a height tells of it, one too noisy to know a pile from a hand.
func (d *Decoder) dim(h *hypothesis) bool {
	for i := range h.changes {
		if d.dimly(&h.changes[i]) {
			return true
		}
	}
	return false
}

func (d *Decoder) dimly(c *change) bool {
	old, want := d.now[c.place], c.want.pile
	return c.place < 64 && d.g.Heights && old != "" && len(want) > len(old) && c.want.height > lowestHand && d.g.eye(c.place.Square()).count > 1
}

// deferred tells whether the game wants moves to wait for the clock or the opponent's touch.
func (d *Decoder) deferred(h *hypothesis) bool {
	waits := d.t.Commit == ByClock || d.t.Commit == ByTouch && d.reply
	return waits && h.base == 0 && h.move != rules.NoMove && h.ends == "" && !h.ask && !d.hurry
}

// settled tells whether everything that must be known before the hypothesis is taken is known: no place outside it is
// unsettled where it may go on, or which a hand has covered that contradicted it before, and none inside it that only a load cell or a height can tell. What a hand disturbs
// elsewhere is another matter.
func (d *Decoder) settled(h *hypothesis) bool {
	if outside := d.unsure.Less(h.places); !outside.Empty() && (!outside.Both(d.strange).Empty() || h.move == rules.NoMove || h.base > 0 || d.removes(h) || d.leads(h, outside)) {
		return false
	}
	if d.hidden(h) || d.unseen(h) && !d.unsure.Empty() {
		return false // a hand is about, and what nobody saw to land may be in it
	}
	for i := range h.changes {
		c := &h.changes[i]
		reedTells := (c.want.pile == "") != (d.now[c.place] == "") && d.seen.reed(c.place) && d.atOnce(h, c) && (c.want.pile == "" || !d.hides())
		if d.remains(c.place) || d.faint(c) {
			return false
		}
		if !reedTells && d.judge(c.place, &c.want).pending && (d.g.Weights || d.tells(c.place, d.now[c.place], c.want.pile)) {
			return false
		}
	}
	return true
}

// remains tells whether the height over a place that is to have been left says that it was not: it is as it was, and no hand was seen there
// when the reed opened. That may be the reed of another square.
func (d *Decoder) remains(p wood.Place) bool {
	if p >= 64 || !d.g.Heights || d.seen.mute[sensing.Heights].Has(p) || !d.left(p) {
		return false
	}
	m, opened := &d.seen.height[p], d.seen.changed[p]
	if d.seen.shifted.Has(p) && d.seen.jumpedAt[p].After(opened.Add(-reaching)) {
		return false
	}
	mean, ok := m.steady()
	return ok && m.heard.After(opened) && math.Abs(mean-d.want[p].height) <= outlier*m.spread(d.g.eye(p.Square()), 0)
}

// faint tells whether a piece is to have come to where only an analog sensor can tell, and that does not make it much likelier yet than that nothing has.
func (d *Decoder) faint(c *change) bool {
	if c.want.pile == "" || d.now[c.place] != "" || d.seen.reed(c.place) || !d.seen.analog(&d.g, c.place) {
		return false
	}
	return d.judge(c.place, &c.want).nats-d.judge(c.place, &d.want[c.place]).nats < sure
}

// lingered is how long before a landing a hand over another place is not on its way there: it takes that long to put a piece down, and to lift and put down the next.
const lingered = 200 * time.Millisecond

// hidden tells whether a hand hung over another goal of what was moved well before something landed where the hypothesis has it, and hides what it left
// there: the piece may lie there, and what has landed be the reply.
func (d *Decoder) hidden(h *hypothesis) bool { return d.hung(h, d.unsure) }

// exchangeable is the places of a bank of reeds that is gone: one piece may have taken the place of another there, and be as high.
func (d *Decoder) exchangeable() wood.Set { return d.blame.lost[sensing.Reeds].Both(d.filled) }

// hung tells whether a hand hung over another goal of what was moved, one of some places, well before something landed where the hypothesis has it.
func (d *Decoder) hung(h *hypothesis, where wood.Set) bool {
	if !d.g.Heights || h.base > 0 || h.move == rules.NoMove || where.Empty() {
		return false
	}
	landed := d.seen.changed[h.move.To()]
	for i := range d.list.hyps {
		o := &d.list.hyps[i]
		p := wood.Place(o.move.To())
		if o.base > 0 || o.move == rules.NoMove || o.move.From() != h.move.From() || !where.Has(p) || h.places.Has(p) || !d.seen.shifted.Has(p) {
			continue
		}
		if at := d.seen.shiftedAt[p]; at.After(d.seen.changed[h.move.From()]) && at.Add(lingered).Before(landed) {
			return true
		}
	}
	return false
}

// hides tells whether a piece may have come to one place unseen and others have left another one, as nothing counts what stands there:
// then a move and its reply may look like one move, but for how many pieces have landed.
func (d *Decoder) hides() bool {
	uncounted := d.tall[0]
	if d.g.Weights {
		uncounted &= d.blame.lost[sensing.Weights][0] | d.seen.mute[sensing.Weights][0]
	}
	if d.g.Heights {
		uncounted &= d.blame.lost[sensing.Heights][0] | d.seen.mute[sensing.Heights][0]
	}
	return uncounted.Count() > 1 && (d.g.Weights || d.g.Heights)
}

// atOnce tells whether all that stands on a place came there together, or is gone: then its lowest piece tells of all, unless more may have
// left where it came from since. Where the load fell before the reed opened, two hands may have lifted parts; and whoever counts by heights sees
// no more of that than a hand.
func (d *Decoder) atOnce(h *hypothesis, c *change) bool {
	if len(c.want.pile) <= 1 {
		return true
	}
	if d.g.Heights && d.tells(c.place, c.want.pile[:1], c.want.pile) {
		return false
	}
	for i := range h.changes {
		from := &h.changes[i]
		if d.now[from.place] == from.want.pile+c.want.pile {
			p := from.place % 64
			inParts := d.seen.shifted.Has(p) && d.left(from.place) && d.seen.shiftedAt[p].Before(d.seen.changed[from.place])
			return !inParts && (from.want.pile == "" || !d.seen.jumpedAt[p].After(d.seen.changed[c.place]))
		}
	}
	return false
}

// leads tells whether the hypothesis is part of another one that has to do with some of the places.
func (d *Decoder) leads(h *hypothesis, where wood.Set) bool {
	for i := range d.list.hyps {
		on := &d.list.hyps[i]
		if on.base == h.base && h.places.Less(on.places).Empty() && !on.places.Both(where).Empty() {
			return true
		}
	}
	return false
}

// undecided tells whether a place that is still settling could tell the leaders apart.
func (d *Decoder) undecided(best ranked) bool {
	for _, r := range d.live {
		if best.nats-r.nats >= sure {
			continue
		}
		for i := range r.h.changes {
			if c := &r.h.changes[i]; d.judge(c.place, &c.want).pending {
				return true
			}
		}
	}
	return false
}

// unseen tells whether the hypothesis has pieces arrive where nothing that can be trusted shows it: they may as well be
// in a hand still.
func (d *Decoder) unseen(h *hypothesis) bool {
	for i := range h.changes {
		if c := &h.changes[i]; d.unnoticed(c.place, d.now[c.place], c.want.pile) {
			return true
		}
	}
	return false
}

// veiled tells whether the hypothesis has pieces arrive on a bank of reeds that is gone: there are so many places on it that none is known.
func (d *Decoder) veiled(h *hypothesis) bool {
	for i := range h.changes {
		if c := &h.changes[i]; d.blame.lost[sensing.Reeds].Has(c.place) && d.unnoticed(c.place, d.now[c.place], c.want.pile) {
			return true
		}
	}
	return false
}

// unnoticed tells whether pieces that come to a pile would not be noticed by anything that can be trusted.
func (d *Decoder) unnoticed(p wood.Place, old, want wood.Pile) bool {
	if want == "" || len(want) <= len(old) && old[:len(want)] == want {
		return false // nothing arrives
	}
	lowest := old == "" || old[0] != want[0]
	noisy := old == "" && d.seen.noisy.Has(p) && d.seen.calm.Has(p) // toggles since the path began: a magnet is there
	counted := d.seen.analog(&d.g, p) && (old == "" || !lowest || d.g.Weights || d.tells(p, old, want))
	return !counted && !noisy && !(lowest && d.seen.reed(p))
}

// fickle is how many changes of a reed at once are more than an exchange of pieces needs, one that bounces included.
const fickle = 4.5

// doubtful tells whether more or less was seen on the way than a move needs, so that it may not be done yet: pieces exchanged
// so quickly that their place may only have been knocked against, or pieces taken away, or a move corrected, while others were
// lifted too.
func (d *Decoder) doubtful(h *hypothesis) bool {
	if d.foreseen(h) {
		return true
	}
	removes := d.removes(h)
	if (removes || h.base > 0 && h.move != rules.NoMove) && !d.filled.Both(d.seen.lifted).Less(h.places).Empty() {
		return true
	}
	for i := range h.changes {
		c := &h.changes[i]
		old, want := d.now[c.place], c.want.pile
		if old == "" || want == "" || !d.seen.reed(c.place) {
			continue
		}
		lifted := d.seen.lifted.Has(c.place)
		if old[0] != want[0] && d.seen.level[c.place] > fickle && !d.emptied(c.place) {
			return true // the piece there may only stand badly
		}
		if removes && lifted && old[0] == want[0] || !lifted && old[0] != want[0] && d.seen.blinked.Has(c.place) && !d.emptied(c.place) {
			return true
		}
	}
	return false
}

// emptied tells whether the load cell of a place saw everything leave.
func (d *Decoder) emptied(p wood.Place) bool {
	return p < 64 && d.g.Weights && d.seen.emptied.Has(p)
}

// exchanged tells whether everything was seen to leave a place before what stands there now came.
func (d *Decoder) exchanged(c *change) bool {
	old, want := d.now[c.place], c.want.pile
	return old != "" && want != "" && d.seen.lifted.Has(c.place) && (d.emptied(c.place) || !d.g.Weights && old[0] != want[0])
}

// removes tells whether a move only takes pieces away, as far as the sensors can tell: they may be in a hand that takes them elsewhere.
func (d *Decoder) removes(h *hypothesis) bool {
	for i := range h.changes {
		c := &h.changes[i]
		old, want := d.now[c.place], c.want.pile
		if len(want) >= len(old) || d.exchanged(c) || d.g.Weights && !part(string(want), string(old)) && d.tells(c.place, old[:len(want)], want) && d.tells(c.place, old[len(old)-len(want):], want) {
			return false
		}
	}
	return h.move != rules.NoMove
}

// again tells whether a move takes away what moved last: it may be in the hand that moved it, and go elsewhere.
func (d *Decoder) again(h *hypothesis) bool {
	if d.past == nil || d.list.made == rules.NoMove {
		return false
	}
	for i := range h.changes {
		if c := &h.changes[i]; c.place%64 == wood.Place(d.list.made.To()) && d.now[c.place] != d.then[c.place] && len(c.want.pile) < len(d.now[c.place]) {
			return true
		}
	}
	return false
}

// foreseen tells whether what a pawn becomes stood on the last rank before the pawn was lifted: the piece there may have been adjusted,
// and the pawn be on its way elsewhere.
func (d *Decoder) foreseen(h *hypothesis) bool {
	if h.move.Promotion() == rules.NoKind {
		return false
	}
	for deck := range wood.Place(2) {
		from, to := wood.Place(h.move.From())+64*deck, wood.Place(h.move.To())+64*deck
		if d.left(from) && d.now[to] != "" && d.seen.reed(to) && d.seen.lifted.Has(to) && d.seen.changed[to].Before(d.seen.changed[from]) {
			return true
		}
	}
	return false
}

// lowered tells whether a correction has other pieces on a place from which some were lifted since the move was accepted, and to which
// none was seen to come back: if they are only in a hand, the move was right.
func (d *Decoder) lowered(h *hypothesis) bool {
	if h.base != 1 || h.move == rules.NoMove {
		return false
	}
	for i := range h.changes {
		if c := &h.changes[i]; !strings.HasPrefix(string(d.now[c.place]), string(c.want.pile)) && d.seen.dipped.Has(c.place) && !d.seen.lifted.Has(c.place) && d.seen.reed(c.place) {
			return true
		}
	}
	return d.taken(h)
}

// taken tells whether pieces have left a place since the last move was accepted, though none has come to any other: what a correction
// wants elsewhere stood there before, so that what has left is in a hand.
func (d *Decoder) taken(h *hypothesis) bool {
	leaves := false
	for i := range h.changes {
		c := &h.changes[i]
		if touched := d.seen.turned.Has(c.place) || d.seen.shifted.Has(c.place); !strings.HasPrefix(string(d.now[c.place]), string(c.want.pile)) && touched {
			return false
		} else if touched {
			leaves = true
		}
	}
	return leaves
}
