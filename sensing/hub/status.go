// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"sync"
	"time"

	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/hub/protocol"
)

// The oldest firmware that this driver accepts without a warning.
const (
	wantMajor = 1
	wantMinor = 1 // reads each rank when none of its converters ends a conversion
)

// status is what is known about the link, safe for all goroutines.
type status struct {
	mu    sync.Mutex
	path  string
	cells uint64 // that the board has

	up     bool     // good frames are coming
	why    say.Said // not
	who    *protocol.Hello
	bad    uint64 // frames with a wrong CRC and the like, in sessions before this one
	badNow uint64 // in this one
	other  uint64 // packets of another version or of a wrong length
	twice  uint64 // frames repeated
	gaps   uint64 // frames that never came
	losses uint64 // times the line was lost

	absent, full, slow uint64 // cells and frames
	interval, worst    time.Duration
}

func (s *status) locked(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

func (s *status) opened() {
	s.locked(func() { s.up, s.why, s.who = false, say.That("line is open, nothing has come yet"), nil })
}

func (s *status) lost(err error) {
	s.locked(func() {
		if s.up {
			s.losses++
		}
		s.bad, s.badNow = s.bad+s.badNow, 0
		s.up, s.who, s.why = false, nil, say.That("line is gone: unplugged?")
		if err != nil {
			s.why = say.That("line is gone: %v; it is opened again when it is back", err)
		}
	})
}

func (s *status) counted(d *protocol.Decoder) { s.locked(func() { s.badNow = d.Bad }) }
func (s *status) repeated()                   { s.locked(func() { s.twice++ }) }

func (s *status) malformed(err error) {
	s.locked(func() { s.other++; s.why = say.That("%v", err) })
}

func (s *status) stranger(version uint8) {
	s.locked(func() {
		s.other++
		s.up, s.why = false, say.That("hub speaks protocol %d, this program speaks %d: flash the firmware "+
			"of this release", version, protocol.Version)
	})
}

func (s *status) hello(h protocol.Hello, err error) {
	if err != nil {
		s.malformed(err)
		return
	}
	s.locked(func() { s.who = &h })
}

// satisfied reports whether the hub has said hello, and reads at the wanted rate or cannot.
func (s *status) satisfied(rate uint8) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.who != nil && (s.who.Rate == rate || s.who.Rates&rateBit(rate) == 0)
}

func rateBit(rate uint8) uint8 {
	if rate > 10 {
		return 2
	}
	return 1
}

// frame notes a good frame. gap is the number of missing frames before it, unless it is the first.
func (s *status) frame(w *protocol.Weights, notFirst bool, gap uint16, since time.Duration) {
	s.locked(func() {
		s.up, s.why = true, say.Said{}
		s.absent, s.full = w.Absent&s.cells, saturated(w)&s.cells
		if w.Flags&protocol.FlagSlow != 0 {
			s.slow++
		}
		if !notFirst {
			return
		}
		if gap < 1<<15 { // otherwise the hub was restarted
			s.gaps += uint64(gap)
		}
		s.interval = since
		s.worst = max(s.worst, since)
	})
}

// silent notes why no frame comes, from the bytes since the last good one.
func (s *status) silent(bytes uint64, before bool, since time.Duration) {
	s.locked(func() {
		s.up = false
		switch {
		case s.other > 0 && s.why.English != "": // that reason is more precise
		case bytes > 0:
			s.why = say.That("%d bytes came in %v, but no frame: wrong baud rate (want %d), or %s is not the hub", bytes,
				since.Round(rounding), protocol.Baud, s.path)
		case before:
			s.why = say.That("nothing has come for %v: the hub has stopped", since.Round(rounding))
		default:
			s.why = say.That("nothing has come since the line was opened: is the hub powered, and is %s the hub?", s.path)
		}
	})
}

// parts is the link's part in health, and one for each kind of trouble with cells.
func (s *status) parts() []sensing.Part {
	s.mu.Lock()
	defer s.mu.Unlock()
	link := sensing.Called(say.That("hub %s", s.path))
	link.OK, link.Sweep, link.Worst = s.up, s.interval, s.worst
	link.Errors = s.bad + s.badNow + s.other + s.twice + s.gaps + s.losses + s.slow
	s.tell(&link)
	list := []sensing.Part{link}
	if s.up && s.absent != 0 {
		p := sensing.Called(say.That("cells absent"))
		p.Tell(say.That("%s: converter does not answer; look at its plug", s.squares(s.absent)))
		list = append(list, p)
	}
	if s.up && s.full != 0 {
		p := sensing.Called(say.That("cells saturated"))
		p.Tell(say.That("%s: overloaded, or the load cell's wires are off", s.squares(s.full)))
		list = append(list, p)
	}
	return list
}

// tell says what is wrong with the link.
func (s *status) tell(p *sensing.Part) {
	if s.why.English != "" {
		p.Tell(s.why)
	}
	if h := s.who; h != nil && (h.Major < wantMajor || h.Major == wantMajor && h.Minor < wantMinor) {
		p.Tell(say.That("firmware %d.%d is older than %d.%d: flash it anew", h.Major, h.Minor, wantMajor, wantMinor))
	}
	if h := s.who; h != nil && h.Cells != protocol.Cells {
		p.Tell(say.That("hub has %d cells, want %d", h.Cells, protocol.Cells))
	}
	if h := s.who; h != nil && h.Rate == 10 && h.Rates&rateBit(80) == 0 {
		p.Tell(say.That("its converters make 10 readings a second: move the jumper RATE of the hub's shield to 80"))
	}
	if h := s.who; h != nil && h.Cause&(protocol.CauseWatchdog|protocol.CauseBrownOut) != 0 {
		p.Tell(say.That("hub was restarted by its watchdog or by a brown-out"))
	}
	for _, c := range []struct {
		n    uint64
		what say.Word
	}{{s.bad + s.badNow, say.Word("garbled")}, {s.other, say.Word("not understood")}, {s.twice, say.Word("repeated")},
		{s.gaps, say.Word("missing")}, {s.slow, say.Word("late")}} {
		if c.n > 0 {
			p.Tell(say.That("%d frames %s", c.n, c.what))
		}
	}
	if s.losses > 0 {
		p.Tell(say.That("line lost %d times", s.losses))
	}
}
