// SPDX-License-Identifier: Apache-2.0

package web

import (
	"crypto/sha256"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"boardd/rules/say"
)

// The limits of one address. Virtual hands and a player's commands are far below them, and ten pages that are opened
// at once behind one address need about paceBurst. Who asks more is answered later: the sensors come before the page.
const (
	pace       = 200 // requests of any kind, a second
	paceBurst  = 300
	posts      = 100 // requests that change something, a second
	postBurst  = 300
	logins     = 0.5 // tries of a token, a second
	loginBurst = 10
)

// watchers is the most event streams at once. Further ones are refused, so that the others do not become slow.
const watchers = 1000

// limits counts the requests of every address.
type limits struct {
	mu      sync.Mutex
	by      map[string]*limit
	swept   time.Time
	streams int
}

type limit struct {
	pace, posts, logins *rate.Limiter
	last, warned        time.Time
	shown               map[[sha256.Size]byte]bool // hashes of right tokens that came from there
}

// mostShown is how many right tokens are remembered of an address.
const mostShown = 1000

// of is the counters of an address. Those not seen for ten minutes are forgotten.
func (l *limits) of(addr string, now time.Time) *limit {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by == nil || now.Sub(l.swept) > forgets {
		kept := map[string]*limit{}
		for a, x := range l.by {
			if now.Sub(x.last) < forgets {
				kept[a] = x
			}
		}
		l.by, l.swept = kept, now
	}
	x := l.by[addr]
	if x == nil {
		x = &limit{pace: rate.NewLimiter(pace, paceBurst), posts: rate.NewLimiter(posts, postBurst),
			logins: rate.NewLimiter(logins, loginBurst)}
		l.by[addr] = x
	}
	x.last = now
	return x
}

// slowly has those wait who ask faster than people and their pages do, and refuses who would wait too long, or changes
// something faster than they do.
func (l *limits) slowly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now := time.Now()
		x := l.of(address(r), now)
		turn := x.pace.ReserveN(now, 1)
		wait := turn.DelayFrom(now)
		if wait > waitMost {
			turn.CancelAt(now)
		}
		if wait > 0 {
			select {
			case <-time.After(min(wait, waitMost)): // to refuse at once would have them ask at once again
			case <-r.Context().Done():
				return
			}
		}
		if wait > waitMost || r.Method == http.MethodPost && !x.posts.AllowN(time.Now(), 1) {
			w.Header().Set("Retry-After", "1")
			fail(w, http.StatusTooManyRequests, say.Error("too many requests from this address: wait a second"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// enter counts an event stream, and reports whether there is room. If so, leave must be called at its end.
func (l *limits) enter() (leave func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.streams >= watchers {
		return nil, false
	}
	l.streams++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.streams--
	}, true
}
