// SPDX-License-Identifier: Apache-2.0

package vl6180x

// Registers, 16-bit indices: VL6180X datasheet, STMicroelectronics DocID026171 revision 6, section 6, from page 40 on.
const (
	regModel       = 0x0000 // always 0xb4
	regClear       = 0x0015 // bits 2 to 0 clear interrupts
	regFresh       = 0x0016 // 1 after a reset until it is written 0
	regStart       = 0x0018 // bit 0 starts; bit 1 clear is a single measurement
	regConvergence = 0x001c // longest convergence in ms
	regCrosstalk   = 0x001e // compensation in Mcps, 16 bits, 9.7 fixed point
	regChecks      = 0x002d // bit 0 early convergence, bit 1 range ignore, bit 4 signal to noise
	regStatus      = 0x004d // bits 7 to 4 the error code
	regInterrupt   = 0x004f // bits 2 to 0: 4 is a new range
	regHistory     = 0x0052 // the newest range in mm: section 2.10 "History buffer", table 9
	regRange       = 0x0062 // mm
	regReturnRate  = 0x0066 // Mcps, 16 bits, 9.7 fixed point
)

// results is the length of one read from regStatus on: status, interrupt, and the newest range of the history.
const results = regHistory + 1 - regStatus

// newRange is the value of regInterrupt when a measurement has ended, well or not, since interrupts were cleared.
const newRange = 4

const model = 0xb4

// setting is one register and what it is given.
type setting struct {
	reg uint16
	v   byte
}

// settings is the start-up sequence of ST's application note AN4545 (DocID026571 revision 1), "SR03 settings". The
// private registers come first, in its order. The note wants them written after every reset, and does not explain
// them.
var settings = [...]setting{
	{0x0207, 0x01}, {0x0208, 0x01}, {0x0096, 0x00}, {0x0097, 0xfd}, {0x00e3, 0x00}, {0x00e4, 0x04},
	{0x00e5, 0x02}, {0x00e6, 0x01}, {0x00e7, 0x03}, {0x00f5, 0x02}, {0x00d9, 0x05}, {0x00db, 0xce},
	{0x00dc, 0x03}, {0x00dd, 0xf8}, {0x009f, 0x00}, {0x00a3, 0x3c}, {0x00b7, 0x00}, {0x00bb, 0x3c},
	{0x00b2, 0x09}, {0x00ca, 0x09}, {0x0198, 0x01}, {0x01b0, 0x17}, {0x01ad, 0x00}, {0x00ff, 0x05},
	{0x0100, 0x05}, {0x0199, 0x05}, {0x01a6, 0x1b}, {0x01ac, 0x3e}, {0x01a7, 0x1f}, {0x0030, 0x00},
	// The public ones that the note recommends.
	{0x0011, 0x10},     // GPIO1 as interrupt output, which makes "new sample ready" work
	{0x010a, 0x30},     // averaging: 1.3 ms + 48 * 64.5 us = 4.4 ms
	{0x003f, 0x46},     // gain; the dark gain must not be changed
	{0x0031, 0xff},     // calibrate by itself after 255 measurements
	{0x002e, 0x01},     // calibrate for temperature now
	{0x0014, newRange}, // interrupt when a range is there
	{0x0012, 0x01},     // keep a history of ranges
	// Ours.
	{regConvergence, 20}, // 3.2 + 20 + 4.4 ms are the longest measurement
	{regChecks, 0x11},    // signal to noise and early convergence, as after reset
}
