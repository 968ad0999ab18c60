// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// sure is how much likelier than its runner-up, in nats, an explanation must be to be taken without asking: one
// wrong reed (7.6 nats) on either side must not be enough to change the choice, a stirred place less than that.
const sure = 7.0

// settled is how soon to look again while a sensor settles.
const settled = 20 * time.Millisecond

// weigh decides between the live hypotheses.
func (d *Decoder) weigh(at time.Time) Explanation {
	best, second := d.leaders()
	if best.h.base == 1 && best.h.move != rules.NoMove && d.waits != nil && d.waits.base == 0 && !d.differ.Less(d.waits.places).Empty() && d.touched(d.lifts()) {
		return d.made(d.waits, d.ahead) // it stood clear: the touch is likelier a reply than a part of another move in place of the last one
	}
	waited := d.waits
	d.waits = nil
	if best.h.base > 1 && best.h.move == rules.NoMove {
		d.next.undone = true
		e, ok := d.next.find(d, at, nil)
		d.next.undone = false
		if ok {
			return e // a move and its reply are likelier than several moves taken back
		}
	}
	best, second = d.reconsider(best, second)
	margin := best.nats - second
	if margin < sure {
		wait := d.t.Ask
		if d.unseen(best.h) || !best.h.ask && !d.rivals(best) {
			wait = d.t.Unseen // what is there to choose?
		}
		if d.undecided(best) || d.rested(best.h, wait, at) < wait {
			return d.moving(wait)
		}
		if e := d.ask(best); len(e.Choices) > 0 || best.h.move != rules.NoMove || best.h.ends != "" {
			return e
		}
		return Explanation{State: TakenBack, Base: best.h.base}
	}
	if d.uncounted() && best.h.ends == "" && best.h.move != rules.NoMove {
		if d.quiet < d.t.Ask {
			return d.moving(d.t.Ask)
		}
		return d.ask(best)
	}
	if d.inParts(best.h) && !d.hurry {
		if d.still < d.t.Ask {
			return d.moving(d.t.Ask)
		}
		if e, ok := d.next.find(d, at, best.h); ok {
			return e
		}
	}
	rest := d.rest(best.h)
	if rested := d.rested(best.h, rest, at); rested < rest || !d.settled(best.h) || d.overtopped(best.h) || d.deferred(best.h) {
		if best.h.base <= 1 && best.h.move != rules.NoMove && !best.h.ask && !best.h.passed && (best.h == waited || d.settled(best.h)) {
			d.waits, d.ahead = best.h, margin
		}
		e := d.moving(rest)
		if again := at.Add(rest - rested); rested < rest && again.After(e.Again) {
			e.Again = again
		}
		if best.h.ends != "" && !best.h.gathers() && rested >= d.t.Wrong {
			e.State = Wrong // more likely a king put down where it may not go
		}
		return e
	}
	if best.h.base == 1 && best.h.move != rules.NoMove && !d.hurry {
		if e, ok := d.next.find(d, at, best.h); ok {
			return e
		}
	}
	if best.h.ask || d.veiled(best.h) || d.unseen(best.h) && d.strays(best) || d.swallowed(best) || best.h.base == 1 && best.h.move != rules.NoMove && d.secret() {
		return d.ask(best)
	}
	if d.belated(best.h) {
		d.next.doubted = d.base
		return d.ask(best)
	}
	if best.h.ends != "" {
		return Explanation{State: Ended, Result: best.h.ends}
	}
	if best.h.move == rules.NoMove {
		return Explanation{State: TakenBack, Base: best.h.base, Touch: d.touch()}
	}
	return d.made(best.h, margin)
}

// uncounted tells whether nothing counts pieces any more in a game that stacks them: a whole bank is gone. What reeds show is then
// never enough to be sure.
func (d *Decoder) uncounted() bool {
	if d.tall.Empty() || !d.g.Weights && !d.g.Heights {
		return false
	}
	all := ^rules.Bitboard(0)
	return (!d.g.Weights || silentMeters(&d.seen.mass) == all) && (!d.g.Heights || silentMeters(&d.seen.height) == all)
}

// secret tells whether a move may have been made that nothing shows: all its places are on a bank of reeds that is gone, or had their pieces lifted and
// others put there that no sensor tells from them. What looks like a correction may be the move after it.
func (d *Decoder) secret() bool {
	touched := d.handled.Union(d.seen.lifted)
	if touched.Empty() && d.blame.lost[sensing.Reeds].Empty() {
		return false
	}
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.base == 0 && h.move != rules.NoMove && !h.ask && !slices.ContainsFunc(h.changes, func(c change) bool { return !d.escapes(&c, touched) }) {
			return true
		}
	}
	return false
}

// escapes tells whether a change may have been made that nothing shows.
func (d *Decoder) escapes(c *change, touched wood.Set) bool {
	if reeds := d.blame.lost[sensing.Reeds].Union(d.seen.mute[sensing.Reeds]); reeds.Has(c.place) && !d.seen.analog(&d.g, c.place) {
		return true
	}
	old, want := d.now[c.place], c.want.pile
	return old != "" && want != "" && touched.Has(c.place) && !d.differ.Has(c.place) && !d.tells(c.place, old, want)
}

// reconsider prefers a correction to a move of now that explains the wood as well, if it is about as likely, or that move leaves the lowest piece of a place
// where it stands though it was seen to be lifted, or has nothing to do with pieces that were touched and which the correction exchanges: somebody must say.
func (d *Decoder) reconsider(best ranked, second float64) (ranked, float64) {
	if best.h.base > 0 || best.h.move == rules.NoMove {
		return best, second
	}
	relifted := slices.ContainsFunc(best.h.changes, d.relifted)
	for _, r := range d.live {
		if r.h.base == 1 && r.h.move != rules.NoMove && (relifted || best.nats-r.nats < sure || slices.ContainsFunc(r.h.changes, func(c change) bool { return !best.h.places.Has(c.place) && d.concealed(&c) })) {
			return r, best.nats
		}
	}
	return best, second
}

// concealed tells whether a change exchanges pieces that were touched for others that no sensor can tell from them.
func (d *Decoder) concealed(c *change) bool {
	old, want := d.now[c.place], c.want.pile
	return old != "" && want != "" && (d.seen.lifted.Has(c.place) || d.seen.dipped.Has(c.place)) && !d.tells(c.place, old, want)
}

// instead asks whether another move was made in place of the last one, where that leaves the same wood as far as the sensors of its places can tell: each of
// them was left and filled again since the wood was last known, two of them at a time or by way of a third place.
func (d *Decoder) instead() (Explanation, bool) {
	if d.past == nil || d.list.made == rules.NoMove || d.seen.lifted.Empty() {
		return Explanation{}, false
	}
	d.live = d.live[:0]
	for i := range d.list.hyps {
		if h := &d.list.hyps[i]; h.base == 1 && h.move != rules.NoMove && !h.ask && h.ends == "" && d.exchanges(h) {
			d.live = append(d.live, ranked{h, 0})
		}
	}
	if len(d.live) == 0 {
		return Explanation{}, false
	}
	d.next.doubted = d.base
	d.live = append(d.live, ranked{&d.next.stay, 0})
	return d.ask(d.live[0]), true
}

// exchanges tells whether all that a hypothesis changes is lowest pieces that were lifted, for others that no sensor tells from them, and they can have gone
// from the one place to the other.
func (d *Decoder) exchanges(h *hypothesis) bool {
	for i := range h.changes {
		c := &h.changes[i]
		if old, want := d.now[c.place], c.want.pile; !d.concealed(c) || old[0] == want[0] || !d.seen.lifted.Has(c.place) || !d.seen.reed(c.place) || d.judge(c.place, &c.want).against {
			return false
		}
	}
	for p := range d.seen.turned.Both(d.seen.reeds()).Places() {
		if d.now[p] == "" && !d.seen.closed.Has(p) && !h.places.Has(p) {
			return true // one of them may have stood there in between
		}
	}
	for p := range h.places.Places() {
		for q := range h.places.Places() {
			if p < q && d.seen.opened[p].Before(d.seen.changed[q]) && d.seen.opened[q].Before(d.seen.changed[p]) {
				return true
			}
		}
	}
	return false
}

// relifted tells whether the lowest piece of a place was lifted that a change leaves there.
func (d *Decoder) relifted(c change) bool {
	old, want := d.now[c.place], c.want.pile
	return old != "" && want != "" && old[0] == want[0] && d.seen.lifted.Has(c.place) && d.seen.landings[c.place] > 0
}

// overtopped tells whether a place where the hypothesis has nothing more come looks higher than it should, and a correction has: until the height has stood for
// a while it may be a hand.
func (d *Decoder) overtopped(h *hypothesis) bool {
	if h.base > 0 {
		return false
	}
	for _, r := range d.live {
		if r.h.base != 1 || r.h.move == rules.NoMove {
			continue
		}
		for i := range r.h.changes {
			if c := &r.h.changes[i]; d.unsure.Has(c.place) && len(c.want.pile) > len(h.wants(&d.now, c.place)) {
				return true
			}
		}
	}
	return false
}

// rivals tells whether another move is about as likely as the best.
func (d *Decoder) rivals(best ranked) bool {
	for _, r := range d.live {
		if r.h != best.h && r.h.base == best.h.base && r.h.move != rules.NoMove && best.nats-r.nats < sure {
			return true
		}
	}
	return false
}

// made is the explanation that a move was made.
func (d *Decoder) made(h *hypothesis, margin float64) Explanation {
	d.blame.vote(d, h)
	d.next.begun, d.next.proved, d.next.path = d.seen.begun(h), false, d.path(h.base)
	return Explanation{State: Moved, Base: h.base, Move: h.move, Margin: margin, Waited: d.waited()}
}

// waited is how long ago the last contact was.
func (d *Decoder) waited() time.Duration {
	if d.quiet == math.MaxInt64 {
		return 0 // since the zero time, which is as long ago as a duration can say
	}
	return d.quiet
}

func (d *Decoder) moving(rest time.Duration) Explanation {
	return Explanation{State: Moving, Touch: d.touch(), Lifts: d.leaving(d.lifts()), Again: d.seen.moved.Add(rest)}
}

// unexplained says whether the wood may be on its way to a legal move, or is wrong.
func (d *Decoder) unexplained(at time.Time) Explanation {
	lifts := d.lifts()
	if d.touched(lifts) {
		return d.made(d.waits, d.ahead)
	}
	if e, ok := d.next.find(d, at, nil); ok {
		return e
	}
	if e, ok := d.unpromoted(); ok {
		return e
	}
	if e, ok := d.covered(at); ok {
		return e
	}
	if e, ok := d.blame.explain(d, at); ok {
		return e
	}
	patience := d.t.Unseen
	if d.ponders() {
		patience = d.t.Blind
	}
	if len(lifts) == d.differ.Count() || d.restedOn(d.differ, at) < patience && d.onTheWay() || d.restedOn(d.differ, at) < d.t.Blind && d.forestalled(lifts) {
		return Explanation{State: Moving, Touch: d.touch(), Lifts: d.leaving(lifts), Again: d.blame.again(d, at)}
	}
	recent := wood.Set{}
	if d.g.Heights {
		recent = d.differ.Less(d.wrong[sensing.Reeds]) // a hand that has just gone was seen there; a load tells when it has settled
	}
	if rested := d.restedOn(recent, at); rested < d.t.Wrong {
		return Explanation{State: Moving, Touch: d.touch(), Lifts: d.leaving(lifts), Again: at.Add(d.t.Wrong - rested)}
	}
	return Explanation{State: Wrong, Touch: d.touch(), Lifts: d.leaving(lifts), Again: d.blame.again(d, at)}
}

// ponders tells whether more pieces are missing than have come elsewhere: somebody thinks with one in the hand.
func (d *Decoder) ponders() bool {
	missing := 0
	for p := range d.differ.Places() {
		missing += len(d.now[p]) - d.count(p)
	}
	return missing > 0
}

// onTheWay tells whether all places that differ belong to one hypothesis, so that a hand may be half way through it.
func (d *Decoder) onTheWay() bool {
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.ends == "" && (d.differ[0]&^h.places[0])|(d.differ[1]&^h.places[1]) == 0 {
			return true
		}
	}
	return false
}

// capturing tells whether all places that differ belong to one move of the game as it stands.
func (d *Decoder) capturing() bool {
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.base == 0 && h.move != rules.NoMove && d.differ.Less(h.places).Empty() {
			return true
		}
	}
	return false
}
