// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"boardd/cmd/boardd/calibrate/calibratetest"
	"boardd/config"
	"boardd/hardware/rig"
	"boardd/hardware/virtual"
	"boardd/leds"
	"boardd/rules"
	"boardd/sensing"
)

// TestStopLeavesTheLightsDark: the lights show where a knight may go when the service is stopped. Afterwards they are
// dark.
func TestStopLeavesTheLightsDark(t *testing.T) {
	t.Parallel()
	v, err := virtual.New(virtual.Options{Name: "stopped", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close() //nolint:errcheck // nothing is left
	all := map[rules.Square]byte{}
	for i, letter := range "RNBQKBNRPPPPPPPP" {
		all[rules.Square(i)] = byte(letter)
		all[rules.Square(i^56)] = byte(letter) + 'a' - 'A'
	}
	calibratetest.Stand(v, all)
	c := config.Default()
	c.Board, c.StateDir, c.WebListen = "stopped", t.TempDir(), ""
	c.I2C, c.SPI, c.Int, c.Hub = v.I2C(), v.SPI(), v.Int(), v.Hub()
	b, err := startBoard(c, rig.Open, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.run(ctx) }()
	late := time.After(soonEnough)
	// a lifted knight means nothing until the board has found that the array stands
	lifted := time.NewTicker(200 * time.Millisecond)
	defer lifted.Stop()
	for up := false; v.Lights() == (leds.Frame{}); {
		select {
		case <-v.Lit():
		case <-lifted.C:
			if up {
				err = v.Place("right", sensing.Lower, 6)
			} else {
				err = v.Lift("right", sensing.Lower, 6, 1)
			}
			if up = !up; err != nil {
				t.Fatal(err)
			}
		case <-late:
			t.Fatal("no light shines")
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if f := v.Lights(); f != (leds.Frame{}) {
		t.Errorf("lights shine after the end: %v", f)
	}
}

// TestOneSignalEnds: a command that works on a stranger's file for hours, here a trace, ends at the first signal.
func TestOneSignalEnds(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("boardd-trace 1\ngame chess rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nm 1 e2e4\n")
	for i := range uint64(50_000) { // wood that changes all over takes the longest
		fmt.Fprintf(&b, "r %d 0 ffffffffffffffff %016x\n", (i+1)*10_000_000, i*0x9e3779b97f4a7c15)
	}
	name := filepath.Join(t.TempDir(), "trace")
	must(t, os.WriteFile(name, []byte(b.String()), 0o600))
	for _, end := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		cmd := program(t.Context(), "replay", name)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		if !bufio.NewScanner(out).Scan() { // the move that no reading shows
			t.Fatal("it does not begin")
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		must(t, cmd.Process.Signal(end))
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%v: it came to its end, and was to be ended before", end)
			}
		case <-time.After(soonEnough):
			cmd.Process.Kill() //nolint:errcheck // it may have ended
			t.Fatalf("%v does not end it", end)
		}
	}
}
