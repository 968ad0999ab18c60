// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"log/slog"
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
