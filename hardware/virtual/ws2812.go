package virtual

import (
	"time"

	"boardd/leds"
)

// The times of a WS2812B, Worldsemi's datasheet version 5: a zero is high for 220 to 380 ns, a one for 580 to
// 1600 ns; the low part is 220 ns at least; 280 us of low latch the colors. SPI at 2.5 MHz makes 400 ns steps; real
// lights take one step for a zero and two or three for a one, and so does this.
const (
	zeroMost = 450 * time.Nanosecond
	oneLeast = 580 * time.Nanosecond
	oneMost  = 1600 * time.Nanosecond
	latch    = 280 * time.Microsecond
)

// decodeWS2812 reads the pulses of a transfer, one sample per SPI bit, into colors.
func decodeWS2812(w []byte, bit time.Duration, f *LineFaults) []leds.Color {
	var d pulses
	high := time.Duration(0)
	for i := range len(w) * 8 {
		if w[i/8]<<(i%8)&0x80 != 0 {
			high += bit
			continue
		}
		if high > 0 {
			d.pulse(high, f)
		}
		high = 0
	}
	if high > 0 {
		f.Pulses++ // the line stays high after the transfer
	}
	if d.n%24 != 0 {
		f.Cut++
	}
	return d.colors
}

// pulses gathers bits, most significant first, green, red, blue.
type pulses struct {
	bits   uint32
	n      int
	colors []leds.Color
}

func (d *pulses) pulse(high time.Duration, f *LineFaults) {
	switch {
	case high <= zeroMost:
		d.bits <<= 1
	case high >= oneLeast && high <= oneMost:
		d.bits = d.bits<<1 | 1
	default:
		f.Pulses++
		d.bits <<= 1
	}
	if d.n++; d.n%24 == 0 {
		d.colors = append(d.colors, leds.Color{G: uint8(d.bits >> 16), R: uint8(d.bits >> 8), B: uint8(d.bits)})
	}
}
