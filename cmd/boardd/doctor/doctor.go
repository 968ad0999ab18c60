// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/rules/say"
)

// finding is what the doctor says of one part.
type finding struct {
	Part string `json:"part"`
	OK   bool   `json:"ok"`
	Say  string `json:"say"`          // what was seen, or what is wrong
	Do   string `json:"do,omitempty"` // what mends it
}

// defect is what is wrong with a part, and what mends it.
type defect struct{ what, do string }

// Error is both in one sentence.
func (i defect) Error() string { return i.what + ": " + i.do }

// mend says what is wrong, and what mends it in words that are formatted.
func mend(what, do string, args ...any) error { return defect{what, fmt.Sprintf(do, args...)} }

// mends is an error that another package found, with what mends it; nil stays nil.
func mends(err error, do string, args ...any) error {
	if err == nil {
		return nil
	}
	return mend(err.Error(), do, args...)
}

// Examine tries every part of a board and prints what it found: one finding a line, or with asJSON one object a line.
// The error says how many parts need mending. The configuration was read from path. The daemon must not run at the
// same time.
func Examine(ctx context.Context, out io.Writer, c *config.Config, path string, asJSON bool) error {
	d := &examination{out: out, json: asJSON, root: "/", over: ctx.Err}
	d.idle(c)
	d.disk(c)
	d.key(c, d.journal(c))
	d.pairs(c.StateDir)
	d.signers(c)
	d.imported(c.StateDir)
	d.lists(c)
	d.host(c)
	d.service(c, path)
	d.network(ctx, c)
	d.engine(ctx, c)
	d.hardware(ctx, c)
	if ctx.Err() != nil {
		return errors.New("it was interrupted: what is not named above was not looked at")
	}
	switch d.defects {
	case 0:
		return nil
	case 1:
		return errors.New(say.Counted("1 of %d parts needs mending", d.seen))
	}
	return fmt.Errorf("%d of %d parts need mending", d.defects, d.seen)
}

// examination collects findings and prints them as they come.
type examination struct {
	out           io.Writer
	json          bool
	root          string       // where /dev, /etc, /proc and /sys are
	over          func() error // why it is to end; nil: it never is
	seen, defects int
}

// find says what was found of a part. What breaks off because the examination is to end says nothing of the part.
func (d *examination) find(name string, err error, well string) {
	if d.over != nil && d.over() != nil {
		return
	}
	f := finding{Part: name, OK: err == nil, Say: well}
	if err != nil {
		var i defect
		if f.Say = err.Error(); errors.As(err, &i) {
			f.Say, f.Do = i.what, i.do
		}
		d.defects++
	}
	d.seen++
	if d.json {
		json.NewEncoder(d.out).Encode(f) //nolint:errcheck // nobody reads any more
		return
	}
	if f.OK {
		fmt.Fprintf(d.out, "ok    %-28s %s\n", f.Part, f.Say)
		return
	}
	fmt.Fprintf(d.out, "MEND  %-28s %s\n", f.Part, f.Say)
	if f.Do != "" {
		fmt.Fprintf(d.out, "      %-28s -> %s\n", "", f.Do)
	}
}

// hardware opens the board part by part, and looks at all that can be opened.
func (d *examination) hardware(ctx context.Context, c *config.Config) {
	quiet := slog.New(slog.DiscardHandler) // what is wrong is said below, part by part
	r := &rig.Rig{Geometry: c.Geometry()}
	defer r.Dark()
	for _, p := range r.Parts(c, quiet) {
		if err := p.Open(); err != nil {
			d.find(p.Name, err, "")
		}
	}
	d.doubts(c)
	known := d.calibration(c, r)
	if r.Lights != nil {
		d.lights(c, r.Lights)
	}
	lost := wiring{dead: r.Bus == nil}
	if r.Bus != nil {
		lost = d.bus(c, r)
	}
	heard := d.listen(ctx, r, quiet)
	d.banks(r, &lost)
	d.squares(r, heard, &lost, known)
}

// calibration applies the calibration, and reports whether there is one.
func (d *examination) calibration(c *config.Config, r *rig.Rig) bool {
	cal, _, known, err := rig.LoadCalibration(c.StateDir, rig.CalibrationFile)
	err = mends(err, "put a former one in its place (calibration-*.yaml beside it), or move it away and run boardd "+
		"calibrate")
	if err == nil && !known && !c.Virtual {
		err = mend("there is none, so wiring and weights count as those of the reference board", "boardd calibrate")
	}
	if err == nil {
		err = r.Calibrate(c, slog.New(slog.DiscardHandler))
	}
	say := "a virtual board needs none"
	if known {
		say = "made on " + cal.Made.Format("2 January 2006")
	}
	d.find("calibration", err, say)
	return known && err == nil
}
