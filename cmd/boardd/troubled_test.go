// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/hardware/virtual"
	"boardd/sensing/wood"
	"boardd/sync/journal"
	"boardd/sync/journal/journaltest"
	"boardd/sync/mirror"
	"boardd/sync/mirror/mirrortest"
	"boardd/sync/wire"
	"boardd/systemd/steady"
)

// troubled is a daemon on a virtual board in virtual time, with its surroundings and its log.
type troubled struct {
	t    *testing.T
	v    *virtual.Board
	b    *board
	net  *mirrortest.Net
	dial func(context.Context, *url.URL) (net.Conn, error) // the way to the broker
	disk *journaltest.Memory
	full atomic.Bool // the disk takes nothing

	mu    sync.Mutex
	lines []string
}

// Write takes a line of the log.
func (w *troubled) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, string(line))
	return len(line), nil
}

// told returns the lines of the log until now.
func (w *troubled) told() []string {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lines[:len(w.lines):len(w.lines)]
}

// suffer lets a trouble last for a time on a board of a kind. It returns the log after that time, and the log at the
// end.
func suffer(t *testing.T, kind string, trouble func(context.Context, *troubled), lasts time.Duration) (log,
	end []string) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := &troubled{t: t}
		done := w.open(kind, dir)
		running, stop := context.WithCancel(t.Context())
		var daemon sync.WaitGroup
		daemon.Go(func() { must(t, w.b.run(running)) })
		time.Sleep(5 * time.Second) // meanwhile the board finds out how the wood stands
		synctest.Wait()
		lasting, over := context.WithTimeout(t.Context(), lasts)
		trouble(lasting, w)
		<-lasting.Done()
		log = w.told()
		w.full.Store(false) // so that it can save everything at the end
		over()
		stop()
		daemon.Wait()
		done()
		end = w.told()[len(log):]
		must(t, w.v.Close())
		time.Sleep(time.Minute) // what is still on its way arrives
		must(t, w.net.Close())
		synctest.Wait()
	})
	return log, end
}

// open makes the board and its surroundings. done has to be called when its daemon has ended.
func (w *troubled) open(kind, dir string) (done func()) {
	var err error
	if w.net, err = mirrortest.NewNet(10*time.Millisecond, nil); err != nil {
		w.t.Fatal(err)
	}
	w.dial = w.net.Dial("table")
	o := virtual.Options{Name: strings.ReplaceAll(w.t.Name(), "/", "-"), Kind: virtual.Reeds, Untimed: true}
	if kind == "twin" {
		o.Kind = virtual.Twin
	}
	if w.v, err = virtual.New(o); err != nil {
		w.t.Fatal(err)
	}
	w.v.Put(array())
	log, done := steady.New(w, slog.LevelInfo)
	c := config.Default()
	c.Board, c.Kind, c.Variant, c.StateDir = "table", kind, "chess", dir
	c.MQTTCommands = []string{"on"}
	c.I2C, c.SPI, c.Int = w.v.I2C(), w.v.SPI(), w.v.Int()
	c.Hub = filepath.Join(dir, "hub") // there is none, because a pseudo-terminal does not work in virtual time
	c.SCL, c.SDA = w.v.Recovery()
	r, err := rig.Open(&c, log)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "traces"), nil, 0o600); err != nil { // so that no trace can be written
		w.t.Fatal(err)
	}
	w.disk = journaltest.NewMemory()
	w.disk.Refuse = func(journaltest.Step) (int, error) {
		if w.full.Load() {
			return 0, errors.New("no space left on device")
		}
		return 0, nil
	}
	if w.b, err = openBoard(c, c, r, journal.Options{FS: w.disk}, log.With("board", c.Board)); err != nil {
		w.t.Fatal(err)
	}
	w.b.mirror = mirror.New(mirror.Options{Board: c.Board, URL: "tcp://broker", Log: w.b.log,
		Dial: func(ctx context.Context, u *url.URL) (net.Conn, error) { return w.dial(ctx, u) }})
	return done
}

// array is the array of chess on the lower deck.
func array() (w wood.Wood) {
	for i, letter := range "RNBQKBNRPPPPPPPP" {
		w[i], w[i^56] = wood.Pile(letter), wood.Pile(letter+'a'-'A')
	}
	return w
}

// say publishes a message in the name of a board.
func (w *troubled) say(board, leaf, text string) {
	must(w.t, w.net.Publish(wire.Topic(board, leaf), []byte(text), false))
}

// command publishes a command to the board.
func (w *troubled) command(text string) { w.say("table", wire.LeafCommand, text) }

// invite begins a game in which another board has Black, and returns its id.
func (w *troubled) invite() string {
	w.command(`{"id":"invite","do":"new","seats":{"white":"table","black":"other"}}`)
	time.Sleep(time.Second)
	return w.shown().Game
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// every calls a function after each pause until ctx ends.
func every(ctx context.Context, pause time.Duration, f func(n int)) {
	for n := 0; ctx.Err() == nil; n++ {
		f(n)
		time.Sleep(pause)
	}
}
