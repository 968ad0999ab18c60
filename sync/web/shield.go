// SPDX-License-Identifier: Apache-2.0

package web

import (
	"crypto/sha256"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"boardd/rules/say"
	"boardd/sync/crowd"
)

// The board's sensors are more important than the page. So only a few slow answers are made at once, and others wait
// for a limited time.
const (
	maxCostly = 2
	maxWait   = 5 * time.Second
	// the time in which a browser must take an answer; ten times that for files of the workshop
	responseTimeout = 20 * time.Second
)

// Other times.
const (
	// how long the board may take to answer calibration or the workshop
	boardTimeout   = 5 * time.Second
	commandTimeout = 10 * time.Second // and to answer a command
	forgetAfter    = 10 * time.Minute // how long an address is remembered that asks for nothing more
	warnInterval   = time.Minute      // from one word about a wrong token to the next
	// how long a browser may accept no data before it counts as gone; the board never waits for it
	writeTimeout      = 5 * time.Second
	keepAliveInterval = 15 * time.Second // how often a browser is told that the stream is alive
	// how long the stored games for a wall are cached: a wall asks once when nothing happens; chosen
	wallGamesTTL   = 5 * time.Second
	sensorInterval = 200 * time.Millisecond // how often the workshop page gets readings
)

// limitCostly limits how many requests are answered at once, because each replays a whole game or reads files.
func (s *Server) limitCostly(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		by := crowd.Caller{Known: s.hasGoodToken(s.limits.forAddress(address(r), time.Now()), r),
			By: []string{address(r), r.RemoteAddr}}
		switch in := s.costlyTurns.Take(r.Context(), by, maxWait); {
		case in:
			defer s.costlyTurns.Leave()
			next(w, r)
		case r.Context().Err() == nil:
			w.Header().Set("Retry-After", "5")
			fail(w, http.StatusServiceUnavailable, say.Error("too many ask for this at once: try again in some seconds"))
		}
	}
}

// deadline ends answers that a browser does not take in time. Streams set their own deadline with each event.
func deadline(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		within := responseTimeout
		if strings.Contains(r.URL.Path, "/traces/") {
			within *= 10
		}
		http.NewResponseController(w).SetWriteDeadline(time.Now().Add(within)) //nolint:errcheck // a test's
		next.ServeHTTP(w, r)
	})
}

// limitGuesses refuses clients that have sent too many wrong tokens, by login, header or cookie. A browser is told to
// delete a wrong one.
func (s *Server) limitGuesses(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if text, bears := bearer(r); bears && text != "" {
			good, looked := s.checkToken(r, text)
			if !looked {
				failGuess(w)
				return
			}
			if !good {
				http.SetCookie(w, &http.Cookie{Name: cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
					MaxAge: -1})
			}
		}
		next.ServeHTTP(w, r)
	})
}

func failGuess(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "10")
	fail(w, http.StatusTooManyRequests, say.Error("too many wrong tokens from this address: wait"))
}

// checkToken reports whether a token is good, and whether it was looked at at all. An address that has shown too many
// wrong ones is not told whether another is right. Those that were right there before are an exception.
func (s *Server) checkToken(r *http.Request, text string) (good, looked bool) {
	now, hash := time.Now(), sha256.Sum256([]byte(text))
	x := s.limits.forAddress(address(r), now)
	s.limits.mu.Lock()
	shown := x.goodTokens[hash]
	s.limits.mu.Unlock()
	if _, good = s.access.tokenRight(text); good && shown {
		return true, true
	}
	one := x.logins.ReserveN(now, 1)
	if one.DelayFrom(now) > 0 {
		one.CancelAt(now)
		return false, false
	}
	if !good {
		s.warn(x, r, now)
		return false, true
	}
	one.CancelAt(now) // a right one costs nothing
	s.limits.mu.Lock()
	defer s.limits.mu.Unlock()
	if x.goodTokens == nil || len(x.goodTokens) >= maxGoodTokens {
		x.goodTokens = map[[sha256.Size]byte]bool{}
	}
	x.goodTokens[hash] = true
	return true, true
}

// warn says that a wrong token was shown, of each burst the first one.
func (s *Server) warn(x *addressLimits, r *http.Request, now time.Time) {
	s.limits.mu.Lock()
	quiet := now.Sub(x.warned) < warnInterval
	if !quiet {
		x.warned = now
	}
	s.limits.mu.Unlock()
	if !quiet && s.log != nil {
		s.log.Warn("a wrong token was shown to the page", "from", address(r))
	}
}

// isOwnName reports whether a request is for a name of this machine: an address, localhost or its own name. So are the
// hosts that the owner has given, in lower case. Any other name may belong to a foreign site that points here, so that
// its scripts pass for those of the page.
func isOwnName(r *http.Request, hosts []string) bool {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if host == "" || host == "localhost" || net.ParseIP(host) != nil || slices.Contains(hosts, host) {
		return true
	}
	own, err := os.Hostname()
	own, _, _ = strings.Cut(strings.ToLower(own), ".")
	return err == nil && own != "" && (host == own || host == own+".local")
}

// proxyHeaders is the beginnings, in lower case, of headers by which proxies name the client.
var proxyHeaders = []string{"forwarded", "x-forwarded", "x-real-", "x-original-", "x-client-", "x-cluster-",
	"true-client-",
	"via", "cf-", "cdn-", "fastly-", "fly-", "x-envoy-", "x-amzn-trace-"}

// proxied reports whether a request came through a proxy. The proxy may run on this machine while the browser does
// not. A proxy without special headers shows by its old version of HTTP, or because the page has another name than the
// requested one.
func proxied(r *http.Request) bool {
	for name := range r.Header {
		name = strings.ToLower(name)
		if slices.ContainsFunc(proxyHeaders, func(p string) bool { return strings.HasPrefix(name, p) }) {
			return true
		}
	}
	origin := r.Header.Get("Origin")
	_, host, _ := strings.Cut(origin, "://")
	return !r.ProtoAtLeast(1, 1) || origin != "" && host != r.Host
}

// RequireOwnName answers only to names of this machine, and to hosts, those that the owner has given it.
func RequireOwnName(hosts []string, next http.Handler) http.Handler {
	var lower []string
	for _, h := range hosts {
		lower = append(lower, strings.ToLower(h))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isOwnName(r, lower) {
			fail(w, http.StatusForbidden, say.Error("this page answers to addresses and to its machine's own name, not to "+
				"%q: name it in web.hosts", r.Host))
			return
		}
		next.ServeHTTP(w, r)
	})
}
