// SPDX-License-Identifier: Apache-2.0

package crowd

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Caller is who asks for a turn.
type Caller struct {
	Known bool // comes before all who are not
	// Under what names it is served, as its host and its connection. The first counts most.
	By []string
}

// Turns serves callers one after the other: this many a second, or this many at once. While more ask, the next turn is
// that of whoever was not served lately, or else longest ago. Among those alike, whoever has come last is next. So
// somebody who asks once comes before those who ask without end. He need not wait until a whole crowd that came at
// once has been served.
type Turns struct {
	Rate   float64 // a second; 0: as many as there is room for
	AtOnce int     // without waiting: saved up by the Rate, or served at the same time

	mu      sync.Mutex
	waiting []*turn // in the order of arrival
	served  map[string]time.Time
	used    float64 // of AtOnce
	at      time.Time
	armed   bool // a timer runs that will serve the next one
}

// turn is a caller that waits.
type turn struct {
	Caller
	served bool
	done   chan struct{} // closed when it is served
}

// Take waits for a turn, at most so long, and reports whether the caller has it. Where Rate is 0, Leave must be called
// after it.
func (t *Turns) Take(ctx context.Context, c Caller, most time.Duration) bool {
	t.mu.Lock()
	if len(t.waiting) == 0 && t.wait() == 0 {
		t.serve(&c)
		t.mu.Unlock()
		return true
	}
	w := &turn{Caller: c, done: make(chan struct{})}
	t.waiting = append(t.waiting, w)
	t.arm()
	t.mu.Unlock()
	late := time.NewTimer(most)
	defer late.Stop()
	select {
	case <-w.done:
		return true
	case <-late.C:
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting = slices.DeleteFunc(t.waiting, func(other *turn) bool { return other == w })
	return w.served
}

// Leave ends a turn where Rate is 0.
func (t *Turns) Leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.used--
	t.next()
}

// wait is how long until there is room for one more; less than 0: until somebody leaves.
func (t *Turns) wait() time.Duration {
	now := time.Now()
	if t.Rate > 0 {
		t.used = max(0, t.used-now.Sub(t.at).Seconds()*t.Rate)
	}
	t.at = now
	over := t.used + 1 - float64(t.AtOnce)
	switch {
	case over <= 0:
		return 0
	case t.Rate > 0:
		return time.Duration(over / t.Rate * float64(time.Second))
	}
	return -1
}

// serve counts a turn.
func (t *Turns) serve(c *Caller) {
	t.used++
	now := time.Now()
	if t.served == nil || len(t.served) > mostRemembered {
		t.served = map[string]time.Time{}
	}
	for _, name := range c.By {
		t.served[name] = now
	}
}

// mostRemembered is of how many callers it is known when they were served last. Of others it counts as long ago.
const mostRemembered = 10_000

// arm sets the timer for the next turn.
func (t *Turns) arm() {
	if wait := t.wait(); wait >= 0 && !t.armed {
		t.armed = true
		time.AfterFunc(wait, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.armed = false
			t.next()
		})
	}
}

// next serves as many of those who wait as there is room for.
func (t *Turns) next() {
	for len(t.waiting) > 0 && t.wait() == 0 {
		best := 0
		for i := range t.waiting {
			if !t.before(t.waiting[best], t.waiting[i]) {
				best = i
			}
		}
		w := t.waiting[best]
		t.waiting = slices.Delete(t.waiting, best, best+1)
		t.serve(&w.Caller)
		w.served = true
		close(w.done)
	}
	if len(t.waiting) > 0 {
		t.arm()
	}
}

// before reports whether the turn of a comes before that of b, which has come later.
func (t *Turns) before(a, b *turn) bool {
	if a.Known != b.Known {
		return a.Known
	}
	for i := range min(len(a.By), len(b.By)) {
		if x, y := t.lately(a.By[i]), t.lately(b.By[i]); !x.Equal(y) {
			return x.Before(y)
		}
	}
	return false
}

// lately is when a caller was served last; the zero time if that was not lately.
func (t *Turns) lately(name string) time.Time {
	if at := t.served[name]; time.Since(at) < lately {
		return at
	}
	return time.Time{}
}
