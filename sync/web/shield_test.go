// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"boardd/sync/crowd"
	"boardd/sync/wire"
	"boardd/systemd/steady/steadytest"
)

// served serves one request from an address.
func served(h http.Handler, host, token string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "/api/boards", nil)
	r.Host = host
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestHostNames: a name of another machine is refused, whatever the listener and the rights of visitors are.
func TestHostNames(t *testing.T) {
	h := Handler(Options{Access: Access{Visitors: Player}, Hosts: []string{"Club.example"}},
		&Board{ID: "north", Feed: NewFeed()})
	for host, want := range map[string]int{
		"192.168.1.7:8080": 200, "[fe80::1]:80": 200, "localhost": 200, "club.example:443": 200, "club.example.": 200,
		"evil.example": 403, "192.168.1.7.evil.example:8080": 403, "localhost.evil.example": 403,
	} {
		if got := served(h, host, "").Code; got != want {
			t.Errorf("host %s: status %d, want %d", host, got, want)
		}
	}
}

// TestProxyIsNotThisMachine: rights for people at this machine are not given to visitors through a proxy on it.
func TestProxyIsNotThisMachine(t *testing.T) {
	a := Access{Visitors: Workshop, Local: true}
	plain := httptest.NewRequest(http.MethodGet, "/", nil)
	plain.Header.Set("Origin", "http://"+plain.Host)
	if got := a.rightOf(plain); got != Workshop {
		t.Errorf("at this machine: %v, want workshop", got)
	}
	for name, value := range map[string]string{
		"X-Forwarded-For": "203.0.113.9", "x-forwarded-proto": "https", "Forwarded": "for=203.0.113.9",
		"X-Real-IP": "203.0.113.9", "Via": "1.1 proxy",
		"CF-Connecting-IP": "203.0.113.9", "True-Client-IP": "203.0.113.9", "X-Original-Host": "board.example",
		"Origin": "https://board.example",
	} {
		through := plain.Clone(context.Background())
		through.Header.Set(name, value)
		if got := a.rightOf(through); got != Spectator {
			t.Errorf("through a proxy that sends %s: %v, want spectator", name, got)
		}
	}
	old := plain.Clone(context.Background())
	old.ProtoMinor = 0 // as nginx before 1.29.7 asks by itself; later ones say 1.1, see TestProxyThatHides
	if got := a.rightOf(old); got != Spectator {
		t.Errorf("by HTTP/1.0: %v, want spectator", got)
	}
}

// TestGuesses: wrong tokens by header, cookie and login are counted together and logged. Whoever sends too many gets
// no answer.
func TestGuesses(t *testing.T) {
	var log bytes.Buffer
	a := Access{Visitors: Spectator}
	if err := a.ReadTokens(strings.NewReader("player 8WqLrzBLvMHw\nworkshop another-right-one\n")); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		h := Handler(Options{Access: a, Log: slog.New(slog.NewTextHandler(&log, nil))}, &Board{ID: "north", Feed: NewFeed()})
		answered := 0
		for range 100 {
			if served(h, "localhost", "not-the-token").Code == 200 {
				answered++
			}
			if served(h, "localhost", "", "Cookie", "boardd=not-the-token").Code == 200 {
				answered++
			}
		}
		if answered > loginBurst {
			t.Errorf("%d of 200 guesses were answered, want %d at most", answered, loginBurst)
		}
		// an answer to the right one would tell who guesses that it is right
		if got := served(h, "localhost", "8WqLrzBLvMHw").Code; got != 429 {
			t.Errorf("the right token among the wrong ones: status %d, want it not looked at", got)
		}
		time.Sleep(time.Minute)
		for range 100 {
			if got := served(h, "localhost", "8WqLrzBLvMHw").Code; got != 200 {
				t.Fatalf("the right token, later: status %d", got)
			}
		}
		for range 100 {
			served(h, "localhost", "not-the-token")
		}
		if got := served(h, "localhost", "8WqLrzBLvMHw").Code; got != 200 {
			t.Errorf("who has shown it before is kept out by who guesses at the same address: status %d", got)
		}
		if got := served(h, "localhost", "another-right-one").Code; got != 429 {
			t.Errorf("another right token among the wrong ones: status %d, want it not looked at", got)
		}
	})
	if n := strings.Count(log.String(), "wrong token"); n != 2 {
		t.Errorf("logged %d times in a minute, want once and once again:\n%s", n, log.String())
	}
}

// TestPaced: who asks without end is answered as often as many pages together ask, and keeps nobody else waiting. What
// would wait too long is refused.
func TestPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := Handler(Options{Access: Access{Visitors: Spectator}}, &Board{ID: "north", Feed: NewFeed()})
		var answered, refused atomic.Int64
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 2 * maxWait / time.Second * requestRate {
			all.Go(func() {
				for ctx.Err() == nil {
					r := httptest.NewRequest(http.MethodGet, "/api/boards", nil).WithContext(ctx)
					r.Host = "localhost"
					w := httptest.NewRecorder()
					switch h.ServeHTTP(w, r); w.Code {
					case http.StatusOK:
						answered.Add(1)
					case http.StatusTooManyRequests:
						refused.Add(1)
					}
				}
			})
		}
		const seconds = 20
		time.Sleep(seconds * time.Second)
		if n, most := answered.Load(), int64(requestBurst+(seconds+1)*requestRate); n > most || n < most*3/4 {
			t.Errorf("%d requests are answered in %d seconds, want %d at most, and most of that", n, seconds, most)
		}
		if refused.Load() == 0 {
			t.Error("nobody is refused: they wait for ever")
		}
		r := httptest.NewRequest(http.MethodGet, "/api/boards", nil)
		r.Host, r.RemoteAddr = "localhost", "192.0.2.7:1234"
		before, w := time.Now(), httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusOK || time.Since(before) > 0 {
			t.Errorf("somebody else: status %d after %v", w.Code, time.Since(before))
		}
		stop()
		all.Wait()
	})
}

// TestTurnsOfOneAddress: 1,500 requests at once do not keep somebody waiting who asks after them, not even at the same
// address. Holders of a token that was right there before come first while others ask without end.
func TestTurnsOfOneAddress(t *testing.T) {
	const token = "8WqLrzBLvMHw"
	synctest.Test(t, func(t *testing.T) {
		a := Access{Visitors: Spectator}
		if err := a.ReadTokens(strings.NewReader("player " + token + "\n")); err != nil {
			t.Fatal(err)
		}
		h := Handler(Options{Access: a}, &Board{ID: "north", Feed: NewFeed()})
		ctx, stop := context.WithCancel(t.Context())
		ask := func(port int, token string) (code int) {
			r := httptest.NewRequest(http.MethodGet, "/api/boards", nil).WithContext(ctx)
			r.Host, r.RemoteAddr = "localhost", fmt.Sprint("192.0.2.7:", port)
			if token != "" {
				r.Header.Set("Authorization", "Bearer "+token)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Code
		}
		soon := func(what, token string) {
			t.Helper()
			before := time.Now()
			if code := ask(1, token); code != http.StatusOK || time.Since(before) > 20*time.Millisecond {
				t.Errorf("%s: status %d after %v", what, code, time.Since(before))
			}
		}
		soon("quiet", token)
		var all sync.WaitGroup
		for i := range 1500 {
			all.Go(func() { ask(1000+i, "") })
		}
		synctest.Wait()
		time.Sleep(time.Second)
		soon("after 1,500", "")
		for i := range 10_000 { // each with a new connection
			all.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond)
				ask(10_000+i, "")
			})
		}
		for range 50 {
			soon("while 1,000 ask in each second", token)
			time.Sleep(100 * time.Millisecond)
		}
		stop()
		all.Wait()
	})
}

// TestRevoked: a token that is not in the list that was read again is none any more.
func TestRevoked(t *testing.T) {
	var a, next Access
	if err := a.ReadTokens(strings.NewReader("player 8WqLrzBLvMHw\nplayer another-token-12\n")); err != nil {
		t.Fatal(err)
	}
	a.AllowReplacing()
	h := Handler(Options{Access: a}, &Board{ID: "north", Feed: NewFeed()})
	if err := next.ReadTokens(strings.NewReader("player another-token-12\n")); err != nil {
		t.Fatal(err)
	}
	if got := served(h, "localhost", "8WqLrzBLvMHw").Code; got != 200 {
		t.Errorf("before: status %d", got)
	}
	a.ReplaceTokens(&next)
	if gone, stays := served(h, "localhost", "8WqLrzBLvMHw").Code,
		served(h, "localhost", "another-token-12").Code; gone != 401 || stays != 200 {
		t.Errorf("after: status %d and %d, want 401 and 200", gone, stays)
	}
}

// TestRevokedStream: a stream that a token has opened ends when the token is none any more, though everybody may look
// on. It ends within 15 s, also while there is news all the time. One that needed no token goes on.
func TestRevokedStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := Access{Visitors: Spectator}
		if err := a.ReadTokens(strings.NewReader("workshop 8WqLrzBLvMHw\n")); err != nil {
			t.Fatal(err)
		}
		a.AllowReplacing()
		s := &Server{access: a}
		ctx, stop := context.WithCancel(t.Context())
		ended := map[string]*atomic.Bool{}
		var all sync.WaitGroup
		feed := NewFeed()
		all.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				feed.Set("game", i)
				time.Sleep(time.Second)
			}
		})
		for _, token := range []string{"", "8WqLrzBLvMHw"} {
			over := &atomic.Bool{}
			ended[token] = over
			all.Go(func() {
				r := httptest.NewRequest(http.MethodGet, "/", nil).WithContext(ctx)
				if token != "" {
					r.Header.Set("Authorization", "Bearer "+token)
				}
				s.stream(taker{httptest.NewRecorder()}, r, channel{feed: feed})
				over.Store(true)
			})
		}
		time.Sleep(2*keepAliveInterval + time.Second) // in the middle between two looks
		if ended[""].Load() || ended["8WqLrzBLvMHw"].Load() {
			t.Fatal("a stream has ended by itself")
		}
		a.ReplaceTokens(&Access{})
		time.Sleep(15 * time.Second)
		synctest.Wait()
		if ended[""].Load() || !ended["8WqLrzBLvMHw"].Load() {
			t.Errorf("ended: who had no token %v, who had one %v; want only the latter", ended[""].Load(),
				ended["8WqLrzBLvMHw"].Load())
		}
		stop()
		all.Wait()
	})
}

// taker is a browser that takes everything at once.
type taker struct{ *httptest.ResponseRecorder }

func (taker) SetWriteDeadline(time.Time) error { return nil }

// TestSlowReaders: who asks for something and does not take the answer is disconnected.
func TestSlowReaders(t *testing.T) {
	for path, within := range map[string]time.Duration{"/story": responseTimeout, "/traces/a": 10 * responseTimeout} {
		synctest.Test(t, func(t *testing.T) {
			failed := make(chan time.Time, 1)
			s := http.Server{Handler: deadline(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				for {
					if _, err := w.Write(make([]byte, 64<<10)); err != nil {
						failed <- time.Now()
						return
					}
				}
			}))}
			l, begun := make(steadytest.Pipes, 1), time.Now()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				s.Serve(l) //nolint:errcheck // it is closed
			}()
			browser, board := net.Pipe()
			l <- board
			fmt.Fprintf(browser, "GET %s HTTP/1.1\r\nHost: a\r\n\r\n", path)
			if took := (<-failed).Sub(begun); took != within {
				t.Errorf("%s: given up after %v, want %v", path, took, within)
			}
			browser.Close()
			close(l)
			s.Close()
			<-ended
		})
	}
}

// TestCostlyAnswersWait: as many as may are answered at once, the others wait and are refused after a while; none is
// forgotten.
func TestCostlyAnswersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Server{costlyTurns: crowd.Turns{AtOnce: maxCostly}}
		release := make(chan struct{})
		var inside atomic.Int32
		h := s.limitCostly(func(http.ResponseWriter, *http.Request) { inside.Add(1); <-release })
		codes := make(chan int, 10)
		for range 10 {
			go func() {
				w := httptest.NewRecorder()
				h(w, httptest.NewRequest(http.MethodGet, "/", nil))
				codes <- w.Code
			}()
		}
		refused := 0
		for range 10 - maxCostly {
			if <-codes == http.StatusServiceUnavailable {
				refused++
			}
		}
		if refused != 10-maxCostly || inside.Load() != maxCostly {
			t.Errorf("%d inside, %d refused", inside.Load(), refused)
		}
		close(release)
		for range maxCostly {
			<-codes
		}
	})
}

// TestWallShowsNoRubbish: positions that the rules refuse reach no browser, and a board that claims the id of another
// table's game does not pass for it.
func TestWallShowsNoRubbish(t *testing.T) {
	const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	for fen, want := range map[string]bool{start: true, "[P/8/8 w": false, "": false, "8/8/8/8/8/8/8/8 w - - 0 1": false,
		strings.Repeat("[", 500): false} {
		if got := isDrawable(&wire.Game{Variant: "chess", FEN: fen}); got != want {
			t.Errorf("%.40q is shown: %v, want %v", fen, got, want)
		}
	}
	shown := func(board, white, black string) string {
		w := wallBoard{Board: board}
		w.setGame(&wire.Game{Game: "g", Seats: wire.Seats{White: white, Black: black}, FEN: start})
		return w.Game
	}
	of := shown("north", "north", "south")
	if got := shown("south", "north", "south"); got != of {
		t.Errorf("the two boards of one game show %q and %q", of, got)
	}
	alone := shown("north", "local", "local")
	for _, c := range []struct{ white, black, real string }{
		{"evil", "south", of}, {"north", "evil", of}, {"north", "south", of}, {"local", "local", alone},
		{"north", "north", of}, {"engine", "local", shown("north", "engine", "local")},
	} {
		if got := shown("evil", c.white, c.black); got == c.real {
			t.Errorf("a claimed id with the seats %s and %s passes for the game: %q", c.white, c.black, got)
		}
	}
}
