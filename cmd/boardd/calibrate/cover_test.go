// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"context"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/hardware/virtual"
	"boardd/sensing"
)

// A twin board whose sensors look through a pane is calibrated, and then an empty board is flat.
func TestCalibrateCover(t *testing.T) {
	t.Parallel()
	v, err := virtual.New(virtual.Options{Name: "pane", Kind: virtual.Twin, Cover: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	c := config.Default()
	c.Board, c.Kind, c.StateDir = "pane", "twin", t.TempDir()
	c.I2C, c.SPI, c.Int = v.I2C(), v.SPI(), v.Int()
	log := slog.New(slog.DiscardHandler)
	open := func() *rig.Rig {
		r, err := rig.Open(&c, log)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if err := os.MkdirAll(c.StateDir, 0o750); err != nil {
		t.Fatal(err)
	}
	r := open()
	var said strings.Builder
	if err := calibrateCover(t.Context(), Terminal{strings.NewReader("\n"), &said, io.Discard}, c, r); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.String(), "64 of 64 sensors") {
		t.Errorf("not said that all are covered:\n%s", said.String())
	}
	r = open()
	defer r.Close()
	if err := r.Calibrate(&c, log); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	readings := make(chan sensing.Reading)
	done := r.RunSources(ctx, readings, log)
	defer done()
	defer stop()
	for {
		select {
		case m := <-readings:
			if m.Kind != sensing.Heights || m.Known.Count() < 64 {
				continue
			}
			for sq, um := range m.Value {
				if um < -8000 || um > 8000 {
					t.Errorf("square %d of the empty board is %d um high", sq, um)
				}
			}
			return
		case <-ctx.Done():
			t.Fatal("no heights of the whole board in 20 s")
		}
	}
}

func TestCoverWantsHeightSensors(t *testing.T) {
	c := config.Default()
	if err := calibrateCover(t.Context(), Terminal{strings.NewReader(""), io.Discard, io.Discard}, c,
		&rig.Rig{}); err == nil || !strings.Contains(err.Error(), "twin") {
		t.Errorf("a stack board: got %v, want an error that says which boards", err)
	}
}
