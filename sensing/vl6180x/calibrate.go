package vl6180x

import (
	"errors"
	"fmt"
	"math"

	"periph.io/x/conn/v3/physic"
)

// shots is how many measurements a calibration averages; AN4545 asks for ten at least.
const shots = 16

// CalibrateOffset measures a target at a known distance and makes ranges fit it: ST's application note AN4545 asks for a white
// target at 50 mm. wait is called while a measurement is under way. The result is in use and in Opts.
func (d *Dev) CalibrateOffset(target physic.Distance, wait func()) (Opts, error) {
	if err := d.write(regOffset, 0); err != nil {
		return d.o, err
	}
	mean, _, err := d.average(wait)
	if err != nil {
		return d.o, fmt.Errorf("calibrate offset: %w", errors.Join(err, d.calibrate()))
	}
	o := d.o
	o.Calibrated = true
	o.Offset = physic.Distance(math.Round(float64(target)/float64(physic.MilliMetre)-mean)) * physic.MilliMetre
	if o.Offset < -128*physic.MilliMetre || o.Offset > 127*physic.MilliMetre {
		return d.o, fmt.Errorf("calibrate offset: target at %v was measured %.0f mm away: is it there?", target, mean)
	}
	d.o = o
	return o, d.calibrate()
}

// CalibrateCrosstalk measures what a cover glass throws back, with a dark target at a known distance after the offset
// was calibrated: ST's design tip DT0032 asks for 17 % grey at 100 mm. The compensation is the rate of returned
// light times the share by which the range is too short.
func (d *Dev) CalibrateCrosstalk(target physic.Distance, wait func()) (Opts, error) {
	if err := d.write16(regCrosstalk, 0); err != nil {
		return d.o, err
	}
	mean, rate, err := d.average(wait)
	if err != nil {
		return d.o, fmt.Errorf("calibrate crosstalk: %w", errors.Join(err, d.calibrate()))
	}
	short := 1 - mean*float64(physic.MilliMetre)/float64(target)
	d.o.Crosstalk = uint16(max(0, min(math.MaxUint16, math.Round(rate*short*128))))
	return d.o, d.calibrate()
}

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

// tries is how often a result is asked for at most.
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
