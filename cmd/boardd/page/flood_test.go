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
	"boardd/sync/wire"
)

// TestStreamStays: who follows a game is not pushed out by others at his address. They may only connect, or not ask to
// the end, or wait for answers that take long.
func TestStreamStays(t *testing.T) {
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	feed, done := web.NewFeed(), make(chan error, 1)
	wait := func(ctx context.Context, _ wire.Command, _ web.Visitor) wire.Reply {
		<-ctx.Done()
		return wire.Reply{}
	}
	h := web.Handler(web.Options{Access: web.Access{Visitors: web.Player}},
		&web.Board{ID: "north", Feed: feed, Command: wait})
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
	const command = `{"id":"1","do":"flip"}`
	answered := fmt.Sprintf("POST /api/boards/north/command HTTP/1.1\r\nHost: 127.0.0.1\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(command), command)
	for i := range 100 {
		dial([]string{"", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", answered}[i%3])
		feed.Set("game", i)
		next(fmt.Sprint("data: ", i))
	}
}
