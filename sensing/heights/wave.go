// SPDX-License-Identifier: Apache-2.0

package heights

import (
	"context"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/vl6180x"

	"periph.io/x/conn/v3/physic"
)

// color is one half of the squares, of which no two are neighbours.
type color int

const (
	dark color = iota
	light
	none
)

// wave goes over the ranks. It fetches one color and starts the other after it.
type wave struct {
	b       *Bank
	ctx     context.Context
	out     chan<- sensing.Reading // nil: nobody wants to know
	revived bool                   // a sensor was set up in this pass; one is enough, as it takes 5 ms
	err     error
}

// pass goes over the board once.
func (w *wave) pass(fetch, start color) {
	w.revived = false
	wait := w.b.patience(fetch)
	for rank := range 9 {
		changed := false
		if rank < 8 && fetch != none {
			for sq := range squares(fetch, rank) {
				changed = w.fetch(sq, wait) || changed
			}
		}
		w.until(time.Now())
		if w.err != nil {
			return
		}
		if rank > 0 && start != none {
			changed = w.start(start, rank-1) || changed
		}
		if changed && w.out != nil {
			w.b.keen = time.Now().Add(w.b.o.Linger)
			w.send()
		}
	}
}

// squares returns the squares of a color on a rank, from the a file.
func squares(c color, rank int) func(yield func(rules.Square) bool) {
	return func(yield func(rules.Square) bool) {
		for file := (rank + int(c)) % 2; file < 8; file += 2 {
			if !yield(rules.SquareAt(file, rank)) {
				return
			}
		}
	}
}

// fetch takes the result of a started sensor. It waits for it at most for a time after its start. It reports whether
// the height has changed.
func (w *wave) fetch(sq rules.Square, wait time.Duration) bool {
	e := &w.b.eyes[sq]
	if !e.started || w.b.focus.On().Has(sq) || w.err != nil {
		return false
	}
	due := e.at.Add(e.takes)
	waited := time.Until(due) > 0
	for first := true; ; first = false {
		if w.until(due); w.err != nil {
			return false
		}
		took := time.Since(e.at)
		if w.poll(sq) {
			e.ended(waited && first, first)
			return w.b.changed(sq)
		}
		e.busy(took)
		if took >= wait {
			e.behind = true
			return false
		}
		due = time.Now().Add(pollInterval)
	}
}

// poll asks a started sensor, and reports whether it has ended. A result that waited on a busy machine is sent with
// the time of its measurement.
func (w *wave) poll(sq rules.Square) bool {
	b := w.b
	ended := b.take(sq)
	if e := &b.eyes[sq]; ended && w.out != nil && b.fresh.Has(sq) && time.Since(e.at) > 2*b.o.Limit {
		if b.changed(sq) {
			b.keen = time.Now().Add(b.o.Linger)
		}
		w.tell(e.at.Add(e.takes), sq.Bit())
	}
	return ended
}

// take takes in the result of a started sensor, and reports whether it has ended.
func (b *Bank) take(sq rules.Square) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := &b.eyes[sq]
	d, done, ok := e.result(time.Now(), b.o.Limit)
	if !done {
		return false
	}
	old := b.next.Value[sq]
	e.started = false
	b.next.Known &^= sq.Bit()
	b.next.Value[sq] = 0
	if ok {
		b.next.Known |= sq.Bit()
		b.next.Value[sq] = int32((b.o.Above - d) / physic.MicroMetre)
		b.fresh |= sq.Bit()
	}
	b.focus.Seen(sq, old, b.next.Value[sq])
	return true
}

// start starts the sensors of a color on a rank, those of one multiplexer by one transfer. It does not start a sensor
// that is still busy with its last measurement, or that sits out because it was. Nor does it start one next to a busy
// one. It reports whether a height has changed, of a sensor that was left behind and has ended now.
func (w *wave) start(c color, rank int) (changed bool) {
	var masks [8]byte
	for sq := range squares(c, rank) {
		if (w.b.focus.On() | w.b.focus.Aside()).Has(sq) {
			continue
		}
		e := &w.b.eyes[sq]
		if e.started && w.poll(sq) {
			changed = w.b.changed(sq) || changed
		}
		if w.ready(sq) {
			masks[e.mux] |= 1 << e.channel
		}
	}
	for m, mask := range masks {
		if mask != 0 {
			w.b.launch(c, rank, m, mask)
		}
	}
	return changed
}

// ready reports whether a sensor may be started.
func (w *wave) ready(sq rules.Square) bool {
	b := w.b
	b.mu.Lock()
	defer b.mu.Unlock()
	e := &b.eyes[sq]
	if e.started {
		return false
	}
	if e.behind {
		e.behind = false
		return false
	}
	for n := range beside[sq].Squares() {
		if e := &b.eyes[n]; e.started || e.lost && time.Since(e.at) < b.o.Limit { // a lost sensor may still shine
			return false
		}
	}
	if e.lost {
		b.next.Known &^= sq.Bit()
		b.next.Value[sq] = 0
		if w.revived || time.Now().Before(e.retry) {
			return false
		}
		w.revived = true
		return e.revive(time.Now())
	}
	return true
}

// launch starts the sensors on some channels of a multiplexer. If that fails it starts each by itself, so that the
// fault is noted for the right square.
func (b *Bank) launch(c color, rank, mux int, mask byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := vl6180x.Start(b.mux.Channels(mux, mask))
	now := time.Now()
	for sq := range squares(c, rank) {
		e := &b.eyes[sq]
		if e.mux != mux || mask>>e.channel&1 == 0 {
			continue
		}
		if err == nil {
			e.started, e.at = true, now
		} else {
			e.start(now)
		}
	}
}

// mostSlow is the largest number of sensors of a color that may take longer than patience and still be left behind.
const mostSlow = 4

// patience is how long to wait for sensors of a color.
func (b *Bank) patience(c color) time.Duration {
	slow := 0
	for sq := range rules.Square(64) {
		if (sq.File()+sq.Rank())%2 == int(c) && b.eyes[sq].slow {
			slow++
		}
	}
	if slow > mostSlow || !time.Now().Before(b.keen) {
		return b.o.Limit
	}
	return patience
}

// changed reports whether a height differs from that in the last reading.
func (b *Bank) changed(sq rules.Square) bool {
	if (b.next.Known ^ b.said.Known).Has(sq) {
		return true
	}
	d := physic.Distance(b.next.Value[sq]-b.said.Value[sq]) * physic.MicroMetre
	return d > b.o.Step || d < -b.o.Step
}

// send sends what was measured until now.
func (w *wave) send() { w.tell(time.Now(), w.b.fresh) }

// tell sends the squares of fresh, measured at a time. On a busy machine this may be earlier than the last reading, so
// readings are dated in the order in which they are sent.
func (w *wave) tell(at time.Time, fresh rules.Bitboard) {
	if w.err != nil {
		return
	}
	b := w.b
	r := b.next
	r.At = at
	if at.Before(b.said.At) {
		r.At = b.said.At
	}
	r.Stale = r.Known & (b.said.Known | b.fresh) &^ fresh
	b.said, b.fresh = r, b.fresh&^fresh
	select {
	case w.out <- r:
	case <-w.ctx.Done():
		w.err = w.ctx.Err()
	}
}
