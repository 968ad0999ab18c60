// SPDX-License-Identifier: Apache-2.0

package page

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"boardd/sync/crowd"
	"boardd/sync/web"
)

// TestStreamStays: who follows a game is not pushed out by those who only connect from his address, or who do not ask
// to the end.
func TestStreamStays(t *testing.T) {
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	feed, done := web.NewFeed(), make(chan error, 1)
	h := web.Handler(web.Options{Access: web.Access{Visitors: web.Spectator}}, &web.Board{ID: "north", Feed: feed})
	go func() { done <- Serve(ctx, crowd.Limit(plain, 16, nil), h, slog.New(slog.DiscardHandler)) }()
	defer func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	dial := func(text string) net.Conn {
		t.Helper()
		c, err := net.DialTimeout("tcp", plain.Addr().String(), 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		fmt.Fprint(c, text)
		return c
	}
	stream := bufio.NewScanner(dial("GET /api/boards/north/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
	next := func(want string) {
		t.Helper()
		for stream.Scan() {
			if strings.Contains(stream.Text(), want) {
				return
			}
		}
		t.Fatalf("the stream ended before %q", want)
	}
	next("event: hello")
	for i := range 100 {
		dial([]string{"", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "}[i%2])
		feed.Set("game", i)
		next(fmt.Sprint("data: ", i))
	}
}
