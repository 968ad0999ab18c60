// SPDX-License-Identifier: Apache-2.0

package senses

import (
	"math"
	"sync"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sync/web"
)

// How often the workshop page gets readings, and for how long they are kept.
const (
	benchEvery = 200 * time.Millisecond
	benchKeeps = 300 // a minute
)

// Minutes keeps the readings of the last minute, thinned out, for the workshop page. At most five readings a second of
// each kind are copied, and nothing waits for a browser.
type Minutes struct {
	mu    sync.Mutex
	banks map[bank]*samples
}

type bank struct {
	kind sensing.Kind
	deck sensing.Deck
}

// samples is a ring of readings.
type samples struct {
	last sensing.Reading // the newest, thinned out or not
	ring [benchKeeps]sensing.Reading
	n    int // readings put into the ring so far
}

// New returns minutes that have kept nothing yet.
func New() *Minutes { return &Minutes{banks: map[bank]*samples{}} }

// Take keeps a reading.
func (b *Minutes) Take(r *sensing.Reading) {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := bank{r.Kind, r.Deck}
	s := b.banks[k]
	if s == nil {
		s = &samples{}
		b.banks[k] = s
	}
	s.last = *r
	if s.n == 0 || r.At.Sub(s.ring[(s.n-1)%benchKeeps].At) >= benchEvery {
		s.ring[s.n%benchKeeps] = *r
		s.n++
	}
}

// Senses is what the sensors say now.
func (b *Minutes) Senses() web.Senses {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out web.Senses
	for k, s := range b.banks {
		v := web.Bank{Kind: k.kind.String(), Deck: k.deck.String(), Values: make([]*int32, 64), Noise: make([]int32, 64)}
		for sq := range rules.Square(64) {
			if s.last.Known.Has(sq) {
				x := value(&s.last, sq)
				v.Values[sq] = &x
			}
			v.Noise[sq] = s.noise(sq)
		}
		out.Banks = append(out.Banks, v)
	}
	return out
}

// value is 1 or 0 of a switch, milligrams, or micrometres.
func value(r *sensing.Reading, sq rules.Square) int32 {
	if r.Kind == sensing.Reeds {
		if r.Closed.Has(sq) {
			return 1
		}
		return 0
	}
	return r.Value[sq]
}

// noise is the standard deviation of the last two seconds. For a switch it is how often it changed in the last minute.
func (s *samples) noise(sq rules.Square) int32 {
	n := min(s.n, benchKeeps)
	if s.last.Kind == sensing.Reeds {
		return s.changes(sq, n)
	}
	n = min(n, 10)
	var sum, squares, known float64
	for i := s.n - n; i < s.n; i++ {
		if r := &s.ring[i%benchKeeps]; r.Known.Has(sq) {
			v := float64(r.Value[sq])
			sum, squares, known = sum+v, squares+v*v, known+1
		}
	}
	if known < 2 {
		return 0
	}
	mean := sum / known
	return int32(math.Sqrt(max(0, squares/known-mean*mean)))
}

func (s *samples) changes(sq rules.Square, n int) (changes int32) {
	for i := s.n - n + 1; i < s.n; i++ {
		if s.ring[i%benchKeeps].Closed.Has(sq) != s.ring[(i-1)%benchKeeps].Closed.Has(sq) {
			changes++
		}
	}
	return changes
}

// Minute is the last minute of one square, a curve a bank.
func (b *Minutes) Minute(deck sensing.Deck, sq rules.Square, now time.Time) []web.Curve {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []web.Curve
	for k, s := range b.banks {
		if k.deck != deck && k.kind == sensing.Reeds {
			continue
		}
		c := web.Curve{Kind: k.kind.String(), Points: [][2]int64{}}
		for i := max(0, s.n-benchKeeps); i < s.n; i++ {
			if r := &s.ring[i%benchKeeps]; r.Known.Has(sq) && now.Sub(r.At) <= time.Minute {
				c.Points = append(c.Points, [2]int64{now.Sub(r.At).Milliseconds(), int64(value(r, sq))})
			}
		}
		out = append(out, c)
	}
	return out
}
