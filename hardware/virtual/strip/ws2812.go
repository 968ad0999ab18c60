// SPDX-License-Identifier: Apache-2.0

package strip

import (
	"time"

	"boardd/leds"
)

// The times of a WS2812B that satisfy both of Worldsemi's datasheets. Version 1.0 (5050), "Data transfer time": a zero
// is high for 250 to 550 ns and low for 700 to 1000 ns. A one is high for 650 to 950 ns and low for 300 to 600 ns.
// WS2812B-2020 version 1.3: a zero is high for 220 to 380 ns and low for 580 to 1000 ns. A one is high for 580 to 1000
// ns and low for 220 to 420 ns. A low of 280 us latches the colors; version 1.0 asked for 50 us.
var (
	high  = [2]limits{{250, 380}, {650, 950}} // of a zero, of a one
	low   = [2]limits{{700, 1000}, {300, 420}}
	parts = 515 * time.Nanosecond // high for longer is a one: the middle between the two
)

const latch = 280 * time.Microsecond

// limits is the least and the longest, in nanoseconds.
type limits [2]time.Duration

func (l limits) hold(d time.Duration) bool { return d >= l[0] && d <= l[1] }

// decodeWS2812 reads the pulses of a transfer, one sample per SPI bit, into colors.
func decodeWS2812(w []byte, bit time.Duration, f *Faults) []leds.Color {
	var d pulses
	for i := range len(w) * 8 {
		d.sample(w[i/8]<<(i%8)&0x80 != 0, bit, f)
	}
	if d.up {
		f.Pulses++ // the line stays high after the transfer
	} else if d.n > 0 {
		d.check(low[d.bits&1][1], f) // it stays low for as long as it likes
	}
	if d.n%24 != 0 {
		f.Cut++
	}
	return d.colors
}

// pulses gathers bits, most significant first, green, red, blue.
type pulses struct {
	up     bool
	high   time.Duration // of the pulse under way or the last one
	low    time.Duration // since it fell
	bits   uint32
	n      int
	colors []leds.Color
}

// sample takes the line's level for a time.
func (d *pulses) sample(up bool, span time.Duration, f *Faults) {
	switch {
	case up && !d.up:
		if d.n > 0 {
			d.check(d.low, f)
		}
		d.up, d.high, d.low = true, span, 0
	case up:
		d.high += span
	case d.up:
		d.up, d.low = false, span
		d.bit()
	default:
		d.low += span
	}
}

// bit takes a pulse that has fallen.
func (d *pulses) bit() {
	d.bits <<= 1
	if d.high > parts {
		d.bits |= 1
	}
	if d.n++; d.n%24 == 0 {
		d.colors = append(d.colors, leds.Color{G: uint8(d.bits >> 16), R: uint8(d.bits >> 8), B: uint8(d.bits)})
	}
}

// check holds the last bit against the limits, now that its low part is known.
func (d *pulses) check(lasted time.Duration, f *Faults) {
	if one := d.bits & 1; !high[one].hold(d.high) || !low[one].hold(lasted) {
		f.Pulses++
	}
}
