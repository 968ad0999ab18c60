// SPDX-License-Identifier: Apache-2.0

package livechess

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"boardd/systemd/steady/steadytest"

	"github.com/coder/websocket"
)

// TestProgramsFlood: programs that ask without end, by either way, are answered little by little. Each request may
// have a whole game played through, and nobody has to log in here.
func TestProgramsFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := house(t)
		var all sync.WaitGroup
		l, s := make(steadytest.Pipes), http.Server{Handler: h}
		all.Go(func() { s.Serve(l) }) //nolint:errcheck // it is closed
		dial := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			browser, board := net.Pipe()
			l <- board
			return browser, nil
		}}
		ctx, stop := context.WithCancel(t.Context())
		var answers atomic.Int64
		count := func() {
			if answers.Add(1) > 5000 { // enough to see that nothing is paced
				stop()
			}
		}
		for range 4 {
			c, _, err := websocket.Dial(ctx, "http://127.0.0.1/api/v1.0", &websocket.DialOptions{
				HTTPClient: &http.Client{Transport: dial}})
			if err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				for c.Write(ctx, websocket.MessageText, []byte(`{"id":1,"call":"eboards"}`)) == nil {
				}
			})
			all.Go(func() {
				for {
					if _, _, err := c.Read(ctx); err != nil {
						return
					}
					count()
				}
			})
			all.Go(func() {
				for ctx.Err() == nil {
					w := httptest.NewRecorder()
					h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/v1.0/eboards", nil))
					if w.Code == http.StatusOK {
						count()
					}
				}
			})
		}
		time.Sleep(10 * time.Second)
		if n := answers.Load(); n < 10*50 || n > 100+10*50+1 {
			t.Errorf("%d answers in ten seconds, want 50 a second and 100 at once", n)
		}
		stop()
		close(l)
		s.Close()
		all.Wait()
		time.Sleep(time.Minute) // until the server has noticed
	})
}

// TestProgramsFullHouse: programs of one host that take every place keep out others of that host, and nobody else.
func TestProgramsFullHouse(t *testing.T) {
	h, _ := house(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = r.Header.Get("Test-From")
		h.ServeHTTP(w, r)
	}))
	defer s.Close()
	dial := func(from string) (*websocket.Conn, error) {
		c, _, err := websocket.Dial(t.Context(), s.URL+"/api/v1.0",
			&websocket.DialOptions{HTTPHeader: http.Header{"Test-From": {from}}})
		if err == nil {
			t.Cleanup(func() { c.CloseNow() })
		}
		return c, err
	}
	for range mostPrograms {
		if _, err := dial("192.0.2.1:1"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := dial("192.0.2.1:2"); err == nil {
		t.Error("one host has more places than there are")
	}
	c, err := dial("192.0.2.2:1")
	if err != nil {
		t.Fatalf("another host: %v", err)
	}
	if err := c.Write(t.Context(), websocket.MessageText, []byte(`{"id":7,"call":"eboards"}`)); err != nil {
		t.Fatal(err)
	}
	if _, text, err := c.Read(t.Context()); err != nil {
		t.Errorf("another host is not answered: %q, %v", text, err)
	}
}
