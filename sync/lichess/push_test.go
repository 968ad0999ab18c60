// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/corentings/chess/v2"
)

// memory passes requests to a handler without a network, so that they work in virtual time. A stream ends with its
// request's context.
type memory struct{ h http.Handler }

func (m memory) RoundTrip(r *http.Request) (*http.Response, error) {
	out, in := io.Pipe()
	w := &answer{header: http.Header{}, body: in, begun: make(chan struct{}), gone: r.Context()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.h.ServeHTTP(w, r)
		w.WriteHeader(http.StatusOK)
		in.Close()
	}()
	stop := context.AfterFunc(r.Context(), func() { in.CloseWithError(context.Cause(r.Context())) })
	select {
	case <-w.begun:
	case <-r.Context().Done():
		return nil, context.Cause(r.Context())
	}
	return &http.Response{StatusCode: w.status, Header: w.header, Body: &body{out, stop}, Request: r}, nil
}

// answer writes what a handler says.
type answer struct {
	header http.Header
	body   *io.PipeWriter
	status int
	once   sync.Once
	begun  chan struct{}
	gone   context.Context
}

func (a *answer) Header() http.Header { return a.header }
func (a *answer) Flush()              { a.WriteHeader(http.StatusOK) }
func (a *answer) WriteHeader(status int) {
	a.once.Do(func() { a.status = status; close(a.begun) })
}
func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

type body struct {
	io.Reader
	stop func() bool
}

func (b *body) Close() error {
	b.stop()
	return b.Reader.(*io.PipeReader).Close()
}

// broadcasts is a server that takes pushes, with faults.
type broadcasts struct {
	t      *testing.T
	mu     sync.Mutex
	games  map[string]int // by the tag Round: how many moves it has taken
	pushes []time.Time
	busy   int  // answers 429 so often
	broken int  // answers 502 so often
	now    int  // requests at this moment
	closed bool // the round is over: 404
}

func (b *broadcasts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.now++
	if b.now > 1 {
		b.t.Error("two requests at once")
	}
	b.pushes = append(b.pushes, time.Now())
	b.mu.Unlock()
	time.Sleep(300 * time.Millisecond)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now--
	if got := r.Method + " " + r.URL.Path + " " +
		r.Header.Get("Authorization"); got != "POST /api/broadcast/round/abcd1234/push Bearer secret" {
		b.t.Errorf("asked for %s", got)
	}
	switch {
	case b.closed:
		http.Error(w, `{"error":"No such round"}`, http.StatusNotFound)
		return
	case b.busy > 0:
		b.busy--
		http.Error(w, `{"error":"Too many requests"}`, http.StatusTooManyRequests)
		return
	case b.broken > 0:
		b.broken--
		http.Error(w, "<html>", http.StatusBadGateway)
		return
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		b.t.Error(err)
	}
	var answers []string
	read := chess.NewScanner(bytes.NewReader(data))
	for read.HasNext() {
		g, err := read.ParseNext()
		if err != nil {
			answers = append(answers, fmt.Sprintf(`{"tags":{},"error":%q}`, err))
			continue
		}
		round := g.GetTagPair("Round")
		if len(g.Moves()) < b.games[round] {
			b.t.Errorf("game %s goes back", round)
		}
		b.games[round] = len(g.Moves())
		if g.GetTagPair("White") == "Nobody" {
			answers = append(answers, `{"tags":{"White":"Nobody"},"error":"Cannot find player"}`)
			continue
		}
		answers = append(answers, fmt.Sprintf(`{"tags":{"Round":%q},"moves":%d}`, round, len(g.Moves())))
	}
	if len(answers) > mostGames {
		b.t.Errorf("%d games at once", len(answers))
	}
	fmt.Fprintf(w, `{"games":[%s]}`, strings.Join(answers, ","))
}

// round is this many games of this many moves.
func round(games, moves int) (tables []int, texts [][]byte) {
	line := strings.Fields("1.Nf3 Nf6 2.Ng1 Ng8 3.Nc3 Nc6 4.Nb1 Nb8")
	for n := 1; n <= games; n++ {
		white := "W"
		if n == 2 {
			white = "Nobody"
		}
		tables = append(tables, n)
		texts = append(texts, fmt.Appendf(nil, "[Event \"Open\"]\n[Round \"1.%d\"]\n[White \"%s\"]\n[Result \"*\"]\n\n"+
			"%s *\n\n", n, white, strings.Join(line[:moves], " ")))
	}
	return tables, texts
}

// TestPush: a round reaches a broadcast move by move through a server with faults. There is one request at a time, and
// none within a minute after 429. Refusals of single games are reported.
func TestPush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &broadcasts{t: t, games: map[string]int{}}
		var told atomic.Int32
		p := NewPusher(New("https://lichess.example/", "secret", memory{server}), "abcd1234", func() { told.Add(1) })
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); p.Run(ctx) }()
		server.mu.Lock() // the test looks at it between its waits
		defer server.mu.Unlock()
		wait := func(d time.Duration) {
			server.mu.Unlock()
			time.Sleep(d)
			synctest.Wait()
			server.mu.Lock()
		}
		for moves := range 4 {
			p.Set(round(130, moves))
			p.Set(round(130, moves))
			wait(5 * time.Second)
			if server.games["1.130"] != moves || len(server.pushes) != 2*(moves+1) {
				t.Errorf("after %d moves the server has %d, by %d pushes", moves, server.games["1.130"], len(server.pushes))
			}
		}
		if s := p.Status(); s.Trouble != "" || len(s.Faults) != 1 || s.Faults[2] != "Cannot find player" {
			t.Errorf("status %+v", s)
		}
		server.busy = 1
		at := time.Now()
		p.Set(round(50, 4))
		wait(10 * time.Second)
		if s := p.Status(); !strings.Contains(s.Trouble, "fewer requests") {
			t.Errorf("status after 429: %+v", s)
		}
		wait(time.Minute)
		last := server.pushes[len(server.pushes)-1]
		if d := last.Sub(at); d < time.Minute || d > 70*time.Second || server.games["1.50"] != 4 ||
			p.Status().Trouble != "" {
			t.Errorf("after 429 it was pushed %v later; status %+v", d, p.Status())
		}
		server.broken = 3
		before := len(server.pushes)
		p.Set(round(50, 6))
		wait(20 * time.Second)
		if n := len(server.pushes) - before; n != 4 || server.games["1.50"] != 6 || p.Status().Trouble != "" {
			t.Errorf("%d pushes to a broken server, status %+v", n, p.Status())
		}
		before = len(server.pushes)
		wait(10 * time.Minute)
		if n := len(server.pushes) - before; n < 9 || n > 11 {
			t.Errorf("%d pushes in ten quiet minutes, want one a minute", n)
		}
		server.closed = true
		p.Set(round(50, 8))
		wait(10 * time.Minute)
		if s := p.Status(); !strings.Contains(s.Trouble, "404, No such round") {
			t.Errorf("status of a round that is gone: %+v", s)
		}
		server.mu.Unlock()
		stop()
		<-done
		server.mu.Lock()
		if told.Load() == 0 {
			t.Error("nobody was told")
		}
	})
}

// TestTokenStaysHere: after a redirect the token is not sent to the other server.
func TestTokenStaysHere(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter,
		*http.Request) {
		t.Error("it was followed")
	}))
	defer elsewhere.Close()
	s := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	if err := New(s.URL, "secret", nil).call(t.Context(), http.MethodPost, "/x", "", "", nil); err == nil ||
		!strings.Contains(err.Error(), "307") {
		t.Errorf("got %v", err)
	}
}
