// SPDX-License-Identifier: Apache-2.0

package page

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/config/size"
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

// broken is a listener whose next connections fail for good, as if the kernel had closed it.
type broken struct {
	net.Listener
	fail chan struct{}
}

func (b *broken) Accept() (net.Conn, error) {
	<-b.fail
	return nil, errors.New("the listener is gone")
}

// TestServedAgain: a page whose listener fails while it is served is an error of that part, which names it. When the
// part is started again, the page is served at the same address.
func TestServedAgain(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	gone := &broken{fail: make(chan struct{})}
	var err error
	if gone.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	site := &Site{Address: gone.Addr().String(), Visitors: "spectator"}
	close(gone.fail)
	if err := Serve(t.Context(), gone, http.NotFoundHandler(), log); err == nil ||
		!strings.Contains(err.Error(), "the listener is gone") {
		t.Fatalf("a listener that fails: %v", err)
	}
	var out strings.Builder
	part, err := site.Part("v", &out, log, func(o web.Options) http.Handler { return web.Handler(o) })
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // as it is started first, and again
		ctx, stop := context.WithCancel(t.Context())
		up, done := make(chan struct{}), make(chan error, 1)
		go func() { done <- part(ctx, func() { close(up) }) }()
		<-up
		resp, err := http.Get("http://" + site.Address + "/")
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Errorf("the page: %v", err)
		} else {
			resp.Body.Close()
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// TestEndlessTokens: a file of tokens that has no end, such as a device, is refused. Reading it would never end.
func TestEndlessTokens(t *testing.T) {
	name := filepath.Join(t.TempDir(), "tokens")
	text := strings.Repeat("player knows-the-rules\n", size.Named/len("player knows-the-rules\n")+1)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l, _, err := (&Site{Address: "127.0.0.1:0", Tokens: name}).Open("v", slog.New(slog.DiscardHandler))
	if !errors.Is(err, size.ErrLarge) {
		t.Errorf("%v, want %v", err, size.ErrLarge)
	}
	if l != nil {
		l.Close()
	}
}
