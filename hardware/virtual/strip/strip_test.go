// SPDX-License-Identifier: Apache-2.0

package strip_test

import (
	"bytes"
	"testing"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"boardd/hardware/virtual/strip"
	"boardd/leds"
)

// line opens a strip of 64 lights at a clock.
func line(t *testing.T, f physic.Frequency) (*strip.Strip, spi.Conn) {
	t.Helper()
	s := strip.New("strip", 64, false)
	c, err := s.Connect(f, spi.Mode3, 8)
	must(t, err)
	return s, c
}

// pulses is n lights of one byte value each channel, four SPI bits a bit.
func pulses(n int, v byte) []byte {
	var b []byte
	for range 3 * n {
		for i := 7; i > 0; i -= 2 {
			b = append(b, [2]byte{0x80, 0xe0}[v>>i&1]|[2]byte{0x08, 0x0e}[v>>(i-1)&1])
		}
	}
	return b
}

func TestStripForgivesNothing(t *testing.T) {
	const right = 3200 * physic.KiloHertz
	grey := leds.Color{R: 0x55, G: 0x55, B: 0x55}
	for _, c := range []struct {
		name  string
		clock physic.Frequency
		send  [][]byte
		want  strip.Faults
		lit   leds.Color
	}{
		{"as it should be", right, [][]byte{pulses(64, 0x55)}, strip.Faults{}, grey},
		{"ones low for 250 ns", 4000 * physic.KiloHertz, [][]byte{pulses(64, 0x55)}, strip.Faults{Pulses: 64*12 - 1}, grey},
		{"zeros high for 400 ns, ones for 1200", 2500 * physic.KiloHertz, [][]byte{pulses(64, 0x55)},
			strip.Faults{Pulses: 64 * 24}, grey},
		{"a pause in a picture", right, [][]byte{append(append(pulses(1, 0x55), 0), pulses(1, 0x55)...)},
			strip.Faults{Pulses: 1}, grey},
		{"cut in a light", right, [][]byte{pulses(64, 0x55)[:10]}, strip.Faults{Cut: 1}, leds.Color{}},
		{"line stays high", right, [][]byte{append(pulses(64, 3), 0xff)}, strip.Faults{Pulses: 1},
			leds.Color{R: 3, G: 3, B: 3}},
	} {
		s, conn := line(t, c.clock)
		for _, b := range c.send {
			must(t, conn.Tx(b, nil))
		}
		if got := s.Faults(); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
		if got := s.Frame()[0][0]; got != c.lit {
			t.Errorf("%s: a1 shines %v, want %v", c.name, got, c.lit)
		}
	}
}

// Two pictures with nothing between them are one too long; a busy machine may be slow enough to part them, but not
// always.
func TestStripNeedsTimeToLatch(t *testing.T) {
	s, conn := line(t, 3200*physic.KiloHertz)
	for range 100 {
		must(t, conn.Tx(pulses(1, 7), nil))
		if s.Faults().Short > 0 {
			return
		}
	}
	t.Error("100 pictures without a pause: got no fault")
}

func TestStripRefusesWhatSpidevRefuses(t *testing.T) {
	_, conn := line(t, 3200*physic.KiloHertz)
	if err := conn.Tx(bytes.Repeat([]byte{0}, 4097), nil); err == nil {
		t.Error("4097 bytes in one transfer: got no error")
	}
	if err := conn.Tx([]byte{0}, make([]byte, 1)); err == nil {
		t.Error("a read: got no error")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
