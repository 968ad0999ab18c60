// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"boardd/hardware/virtual"
	"boardd/leds"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sync/web"

	"github.com/google/renameio/v2"
)

// handsOn moves the wood of a virtual board for the page, and shows the page what stands where.
type handsOn struct {
	*virtual.Board
	feed *web.Feed
	file string // where the wood is kept, so that it stands where it stood when the program starts again
	slow time.Duration
}

// A hand needs time for every movement, and so do the sensors that have to notice it: half a blitz player's time on a board
// with load cells; the whole on one with height sensors, which are read 12 times a second and see the hand itself first.
const (
	handTime     = 60 * time.Millisecond
	handTimeTwin = 120 * time.Millisecond
)

var _ web.Hands = handsOn{}

func side(left bool) string {
	if left {
		return "left"
	}
	return "right"
}

// done shows and keeps the wood after a deed. Real wood stays where it is without a file, so nothing depends on it.
func (h handsOn) done(err error) error {
	if err != nil {
		return err
	}
	h.feed.Set("wood", web.Piles(h))
	if h.file == "" {
		return nil
	}
	data, err := json.Marshal(h.Board.Wood())
	if err == nil {
		err = renameio.WriteFile(h.file, data, 0o640)
	}
	if err != nil {
		return fmt.Errorf("the wood has moved but cannot be kept: %w", err)
	}
	time.Sleep(h.slow)
	return nil
}

// stand puts the virtual wood where it stood when the program ended, or up for the game.
func (b *board) stand() {
	v := b.rig.virtual
	if v == nil {
		return
	}
	var w virtual.Wood
	data, err := os.ReadFile(b.woodFile())
	if err != nil || json.Unmarshal(data, &w) != nil {
		w = virtualWood(b.decoder.Wood())
	}
	v.Put(w)
	if err := b.hands().done(nil); err != nil {
		b.log.Warn("the virtual wood", "error", err)
	}
}

func (b *board) woodFile() string { return filepath.Join(b.conf.StateDir, "wood.json") }

// hands are the hands of a virtual board.
func (b *board) hands() handsOn {
	return handsOn{Board: b.rig.virtual, feed: b.feed, file: b.woodFile()}
}

func (h handsOn) Lift(left bool, d sensing.Deck, s rules.Square, n int) error {
	return h.done(h.Board.Lift(side(left), d, s, n))
}

func (h handsOn) Place(left bool, d sensing.Deck, s rules.Square) error {
	return h.done(h.Board.Place(side(left), d, s))
}

func (h handsOn) Discard(left bool) error { return h.done(h.Board.Discard(side(left))) }

func (h handsOn) Take(left bool, pieces []byte) error {
	return h.done(h.Board.Take(side(left), pieces))
}

func (h handsOn) Piles() [2][64][]byte { return h.Board.Wood() }

func (h handsOn) Holds(left bool) []byte { return h.Board.Hand(side(left)) }

func (h handsOn) Impossible(err error) bool {
	var no *virtual.Impossible
	return errors.As(err, &no)
}

// page is the board as the web sees it.
func (b *board) page() *web.Board {
	p := &web.Board{ID: b.id, Feed: b.feed, Command: b.ask, Bench: workshop{b}}
	if b.lamp == nil || b.rig.virtual == nil {
		b.showLights(leds.Frame{}) // until something shines, and where nothing can: the page draws by it how many decks there are
	}
	if b.rig.virtual != nil {
		h := b.hands()
		h.slow = handTime
		if b.rig.geometry.Heights {
			h.slow = handTimeTwin
		}
		p.Hands = h
		b.feed.Set("wood", web.Piles(h))
	}
	return p
}

// colors is a frame as the web interface writes it; a board with one deck has no upper list.
func colors(f *leds.Frame, decks int) map[string][]string {
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

// showLights shows the page what shines on a real board.
func (b *board) showLights(f leds.Frame) { b.feed.Set("leds", colors(&f, b.decks())) }

// decks is how many decks the board has.
func (b *board) decks() int {
	if b.rig.geometry.TwoDecks {
		return 2
	}
	return 1
}

// watchLights shows the page what the virtual line decodes, until ctx ends.
func (b *board) watchLights(ctx context.Context) {
	v := b.rig.virtual
	for {
		f := v.Lights()
		b.feed.Set("leds", colors(&f, b.decks()))
		select {
		case <-v.Lit():
		case <-ctx.Done():
			return
		}
	}
}

// listen takes a web address. A port that is taken is an error that says what to do; with spare set the next free
// port is taken instead.
func listen(address string, spare bool) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err == nil {
		return l, nil
	}
	if spare {
		host, port, e := net.SplitHostPort(address)
		var n int
		if _, e2 := fmt.Sscan(port, &n); e == nil && e2 == nil {
			for k := n + 1; k < n+100; k++ {
				if l, e := net.Listen("tcp", net.JoinHostPort(host, fmt.Sprint(k))); e == nil {
					return l, nil
				}
			}
		}
	}
	return nil, fmt.Errorf("the page cannot listen on %s: %w; stop the program that uses it or choose another address", address, err)
}

// serve answers web requests until ctx ends.
func serve(ctx context.Context, l net.Listener, h http.Handler, log *slog.Logger) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		BaseContext: func(net.Listener) context.Context { return ctx }}
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
