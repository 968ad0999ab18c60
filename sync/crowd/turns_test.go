// SPDX-License-Identifier: Apache-2.0

package crowd

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestTurns: who asks once, in the middle of a crowd, waits no longer than for one turn. The crowd may be many who
// have come at once, a few who ask without end, or both. So many are served as may be, and nobody waits too long.
func TestTurns(t *testing.T) {
	const most = 5 * time.Second
	for name, c := range map[string]struct{ once, endless int }{"1,500 at once": {1500, 0}, "24 without end": {0, 24},
		"both": {1500, 24}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				turns := Turns{Rate: 200, AtOnce: 300}
				ctx, stop := context.WithCancel(t.Context())
				var all sync.WaitGroup
				var served, refused atomic.Int64
				ask := func(name string) {
					before := time.Now()
					defer func() {
						if waited := time.Since(before); waited > most {
							t.Errorf("%s waited %v", name, waited)
						}
					}()
					if turns.Take(ctx, Caller{By: []string{name}}, most) {
						served.Add(1)
					} else {
						refused.Add(1)
					}
				}
				for i := range c.once {
					all.Go(func() { ask(fmt.Sprint("once", i)) })
				}
				for i := range c.endless {
					all.Go(func() {
						for ctx.Err() == nil {
							ask(fmt.Sprint("endless", i))
						}
					})
				}
				time.Sleep(2 * time.Second)
				before := time.Now()
				if !turns.Take(ctx, Caller{By: []string{"somebody"}}, most) || time.Since(before) > 2*time.Second/200 {
					t.Errorf("somebody waited %v", time.Since(before))
				}
				time.Sleep(8 * time.Second)
				if n, want := served.Load(), int64(300+200*10); c.endless > 0 && (n < want-100 || n > want+1) {
					t.Errorf("%d are served in ten seconds, want %d", n, want)
				}
				if c.once > 0 && c.endless == 0 && served.Load()+refused.Load() != int64(c.once) {
					t.Errorf("%d are served and %d refused of %d", served.Load(), refused.Load(), c.once)
				}
				stop()
				all.Wait()
			})
		})
	}
}

// TestServedLast: while more ask than are served, who has not been served lately comes first. That is a host beside
// one that floods, or else a connection beside those of its host that do. Those who flood go away and come again.
func TestServedLast(t *testing.T) {
	const most, a = 5 * time.Second, time.Second / 20
	for name, c := range map[string]struct{ flooding, somebody func(i int) []string }{
		"another host": {func(i int) []string { return []string{"flood", fmt.Sprint(i)} },
			func(i int) []string { return []string{"home", fmt.Sprint(i)} }},
		"another connection": {func(i int) []string { return []string{"flood", fmt.Sprint(i % 4)} },
			func(i int) []string { return []string{"flood", fmt.Sprint("somebody", i)} }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				turns := Turns{Rate: 20, AtOnce: 1}
				ctx, stop := context.WithCancel(t.Context())
				var all sync.WaitGroup
				for i := range 4000 { // a hundred for each turn
					all.Go(func() {
						time.Sleep(time.Duration(i) * a / 100)
						turns.Take(ctx, Caller{By: c.flooding(i)}, a)
					})
				}
				time.Sleep(time.Second)
				for i := range 5 {
					before := time.Now()
					if !turns.Take(ctx, Caller{By: c.somebody(i)}, most) || time.Since(before) > 2*a {
						t.Errorf("somebody waited %v", time.Since(before))
					}
				}
				stop()
				all.Wait()
			})
		})
	}
}

// TestFewRemembered: it is not remembered for ever who was served.
func TestFewRemembered(t *testing.T) {
	turns := Turns{AtOnce: 100_000}
	for i := range 3 * mostRemembered {
		turns.Take(t.Context(), Caller{By: []string{fmt.Sprint(i)}}, 0)
	}
	if n := len(turns.served); n > mostRemembered+1 {
		t.Errorf("%d callers are remembered, want %d", n, mostRemembered)
	}
}

// TestKnownFirst: who is known comes before all others, however often.
func TestKnownFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := Turns{Rate: 10, AtOnce: 1}
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 1000 { // a new one each 10 ms
			all.Go(func() {
				time.Sleep(time.Duration(i) * 10 * time.Millisecond)
				turns.Take(ctx, Caller{By: []string{fmt.Sprint(i)}}, 5*time.Second)
			})
		}
		time.Sleep(time.Second)
		for range 20 {
			before := time.Now()
			if !turns.Take(ctx, Caller{Known: true, By: []string{"arbiter"}}, 5*time.Second) ||
				time.Since(before) > 200*time.Millisecond {
				t.Errorf("who is known waited %v", time.Since(before))
			}
		}
		stop()
		all.Wait()
	})
}

// TestSeats: this many are served at once. A host that asks for much does not keep another one waiting for longer than
// one answer takes.
func TestSeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := Turns{AtOnce: 2}
		ctx, stop := context.WithCancel(t.Context())
		const answer = 100 * time.Millisecond
		var now, all atomic.Int64
		serve := func(host, conn string) (ok bool) {
			if ok = turns.Take(ctx, Caller{By: []string{host, conn}}, 5*time.Second); !ok {
				return false
			}
			defer turns.Leave()
			if n := now.Add(1); n > 2 {
				t.Errorf("%d are served at once", n)
			}
			defer now.Add(-1)
			all.Add(1)
			time.Sleep(answer)
			return true
		}
		var crowd sync.WaitGroup
		for i := range 200 {
			crowd.Go(func() {
				for ctx.Err() == nil {
					serve("flood", fmt.Sprint(i))
				}
			})
		}
		time.Sleep(time.Second)
		for i := range 10 {
			before := time.Now()
			if !serve("home", fmt.Sprint("tab", i)) || time.Since(before) > 2*answer {
				t.Errorf("somebody at another host waited %v", time.Since(before)-answer)
			}
		}
		before := time.Now()
		if !serve("flood", "somebody") || time.Since(before) > 2*answer {
			t.Errorf("somebody at the same host waited %v", time.Since(before)-answer)
		}
		if n := all.Load(); n < 2*20 {
			t.Errorf("%d were served in two seconds", n)
		}
		stop()
		crowd.Wait()
	})
}

// TestAdvice: whoever cannot listen at an address is told what to do about it.
func TestAdvice(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for address, want := range map[string]string{l.Addr().String(): "another program", "192.0.2.1:1883": "does not have",
		"nowhere": "another address"} {
		_, err := net.Listen("tcp", address)
		if got := Advice(err); err == nil || !strings.Contains(got, want) {
			t.Errorf("%v: %q, want %q in it", err, got, want)
		}
	}
}
