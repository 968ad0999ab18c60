// SPDX-License-Identifier: Apache-2.0

package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/google/renameio/v2"

	"boardd/hardware/virtual"
	"boardd/leds"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/wood"
	"boardd/sync/crowd"
	"boardd/sync/web"
)

// Hands moves the wood of a virtual board for the page, and shows the page what stands where. Squares are called as in
// the game, which may lie on the board the other way round.
type Hands struct {
	*virtual.Board
	Feed *web.Feed
	File string // where the wood is saved, so that it stands as before when the program starts again
	Slow time.Duration

	Geometry *wood.Geometry // how games lie on the board; nil: no game is played on it
	Turned   *atomic.Bool   // the game lies the other way round; nil: it never does
}

var _ web.Hands = Hands{}

func side(left bool) string {
	if left {
		return "left"
	}
	return "right"
}

// Done shows and keeps the wood after a deed. Real wood stays where it is without a file, so nothing depends on it.
func (h Hands) Done(err error) error {
	if err != nil {
		return err
	}
	h.Feed.Set("wood", web.Wood(h))
	if h.File == "" {
		return nil
	}
	data, err := json.Marshal(h.Board.Wood())
	if err == nil {
		err = renameio.WriteFile(h.File, data, 0o640)
	}
	if err != nil {
		return say.Error("the wood has moved but cannot be kept: %v", err)
	}
	time.Sleep(h.Slow)
	return nil
}

// on is the square of the board under a square of the game.
func (h Hands) on(s rules.Square) rules.Square {
	if h.Turned != nil && h.Turned.Load() {
		return 63 - s
	}
	return s
}

// Turn says how the game lies on the board, and shows the wood as it is called then.
func (h Hands) Turn(round bool) {
	if h.Turned.Swap(round) != round && h.Board != nil {
		h.Feed.Set("wood", web.Wood(h))
	}
}

// Lift takes this many pieces from the top of a pile, and publishes the wood.
func (h Hands) Lift(left bool, d sensing.Deck, s rules.Square, n int) error {
	return h.Done(h.Board.Lift(side(left), d, h.on(s), n))
}

// Place puts down what a hand holds, and publishes the wood.
func (h Hands) Place(left bool, d sensing.Deck, s rules.Square) error {
	return h.Done(h.Board.Place(side(left), d, h.on(s)))
}

// Discard puts what a hand holds beside the board, and publishes the wood.
func (h Hands) Discard(left bool) error { return h.Done(h.Board.Discard(side(left))) }

// Take takes pieces, by their letters, from beside the board, and publishes the wood.
func (h Hands) Take(left bool, pieces []byte) error {
	return h.Done(h.Board.Take(side(left), pieces))
}

// Wood returns what stands where.
func (h Hands) Wood() (stands wood.Wood) {
	for p, pile := range h.Board.Wood() {
		at := wood.Place(p)
		stands[wood.PlaceAt(at.Deck(), h.on(at.Square()))] = pile
	}
	return stands
}

// Holds returns the letters of what a hand holds, first lifted first.
func (h Hands) Holds(left bool) []byte { return h.Board.Hand(side(left)) }

// Impossible reports whether an error says that wood and hands do not allow the request.
func (h Hands) Impossible(err error) bool {
	var no *virtual.ImpossibleError
	return errors.As(err, &no)
}

// mostVisitors is the largest number of connections at once. Each takes about 10 kB; a browser opens six at most, and
// a wall two.
const mostVisitors = 2000

// Listen listens at a web address. If the port is in use, the error says what to do. With spare, the next free port is
// used instead.
func Listen(address string, spare bool, log *slog.Logger) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err == nil {
		return crowd.Limit(l, mostVisitors, log), nil
	}
	if spare {
		host, port, e := net.SplitHostPort(address)
		var n int
		if _, e2 := fmt.Sscan(port, &n); e == nil && e2 == nil {
			for k := n + 1; k < n+100; k++ {
				if l, e := net.Listen("tcp", net.JoinHostPort(host, fmt.Sprint(k))); e == nil {
					return crowd.Limit(l, mostVisitors, log), nil
				}
			}
		}
	}
	return nil, fmt.Errorf("the page cannot listen on %s: %w; %s", address, err, crowd.Advice(err))
}

// Serve answers web requests until ctx ends.
func Serve(ctx context.Context, l net.Listener, h http.Handler, log *slog.Logger) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second,
		IdleTimeout:    time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { return web.WithPeer(crowd.With(ctx, c), c) }}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if s.Shutdown(end) != nil {
		s.Close() //nolint:errcheck // nobody is left to tell
	}
	<-done
	return nil
}

// Colors is a frame as the web interface writes it; a board with one deck has no upper list.
func Colors(f *leds.Frame, decks int) map[string][]string {
	out := map[string][]string{"lower": {}, "upper": {}}
	for d := range decks {
		list := make([]string, 64)
		for s := range list {
			list[s] = f[d][s].String()
		}
		out[sensing.Deck(d).String()] = list
	}
	return out
}

// Meanings is the meaning of each light, by deck and square of the game, in the words of the page.
func Meanings(v *leds.View) map[string]map[string]string {
	out := map[string]map[string]string{"lower": {}, "upper": {}}
	for p, name := range leds.Meanings(v) {
		out[p.Deck().String()][p.Square().String()] = name
	}
	return out
}
