// SPDX-License-Identifier: Apache-2.0

package vl6180x

import (
	"errors"
	"fmt"
	"math"

	"periph.io/x/conn/v3/physic"
)

// shots is the number of measurements that a calibration averages. AN4545 asks for at least ten.
const shots = 10

// CalibrateCrosstalk measures the light that a cover reflects, with a target at a known distance. ST's design tip
// DT0032 asks for a dark one 100 mm away. The compensation is the rate of returned light times the fraction by which
// the range is too short. If the range is too short by no more than slack, which the mounting may explain, the
// compensation is 0. wait is called while a measurement runs. The result takes effect at once and is returned in Opts.
func (d *Dev) CalibrateCrosstalk(target, slack physic.Distance, wait func()) (Opts, error) {
	if err := d.write16(regCrosstalk, 0); err != nil {
		return d.o, err
	}
	mean, rate, err := d.average(wait)
	if err != nil {
		return d.o, fmt.Errorf("calibrate crosstalk: %w", errors.Join(err, d.write16(regCrosstalk, d.o.Crosstalk)))
	}
	short := 1 - mean*float64(physic.MilliMetre)/float64(target)
	if short > most {
		return d.o, fmt.Errorf("calibrate crosstalk: a target at %v was measured %.0f mm away: is something in the way, "+
			"or the cover opaque?", target, mean)
	}
	d.o.Crosstalk = 0
	if short*float64(target) > float64(slack) {
		d.o.Crosstalk = uint16(math.Round(rate * short * 128))
	}
	return d.o, d.write16(regCrosstalk, d.o.Crosstalk)
}

// most is the greatest share by which a cover may shorten a range. Above it the sensor sees the cover instead of the
// target.
const most = 0.5

// average is the mean range in millimetres and the mean rate of returned light in Mcps.
func (d *Dev) average(wait func()) (mm, rate float64, err error) {
	for range shots {
		if err := d.Start(); err != nil {
			return 0, 0, err
		}
		r, err := d.fetch(wait)
		if err != nil {
			return 0, 0, err
		}
		v, err := d.read16(regReturnRate)
		if err != nil {
			return 0, 0, err
		}
		mm += float64(r) / float64(physic.MilliMetre) / shots
		rate += float64(v) / 128 / shots
	}
	return mm, rate, nil
}

// tries is how often a result is asked for, at most.
const tries = 100

// fetch waits for a good result.
func (d *Dev) fetch(wait func()) (physic.Distance, error) {
	for range tries {
		wait()
		r, s, err := d.Result()
		switch {
		case errors.Is(err, ErrBusy):
			continue
		case err != nil:
			return 0, err
		case s != OK:
			return 0, fmt.Errorf("%v: %v", d, s)
		}
		return r, nil
	}
	return 0, fmt.Errorf("%v: no result after %d tries: %w", d, tries, ErrBusy)
}
