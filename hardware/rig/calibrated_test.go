// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/config"
	"boardd/rules/say"
	"boardd/sensing/calibration"
)

// TestCalibrationThatDoesNotFit: a calibration that is spoilt or of another board ends nothing. The newest former one
// that fits is used, and what is wrong and used is said; where there is none the board plays uncalibrated.
func TestCalibrationThatDoesNotFit(t *testing.T) {
	for name, bad := range map[string]string{"spoilt": "kind: stack\ngain: [\"1\"]\n", "of another board": "kind: twin\n",
		"no YAML": "\x00\x01"} {
		for _, former := range []bool{false, true} {
			c := config.Default()
			c.StateDir = t.TempDir()
			put := func(name, text string) {
				t.Helper()
				if err := os.WriteFile(filepath.Join(c.StateDir, name), []byte(text), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			put(CalibrationFile, bad)
			if former {
				for day, dead := range map[string]int{"01": 3, "02": 5} {
					cal := calibration.New()
					cal.Kind, cal.Dead[0] = c.Kind, 1<<dead
					text, err := cal.Marshal("")
					if err != nil {
						t.Fatal(err)
					}
					put("calibration-202611"+day+"-120000.yaml", string(text))
				}
				put("calibration-20261103-120000.yaml", bad)
			}
			var r Rig
			err := r.Calibrate(&c, slog.New(slog.DiscardHandler))
			if err == nil || !strings.Contains(err.Error(), CalibrationFile) {
				t.Fatalf("%s: %v", name, err)
			}
			says, dead := "plays uncalibrated", 0
			if former {
				says, dead = "until then calibration-20261102-120000.yaml is used", 1<<5
			}
			if n := len(say.Of(err).Parts); n < 2 {
				t.Errorf("%s: other languages have %d sentences of %v, want what is wrong and what follows", name, n, err)
			}
			if !strings.Contains(err.Error(), says) || int(r.Dead[0]) != dead {
				t.Errorf("%s, former ones %v: dead switches %b and %v, want %b and %q", name, former, r.Dead[0], err, dead, says)
			}
		}
	}
}

// TestFormerAtWrongTime: a calibration that was made while the computer's clock was wrong is put aside behind those
// from before. None takes the place of another.
func TestFormerAtWrongTime(t *testing.T) {
	c := config.Default()
	c.StateDir = t.TempDir()
	for i, made := range []time.Time{time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC), time.Unix(60, 0), time.Unix(60, 0),
		time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)} {
		cal := calibration.New()
		cal.Kind, cal.Made, cal.Dead[0] = c.Kind, made, 1<<i
		if _, err := SaveCalibration(c.StateDir, &cal); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := formers(c.StateDir), []string{"calibration-20261126-120000.yaml", "calibration-20261126-120001.yaml",
		"calibration-20261126-120002.yaml"}; !slices.Equal(got, want) {
		t.Errorf("put aside as %v, want %v", got, want)
	}
	if name, cal := newestFitting(&c); int(cal.Dead[0]) != 1<<2 {
		t.Errorf("the newest former one is %s, with dead switches %b, want the third", name, cal.Dead[0])
	}
}
