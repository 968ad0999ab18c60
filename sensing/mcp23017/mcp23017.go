// SPDX-License-Identifier: Apache-2.0

// Package mcp23017 reads MCP23017 16-bit expanders, with 14 inputs.
//
// Pins GPA7 and GPB7 are not used. Since revision D (2022) Microchip's datasheet DS20001952 declares them output-only,
// because an input that changes there during a read can corrupt SDA. Here they are outputs driven low, and read as
// high, which is an open reed. Whoever has the choice takes a TCA9535.
//
// Sections are those of DS20001952D. Both ports are read in one transaction; the interrupt pins are mirrored and
// open-drain, so that chips can share a line.
package mcp23017

import (
	"errors"
	"fmt"

	"boardd/rules/say"
	"boardd/sensing"

	"periph.io/x/conn/v3/i2c"
)

// Registers with BANK = 0, port A's; port B's is the next: section 3.5, table 3-1.
const (
	regDir     = 0x00
	regPolar   = 0x02
	regEnable  = 0x04
	regCompare = 0x08
	regControl = 0x0a
	regPull    = 0x0c
	regInput   = 0x12
	regLatch   = 0x14
)

// Unused holds the inputs that the chip does not have, GPA7 and GPB7.
const Unused uint16 = 0x8080

// control is IOCON, section 3.5.6: bit 6 mirrors the interrupt pins, bit 2 makes them open-drain; bit 5 clear lets the
// register number count up.
const control = 0x44

// setting is a pair of registers and what it is given, port A low.
type setting struct {
	reg byte
	v   uint16
}

// settings is written in this order. The control register comes first, because it decides what the other register
// numbers mean.
var settings = [...]setting{
	{regControl, control | control<<8},
	{regLatch, 0},
	{regDir, ^Unused},
	{regPolar, 0},
	{regPull, ^Unused},
	{regCompare, 0}, // an interrupt on any change
	{regEnable, ^Unused},
}

// Dev is one expander. It is not safe for use by two goroutines at once.
type Dev struct {
	c i2c.Dev
	w [1]byte
	r [2]byte
}

// At returns an expander that has not been accessed yet. Call Setup before reading it.
func At(bus i2c.Bus, addr uint16) *Dev { return &Dev{c: i2c.Dev{Bus: bus, Addr: addr}} }

// New sets up fourteen pins as inputs with pull-ups, and checks that the chip keeps its settings. There is no identity
// register.
func New(bus i2c.Bus, addr uint16) (*Dev, error) {
	if addr < 0x20 || addr > 0x27 {
		return nil, fmt.Errorf("mcp23017: address 0x%02x: want 0x20 to 0x27", addr)
	}
	d := At(bus, addr)
	if err := d.Setup(); err != nil {
		return nil, err
	}
	return d, nil
}

// Setup writes the whole configuration and verifies it.
func (d *Dev) Setup() error {
	for _, s := range settings {
		if err := d.c.Tx([]byte{s.reg, byte(s.v), byte(s.v >> 8)}, nil); err != nil {
			return say.Error("%v: write register %s: %v", d, fmt.Sprintf("0x%02x", s.reg), err)
		}
	}
	return d.Verify()
}

// Verify reads the configuration back: sensing.ErrReset when it is not what Setup wrote. A chip that was reset has
// lost its pull-ups, so that its inputs mean nothing.
func (d *Dev) Verify() error {
	var errs []error
	for _, s := range settings {
		got, err := d.pair(s.reg)
		if err == nil && got != s.v {
			got, err = d.pair(s.reg) // read again: the transfer may have gone wrong
		}
		if err != nil {
			return err
		}
		if got != s.v {
			errs = append(errs, say.Error("%v: register %s holds %s, want %s: %v", d, fmt.Sprintf("0x%02x", s.reg),
				fmt.Sprintf("0x%04x", got), fmt.Sprintf("0x%04x", s.v), sensing.ErrReset))
		}
	}
	return errors.Join(errs...)
}

// Inputs reads the levels of all pins in one transaction: bit n is GPAn, bit 8+n GPBn, 1 is high; the unused pins are
// 1.
func (d *Dev) Inputs() (uint16, error) {
	v, err := d.pair(regInput)
	return v | Unused, err
}

func (d *Dev) pair(reg byte) (uint16, error) {
	d.w[0] = reg
	if err := d.c.Tx(d.w[:], d.r[:]); err != nil {
		return 0, say.Error("%v: read register %s: %v", d, fmt.Sprintf("0x%02x", reg), err)
	}
	return uint16(d.r[0]) | uint16(d.r[1])<<8, nil
}

// String names the chip: "mcp23017 0x20".
func (d *Dev) String() string { return fmt.Sprintf("mcp23017 0x%02x", d.c.Addr) }

// Halt does nothing: inputs need no stopping.
func (d *Dev) Halt() error { return nil }
