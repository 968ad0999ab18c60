// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"boardd/systemd/steady/steadytest"
)

// TestHelloAgain: a browser is told the time once, and again when the computer's clock was set, forward or back.
func TestHelloAgain(t *testing.T) {
	for by, want := range map[time.Duration]int{0: 1, time.Hour: 2, -time.Hour: 2} {
		var out bytes.Buffer
		o := &eventWriter{w: &out, begun: true}
		o.hello("1", Player)
		o.helloAt = steadytest.Set(o.helloAt, -by)
		for range 3 {
			o.resendTime("1", Player, o.helloAt.Add(time.Hour))
			o.resendTime("1", Player, time.Now())
		}
		if n := strings.Count(out.String(), "now_ms"); n != want || o.err != nil {
			t.Errorf("set by %v: told %d times, want %d; %v", by, n, want, o.err)
		}
	}
}

// TestHeadOfStream: who asks only for the head of a stream gets an answer that ends. Otherwise the connection would be
// blocked for the client's next request.
func TestHeadOfStream(t *testing.T) {
	s := httptest.NewServer(Handler(Options{Access: Access{Visitors: Spectator}}, &Board{ID: "north", Feed: NewFeed()}))
	defer s.Close()
	defer s.CloseClientConnections()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for _, q := range []struct{ method, path string }{{"HEAD", "/api/events"}, {"HEAD", "/api/boards/north/events"},
		{"GET", "/api/boards"}} {
		r, err := http.NewRequestWithContext(ctx, q.method, s.URL+q.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := s.Client().Do(r) // it has one connection
		if err != nil {
			t.Fatalf("%s %s: %v", q.method, q.path, err)
		}
		if resp.Body.Close(); resp.StatusCode != http.StatusOK {
			t.Errorf("%s %s: %s", q.method, q.path, resp.Status)
		}
	}
}
