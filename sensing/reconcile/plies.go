// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// change is how the game goes on from one call of Expect to the next.
type change int

const (
	anew      change = iota // in any other way
	goesOn                  // by a move
	corrected               // by another move in place of the last one
	takenBack               // without the last move
	unmade                  // likewise, because that move was never made: its ply goes on
	stands                  // not at all
)

// changes tells how the game goes on from the current bases to new ones.
func (d *Decoder) changes(bases []Base) change {
	switch {
	case len(d.bases) > 0 && bases[0].Position == d.base && !d.followed:
		return stands
	case len(bases) > 1 && bases[1].Position == d.base:
		return goesOn
	case len(d.bases) < 2:
	case bases[0].Position == d.bases[1].Position && d.unmaking:
		return unmade
	case bases[0].Position == d.bases[1].Position:
		return takenBack
	case len(bases) > 1 && bases[1].Position == d.bases[1].Position && bases[0].Position != d.base && bases[1].Moves:
		return corrected
	}
	return anew
}

// begin begins a ply. Events up to the last one on the places that the previous ply changed belong to that ply.
func (d *Decoder) begin(old *wood.Wood, change change) {
	changed := old.Diff(&d.now)
	d.changed = changed
	latest := evidence.Never
	paired := d.replied != 0
	d.landed = [wood.Places]evidence.Tick{}
	for p := range changed.Places() {
		c, n := &d.seen.Reeds[p], minFlips(old[p], d.now[p])
		if n > 0 && c.After(d.seen.Epoch) >= n {
			d.landed[p] = c.Nth(d.seen.Epoch, n)
		}
	}
	for q := range d.seen.Cells {
		from, moved := d.seen.Now, changed.Has(wood.Place(q))
		settled := d.replied
		if moved {
			from += evidence.Tick(world.SettleTime)
		}
		if at := d.landed[q]; at != 0 {
			settled = min(settled, at+evidence.Tick(world.SettleTime))
		}
		for _, l := range [2]*evidence.Level{&d.seen.Cells[q], &d.seen.Eyes[q]} {
			switch {
			case !paired:
				l.ResetExtremes(from, change == corrected)
			case moved:
				l.BackdateExtremes(settled)
			}
		}
	}
	if paired {
		latest, changed, d.replied = d.replied, wood.Set{}, 0
	}
	for k := range changed {
		for q := range changed[k].Squares() {
			p := wood.Place(k*64) + wood.Place(q)
			at := d.seen.Reeds[p].DoneAt(d.seen.Epoch, minFlips(old[p], d.now[p])) // what came after belongs to this ply
			if at == evidence.Never {
				at = d.changedAt(p)
			}
			latest = max(latest, at)
		}
	}
	if latest == evidence.Never {
		latest = d.seen.Now
	}
	switch change {
	case corrected:
		d.past[0].idle = d.idle
	case takenBack:
		d.popPly()
	default:
		for k := len(d.past) - 1; k > 0; k-- {
			d.past[k].epoch, d.past[k].idle, d.past[k].joined = d.past[k-1].epoch, d.past[k-1].idle, d.past[k-1].joined
		}
		d.past[0].epoch, d.past[0].idle, d.past[0].joined = d.seen.Epoch, d.idle, d.joined
	}
	d.joined, d.idle = paired, wood.Set{}
	d.accepted, d.contradictedSince = d.seen.Now, evidence.Never
	d.seen.Epoch = max(d.seen.Epoch, latest, d.lookback())
	d.findTurned()
}

// resume goes on with the ply before, whose move was never made. All that happened since it began belongs to it.
func (d *Decoder) resume(old *wood.Wood) {
	d.changed = old.Diff(&d.now)
	d.landed = [wood.Places]evidence.Tick{}
	d.seen.Epoch = max(d.past[0].epoch, d.lookback())
	d.joined = d.past[0].joined
	d.popPly()
	for q := range d.seen.Cells {
		d.seen.Cells[q].ResumeExtremes()
		d.seen.Eyes[q].ResumeExtremes()
	}
	d.accepted, d.contradictedSince = d.seen.Now, evidence.Never
	d.findTurned()
}

// popPly drops the ply of the last move, which was taken back or never made.
func (d *Decoder) popPly() {
	for k := range len(d.past) - 1 {
		d.past[k].epoch, d.past[k].idle, d.past[k].joined = d.past[k+1].epoch, d.past[k+1].idle, d.past[k+1].joined
	}
}

// forgetUnplayed forgets what belongs to the last explanation if the game goes on otherwise. So it does if people
// begin another game, or if a move made in a pause never counts.
func (d *Decoder) forgetUnplayed(p *rules.Position) {
	if d.proposed != *p {
		d.taken, d.idle, d.replied, d.unmaking = wood.Set{}, wood.Set{}, 0, false
	}
}

// findTurned finds the places whose reed has flipped in this ply.
func (d *Decoder) findTurned() {
	d.turned = wood.Set{}
	for p := range wood.Place(wood.Places) {
		if d.seen.Reeds[p].Last() > d.seen.Epoch {
			d.turned.Add(p)
		}
	}
}

// wasBrushed reports whether the last move was never made: its piece only brushed the square where it was to have
// landed. A hand needs longer than that square was occupied to let a piece go and grip it again. Now it shows nothing.
// Where the piece has landed instead, no sensor tells; or it is still in the hand.
func (d *Decoder) wasBrushed(best *hypotheses.Hypothesis, rest time.Duration) bool {
	e, made := &d.seen, d.list.Made
	if rest < world.SettledAfter || d.goal.strict || made == rules.NoMove || !d.bases[1].Moves {
		return false
	}
	gain, landing := 0.0, wood.Set{}
	for _, p := range hypotheses.Landing(made) {
		before := d.past[0].wood[p]
		c := &e.Reeds[p]
		if d.now[p] == "" || before == d.now[p] || !e.Known.Has(p) || e.Closed.Has(p) ||
			c.After(d.past[0].epoch) < 2 || c.LongestOpen(d.past[0].epoch, true) >= world.HandReaches {
			continue // it was not occupied for so short a time, as far as was seen
		}
		nothing := d.g.Target("") // also where something was captured: it was lifted first
		landing.Add(p)
		gain += e.LogLikelihood(p, &nothing, false) - d.gameFit(p)
	}
	return !d.against.Empty() && d.against.Minus(landing).Empty() && gain+world.PriorCorrect+d.late > 0 &&
		(best == nil || best.Base > 0 || best.Score < gain+world.PriorCorrect+d.late)
}

// lookback is the earliest that a ply can have begun. That is so long before the wood began to contradict the game, or
// else before the last event. While nothing happens, nothing is forgotten.
func (d *Decoder) lookback() evidence.Tick {
	at := max(d.seen.Flipped, d.seen.Stepped)
	if d.contradictedSince != evidence.Never {
		at = min(at, d.contradictedSince)
	}
	return max(at, evidence.Never+evidence.Tick(world.PlyLookback)) - evidence.Tick(world.PlyLookback)
}

// ply is one of the last moves that were taken. Another move may have been made in its place.
type ply struct {
	wood   wood.Wood     // before the move; that of the game if there is no such base
	epoch  evidence.Tick // when the ply began
	idle   wood.Set      // places that were touched in this ply, as it seems, though its move does not touch them
	joined bool          // the move before was taken together with it, and the ply began between the events of both
}

// replacedMove is a move that was replaced or taken back, but may have been right. The supposed correction may have
// been a part of the reply, as when a pawn captured in passing is put where its captor will come.
type replacedMove struct {
	move      rules.Move // NoMove for none
	base      int        // the base from which the move starts
	corrected bool       // another move was taken in its place
	cost      float64    // nats that replacing it cost, and that the pauses of the hands since then paid
	onward    bool       // its piece only went on along its line: that is one move of few, not of all
}

// replaces reports whether a hypothesis is another move in place of the last one or two.
func (d *Decoder) replaces(h *hypotheses.Hypothesis) bool {
	return h.Base == 1 || h.Base > 1 && h.Base <= hypotheses.MaxReplaced && h.Move != rules.NoMove
}

// takesOff reports whether a hypothesis leaves fewer pieces on the board than there were.
func (d *Decoder) takesOff(h *hypotheses.Hypothesis, before *wood.Wood) bool {
	n := 0
	for p := range wood.Place(wood.Places) {
		n += len(before[p]) - len(d.list.PileOn(h, p))
	}
	return n > 0
}

// undonePlace is a place that the second of two moves changes back, Nowhere for none.
func (d *Decoder) undonePlace(first wood.Set, mid, after *wood.Wood) wood.Place {
	for p := range first.Places() {
		if mid[p] != d.now[p] && after[p] == d.now[p] {
			return p
		}
	}
	return wood.Nowhere
}

// plyStart is when the ply began that was played this many plies ago.
func (d *Decoder) plyStart(plies int) evidence.Tick {
	if plies > 0 {
		return d.past[plies-1].epoch
	}
	return d.seen.Epoch
}

// wholePileLifted reports whether, since this many plies ago, the whole pile of a place was lifted and something put
// there.
func (d *Decoder) wholePileLifted(p wood.Place, plies int) bool {
	c := &d.seen.Reeds[p]
	return d.seen.Known.Has(p) && d.seen.Closed.Has(p) && c.After(d.plyStart(plies)) > 1 && !c.Chattering(d.seen.Now)
}

// shared lists the places that both of two moves change, and how often their reeds have to flip at least.
func (d *Decoder) shared(first wood.Set, mid, after *wood.Wood) (list [hypotheses.MaxShared]hypotheses.Flips) {
	n := 0
	for p := range first.Places() {
		if mid[p] == after[p] || n == len(list) {
			continue
		}
		list[n] = hypotheses.Flips{Place: p, Least: uint8(minFlips(d.now[p], mid[p]) + minFlips(mid[p], after[p]))}
		n++
	}
	return list
}

// flipsMissing reports whether a reed has flipped less often than two moves need. Openings too short for an exchange
// do not count. The piece of the reply may have gone straight from where it stood, and not by way of where the first
// move brings it.
func (d *Decoder) flipsMissing(h *hypotheses.Hypothesis) bool {
	from := hypotheses.Departing(h.Reply)
	for _, s := range h.Shared {
		if s.Least > 0 && s.Place != from[0] && s.Place != from[1] && d.seen.Known.Has(s.Place) &&
			d.seen.Reeds[s.Place].Exchanges(d.seen.Epoch, d.seen.Closed.Has(s.Place)) < int(s.Least) {
			return true
		}
	}
	return false
}

// question is what people were last asked.
type question struct {
	choices  []rules.Position // after each of the moves, which all fit the wood about as well as the best of them
	places   wood.Set         // where sensors may contradict them
	answered bool             // people have said which it was; the game goes on so
}

// asked notes the moves of a question. If it is what a pawn becomes, the wood is not yet what people will say.
func (q *question) asked(from rules.Position, choices []Choice, unfinished bool) {
	q.choices, q.answered = q.choices[:0], false
	for _, c := range choices {
		if unfinished {
			return
		}
		p := from
		p.Play(c.Move)
		q.choices = append(q.choices, p)
	}
}

// Answered says that people have said which of the moves was made that the last question named. It comes before the
// Expect with that move. Sensors that contradict it are wrong then, as if it had been taken from what they show.
func (d *Decoder) Answered() { d.question.answered = true }

// overruleAnswered notes the sensors that contradict what people have said, if the game now stands so.
func (d *Decoder) overruleAnswered() {
	q := &d.question
	if q.answered && slices.Contains(q.choices, d.base) {
		d.taken = q.places
		d.noteOverruled()
	}
	q.choices, q.answered = q.choices[:0], false
}

// Destinations finds the places to which the moves that begin with a lift lead.
func (d *Decoder) Destinations(l Lift) (r Destinations) {
	for i := range d.list.Hyps[:d.list.Singles] {
		h := &d.list.Hyps[i]
		if h.Base != 0 || h.Ask || h.Move == rules.NoMove {
			continue
		}
		r.Begun = r.Begun || d.takesUp(h, l)
		if wood.Place(h.Move.From())%64 == l.Place%64 && d.begins(h, l) {
			d.addDestination(&r, h)
		}
	}
	return r
}

// takesUp reports whether hands that make a move lift these pieces, with others or alone.
func (d *Decoder) takesUp(h *hypotheses.Hypothesis, l Lift) bool {
	stays, after := d.now[l.Place][:l.Keep+1], d.list.PileOn(h, l.Place)
	return len(after) <= l.Keep || after[:l.Keep+1] != stays
}

// begins reports whether a move leaves what still stands of a lifted pile, or lets the piece below come up there. Or
// the piece takes off or lands there.
func (d *Decoder) begins(h *hypotheses.Hypothesis, l Lift) bool {
	after := d.list.PileOn(h, l.Place)
	return h.Move.From() == h.Move.To() && after != d.now[l.Place] || after == d.now[l.Place][:l.Keep] ||
		l.Keep == 0 && l.Place >= 64 && after == d.now[l.Place-64] && d.list.PileOn(h, l.Place-64) == ""
}

func (d *Decoder) addDestination(r *Destinations, h *hypotheses.Hypothesis) {
	for _, i := range h.Changes {
		w := &d.list.Changes[i]
		old := d.now[w.Place]
		if w.Pile == "" || w.Place%64 != wood.Place(h.Move.To()) || wood.ColorOf(w.Pile[len(w.Pile)-1]) != h.Mover {
			continue // what it captured may go to the other deck
		}
		grows := len(w.Pile) > len(old) || old != "" && w.Pile != old
		switch {
		case h.Move.IsCastling() || h.Move.Promotion() != rules.NoKind:
			r.Special.Add(w.Place)
		case h.Move.IsCapture() && grows:
			r.Capture.Add(w.Place)
		case old != "" && grows && h.Move.From() != h.Move.To():
			r.Stack.Add(w.Place)
		case grows || h.Move.From() == h.Move.To():
			r.Quiet.Add(w.Place)
		}
	}
}
