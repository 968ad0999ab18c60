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

	"boardd/cmd/boardd/calibrate/calibratetest"
	"boardd/config"
	"boardd/hardware/rig"
	"boardd/hardware/virtual"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// TestCalibrateCrossedHeightSensors calibrates a twin board on which two height sensors are on each other's channel.
// The first calibration finds that, and asks for a second one, because neighbours were measured at the same time and
// saw each other's light. The second one knows it beforehand, changes nothing and asks for nothing. Then heights are
// reported for the right squares.
func TestCalibrateCrossedHeightSensors(t *testing.T) {
	t.Parallel()
	a1, b1 := rules.Square(0), rules.Square(1)
	v, err := virtual.New(virtual.Options{Name: "crossed", Kind: virtual.Twin,
		MiswiredEyes: map[rules.Square]rules.Square{a1: b1, b1: a1}})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close() //nolint:errcheck // nothing is left
	c := config.Default()
	c.Board, c.Kind, c.StateDir, c.WebListen = "crossed", "twin", t.TempDir(), ""
	c.I2C, c.SPI, c.Int = v.I2C(), v.SPI(), v.Int()
	if err := os.MkdirAll(c.StateDir, 0o750); err != nil {
		t.Fatal(err)
	}
	once := func() (said string) {
		r, err := rig.Open(&c, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close() //nolint:errcheck // nothing is left
		return builder(t, func(keys io.Writer, line string) { obeyTwin(t, v, keys, line) },
			func(s Terminal) error { return On(t.Context(), s, c, r, Opts{}) })
	}
	const again = "run boardd calibrate once more"
	first := once()
	for _, want := range []string{"a1 lower is found. Its height sensor is wired where the reference has the one of b1.",
		"over a1 b1 c1 a2 b2 had", again} {
		if !strings.Contains(first, want) {
			t.Errorf("the first time does not say %q:\n%s", want, first)
		}
	}
	second := once()
	if strings.Contains(second, again) {
		t.Errorf("the second time still wants to be done once more:\n%s", second)
	}
	cal, _, ok, err := rig.LoadCalibration(c.StateDir, rig.CalibrationFile)
	if err != nil || !ok || cal.Eyes[a1] != b1 || cal.Eyes[b1] != a1 || cal.Eyes[2] != 2 {
		t.Errorf("%v, %v: the height sensors lie %v", ok, err, cal.Eyes)
	}
	r, err := rig.Open(&c, slog.New(slog.DiscardHandler))
	if err == nil {
		err = r.Calibrate(&c, slog.New(slog.DiscardHandler))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // nothing is left
	calibratetest.Stand(v, map[rules.Square]byte{a1: 'K'})
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	readings := make(chan sensing.Reading)
	done := r.RunSources(ctx, readings, slog.New(slog.DiscardHandler))
	defer done()
	defer stop()
	for {
		select {
		case m := <-readings:
			if m.Kind != sensing.Heights || m.Known.Count() < 64 {
				continue
			}
			if king, empty := m.Value[a1], m.Value[b1]; king < 30_000 || king > 40_000 || empty > 8_000 {
				t.Errorf("with a piece of 35 mm on a1: %d um on a1, %d on b1", king, empty)
			}
			return
		case <-ctx.Done():
			t.Fatal("no heights of the whole board in 20 s")
		}
	}
}

// obeyTwin does what one line asks of a twin board. Three squares of each deck are walked.
func obeyTwin(t *testing.T, v *virtual.Board, keys io.Writer, line string) {
	t.Helper()
	word := func(s string) {
		if _, err := io.WriteString(keys, s+"\n"); err != nil {
			t.Error(err)
		}
	}
	var w wood.Wood
	switch {
	case strings.Contains(line, "Put the piece on d1"):
		word("keep")
	case strings.Contains(line, "Put the piece on"):
		words := strings.FieldsFunc(line[strings.Index(line, "Put the piece on"):],
			func(r rune) bool { return r == ' ' || r == ',' })
		sq, err := rules.ParseSquare(words[4])
		if err != nil {
			t.Error(err)
		}
		deck := sensing.Lower
		if words[5] == sensing.Upper.String() {
			deck = sensing.Upper
		}
		w[wood.PlaceAt(deck, sq)] = "K"
		v.Put(w)
	case strings.Contains(line, "two pieces on each other"):
		w[27] = "KQ" // d4
		v.Put(w)
		word("")
	case strings.Contains(line, "One light"):
		word("keep")
	default:
		(&calibratetest.Person{Board: v}).Obey(t, keys, line)
	}
}
