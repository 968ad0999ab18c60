// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"crypto/sha256"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"boardd/rules/say"
	"boardd/sync/crowd"
)

// The limits of one address. Virtual hands and a player's commands are far below them, and ten pages that are opened
// at once behind one address need about requestBurst. If more is asked, some wait: the sensors come before the page.
const (
	requestRate  = 200 // requests of any kind, a second
	requestBurst = 300
	postRate     = 100 // requests that change something, a second
	postBurst    = 300
	loginRate    = 0.5 // tries of a token, a second
	loginBurst   = 10
)

// maxStreams is the most event streams at once of those who bring no token, and of those who bring a right one. With
// more the others would become slow.
const maxStreams = 1000

// rateLimits counts the requests of every address.
type rateLimits struct {
	mu        sync.Mutex
	byAddress map[string]*addressLimits
	swept     time.Time
	streams   map[bool]*crowd.Room // of those with a right token, and of the others
}

type addressLimits struct {
	pace          crowd.Turns
	posts, logins *rate.Limiter
	last, warned  time.Time
	goodTokens    map[[sha256.Size]byte]bool // hashes of right tokens that came from there
}

// maxGoodTokens is how many right tokens are remembered of an address.
const maxGoodTokens = 1000

// forAddress returns the counters of an address. Those not seen for ten minutes are forgotten.
func (l *rateLimits) forAddress(addr string, now time.Time) *addressLimits {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byAddress == nil || now.Sub(l.swept) > forgetAfter {
		kept := map[string]*addressLimits{}
		for a, x := range l.byAddress {
			if now.Sub(x.last) < forgetAfter {
				kept[a] = x
			}
		}
		l.byAddress, l.swept = kept, now
	}
	x := l.byAddress[addr]
	if x == nil {
		x = &addressLimits{pace: crowd.Turns{Rate: requestRate, AtOnce: requestBurst},
			posts: rate.NewLimiter(postRate, postBurst), logins: rate.NewLimiter(loginRate, loginBurst)}
		l.byAddress[addr] = x
	}
	x.last = now
	return x
}

// limitRate has some wait if an address asks faster than people and their pages do. It refuses who would wait too
// long, or changes something faster than they do. Holders of a right token come first, then those who have asked for
// little: behind a proxy all have one address.
func (s *Server) limitRate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, done := crowd.Ask(r.Context())
		defer done()
		r = r.WithContext(ctx)
		x := s.limits.forAddress(address(r), time.Now())
		// to refuse at once would have them ask at once again
		in := x.pace.Take(r.Context(), crowd.Caller{Known: s.hasGoodToken(x, r), By: []string{r.RemoteAddr}}, maxWait)
		if r.Context().Err() != nil {
			return
		}
		if !in || r.Method == http.MethodPost && !x.posts.AllowN(time.Now(), 1) {
			w.Header().Set("Retry-After", "1")
			fail(w, http.StatusTooManyRequests, say.Error("too many requests from this address: wait a second"))
			return
		}
		crowd.Reached(ctx, crowd.Answered)
		next.ServeHTTP(w, r)
	})
}

// hasGoodToken reports whether a request has a token that was found right at its address before. Others have none in
// the order of turns, from which could be seen whether they are right.
func (s *Server) hasGoodToken(x *addressLimits, r *http.Request) bool {
	text, bears := bearer(r)
	if !bears || text == "" {
		return false
	}
	s.limits.mu.Lock()
	shown := x.goodTokens[sha256.Sum256([]byte(text))]
	s.limits.mu.Unlock()
	_, good := s.access.tokenRight(text)
	return shown && good
}

// openStream takes a place among the event streams, which must be left in the end. If there is none for the address,
// ok is false. A stream ends with its context, when another address that has fewer needs the place.
func (s *Server) openStream(r *http.Request) (ctx context.Context, leave func(), ok bool) {
	known := s.hasGoodToken(s.limits.forAddress(address(r), time.Now()), r)
	s.limits.mu.Lock()
	if s.limits.streams == nil {
		s.limits.streams = map[bool]*crowd.Room{true: crowd.NewRoom(maxStreams, maxStreams),
			false: crowd.NewRoom(maxStreams, maxStreams)}
	}
	room := s.limits.streams[known]
	s.limits.mu.Unlock()
	ctx, stop := context.WithCancel(r.Context())
	place := room.Enter(address(r), stop)
	place.Ask().Reached(crowd.Streaming)
	crowd.Reached(ctx, crowd.Streaming)
	return ctx, func() { place.Leave(); stop() }, ctx.Err() == nil
}
