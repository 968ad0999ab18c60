// SPDX-License-Identifier: Apache-2.0

package page

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"testing"

	"boardd/sync/web"
)

// TestProgramsHostNames: a foreign site that points its name at this machine cannot look on as a program does. It
// would be of the same origin as what it asks.
func TestProgramsHostNames(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	board := &web.Board{ID: "north", Feed: web.NewFeed()}
	serve := LiveChess(address, []string{"lichess.org"}, []string{"Club.example"}, slog.New(slog.DiscardHandler), board)
	ctx, stop := context.WithCancel(t.Context())
	up, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- serve(ctx, func() { close(up) }) }()
	defer func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	select {
	case <-up:
	case err := <-done:
		t.Fatal(err)
	}
	for host, want := range map[string]bool{address: true, "localhost:1982": true, "192.168.1.7": true,
		"club.example": true, "lichess.org": false, "evil.example": false, "127.0.0.1.evil.example:1982": false} {
		for _, path := range []string{"/api/v1.0", "/api/v1.0/eboards"} {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = host
			for name, value := range map[string]string{"Origin": "http://" + host, "Connection": "Upgrade",
				"Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="} {
				r.Header.Set(name, value)
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if got := resp.StatusCode != http.StatusForbidden; got != want {
				t.Errorf("%s of %s: status %d, answered: want %v", path, host, resp.StatusCode, want)
			}
		}
	}
}
