// SPDX-License-Identifier: Apache-2.0

// Package vl6180x measures distances of up to 150 mm with the VL6180X time-of-flight sensor.
//
// Measurements are single shots. The caller starts each one, fetches its result and may then start the next.
// Neighbouring sensors must not shine into each other, and the chip's own continuous mode cannot guarantee that
// (package heights says why). A shot takes 3.2 ms, then 0.2 to 20 ms of convergence, depending on distance and
// reflectance (datasheet table 7), then 4.4 ms of averaging. That is about 12 ms in all, by the sensor's own clock.
//
// A start first clears the interrupt "new range", so that no old range is taken for a new one. It consists of two
// writes of 38 bits, which [Start] sends to many sensors at once. A result is one read of 93 bits: status, interrupt
// and the newest range of the history buffer. Reading the two registers one by one would take 96 bits and two system
// calls.
package vl6180x

import (
	"fmt"

	"boardd/rules/say"
	"boardd/sensing"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// Addr is the sensor's address after every reset.
const Addr = 0x29

// ErrBusy says that a measurement is still under way.
var ErrBusy = say.Error("measurement is under way")

// Opts is what calibration has found; the zero value is a sensor without cover glass. The offset of the factory stays
// as it is, and a reset brings it back. The remaining offset is smaller than the steps of the register, a millimetre.
// It comes from the mounting rather than from the chip, and package calibration has it, in micrometres.
type Opts struct {
	Crosstalk uint16 // the light that a cover reflects, in Mcps, 9.7 fixed point: 128 is 1 Mcps
}

// Dev is one sensor. It is not safe for use by two goroutines at once.
type Dev struct {
	c     i2c.Dev
	o     Opts
	plain bool // the history differs from the range register
	tried bool // plain was determined
	known bool // mm is the last good range
	mm    byte
	w     [4]byte
	r     [results]byte
}

// At returns a sensor that has not been accessed yet. Call Setup before the first measurement.
func At(bus i2c.Bus, o Opts) *Dev { return &Dev{c: i2c.Dev{Bus: bus, Addr: Addr}, o: o} }

// New checks that the chip is a VL6180X and writes the start-up settings.
func New(bus i2c.Bus, o Opts) (*Dev, error) {
	d := At(bus, o)
	if err := d.Setup(); err != nil {
		return nil, err
	}
	return d, nil
}

// Setup checks the identity and writes all settings. The last write makes later resets recognisable.
func (d *Dev) Setup() error {
	if err := d.identify(); err != nil {
		return err
	}
	for _, s := range settings {
		err := d.write(s.reg, s.v)
		if err != nil {
			err = d.write(s.reg, s.v) // on a poor bus, one refused write of fifty must not cost them all
		}
		if err != nil {
			return err
		}
	}
	if err := d.write16(regCrosstalk, d.o.Crosstalk); err != nil {
		return err
	}
	d.tried, d.known = false, false
	return d.write(regFresh, 0)
}

func (d *Dev) identify() error {
	id, err := d.read(regModel)
	if err == nil && id != model {
		id, err = d.read(regModel) // read again: the transfer may have gone wrong
	}
	if err != nil {
		return err
	}
	if id != model {
		return say.Error("%v: model is %s, want %s: not a VL6180X", d, fmt.Sprintf("0x%02x", id),
			fmt.Sprintf("0x%02x", model))
	}
	return nil
}

// Verify returns sensing.ErrReset if the sensor was reset. Its ranges are then wrong.
func (d *Dev) Verify() error {
	v, err := d.read(regFresh)
	if err == nil && v != 0 {
		v, err = d.read(regFresh)
	}
	if err != nil {
		return err
	}
	if v != 0 {
		return fmt.Errorf("%v: %w", d, sensing.ErrReset)
	}
	return nil
}

// Start begins a measurement.
func (d *Dev) Start() error {
	if err := d.write(regClear, 7); err != nil {
		return err
	}
	return d.write(regStart, 1)
}

// Start begins a measurement of every sensor that the bus reaches, as with several open channels of a multiplexer.
// There one acknowledge looks like that of all. The results show whether each sensor has started.
func Start(bus i2c.Bus) error { return At(bus, Opts{}).Start() }

// jump is how many millimetres a range may differ from the one before and be believed at once. It is five times the
// noise (datasheet section 2.7, 2 mm at most).
const jump = 10

// Result fetches the measurement that Start began: ErrBusy while it is under way. The distance is valid only if the
// status is OK. If it has jumped it is read until two readings agree, at most three times. Otherwise a wrong bit on
// the wire would pass for a piece more or less.
func (d *Dev) Result() (physic.Distance, Status, error) {
	mm, status, err := d.once()
	for tries := 1; err == nil && status == OK && !d.near(mm); tries++ {
		if tries == 3 {
			return 0, 0, say.Error("%v: three readings of one result differ, the last %d mm", d, mm)
		}
		before := mm
		if mm, status, err = d.once(); err == nil && status == OK && mm == before {
			break
		}
	}
	if err != nil || status != OK {
		return 0, status, err
	}
	d.mm, d.known = mm, true
	return physic.Distance(mm) * physic.MilliMetre, OK, nil
}

// near reports whether a range is like the one before.
func (d *Dev) near(mm byte) bool { return d.known && max(mm, d.mm)-min(mm, d.mm) <= jump }

// once is one reading of the result.
func (d *Dev) once() (mm byte, status Status, err error) {
	if err := d.readAll(regStatus, d.r[:]); err != nil {
		return 0, 0, err
	}
	if d.r[regInterrupt-regStatus]&7 != newRange {
		return 0, 0, ErrBusy
	}
	status, mm = Status(d.r[0]>>4), d.r[regHistory-regStatus]
	if status != OK {
		return 0, status, nil
	}
	if d.plain || !d.tried {
		v, err := d.read(regRange)
		if err != nil {
			return 0, 0, err
		}
		// The history is documented, but hardly used by anybody. If it differs from the range register, the chip is read in
		// the usual way.
		d.plain, d.tried, mm = v != mm, true, v
	}
	return mm, OK, nil
}

// String names the sensor by its bus.
func (d *Dev) String() string { return fmt.Sprintf("vl6180x on %v", d.c.Bus) }

// Halt does nothing: a single shot ends by itself.
func (d *Dev) Halt() error { return nil }

func (d *Dev) read(reg uint16) (byte, error) {
	err := d.readAll(reg, d.r[:1])
	return d.r[0], err
}

func (d *Dev) read16(reg uint16) (uint16, error) {
	err := d.readAll(reg, d.r[:2])
	return uint16(d.r[0])<<8 | uint16(d.r[1]), err
}

// readAll reads registers that follow each other.
func (d *Dev) readAll(reg uint16, r []byte) error {
	d.w[0], d.w[1] = byte(reg>>8), byte(reg)
	if err := d.c.Tx(d.w[:2], r); err != nil {
		return say.Error("%v: read register %s: %v", d, fmt.Sprintf("0x%03x", reg), err)
	}
	return nil
}

func (d *Dev) write(reg uint16, v byte) error {
	d.w[0], d.w[1], d.w[2] = byte(reg>>8), byte(reg), v
	if err := d.c.Tx(d.w[:3], nil); err != nil {
		return say.Error("%v: write register %s: %v", d, fmt.Sprintf("0x%03x", reg), err)
	}
	return nil
}

func (d *Dev) write16(reg, v uint16) error {
	d.w[0], d.w[1], d.w[2], d.w[3] = byte(reg>>8), byte(reg), byte(v>>8), byte(v)
	if err := d.c.Tx(d.w[:4], nil); err != nil {
		return say.Error("%v: write register %s: %v", d, fmt.Sprintf("0x%03x", reg), err)
	}
	return nil
}
