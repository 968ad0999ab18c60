// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/cmd/boardd/calibrate/calibratetest"
	"boardd/config"
	"boardd/hardware/rig"
	"boardd/hardware/virtual"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/calibration"
	"boardd/sync/web"
	"boardd/sync/wire"
)

// TestCalibrateAWrongWiredBoard calibrates a board whose load cells differ, and two of whose reeds are soldered to
// each other's input. It uses only the lights and the words that a builder sees, and then plays on the board. The
// board is opened as a real one: its buses are only names.
func TestCalibrateAWrongWiredBoard(t *testing.T) {
	t.Parallel()
	e4, d5 := rules.Square(28), rules.Square(35)
	v, err := virtual.New(virtual.Options{Name: "bench", Seed: 1, Uneven: true,
		Miswired: map[rules.Square]rules.Square{e4: d5, d5: e4}})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	c := config.Default()
	c.Board, c.StateDir = "bench", t.TempDir()
	c.I2C, c.SPI, c.Int, c.Hub = v.I2C(), v.SPI(), v.Int(), v.Hub()
	r, err := rig.Open(&c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := os.MkdirAll(c.StateDir, 0o750); err != nil {
		t.Fatal(err)
	}
	person := calibratetest.Person{Board: v}
	said := builder(t, func(keys io.Writer, line string) { person.Obey(t, keys, line) },
		func(s Terminal) error { return On(t.Context(), s, c, r, Opts{}) })
	for _, want := range []string{"e4 is found. Its switch is wired where the reference has d5.",
		"All kinds can be told apart", "Locking Chess",
		"The switches of the lower deck are wired as on the reference board, but for e4 d5.",
		"The cells are wired as on the reference board."} {
		if !strings.Contains(said, want) {
			t.Errorf("not said: %q in\n%s", want, said)
		}
	}
	if _, err := os.Stat(filepath.Join(c.StateDir, rig.UnfinishedFile)); !os.IsNotExist(err) {
		t.Errorf("the unfinished file is still there: %v", err)
	}
	if err := r.Calibrate(&c, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	feels(t, v, r, e4)
}

// feels puts a knight on a square and checks what the calibrated board says.
func feels(t *testing.T, v *virtual.Board, r *rig.Rig, sq rules.Square) {
	t.Helper()
	calibratetest.Stand(v, map[rules.Square]byte{sq: 'N'})
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	readings := make(chan sensing.Reading)
	done := r.RunSources(ctx, readings, slog.New(slog.DiscardHandler))
	defer done()
	defer stop()
	var closed, heavy bool
	for !closed || !heavy {
		select {
		case m := <-readings:
			switch m.Kind {
			case sensing.Reeds:
				closed = m.Closed == sq.Bit()
			case sensing.Weights:
				heavy = m.Value[sq] > 26_000 && m.Value[sq] < 28_000
			}
		case <-ctx.Done():
			t.Fatalf("a knight of 27 g on %v: switch %v, weight %v", sq, closed, heavy)
		}
	}
}

// builder does what a terminal asks, as a person would: it reads the text and obeys each line by keys and hands.
func builder(t *testing.T, obey func(keys io.Writer, line string), run func(Terminal) error) string {
	t.Helper()
	typed, keys := io.Pipe()
	screen, page := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(Terminal{typed, page, io.Discard})
		page.Close()
	}()
	var said bytes.Buffer
	buf := make([]byte, 4096)
	for {
		n, err := screen.Read(buf)
		said.Write(buf[:n])
		if err != nil {
			break
		}
		obey(keys, string(buf[:n]))
	}
	if err := <-ended; err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	return said.String()
}

// TestCalibrateAVirtualBoard: hands move the wood of a virtual board while it is calibrated, as they do while it
// plays, and no game is played.
func TestCalibrateAVirtualBoard(t *testing.T) {
	t.Parallel()
	c := config.Default()
	c.Board, c.StateDir, c.Virtual = "sketch", t.TempDir(), true
	r, err := rig.Open(&c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // nothing is left
	var out bytes.Buffer
	teach := &teacher{r: r, out: &out}
	boards := teach.simulated("sketch")
	if len(boards) != 1 || !strings.Contains(out.String(), "/api/boards/sketch/hand") {
		t.Fatalf("%d boards; said %q", len(boards), out.String())
	}
	h := boards[0].Hands
	if err := errors.Join(h.Take(false, []byte("K")), h.Place(false, sensing.Lower, 28)); err != nil {
		t.Fatal(err)
	}
	if got := r.Virtual.Wood()[28]; got != "K" {
		t.Errorf("on e4 stands %q", got)
	}
	re := boards[0].Command(t.Context(), wire.Command{ID: "1"}, web.Visitor{})
	if re.OK || re.ID != "1" || re.Error == "" {
		t.Errorf("a command is answered %+v", re)
	}
	if _, err := os.Stat(filepath.Join(c.StateDir, "wood.json")); !os.IsNotExist(err) {
		t.Errorf("the wood of the game is written over: %v", err)
	}
}

// TestDriftBetweenCalibrations: former calibrations are kept, and the last one is compared with the one before, even
// if it was begun again.
func TestDriftBetweenCalibrations(t *testing.T) {
	c := config.Default()
	c.Kind, c.StateDir = "stack", t.TempDir()
	cal := calibration.New()
	cal.Kind, cal.Made = "stack", time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	if _, err := rig.SaveCalibration(c.StateDir, &cal); err != nil {
		t.Fatal(err)
	}
	conclude := func(empty int32) string {
		t.Helper()
		var out bytes.Buffer
		r := &rig.Rig{Geometry: c.Geometry()}
		session, former, err := beginCalibration(Terminal{nil, &out, io.Discard}, &c, r, true)
		if err != nil {
			t.Fatal(err)
		}
		cal := session.Calibration()
		cal.Empty[28] = empty
		teach := &teacher{s: calibration.Begin(calibration.Board{Name: "bench", Kind: "stack", Weights: map[byte]int32{}},
			cal), r: r, out: &out, dir: c.StateDir, feed: web.NewFeed()}
		if err := teach.conclude(t.Context(), former); err != nil {
			t.Fatal(err)
		}
		var last prompted
		if err := json.Unmarshal(teach.feed.Get("prompt"), &last); err != nil || len(last.Said) < 2 ||
			len(last.SeenSaid) != 6 || last.Do != "The calibration is done and saved. "+games(&r.Geometry).English {
			t.Errorf("the page is told %+v, %v: want sentences with codes for what was found and for what it means", last, err)
		}
		return out.String()
	}
	if said := conclude(2500); !strings.Contains(said, "since 1 March 2026: the zero of the cells has moved, the most "+
		"on e4 by +2.5 g") {
		t.Errorf("the drift of a cell is not told:\n%s", said)
	}
	if said := conclude(2600); !strings.Contains(said, ": nothing has moved") || !strings.Contains(said, "Flying Chess") {
		t.Errorf("no drift is not told, or not what can be followed:\n%s", said)
	}
	kept, err := filepath.Glob(filepath.Join(c.StateDir, "calibration-*.yaml"))
	if err != nil || len(kept) != 2 {
		t.Errorf("former calibrations kept: %v, %v", kept, err)
	}
}
