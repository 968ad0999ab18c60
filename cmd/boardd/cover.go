// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"boardd/config"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/calibration"
)

// lie tells the height sensors where they are, and what a cover throws back into them.
func (r *rig) lie(cal *calibration.Calibration) {
	if r.eyes == nil {
		return
	}
	r.eyes.Lie(cal.Eyes)
	for sq, light := range cal.Crosstalk {
		r.eyes.Cover(rules.Square(sq), uint16(light))
	}
}

// through lets the height sensors be seen through one calibration, and all others through another.
func (r *rig) through(eyes, others *calibration.Calibration) {
	for i, s := range r.sources {
		c := others
		if s == sensing.Source(r.eyes) {
			c = eyes
		}
		r.sources[i] = calibration.Through(c, s)
	}
}

// calibrateCover measures on the empty board what a cover throws back into each height sensor, and keeps it in the calibration.
func calibrateCover(ctx context.Context, s std, c config.Config, r *rig) error {
	if r.eyes == nil {
		return fmt.Errorf("a %s board has no height sensors: --cover is for those of a twin board", c.Kind)
	}
	cal, _, ok, err := loadCalibration(c.StateDir, calibrationFile)
	if err != nil {
		return fmt.Errorf("the former calibration cannot be gone on from: %w", err)
	}
	if err := fits(&cal, &c); ok && err != nil {
		return err
	}
	fmt.Fprintln(s.out, "Take everything off the lower deck, keep your hands away from it, and press Enter.")
	if _, err := bufio.NewReader(s.in).ReadString('\n'); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	var errs []error
	covered := 0
	for i, sq := range cal.Eyes {
		v, err := r.eyes.CalibrateCrosstalk(ctx, rules.Square(i), 0)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if cal.Crosstalk[sq] = int32(v); v > 0 {
			covered++
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("nothing was kept: %w", err)
	}
	cal.Board, cal.Kind, cal.Wired, cal.Made = c.Board, c.Kind, c.Wired(), time.Now().UTC()
	path, err := saveCalibration(c.StateDir, &cal)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%d of 64 sensors have light thrown back into them, which is compensated from now on: %s.\n"+
		"Run boardd calibrate without --cover next: it measures what heights are still off by.\n", covered, path)
	return nil
}
