// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"boardd/config/size"
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

// serviceKey is where the context of a request has a func() bool: whether a service of this machine asks.
type serviceKey struct{}

// WithPeer lets the requests of a connection find out whose it is. Linux is asked once for each connection, because
// its lists are long. They are those of this process: the shipped unit hides /proc/net.
func WithPeer(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, serviceKey{}, sync.OnceValue(func() bool {
		return fromService(c.RemoteAddr().String(), c.LocalAddr().String(), "/proc/self/net/tcp", "/proc/self/net/tcp6")
	}))
}

// throughProxy reports whether a request came through a proxy, as far as what is sent or its account shows.
func throughProxy(r *http.Request) bool {
	service, known := r.Context().Value(serviceKey{}).(func() bool)
	return proxied(r) || known && service()
}

// proxied reports whether what is sent shows a proxy. The proxy may run on this machine while the browser does not.
// Without special headers it shows by its old version of HTTP, or because the page has another name than the requested
// one.
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

// maxSockets is how much of a list of sockets is read, in bytes: about 25,000 sockets.
const maxSockets = 4 << 20

// fromService reports whether a client is a service of this machine, such as a proxy that hides itself. It looks for
// the account of the client's socket in lists. Where that is not known, the answer is no.
func fromService(client, server string, lists ...string) bool {
	peer, err1 := netip.ParseAddrPort(client)
	own, err2 := netip.ParseAddrPort(server)
	if err1 != nil || err2 != nil || !peer.Addr().Unmap().IsLoopback() {
		return false
	}
	for _, name := range lists {
		f, err := size.Open(name)
		if err != nil {
			continue
		}
		uid, found := socketOwner(f, peer, own)
		f.Close() //nolint:errcheck // it was only read
		if found {
			return isService(uid)
		}
	}
	return false
}

// isService reports whether an account is that of another service: neither root nor a person.
func isService(uid int) bool { return uid > 0 && uid < 1000 && uid != os.Getuid() }

// socketOwner finds the account of the socket at peer that is connected to own. The list is one of Linux: proc_net(5).
func socketOwner(list io.Reader, peer, own netip.AddrPort) (uid int, found bool) {
	port := fmt.Sprintf(":%04X ", peer.Port())
	lines := bufio.NewScanner(io.LimitReader(list, maxSockets))
	for lines.Scan() {
		if !bytes.Contains(lines.Bytes(), []byte(port)) {
			continue
		}
		words := strings.Fields(lines.Text())
		if len(words) < 8 || !isSocketAt(words[1], peer) || !isSocketAt(words[2], own) {
			continue
		}
		n, err := strconv.ParseUint(words[7], 10, 31)
		return int(n), err == nil
	}
	return 0, false
}

// isSocketAt reports whether an end of a socket, as 0100007F:1F90, is at an address. The address is written in words
// of four bytes, each in the order of this machine.
func isSocketAt(end string, at netip.AddrPort) bool {
	host, port, _ := strings.Cut(end, ":")
	raw, err := hex.DecodeString(host)
	if err != nil || len(raw)%4 != 0 {
		return false
	}
	for i := 0; i < len(raw); i += 4 {
		binary.NativeEndian.PutUint32(raw[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	ip, ok := netip.AddrFromSlice(raw)
	return ok && ip.Unmap() == at.Addr().Unmap() && port == fmt.Sprintf("%04X", at.Port())
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
