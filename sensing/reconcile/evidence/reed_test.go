// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"math"
	"testing"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// watched is the record of a board whose sensors a test sets. It has been read for a second, and nothing stood there.
type watched struct {
	Record
	closed   rules.Bitboard
	mg, um   [64]int32
	deaf     rules.Bitboard // squares whose cell and height sensor do not answer
	interval time.Duration
}

func watch(g wood.Geometry) *watched {
	w := &watched{Record: New(NewGeometry(&g)), interval: time.Millisecond}
	w.rest(time.Second)
	return w
}

// rest reads all sensors for so long.
func (w *watched) rest(d time.Duration) {
	for end := w.Now + Tick(d); w.Now < end; {
		at := time.Unix(1000, 0).Add(time.Duration(w.Now) + w.interval)
		if w.Origin.IsZero() {
			at = time.Unix(1000, 0)
		}
		for _, r := range []sensing.Reading{
			{At: at, Kind: sensing.Reeds, Known: ^rules.Bitboard(0), Closed: w.closed},
			{At: at, Kind: sensing.Weights, Known: ^w.deaf, Value: w.mg},
			{At: at, Kind: sensing.Heights, Known: ^w.deaf, Value: w.um},
		} {
			w.Observe(&r)
		}
		if w.Origin.Equal(at) {
			w.Now++
		}
	}
	w.Stamp++
}

// ofReeds is a board that has nothing else.
func ofReeds() wood.Geometry {
	g := wood.Reference()
	g.Weights = false
	return g
}

// odds compares likelihoods: a factor of 1.35 is all that a test allows.
func odds(t *testing.T, what string, nats, want float64) {
	t.Helper()
	if math.Abs(nats-math.Log(want)) > 0.3 {
		t.Errorf("%s: odds of %.3g, want %.3g", what, math.Exp(nats), want)
	}
}

// TestContactBounces: a contact that bounces for 4 ms is one event. A reed that opens for 8 ms has opened.
func TestContactBounces(t *testing.T) {
	for _, c := range []struct {
		open time.Duration
		want int
	}{{4 * time.Millisecond, 1}, {8 * time.Millisecond, 3}} {
		w := watch(ofReeds())
		before := w.Now
		w.closed = 1
		w.rest(30 * time.Millisecond)
		closed := w.Reeds[0].Last()
		w.closed = 0
		w.rest(c.open)
		w.closed = 1
		w.rest(30 * time.Millisecond)
		if got := w.Reeds[0].After(before); got != c.want {
			t.Errorf("open for %v: %d flips, want %d", c.open, got, c.want)
		}
		if anew := w.Flipped > closed; anew != (c.want > 1) {
			t.Errorf("open for %v: something has happened since it closed: %v, want %v", c.open, anew, c.want > 1)
		}
	}
}

// TestReedThatHasJustFlipped: a magnet crosses a line within 10 to 30 ms. So a reed that has just flipped shows in one
// case of three what will not last. Once it has settled that is rare, and rarer still if it has flipped in this ply.
// It works then.
func TestReedThatHasJustFlipped(t *testing.T) {
	w := watch(ofReeds())
	w.closed = 1
	w.rest(time.Millisecond)
	odds(t, "just flipped", w.ReedFit(0, false), 0.3*math.Exp(-0.5/5))
	w.rest(10 * time.Millisecond)
	odds(t, "10 ms later", w.ReedFit(0, false), 0.3*math.Exp(-10.5/5))
	w.rest(time.Second)
	works := w.ReedFit(0, false)
	w.Epoch = w.Now
	w.rest(time.Millisecond)
	odds(t, "a dead spot that came in this ply, of all", works-w.ReedFit(0, false), 0.1)
	odds(t, "a dead spot", w.ReedFit(0, false), 1.0/1700)
}

// TestMagnetAtTheEdge: a magnet that stands badly toggles its reed ten times a second, and tells nothing then. Hands
// that exchange pieces there for some seconds toggle it less often.
func TestMagnetAtTheEdge(t *testing.T) {
	for _, c := range []struct {
		every   time.Duration
		changes int
		want    bool
	}{
		{100 * time.Millisecond, 20, true},
		{100 * time.Millisecond, 13, false}, // put down and lifted within a second, and adjusted
		{200 * time.Millisecond, 40, false}, // hands, for 8 s
	} {
		w := watch(ofReeds())
		w.interval = 10 * time.Millisecond
		for range c.changes {
			w.closed ^= 1
			w.rest(c.every)
		}
		if got := w.Reeds[0].Chattering(w.Now); got != c.want {
			t.Errorf("%d changes, one each %v: chatters %v, want %v", c.changes, c.every, got, c.want)
		}
		if got := math.Exp(w.ReedFit(0, true)); c.want && math.Abs(got-0.5) > 0.1 {
			t.Errorf("what chatters contradicts a piece by %.2f, want as much as a coin", got)
		}
	}
}

// TestQuietCell: a cell that says nothing for half a second is still there, and one that is silent for a second is
// gone. A computer that reads nothing meanwhile says nothing of either.
func TestQuietCell(t *testing.T) {
	g := wood.Reference()
	g.Weights = true
	w := watch(g)
	w.interval = 10 * time.Millisecond
	w.deaf = 1
	for rest, want := range map[time.Duration]bool{500 * time.Millisecond: true, time.Second: false} {
		was := *w
		w.rest(rest)
		if got := w.HeardCell(0); got != want {
			t.Errorf("silent for %v: heard %v, want %v", rest, got, want)
		}
		*w = was
	}
}

// TestTrust: a sensor that was wrong twice in a row is doubted. After some dozens of moves on which it was right it is
// trusted nearly as before.
func TestTrust(t *testing.T) {
	tr := Trust{Err: Prior[sensing.Weights]}
	tr.Confirm(true, Prior[sensing.Weights])
	odds(t, "wrong once", math.Log(tr.Err), 1.0/5)
	tr.Confirm(true, Prior[sensing.Weights])
	if tr.Err < world.DistrustAbove {
		t.Errorf("a cell that was wrong twice in a row is wrong with %.2f, and still heard", tr.Err)
	}
	for range 30 {
		tr.Confirm(false, Prior[sensing.Weights])
	}
	odds(t, "right for thirty moves since", math.Log(tr.Err), 0.023)
}
