// SPDX-License-Identifier: Apache-2.0

// Package ssd1306 shows both clocks, whose move it is and what is wrong, in words. It drives an SSD1306 display of 128
// by 64 pixels at 0x3C through periph's ssd1306.
//
// A whole picture takes 26 ms of bus time at 400 kHz, one row of letters at most 3 ms without interruption. Only
// changes are sent, so a running clock costs about 2 ms a second. Still, a bus of its own spares the sensors the
// waiting.
package ssd1306

import (
	"fmt"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/devices/v3/ssd1306"
)

// Addr is the display's address.
const Addr = 0x3C

// Opts is how the display is mounted.
type Opts struct {
	Rotated bool // upside down
}

// Dev is a display. It is not safe for use by two goroutines at once.
type Dev struct {
	bus  i2c.Bus
	o    Opts
	dev  *ssd1306.Dev // nil while it has to be set up
	face Face
}

// New sets up the display and clears it. The chip has no identity to check over I2C; it only acknowledges.
func New(bus i2c.Bus, o *Opts) (*Dev, error) {
	d := &Dev{bus: bus}
	if o != nil {
		d.o = *o
	}
	if err := d.send(); err != nil {
		return nil, err
	}
	return d, nil
}

// Show shows a face. Nothing goes over the bus unless pixels differ. After an error the next Show sets up the display
// again and sends everything, so that a display that was unplugged works again.
func (d *Dev) Show(f Face) error {
	d.face = f
	return d.send()
}

// Halt switches the display off.
func (d *Dev) Halt() error {
	if d.dev == nil {
		return nil
	}
	return d.dev.Halt()
}

func (d *Dev) send() error {
	if d.dev == nil {
		o := ssd1306.Opts{W: width, H: height, MirrorVertical: d.o.Rotated, MirrorHorizontal: d.o.Rotated}
		dev, err := ssd1306.NewI2C(d.bus, &o)
		if err != nil {
			return fmt.Errorf("display 0x%02x: set up: %w", Addr, err)
		}
		d.dev = dev
	}
	img := draw(&d.face)
	if err := d.dev.Draw(img.Bounds(), img, img.Bounds().Min); err != nil {
		d.dev = nil // periph's driver believes that the picture was shown
		return fmt.Errorf("display 0x%02x: %w", Addr, err)
	}
	return nil
}
