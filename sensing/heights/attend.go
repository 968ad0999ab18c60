// SPDX-License-Identifier: Apache-2.0

package heights

import (
	"time"

	"boardd/rules"
	"boardd/sensing/sweep"
)

// Await sets the squares for whose heights the game waits. They are measured twice as often as others, as [Focus]
// chooses, until the next call. Await itself never waits.
func (b *Bank) Await(squares rules.Bitboard) {
	if old := b.awaited.Swap(uint64(squares)); old == 0 && squares != 0 {
		b.NoteMotion()
	}
}

// refocus chooses what to look at, by Focus.Round when a round begins, and by Focus.Choose within one.
func (b *Bank) refocus(choose func(awaited, known rules.Bitboard, value *[64]int32, now time.Time)) {
	old := b.focus.On()
	choose(rules.Bitboard(b.awaited.Load()), b.next.Known, &b.next.Value, time.Now())
	for sq := range (b.focus.On() &^ old).Squares() {
		e := &b.eyes[sq]
		if e.ask = e.at; e.started {
			e.ask = e.at.Add(e.takes)
		}
	}
}

// until waits, and meanwhile attends to what is in focus.
func (w *wave) until(due time.Time) {
	for w.err == nil {
		sq, at := w.b.soonest()
		if sq == rules.NoSquare || at.After(due) {
			w.err = sweep.Until(w.ctx, due)
			return
		}
		if w.err = sweep.Until(w.ctx, at); w.err == nil {
			w.attend(sq)
		}
	}
}

// soonest is the square in focus that has to be attended to next, and when.
func (b *Bank) soonest() (first rules.Square, at time.Time) {
	first = rules.NoSquare
	for sq := range b.focus.On().Squares() {
		if e := &b.eyes[sq]; first == rules.NoSquare || e.ask.Before(at) {
			first, at = sq, e.ask
		}
	}
	return first, at
}

// attend fetches the result of a sensor in focus, and starts it again if it is still awaited.
func (w *wave) attend(sq rules.Square) {
	b := w.b
	e := &b.eyes[sq]
	if e.started {
		took := time.Since(e.at)
		if e.ask = time.Now().Add(pollInterval); !w.poll(sq) {
			e.busy(took)
			return
		}
		e.ended(true, true)
		if w.out != nil {
			w.send()
		}
		if b.focus.Settled(sq) {
			e.ask = time.Now().Add(awaitWindow)
			return
		}
	}
	if awaited := rules.Bitboard(b.awaited.Load()); !awaited.Has(sq) || b.focus.Done(awaited) {
		b.refocus(b.focus.Choose)
		return
	}
	e.ask = time.Now().Add(pollInterval)
	if w.err == nil && w.ready(sq) {
		b.mu.Lock()
		e.start(time.Now())
		b.mu.Unlock()
		e.ask = e.at.Add(e.takes)
	}
}
