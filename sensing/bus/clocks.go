// SPDX-License-Identifier: Apache-2.0

package bus

import (
	"errors"

	"boardd/rules/say"

	"periph.io/x/conn/v3/gpio"
)

// NineClocks returns a recovery by two pins. It clocks SCL until SDA is released, nine times at most. A stop condition
// then ends the transfer that the chip believes to be in.
//
// On a Raspberry Pi the pins must not be those of the I2C controller itself. Used as GPIO, they lose their I2C
// function and do not get it back. Wire two free pins to SCL and SDA and name those. They are only ever pulled low
// or let go. Or use the kernel's i2c-gpio overlay, which recovers by itself, and give none.
func NineClocks(scl, sda gpio.PinIO) func() error {
	return func() error {
		if err := nineClocks(scl, sda); err != nil {
			// By name: a pin of the kernel's, as text, is six lines of JSON (periph's gpioioctl).
			return say.Error("free the bus by %s and %s: %v", scl.Name(), sda.Name(), err)
		}
		return nil
	}
}

func nineClocks(scl, sda gpio.PinIO) error {
	if err := errors.Join(release(scl), release(sda)); err != nil {
		return err
	}
	if scl.Read() == gpio.Low {
		return say.Error("SCL is held low; that only a power cycle mends")
	}
	for range 9 {
		if sda.Read() == gpio.High {
			break
		}
		if err := errors.Join(scl.Out(gpio.Low), release(scl)); err != nil {
			return err
		}
	}
	if sda.Read() == gpio.Low {
		return say.Error("SDA stays low after nine clocks: a chip is dead, or the wire is shorted")
	}
	// A stop condition: SDA rises while SCL is high.
	return errors.Join(scl.Out(gpio.Low), sda.Out(gpio.Low), release(scl), release(sda))
}

// release lets a line go to its pull-up.
func release(p gpio.PinIO) error { return p.In(gpio.PullUp, gpio.NoEdge) }
