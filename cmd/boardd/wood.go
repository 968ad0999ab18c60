// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math/bits"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sync/wire"
)

// observe takes a reading in and looks at the wood. Banks that wait for a machine with much to do come late, and out of order: their
// readings count from when they were taken, and the wood is looked at as it is when they have come.
func (b *board) observe(r *sensing.Reading) {
	b.bench.take(r) // squares of the wood, also where the game lies the other way round
	if b.game.Flipped() {
		turned := turn(r)
		r = &turned
	}
	b.decoder.Observe(r)
	if t := b.record.trace; t != nil {
		t.Reading(r)
	}
	b.look(r.At)
}

// inOrder is a time, or the newest one so far if that is later: the wood is never looked at as it was.
func (b *board) inOrder(at time.Time) time.Time {
	if at.After(b.latest) {
		b.latest = at
	}
	return b.latest
}

// seen is up to when the wood has been seen. What nobody has looked at since then has not rested until now.
func (b *board) seen() time.Time {
	if b.latest.IsZero() {
		return time.Now()
	}
	return b.latest
}

// woken looks at the wood as nothing has come in for a while. On a busy machine readings may wait in spite of that, and they come first; but there is more to
// do than to read, if they keep coming.
func (b *board) woken() {
	for range cap(b.readings) {
		select {
		case r := <-b.readings:
			b.observe(&r)
		default:
			b.look(time.Now())
			return
		}
	}
}

// turn is a reading of a board that lies the other way round.
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

// look explains the wood and acts on what is found.
func (b *board) look(now time.Time) {
	asked := b.wood.state == wire.Asking
	b.explain = b.decoder.Explain(b.inOrder(now))
	b.await()
	b.faults()
	if b.explain.State != reconcile.Moved {
		b.hold.move = rules.NoMove
	}
	if b.wood.goal != "" {
		b.pursue()
	} else if !asked || !b.listen(now) {
		b.judge()
	}
	b.keepTime()
	b.show()
	if b.renew && b.wood.goal == "" && b.wood.state == wire.Synced {
		b.renewed()
	}
}

// renewed begins with a decoder that has the settings of now. Between two moves nothing is lost that it needs: what the wood is it sees, and
// faults it finds again.
func (b *board) renewed() {
	b.renew = false
	b.decoder = decode(b.rig, &b.conf)
	b.expect()
}

// await lets the height sensors know on which squares the game waits.
func (b *board) await() {
	if b.rig.Eyes == nil {
		return
	}
	squares := b.decoder.Awaited()
	if b.game.Flipped() {
		squares = rules.Bitboard(bits.Reverse64(uint64(squares)))
	}
	b.rig.Eyes.Await(squares)
}

// pursue waits until the wood shows what it has to: a move made elsewhere, a position to set up, the game resumed.
func (b *board) pursue() {
	switch e := &b.explain; {
	case e.State == reconcile.Synced:
		b.wood.goal = ""
		b.wood.ply = b.game.Plies()
		b.keepStance()
		b.expect()
		b.setState(wire.Synced)
	case e.State == reconcile.TakenBack && b.array > 0 && e.Base == b.array && b.game.Over() && !b.neverLeft():
		b.rematch()
	case b.wood.goal == wire.Wrong && e.State >= reconcile.Moved && e.State <= reconcile.Asking:
		b.wood.goal = "" // the wood shows one legal move more: it was made while nobody looked
		b.judge()
	default:
		b.setState(b.wood.goal)
	}
}

// judge acts on an explanation in play.
func (b *board) judge() {
	b.hearKing()
	switch e := &b.explain; e.State {
	case reconcile.Synced:
		if b.wood.left && b.game.Over() && b.game.Position() == b.game.Variant().Start() {
			b.rematch() // a game that ended before its first move: the array was put up again
			return
		}
		b.setState(wire.Synced)
	case reconcile.Moving:
		b.setState(wire.Moving)
	case reconcile.Wrong:
		if b.wood.state != wire.Wrong {
			b.tell(wire.Event{Kind: wire.EventIllegal, Squares: touches(e.Touch), Text: b.whyWrong()})
		}
		b.setState(wire.Wrong)
	case reconcile.Asking:
		b.question()
	case reconcile.Moved:
		if b.heldBack(e) {
			b.setState(wire.Moving)
			return
		}
		b.moved(e.Base, e.Move)
	case reconcile.TakenBack:
		b.takenBack(e.Base)
	case reconcile.Ended:
		b.ended(e.Result)
	}
}

// whyWrong says what people can do about wood that shows no move.
func (b *board) whyWrong() string {
	if b.stopped() && !b.game.Over() {
		return "the game is paused and takes no moves: let it go on (resume), or mend the lit squares"
	}
	if p, r := b.game.Position(), b.rival(); r != "" && b.game.Plies() > 0 && !b.holds(p.Turn()) {
		return "no legal move leads to what stands on the board: mend the lit squares. The last move has been sent: to take it back, ask board " + r + " (take back)"
	}
	return "no legal move leads to what stands on the board: mend the lit squares"
}

// setState changes the state of the wood.
func (b *board) setState(s string) {
	if b.wood.state == s {
		return
	}
	b.wood.state = s
	b.wood.left = b.wood.left || b.game.Over() && s != wire.Synced
	if s != wire.Asking {
		b.wood.choices, b.wood.answer = nil, rules.NoMove
	}
}

// moved makes a move that was recognised. A base above 0 is a correction: that many moves are taken back first.
func (b *board) moved(base int, m rules.Move) {
	p := b.past(base)
	name := p.Coord(m)
	waited, margin := b.explain.Waited, b.explain.Margin
	// What is published with the move says at once that the wood shows it.
	b.wood.ply, b.explain.Touch = b.game.Plies()-base+1, nil
	b.setState(wire.Synced)
	b.hold = hold{}
	b.keepTime()
	if base > 0 {
		b.correct(base)
	}
	b.handMade = true
	err := b.do(game.Action{Do: game.Move, Move: name})
	b.handMade = false
	if err != nil {
		b.log.Warn("a move that was recognised is refused", "move", name, "error", err)
		b.aim(wire.Wrong)
		return
	}
	b.tell(wire.Event{Kind: wire.EventMove, Move: name, SAN: last(b.game.SAN()), By: p.Turn().String(),
		Latency: float64(waited.Microseconds()) / 1000, Margin: margin})
	b.wood.ply = b.game.Plies()
	b.expect()
	b.look(b.seen())
}

// takenBack follows the wood back to an earlier position. The array is no takeback of all moves.
func (b *board) takenBack(base int) {
	if b.array > 0 && base == b.array {
		b.arrayAgain()
		return
	}
	b.wood.ply, b.explain.Touch = b.game.Plies()-base, nil // as moved does
	b.correct(base)
	b.tell(wire.Event{Kind: wire.EventTakeback})
	b.expect()
	b.look(b.seen())
}

// correct takes back what the wood takes back, where both sides sit at this board: moves just made, whatever the policy,
// are corrected by hand (BOARD 2), and expect offers no others unless the policy is free.
func (b *board) correct(plies int) {
	b.wood.settled = 0
	b.handMade = true
	b.commit([]game.Event{{Kind: game.TakenBack, At: time.Now(), Ply: b.game.Plies() - plies, Count: b.game.Takebacks() + 1}})
	b.handMade = false
}

// ended ends the game by kings in the centre. The wood is then free for the next game.
func (b *board) ended(result string) {
	if b.game.Over() {
		return
	}
	if err := b.do(game.Action{Do: game.Kings, Outcome: result}); err != nil {
		b.tell(wire.Event{Kind: wire.EventIllegal, Text: "kings in the centre: " + err.Error()})
		b.aim(wire.Wrong)
		return
	}
	b.expect()
}

// past is the position a number of plies ago.
func (b *board) past(plies int) rules.Position {
	return b.game.PositionAt(max(0, b.game.Plies()-plies))
}

// reach is how many moves can be taken back by moving the wood back.
const reach = 16

// expect tells the decoder what may happen now.
func (b *board) expect() { b.decoder.Expect(b.bases(true)) }

// bases lists what the wood may be explained from: the game as it stands and, in play, the moves of the side that sits
// here, another move instead of the one just made, and moves taken back; and the array put up again. After an agreement, a
// resignation or a flag that fell the pieces are moved for other reasons than to play on.
func (b *board) bases(play bool) []reconcile.Base {
	over, p, n := b.game.Over(), b.game.Position(), b.game.Plies()
	list := []reconcile.Base{{Position: p, Moves: play && !over && !b.stopped() && b.holds(p.Turn()), Reply: b.rival() == ""}}
	array := b.game.Variant().Start()
	again := over || n > 2 // fewer moves are simply taken back
	if play && b.rival() == "" && !b.game.Final() {
		policy := b.game.Setup().Options[game.OptionTakeback]
		for i := 1; i <= min(n, reach); i++ {
			if q := b.past(i); !again || q != array {
				list = append(list, reconcile.Base{Position: q, Moves: i == 1 && n > b.wood.settled, Back: policy == "" || policy == game.TakebackFree})
			}
		}
	}
	b.array = 0
	if again && (over || play) && p != array {
		b.array = len(list)
		list = append(list, reconcile.Base{Position: array, Back: true})
	}
	return list
}

// aim says that the wood has to be brought to the game as it stands, and why. After an interruption it may as well show
// a legal move more.
func (b *board) aim(goal string) {
	before := b.game.PositionAt(min(b.wood.ply, b.game.Plies()))
	b.wood.goal = goal
	b.keepStance()
	b.decoder.Follow(b.bases(goal == wire.Wrong), &before)
	b.look(b.seen())
}

func last(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[len(s)-1]
}
