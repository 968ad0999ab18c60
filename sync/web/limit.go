// SPDX-License-Identifier: Apache-2.0

package web

import (
	"crypto/sha256"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"boardd/rules/say"
	"boardd/sync/crowd"
)

// The limits of one address. Virtual hands and a player's commands are far below them, and ten pages that are opened
// at once behind one address need about paceBurst. If more is asked, some wait: the sensors come before the page.
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
	pace          crowd.Turns
	posts, logins *rate.Limiter
	last, warned  time.Time
	shown         map[[sha256.Size]byte]bool // hashes of right tokens that came from there
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
		x = &limit{pace: crowd.Turns{Rate: pace, AtOnce: paceBurst}, posts: rate.NewLimiter(posts, postBurst),
			logins: rate.NewLimiter(logins, loginBurst)}
		l.by[addr] = x
	}
	x.last = now
	return x
}

// slowly has some wait if an address asks faster than people and their pages do. It refuses who would wait too long,
// or changes something faster than they do. Who has a right token comes first, and then who has asked for little:
// behind a proxy all have one address.
func (s *Server) slowly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := s.limits.of(address(r), time.Now())
		// to refuse at once would have them ask at once again
		in := x.pace.Take(r.Context(), crowd.Caller{Known: s.known(x, r), By: []string{r.RemoteAddr}}, waitMost)
		if r.Context().Err() != nil {
			return
		}
		if !in || r.Method == http.MethodPost && !x.posts.AllowN(time.Now(), 1) {
			w.Header().Set("Retry-After", "1")
			fail(w, http.StatusTooManyRequests, say.Error("too many requests from this address: wait a second"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// known reports whether a request has a token that was found right at its address before. Others have none in the
// order of turns, from which could be seen whether they are right.
func (s *Server) known(x *limit, r *http.Request) bool {
	text, bears := bearer(r)
	if !bears || text == "" {
		return false
	}
	s.limits.mu.Lock()
	shown := x.shown[sha256.Sum256([]byte(text))]
	s.limits.mu.Unlock()
	_, good := s.access.right(text)
	return shown && good
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
