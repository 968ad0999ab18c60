// SPDX-License-Identifier: Apache-2.0

package crowd

import (
	"context"
	"sync"
	"time"
)

// What one host may try. To check a secret may take a tenth of a second of the processor.
const (
	together  = 8                // secrets that are checked at once; more wait
	tries     = 10               // wrong secrets of one account in a row
	allTries  = 50               // and of all accounts together
	anotherIn = 2 * time.Second  // time after which there is one more try
	forgets   = 10 * time.Minute // how long a host is remembered; longer than to have all tries again
)

// lately is for how long it counts that a caller was served. Somebody waits hardly longer than that among many who
// come for the first time.
const lately = 500 * time.Millisecond

// Guesses counts the wrong secrets of each host. After too many for one account, no secret of the host for it is
// checked, not even the right one. After too many for all accounts, the same holds for the accounts whose secret the
// host never had right. So a program does not keep out others on the same machine.
type Guesses struct {
	mu    sync.Mutex
	hosts map[string]*host
	swept time.Time
}

type host struct {
	slots    chan struct{} // capacity together
	all      bucket
	accounts map[string]*bucket
	right    map[string]bool
	last     time.Time
}

// bucket counts used tries, which come back one by one.
type bucket struct {
	used float64
	at   time.Time
}

func (b *bucket) left(most int, now time.Time) bool {
	b.used = max(0, b.used-now.Sub(b.at).Seconds()/anotherIn.Seconds())
	b.at = now
	return b.used <= float64(most-1)
}

// of is what is known of a host.
func (g *Guesses) of(name string, now time.Time) *host {
	if g.hosts == nil || now.Sub(g.swept) > forgets {
		kept := map[string]*host{}
		for n, h := range g.hosts {
			if now.Sub(h.last) < forgets || len(h.slots) > 0 {
				kept[n] = h
			}
		}
		g.hosts, g.swept = kept, now
	}
	h := g.hosts[name]
	if h == nil {
		h = &host{slots: make(chan struct{}, together), accounts: map[string]*bucket{}, right: map[string]bool{}}
		g.hosts[name] = h
	}
	h.last = now
	return h
}

// Try waits until a secret of a host for an account may be checked, and reports whether it may at all. If so, the
// caller must call done with the result, after which the next one may be checked.
func (g *Guesses) Try(ctx context.Context, from, account string) (done func(right bool), ok bool) {
	g.mu.Lock()
	h := g.of(from, time.Now())
	g.mu.Unlock()
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	b := h.accounts[account]
	if b != nil && !b.left(tries, now) || !h.right[account] && !h.all.left(allTries, now) {
		<-h.slots
		return nil, false
	}
	return func(right bool) {
		g.mu.Lock()
		defer g.mu.Unlock()
		h.verdict(account, right, time.Now())
		<-h.slots
	}, true
}

// verdict notes whether a secret was right.
func (h *host) verdict(account string, right bool, now time.Time) {
	if right {
		h.right[account] = true
		return
	}
	if h.all.left(allTries, now); !h.right[account] {
		h.all.used++
	}
	b := h.accounts[account]
	if b == nil {
		b = &bucket{at: now}
		h.accounts[account] = b
	}
	b.left(tries, now)
	b.used++
}
