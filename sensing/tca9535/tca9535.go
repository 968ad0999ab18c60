// SPDX-License-Identifier: Apache-2.0

// Package tca9535 reads TCA9535, PCA9535 and PCA9555 16-bit expanders, all sixteen pins as inputs.
//
// Pages are those of the TCA9535 datasheet, Texas Instruments SCPS201A.
//
// Both ports are read in one transaction, which names the register it reads, as page 9 asks for. It takes 48 bits on
// the wire, 120 us at 400 kHz. A read that relies on the register pointer of the previous read would take only 29
// bits. But page 11 says that the pointer stays at whatever register was in progress when the transfer ended. After a
// disturbed transfer the two ports would be exchanged without notice. That is not worth the 47 us.
//
// A chip whose pins are all inputs looks the same before and after a reset. So New writes a mark into the output
// register, where it drives nothing, and [Dev.Verify] checks whether it is still there.
package tca9535

import (
	"fmt"

	"boardd/rules/say"
	"boardd/sensing"

	"periph.io/x/conn/v3/i2c"
)

// The command bytes, pages 8 and 9: the first register of each pair; a second byte goes to or comes from the other.
const (
	regInput  = 0x00
	regOutput = 0x02
	regInvert = 0x04
	regConfig = 0x06
)

// mark is written into the output registers, port 0 low. The reset value is 0xffff (page 9), and each nibble of mark
// differs from it.
const mark uint16 = 0x5a3c

// The addresses that three pins can set, page 8.
const (
	firstAddr = 0x20
	lastAddr  = 0x27
)

// Dev is one expander. It is not safe for use by two goroutines at once.
type Dev struct {
	c i2c.Dev
	w [1]byte // the buffers of a read, here so that a sweep allocates nothing
	r [2]byte
}

// At returns an expander that has not been accessed yet. Call Setup before reading it.
func At(bus i2c.Bus, addr uint16) *Dev { return &Dev{c: i2c.Dev{Bus: bus, Addr: addr}} }

// New makes all sixteen pins plain inputs. There is no identity register, so it only checks that the configuration can
// be written and read back.
func New(bus i2c.Bus, addr uint16) (*Dev, error) {
	if addr < firstAddr || addr > lastAddr {
		return nil, fmt.Errorf("tca9535: address 0x%02x: want 0x%02x to 0x%02x", addr, firstAddr, lastAddr)
	}
	d := At(bus, addr)
	if err := d.Setup(); err != nil {
		return nil, err
	}
	return d, nil
}

// Setup writes the whole configuration and verifies it. Call it after a chip was reset or unplugged, and again after
// an error.
func (d *Dev) Setup() error {
	for _, r := range [...]struct {
		cmd byte
		v   uint16
	}{{regConfig, 0xffff}, {regInvert, 0}, {regOutput, mark}} {
		if err := d.c.Tx([]byte{r.cmd, byte(r.v), byte(r.v >> 8)}, nil); err != nil {
			return say.Error("%v: write register %s: %v", d, fmt.Sprint(r.cmd), err)
		}
	}
	return d.Verify()
}

// Verify reads the configuration back: sensing.ErrReset when it is not what Setup wrote.
func (d *Dev) Verify() error {
	for _, r := range [...]struct {
		cmd  byte
		want uint16
	}{{regOutput, mark}, {regInvert, 0}, {regConfig, 0xffff}} {
		got, err := d.pair(r.cmd)
		if err == nil && got != r.want {
			got, err = d.pair(r.cmd) // read again: the transfer may have gone wrong
		}
		if err != nil {
			return err
		}
		if got != r.want {
			return say.Error("%v: register %s holds %s, want %s: %v", d, fmt.Sprint(r.cmd), fmt.Sprintf("0x%04x", got),
				fmt.Sprintf("0x%04x", r.want), sensing.ErrReset)
		}
	}
	return nil
}

// Inputs reads the levels of all pins in one transaction. Bit n is pin n of port 0, bit 8+n pin n of port 1; 1 is
// high.
func (d *Dev) Inputs() (uint16, error) { return d.pair(regInput) }

func (d *Dev) pair(cmd byte) (uint16, error) {
	d.w[0] = cmd
	if err := d.c.Tx(d.w[:], d.r[:]); err != nil {
		return 0, say.Error("%v: read register %s: %v", d, fmt.Sprint(cmd), err)
	}
	return uint16(d.r[0]) | uint16(d.r[1])<<8, nil
}

// String names the chip: "tca9535 0x20".
func (d *Dev) String() string { return fmt.Sprintf("tca9535 0x%02x", d.c.Addr) }

// Halt does nothing: inputs need no stopping.
func (d *Dev) Halt() error { return nil }
