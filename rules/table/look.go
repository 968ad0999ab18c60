// SPDX-License-Identifier: Apache-2.0

package table

import (
	"slices"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/reconcile/capability"
	"boardd/sensing/wood"
)

// turn is a reading as it would come from a board turned by 180 degrees.
func turn(r *sensing.Reading) sensing.Reading {
	t := sensing.Reading{At: r.At, Kind: r.Kind, Deck: r.Deck}
	for s := range rules.Square(64) {
		f := 63 - s
		if r.Known.Has(s) {
			t.Known |= f.Bit()
		}
		if r.Closed.Has(s) {
			t.Closed |= f.Bit()
		}
		if r.Stale.Has(s) {
			t.Stale |= f.Bit()
		}
		t.Value[f] = r.Value[s]
	}
	return t
}

// inOrder returns the later of a time and the newest time so far. So the wood is never looked at as it was in the
// past.
func (t *Table) inOrder(at time.Time) time.Time {
	if at.After(t.latest) {
		t.latest = at
	}
	return t.latest
}

// seen is the time up to which the wood has been seen. It may have moved since then, so rest is counted only up to
// this time.
func (t *Table) seen() time.Time {
	if t.latest.IsZero() {
		return t.now
	}
	return t.latest
}

// mostLooks is how often the wood is explained for one input, at most. A reply may follow on a move at once, and a
// question on the reply. What is still to be found then is found at the next input.
const mostLooks = 16

// look explains the wood and acts on the explanation, until acting changes nothing any more.
func (t *Table) look(at time.Time) {
	defer t.as(game.ByHand)()
	for range mostLooks {
		t.explain = t.decoder.Explain(t.inOrder(at))
		t.faults()
		if t.explain.State != reconcile.Moved {
			t.hold.move = rules.NoMove
		}
		if !t.act(at) {
			break
		}
		at = t.seen()
	}
	t.keepTime()
	if t.renew && t.wood.goal == "" && t.wood.state == Synced {
		t.renewed()
	}
}

// renewed makes a new decoder with the current settings. Between two moves this loses nothing that is needed: the new
// decoder sees the wood, and finds faults again.
func (t *Table) renewed() {
	t.renew = false
	t.decoder = t.o.Decode()
	t.expect()
}

// act acts on the explanation, and reports whether the wood has to be looked at again.
func (t *Table) act(at time.Time) (again bool) {
	t.wood.goes, t.wood.held, t.wood.becomes = nil, rules.NoMove, false
	if t.wood.goal != "" {
		return t.awaitWood()
	}
	if t.wood.state == Asking && !t.Stopped() {
		if open, again := t.listen(at); open {
			return again
		}
	}
	return t.judge()
}

// awaitWood waits until the wood shows what it has to show. That is a move made elsewhere, a position to set up, or
// the game as it was resumed. It reports whether the wood is to be explained again.
func (t *Table) awaitWood() (again bool) {
	if t.followNod() {
		return true
	}
	switch e := &t.explain; {
	case e.State == reconcile.Synced:
		t.wood.goal = ""
		t.wood.ply = t.game.Plies()
		t.keepStance()
		t.expect()
		t.setState(Synced)
	case e.State == reconcile.TakenBack && t.array > 0 && e.Base == t.array && t.game.Over() && !t.arrayUntouched():
		return t.rematch()
	case t.wood.goal == Wrong && e.State >= reconcile.Moved && e.State <= reconcile.Asking:
		t.wood.goal = "" // the wood is one legal move ahead, made while nobody looked
		return t.judge()
	case t.wood.goal == Executing && e.State == reconcile.Moved && e.Base == 0:
		t.wood.goal = "" // the wood followed, and shows the reply as well
		return t.judge()
	default:
		t.setState(t.wood.goal)
	}
	return false
}

// judge acts on an explanation in play, and reports whether the wood is to be explained again.
func (t *Table) judge() (again bool) {
	t.followKing()
	if t.followNod() {
		return true
	}
	switch e := &t.explain; e.State {
	case reconcile.Synced:
		if t.wood.left && t.game.Over() && t.game.Position() == t.game.Variant().Start() {
			return t.rematch() // a game that ended before its first move: the array was set up again
		}
		t.setState(Synced)
	case reconcile.Moving:
		t.wood.goes, t.wood.held = t.leftover(), e.Move
		t.setState(Moving)
	case reconcile.Wrong:
		if t.wood.goes = t.leftover(); t.wood.goes != nil {
			t.setState(Moving)
			return false
		}
		if t.wood.state != Wrong {
			t.tell(Event{Kind: Illegal, Touch: slices.Clone(e.Discrepancies), Text: t.whyWrong()})
		}
		t.setState(Wrong)
	case reconcile.Asking:
		// Sensors at fault contradict each other: nothing can be asked until something moves. In a pause nothing is asked.
		if len(e.Choices) == 0 || t.Stopped() {
			t.wood.held = promotion(e)
			t.wood.becomes = t.wood.held != rules.NoMove
			t.setState(Moving)
			return false
		}
		t.question()
	case reconcile.Moved:
		if t.heldBack(e) {
			if e.Base == 0 {
				t.wood.held = e.Move
			}
			t.setState(Moving)
			return false
		}
		return t.moved(e.Base, e.Move, recognised)
	case reconcile.TakenBack:
		return t.takenBack(e.Base)
	case reconcile.Unmade:
		return t.unmade()
	case reconcile.Ended:
		t.ended(e.Result)
	}
	return false
}

// whyWrong tells people what to do about wood that shows no legal move.
func (t *Table) whyWrong() say.Said {
	if p, r := t.game.Position(), t.rival(); r != "" && t.game.Plies() > 0 && !t.holds(p.Turn()) {
		return say.That("no legal move leads to what stands on the board: mend the lit squares. The last move has been "+
			"sent: to take it back, ask board %s (take back)", r)
	}
	return say.That("no legal move leads to what stands on the board: mend the lit squares")
}

// setState changes the state of the wood.
func (t *Table) setState(s State) {
	if s == Synced {
		t.requests.put, t.wood.announced = -1, ""
	}
	if t.wood.state == s {
		return
	}
	t.wood.state = s
	t.wood.left = t.wood.left || t.game.Over() && s != Synced
	if s != Asking {
		t.wood.choices, t.wood.answer = nil, rules.NoMove
	}
}

// faults tells everybody which sensors were found at fault, and which work again. There is one event for each kind of
// trouble, so that a cable that comes off is not told square by square.
func (t *Table) faults() {
	news := t.decoder.FaultChanges()
	if len(news) == 0 {
		return
	}
	var found, gone []reconcile.Fault
	for _, n := range news {
		if n.Gone {
			gone = append(gone, n.Fault)
		} else {
			found = append(found, n.Fault)
		}
	}
	for kind := reconcile.Dead; kind <= reconcile.Silent; kind++ {
		t.tellFaults(Fault, of(found, kind), say.That("; play goes on without it"))
		t.tellFaults(FaultCleared, of(gone, kind), say.That(": this is over"))
	}
}

// of returns the faults of one kind.
func of(all []reconcile.Fault, kind reconcile.FaultKind) (some []reconcile.Fault) {
	for _, f := range all {
		if f.Kind == kind {
			some = append(some, f)
		}
	}
	return some
}

func (t *Table) tellFaults(event Kind, faults []reconcile.Fault, end say.Said) {
	if len(faults) == 0 {
		return
	}
	e := Event{Kind: event, Part: faults[0].Name(), Text: say.List("; ", reconcile.Describe(faults)...).And("", end)}
	if len(faults) > 1 {
		e.Part = faults[0].Sensor.String()
	}
	for _, f := range faults {
		e.Places = append(e.Places, f.Place)
	}
	t.tell(e)
}

// ability tells people at the start of a game which of its moves this board cannot tell apart, so that it will ask.
func (t *Table) ability(v *rules.Variant) {
	a := capability.For(t.decoder.Geometry(), v, t.decoder.Faults())
	if lines := a.Sentences(); len(lines) > 0 {
		t.tell(Event{Kind: Ability, Text: say.Said{English: strings.Join(lines, "; ")}})
	}
}

// arrayAgain acts when the array is set up again. After the end of a game this begins the next one. In the middle of a
// game it may be meant or not. So a new game begins only when a king is lifted and put back.
func (t *Table) arrayAgain() (again bool) {
	if t.game.Over() || t.wood.kingLifted && !t.running() {
		return t.rematch()
	}
	if t.wood.kingLifted {
		t.wood.kingLifted = false
		if err := t.wantGame(t.another("")); err != nil {
			t.tell(Event{Kind: Offer, Text: say.That("a new game: %v", err)})
		}
		return false
	}
	switch {
	case t.requests.ours != nil && t.requests.ours.What == NewGame:
		t.setState(Moving) // the other board is asked
		return false
	case t.wood.kings == nil:
		array := t.laidArray()
		t.wood.kings = []wood.Place{kingPlace(&array, rules.White), kingPlace(&array, rules.Black)}
		t.tell(Event{Kind: Offer, Text: say.That("the array is set up in the middle of a game: for a new game lift a king " +
			"and put it back, else put the pieces back as the game has them")})
	}
	t.setState(Wrong)
	return false
}

// followKing follows the answer to the offer of a new game: a king of the array is lifted, and nothing else. Anything
// else that is moved ends the offer.
func (t *Table) followKing() {
	if t.wood.kings == nil {
		return
	}
	array := t.laidArray()
	for p, n := range t.counts() {
		switch {
		case (n > 0) == (array[p] != ""): // a hand may look like more pieces
		case n == 0 && slices.Contains(t.wood.kings, wood.Place(p)):
			t.wood.kingLifted = true
		default:
			t.wood.kings, t.wood.kingLifted = nil, false
			return
		}
	}
}

// arrayUntouched reports whether the array still stands from the beginning of the game, which ended before its moves
// were copied here. The array was then not set up again.
func (t *Table) arrayUntouched() bool {
	return t.wood.goal == Executing && t.game.PositionAt(min(t.wood.ply, t.game.Plies())) == t.game.Variant().Start()
}

// rematch begins another game between the same seats, because the array was set up again. It reports whether the wood
// has to be looked at again.
func (t *Table) rematch() (again bool) {
	if err := t.newGame(t.another(""), Setup); err != nil {
		t.do(Warn{"the next game cannot begin", []any{"error", err}})
		return false
	}
	return true
}

// noteWood keeps the position that the wood shows, because the game may be about to lose that ply.
func (t *Table) noteWood() {
	if t.wood.ply <= t.game.Plies() {
		t.wood.lies = t.game.PositionAt(t.wood.ply)
	}
}
