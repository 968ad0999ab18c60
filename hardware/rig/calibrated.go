// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardd/config"
	"boardd/config/size"
	"boardd/leds"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/calibration"
	"boardd/sensing/wood"

	"github.com/google/renameio/v2"
)

// The calibration's files in the state folder. Former ones are kept beside it with their time in the name.
const (
	CalibrationFile = "calibration.yaml"
	UnfinishedFile  = "calibration.unfinished.yaml"
)

// LoadCalibration reads a calibration and where it is unfinished; ok is false when there is none.
func LoadCalibration(dir, name string) (c calibration.Calibration, where string, ok bool, err error) {
	path := filepath.Join(dir, name)
	text, err := size.Read(path, size.Kept)
	if errors.Is(err, fs.ErrNotExist) {
		return calibration.New(), "", false, nil
	}
	if err == nil {
		c, where, err = calibration.Unmarshal(path, text)
	}
	if err != nil {
		return c, where, false, say.Error("the calibration cannot be read: %v", err)
	}
	return c, where, true, nil
}

// SaveCalibration replaces the calibration, synced, and keeps the former one under its date.
func SaveCalibration(dir string, c *calibration.Calibration) (path string, err error) {
	path = filepath.Join(dir, CalibrationFile)
	text, err := c.Marshal("")
	if err != nil {
		return path, err
	}
	former, _, ok, err := LoadCalibration(dir, CalibrationFile)
	if ok && err == nil {
		if err := os.Rename(path, filepath.Join(dir, formerName(dir, former.Made))); err != nil {
			return path, fmt.Errorf("cannot keep the former calibration: %w", err)
		}
	}
	return path, renameio.WriteFile(path, text, 0o640)
}

// The names of former calibrations have their times between these.
const (
	formerPrefix = "calibration-"
	formerStamp  = "20060102-150405"
	formerSuffix = ".yaml"
)

// formers lists the former calibrations, the newest last.
func formers(dir string) []string {
	names, _ := fs.Glob(os.DirFS(dir), formerPrefix+"*"+formerSuffix) // the pattern is a good one
	slices.Sort(names)
	return names
}

// formerName is a name for a former calibration that sorts behind all others, even if it was made while the clock was
// wrong. So they stay in the order in which they were made.
func formerName(dir string, made time.Time) string {
	for _, name := range slices.Backward(formers(dir)) {
		stamp := strings.TrimSuffix(strings.TrimPrefix(name, formerPrefix), formerSuffix)
		last, err := time.Parse(formerStamp, stamp)
		if err != nil {
			continue
		}
		if made.Before(last.Add(time.Second)) {
			made = last.Add(time.Second)
		}
		break
	}
	return formerPrefix + made.UTC().Format(formerStamp) + formerSuffix
}

// Calibrate applies the calibration of the state folder, if there is one, to all that the rig senses and shows. A
// calibration that cannot be read, or is from another board, ends nothing. The newest former one that fits is applied
// instead, or none. The error says which, and what to do.
func (r *Rig) Calibrate(c *config.Config, log *slog.Logger) error {
	cal, known, err := readFitting(c, CalibrationFile)
	switch {
	case err != nil:
		former, old := newestFitting(c)
		if former == "" {
			return then(err, say.That("until then this board plays uncalibrated, wired and weighed like the reference board"))
		}
		r.apply(c, &old, log)
		return then(err, say.That("until then %s is used, made on %s", former, old.Made.Format(time.DateOnly)))
	case !known && !c.Virtual:
		log.Warn("this board was never calibrated: wiring and weights count as those of the reference board; run `boardd " +
			"calibrate`")
	case known:
		r.apply(c, &cal, log)
	}
	return nil
}

// then is what is wrong, and on a line of its own what follows.
func then(err error, more say.Said) error { return say.Of(err).And("\n", more).Refusal(err) }

// readFitting reads a calibration that fits the board.
func readFitting(c *config.Config, name string) (cal calibration.Calibration, known bool, err error) {
	cal, _, known, err = LoadCalibration(c.StateDir, name)
	if err != nil {
		return cal, false, then(err, say.That("mend the file, or move it away and run `boardd calibrate`"))
	}
	if known {
		err = Fits(&cal, c)
	}
	return cal, known, err
}

// newestFitting is the newest former calibration that fits the board, and its name; "" where there is none.
func newestFitting(c *config.Config) (name string, cal calibration.Calibration) {
	for _, name := range slices.Backward(formers(c.StateDir)) {
		if cal, known, err := readFitting(c, name); known && err == nil {
			return name, cal
		}
	}
	return "", cal
}

// apply lets the rig be seen through a calibration.
func (r *Rig) apply(c *config.Config, cal *calibration.Calibration, log *slog.Logger) {
	r.SetHeightSensors(cal)
	r.Dead = cal.Dead
	for d, dead := range r.Dead {
		if dead != 0 {
			log.Warn("no switch closed on these squares when the board was calibrated, so they are not listened to: mend "+
				"them and run `boardd calibrate`", "deck", sensing.Deck(d), "squares", SquareList(dead))
		}
	}
	eyes := *cal
	eyes.Eyes = calibration.Straight() // they know where they are
	r.UseCalibrations(&eyes, cal)
	if r.Lights != nil {
		r.Lights = calibratedLights{r.Lights, cal}
	}
	Measured(&r.Geometry, cal)
	log.Info("calibrated", "made", cal.Made.Format(time.RFC3339))
}

// Fits checks that a calibration is one of the configured board.
func Fits(cal *calibration.Calibration, c *config.Config) error {
	name := filepath.Join(c.StateDir, CalibrationFile)
	switch {
	case cal.Kind != c.Kind:
		return say.Error("%s is of a %s board, and hardware.kind is %s: run `boardd calibrate --anew`, or mend "+
			"hardware.kind", name, cal.Kind, c.Kind)
	case cal.Wired != c.WiringLine():
		return say.Error("%s was made when hardware.expanders and hardware.multiplexers were otherwise (%s, and now %s): "+
			"run `boardd calibrate --anew`, or put the settings back", name, wiringText(cal.Wired), wiringText(c.WiringLine()))
	}
	return nil
}

// wiringText names a wiring for people.
func wiringText(wired string) string {
	if wired == "" {
		return "as on the reference board"
	}
	return wired
}

// calibratedLights is a line of lights whose order is known.
type calibratedLights struct {
	Lights
	c *calibration.Calibration
}

// Show shows the picture on the squares where it belongs.
func (l calibratedLights) Show(f leds.Frame) error { return l.Lights.Show(l.c.Frame(f)) }

// Shown is what shines, on the squares where it shines.
func (l calibratedLights) Shown() (f leds.Frame) {
	wired := l.Lights.Shown()
	for d := range wired {
		for i, sq := range l.c.Lights[d] {
			f[d][sq] = wired[d][i]
		}
	}
	return f
}

// Measured takes measured figures instead of those of the reference set.
func Measured(g *wood.Geometry, c *calibration.Calibration) {
	var spread int32
	for letter, w := range c.Weights {
		g.Mass[letter] = w.MG
		spread = max(spread, w.Spread)
	}
	if c.Weights != nil {
		g.MassSpread = max(spread, leastSpread)
	}
	cell, eye := c.Noise()
	if cell > 0 {
		g.CellNoise = max(cell, leastCell)
	}
	if eye > 0 {
		g.RangeNoise = max(eye, leastRange)
	}
	for sq := range g.CellNoises {
		// Of a square and the one opposite, as which it counts where the game lies the other way round.
		if cell := max(calibratedNoise(c, sq), calibratedNoise(c, 63-sq)); cell > 0 {
			g.CellNoises[sq] = max(cell, leastCell)
		}
		if eye := max(c.EyeNoise[sq], c.EyeNoise[63-sq]); eye > 0 {
			g.RangeNoises[sq] = max(eye, leastRange)
		}
	}
	if c.CubeHeight > 0 {
		g.CubeHeight = c.CubeHeight
	}
}

// calibratedNoise is the noise of a cell in milligrams, as its gain makes it.
func calibratedNoise(c *calibration.Calibration, sq int) int32 {
	return int32(math.Ceil(float64(c.CellNoise[sq]) * math.Abs(c.Gain[sq])))
}

// What no measurement is believed to be better than: a short look at a still board sees no drift.
const (
	leastSpread = 150  // milligrams, pieces of a kind
	leastCell   = 100  // milligrams, a cell
	leastRange  = 1000 // micrometres, a height
)

// SetHeightSensors tells the height sensors where they are, and what a cover throws back into them.
func (r *Rig) SetHeightSensors(cal *calibration.Calibration) {
	if r.Eyes == nil {
		return
	}
	r.Eyes.SetSquares(cal.Eyes)
	for sq, light := range cal.Crosstalk {
		r.Eyes.SetCrosstalk(rules.Square(sq), uint16(light))
	}
}

// UseCalibrations lets the height sensors be seen through one calibration, and all others through another.
func (r *Rig) UseCalibrations(eyes, others *calibration.Calibration) {
	for i, s := range r.Sources {
		c := others
		if s == sensing.Source(r.Eyes) {
			c = eyes
		}
		r.Sources[i] = calibration.Through(c, s)
	}
}

// SquareList names squares, or all of them.
func SquareList(set rules.Bitboard) string {
	if set == ^rules.Bitboard(0) {
		return "any square"
	}
	var names []string
	for sq := range set.Squares() {
		names = append(names, sq.String())
	}
	return strings.Join(names, " ")
}
