// SPDX-License-Identifier: Apache-2.0

package senses

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"boardd/hardware/rig"
	"boardd/leds"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sync/web"
)

// Workshop is what the workshop page shows of a board.
type Workshop struct {
	Last   *Minutes
	Lights *rig.Lighting // nil: it has no lights
	Dir    string        // of the traces
}

var _ web.Diagnostics = Workshop{}

// Senses is what every sensor says now.
func (w Workshop) Senses() web.Senses { return w.Last.Senses() }

// LastMinute is the last minute of a square.
func (w Workshop) LastMinute(deck sensing.Deck, sq rules.Square) []web.Curve {
	return w.Last.Minute(deck, sq, time.Now())
}

// TestLights tries the lights.
func (w Workshop) TestLights(ctx context.Context, t web.LightTest) error {
	if w.Lights == nil {
		return say.Error("this board has no lights: hardware.spi is empty")
	}
	now := time.Now()
	test := rig.LightTest{Color: leds.Color{R: t.Color[0], G: t.Color[1], B: t.Color[2]}, Until: now.Add(rig.TestFor)}
	switch t.What {
	case web.LightAll:
		test.Place = rig.Everywhere
	case web.LightOne:
		test.Place = rig.Only(t.Deck, t.Square)
	}
	select {
	case w.Lights.Tests <- test:
		return nil
	case <-ctx.Done():
		return say.Error("the lights do not answer: the board is starting or stopping")
	}
}

// Traces lists the recorded traces, the newest first.
func (w Workshop) Traces() ([]web.TraceFile, error) {
	entries, err := os.ReadDir(w.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the traces: %w", err)
	}
	var out []web.TraceFile
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasSuffix(e.Name(), ".trace") {
			out = append(out, web.TraceFile{Name: e.Name(), Bytes: info.Size()})
		}
	}
	slices.Reverse(out)
	return out, nil
}

// Trace opens one of them; no name leads out of their folder.
func (w Workshop) Trace(name string) (io.ReadCloser, error) {
	root, err := os.OpenRoot(w.Dir)
	if err != nil {
		return nil, fmt.Errorf("open the traces: %w", err)
	}
	defer root.Close() //nolint:errcheck // files opened below it stay open
	if !strings.HasSuffix(name, ".trace") {
		return nil, say.Error("%q is no trace", name)
	}
	return root.Open(name)
}
