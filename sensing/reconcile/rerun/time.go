// SPDX-License-Identifier: Apache-2.0

package rerun

import (
	"cmp"
	"slices"
	"time"

	"boardd/sensing"
	"boardd/sensing/trace"
)

// inTime sorts entries by their times. A busy machine took in some readings late; here they come in time. But none
// passes a move or a takeback that was said elsewhere, because the board took that between the readings around it.
func inTime(entries []trace.Entry) {
	begin := 0
	for i := range entries {
		if e := &entries[i]; !e.Here && (e.Move != "" || e.Back > 0) {
			byTime(entries[begin:i])
			begin = i + 1
		}
	}
	byTime(entries[begin:])
}

func byTime(entries []trace.Entry) {
	slices.SortStableFunc(entries, func(a, b trace.Entry) int { return cmp.Compare(a.At, b.At) })
}

// How often the last readings are given again: a bank goes on sweeping while nothing changes.
const (
	reedSweep   = 2 * time.Millisecond
	analogSweep = 12500 * time.Microsecond
	heightRound = 31800 * time.Microsecond
	// how much later than the board the replay may be, because small changes are not recorded
	grace = 700 * time.Millisecond
	tail  = 1500 * time.Millisecond // after so long without a change nothing more can follow
)

// until repeats the last readings as long as that can change anything. With more it stops when another move is found,
// so that the next line of the record comes at its own time.
func (p *player) until(end time.Time, more bool) {
	quiet := p.now.Add(tail)
	for p.now.Add(reedSweep).Before(end) && p.now.Before(quiet) {
		p.now = p.now.Add(reedSweep)
		analog := !p.now.Before(p.analog)
		if analog {
			p.analog = p.now.Add(analogSweep)
		}
		for i := range p.held {
			h := &p.held[i]
			if !h.At.IsZero() && p.unread[i] == 0 && (h.Kind == sensing.Reeds || analog) {
				h.At = p.now
				p.markFreshHeights(h)
				p.ref.Decoder.Observe(h)
			}
		}
		p.ref.Look(p.now)
		if more && p.caughtUp() {
			return
		}
	}
	if !end.After(p.now) {
		return
	}
	p.now = end
	for i := range p.held {
		if h := &p.held[i]; !h.At.IsZero() && p.unread[i] == 0 && h.Kind == sensing.Reeds {
			h.At = p.now // the bank has gone on sweeping
			p.ref.Decoder.Observe(h)
		}
	}
}

// withUnread puts the times in which a bank was not read to where they begin, and an entry for 0 s to where they end.
// Their lines are written when the bank is read again.
func withUnread(entries []trace.Entry) []trace.Entry {
	var read, ends []trace.Entry
	for _, e := range entries {
		switch {
		case e.Unread == nil:
			read = append(read, e)
		case e.Unread.For > 0:
			end := *e.Unread
			end.For = 0
			ends = append(ends, e, trace.Entry{At: e.At + e.Unread.For, Unread: &end})
		}
	}
	inTime(read)
	byTime(ends)
	all := make([]trace.Entry, 0, len(read)+len(ends))
	for _, e := range read {
		for len(ends) > 0 && ends[0].At <= e.At {
			all, ends = append(all, ends[0]), ends[1:]
		}
		all = append(all, e)
	}
	return append(all, ends...)
}

// notRead takes in that a bank is not read from now on, or is read again.
func (p *player) notRead(u *trace.Unread) {
	bank := trace.Bank(&sensing.Reading{Kind: u.Kind, Deck: u.Deck})
	if u.For == 0 {
		p.unread[bank]--
		return
	}
	p.unread[bank]++
	p.say("from here on nobody read the %v of the %v deck for %v", u.Kind, u.Deck, u.For)
}

// feed notes which heights a reading measured.
func (p *player) feed(r *sensing.Reading) {
	if r.Kind == sensing.Heights {
		for q := range (r.Known &^ r.Stale).Squares() {
			p.fed[q] = r.At
		}
	}
}

// markStaleHeights notes that the heights where reeds have changed were measured before that. A changed one is in the
// record.
func (p *player) markStaleHeights(old, r *sensing.Reading) {
	if r.Kind == sensing.Reeds && r.Deck == sensing.Lower {
		for q := range (old.Closed ^ r.Closed).Squares() {
			p.fed[q] = r.At
		}
	}
}

// markFreshHeights marks which heights have been measured again by now.
func (p *player) markFreshHeights(h *sensing.Reading) {
	if h.Kind != sensing.Heights {
		return
	}
	h.Stale = 0
	for q := range h.Known.Squares() {
		if p.now.Sub(p.fed[q]) < heightRound {
			h.Stale |= q.Bit()
		}
	}
	p.feed(h)
}
