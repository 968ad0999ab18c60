// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/table"
	"boardd/rules/table/solo"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// faulty is a decoder that panics in every n-th call of the method named.
type faulty struct {
	table.Decoder
	method string
	every  int
	calls  *int
}

func (f faulty) call(method string) {
	if method == f.method {
		if *f.calls++; *f.calls%f.every == 0 {
			var none []int
			_ = none[len(none)]
		}
	}
}

func (f faulty) Expect(b []reconcile.Base) { f.call("Expect"); f.Decoder.Expect(b) }

func (f faulty) Observe(r *sensing.Reading) { f.call("Observe"); f.Decoder.Observe(r) }

func (f faulty) Explain(at time.Time) reconcile.Explanation {
	f.call("Explain")
	return f.Decoder.Explain(at)
}

func (f faulty) Count(p wood.Place) int { f.call("Count"); return f.Decoder.Count(p) }

func (f faulty) FaultChanges() []reconcile.FaultChange {
	f.call("FaultChanges")
	return f.Decoder.FaultChanges()
}

// TestFaultsCostNoMove: recognition panics again and again while a game is played, wherever it does. All moves are
// taken in the end, and the fault is told.
func TestFaultsCostNoMove(t *testing.T) {
	for _, method := range []string{"Expect", "Observe", "Explain", "Count", "FaultChanges"} {
		for _, every := range []int{2, 701} {
			if every == 2 && method != "Expect" && method != "Count" {
				continue // what is asked all the time would see nothing
			}
			told := 0
			v, err := rules.ByID("locking")
			if err != nil {
				t.Fatal(err)
			}
			g, calls, start := wood.Reference(), 0, v.Start()
			b := solo.With(start, func() table.Decoder {
				return New(func() table.Decoder {
					return faulty{reconcile.New(g, reconcile.DefaultTiming()), method, every, &calls}
				}, func(err error) {
					if told++; !strings.Contains(err.Error(), "index out of range") {
						t.Error(err)
					}
				})
			})
			now, stands := time.Unix(1000, 0), g.Lay(&start)
			pass := func(d time.Duration) {
				for end := now.Add(d); now.Before(end); now = now.Add(2 * time.Millisecond) {
					r := sensing.Reading{At: now, Kind: sensing.Reeds, Known: ^rules.Bitboard(0)}
					c := sensing.Reading{At: now, Kind: sensing.Weights, Known: ^rules.Bitboard(0)}
					for q := range rules.Square(64) {
						if stands[q] != "" {
							r.Closed |= q.Bit()
						}
						for _, piece := range []byte(stands[q]) {
							c.Value[q] += g.Mass[piece]
						}
					}
					b.Observe(&r)
					if now.UnixMilli()%12 == 0 {
						b.Observe(&c)
					}
					b.Look(now)
				}
			}
			pass(3 * time.Second)
			p := start
			for _, coord := range []string{"e2e4", "e7e5", "g1f3", "b8c6"} {
				m, err := p.ParseMove(coord)
				if err != nil {
					t.Fatal(err)
				}
				stands[m.From()] = ""
				pass(300 * time.Millisecond)
				p.Play(m)
				stands = g.Lay(&p)
				pass(4 * time.Second)
			}
			if got := fmt.Sprint(len(b.Moves()), *b.Position() == p); got != "4 true" {
				t.Errorf("%s panics every %d times: %s, want all four moves", method, every, got)
			}
			if calls >= every && (told == 0 || told > 4) {
				t.Errorf("%s panics every %d times of %d: told %d times, want it told now and then", method, every, calls, told)
			}
		}
	}
}

// TestNoAllocation: a guarded decoder allocates nothing while the wood rests, as the decoder alone.
func TestNoAllocation(t *testing.T) {
	g := wood.Reference()
	d := New(func() table.Decoder { return reconcile.New(g, reconcile.DefaultTiming()) },
		func(err error) { t.Error(err) })
	start := rules.Variants()[0].Start()
	d.Expect([]reconcile.Base{{Position: start, Moves: true}})
	r := sensing.Reading{At: time.Unix(1000, 0), Kind: sensing.Reeds, Known: ^rules.Bitboard(0)}
	if n := testing.AllocsPerRun(1000, func() {
		r.At = r.At.Add(2 * time.Millisecond)
		d.Observe(&r)
		d.Explain(r.At)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
