// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/rules"
)

// calibrateCover measures, on the empty board, the light that a cover reflects back into each height sensor. It saves
// that in the calibration.
func calibrateCover(ctx context.Context, s Terminal, c config.Config, r *rig.Rig) error {
	if r.Eyes == nil {
		return fmt.Errorf("a %s board has no height sensors: --cover is for those of a twin board", c.Kind)
	}
	cal, _, ok, err := rig.LoadCalibration(c.StateDir, rig.CalibrationFile)
	if err != nil {
		return fmt.Errorf("the former calibration cannot be gone on from: %w", err)
	}
	if err := rig.Fits(&cal, &c); ok && err != nil {
		return err
	}
	fmt.Fprintln(s.Out, "Take everything off the lower deck, keep your hands away from it, and press Enter.")
	if _, err := bufio.NewReader(s.In).ReadString('\n'); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	var errs []error
	covered := 0
	for i, sq := range cal.Eyes {
		v, err := r.Eyes.CalibrateCrosstalk(ctx, rules.Square(i), 0)
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
	cal.Board, cal.Kind, cal.Wired, cal.Made = c.Board, c.Kind, c.WiringLine(), time.Now().UTC()
	path, err := rig.SaveCalibration(c.StateDir, &cal)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%d of 64 sensors have light thrown back into them, which is compensated from now on: %s.\n"+
		"Run boardd calibrate without --cover next: it measures what heights are still off by.\n", covered, path)
	return nil
}
