// SPDX-License-Identifier: Apache-2.0

package strip

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"boardd/hardware/virtual/wires"
	"boardd/leds"
)

// spiLimit is the longest transfer, as of Linux's spidev with its default buffer.
const spiLimit = 4096

// Strip is an SPI port with a chain of WS2812B lights on its data line, or with APA102 if it is driven as such.
type Strip struct {
	name       string
	n          int
	serpentine bool
	wait       func(time.Duration)
	lit        chan struct{}

	mu     sync.Mutex
	clock  physic.Frequency
	limit  physic.Frequency
	ended  time.Time // the last transfer
	frame  leds.Frame
	faults Faults
	frames uint64
}

// Faults counts what a chain of lights does not forgive.
type Faults struct {
	Pulses uint64 // bits of which a part is too short or too long for a zero or a one
	Cut    uint64 // transfers that end within a light's 24 bits
	Short  uint64 // frames that begin before the last was latched
}

// New makes a port with n lights, 64 or 128, the lower deck's first.
func New(name string, n int, serpentine bool) *Strip {
	return &Strip{name: name, n: n, serpentine: serpentine, wait: wires.Block, lit: make(chan struct{}, 1)}
}

// Connect opens the line; any mode with 8 bits will do, as only the data line counts.
func (s *Strip) Connect(f physic.Frequency, _ spi.Mode, bits int) (spi.Conn, error) {
	if bits != 8 {
		return nil, fmt.Errorf("%s: %d bits a word: want 8", s.name, bits)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = f
	if s.limit != 0 && s.limit < f {
		s.clock = s.limit
	}
	return s, nil
}

// LimitSpeed sets the highest clock.
func (s *Strip) LimitSpeed(f physic.Frequency) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit = f
	return nil
}

// MaxTxSize is spidev's limit in bytes.
func (s *Strip) MaxTxSize() int { return spiLimit }

// Tx clocks bytes out, and blocks for as long as that takes.
func (s *Strip) Tx(w, r []byte) error {
	if len(r) > 0 {
		return fmt.Errorf("%s: nothing to read on a line of lights", s.name)
	}
	if len(w) > spiLimit {
		return fmt.Errorf("sysfs-spi: maximum Tx length is %d, got %d bytes", spiLimit, len(w))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clock == 0 {
		return errors.New(s.name + ": not connected")
	}
	began := time.Now()
	s.wait(time.Duration(len(w)*8) * s.clock.Period())
	s.take(w, began)
	s.ended = time.Now()
	return nil
}

// TxPackets is Tx, packet by packet.
func (s *Strip) TxPackets(p []spi.Packet) error {
	for i := range p {
		if err := s.Tx(p[i].W, p[i].R); err != nil {
			return err
		}
	}
	return nil
}

// take decodes a transfer and shows it.
func (s *Strip) take(w []byte, began time.Time) {
	var colors []leds.Color
	if isAPA102(w) {
		colors = decodeAPA102(w)
	} else {
		if !s.ended.IsZero() && began.Sub(s.ended) < latch {
			s.faults.Short++
		}
		colors = decodeWS2812(w, s.clock.Period(), &s.faults)
	}
	s.frames++
	s.show(colors)
}

// show lets the first lights take the colors; the rest keep theirs.
func (s *Strip) show(colors []leds.Color) {
	before := s.frame
	for i, c := range colors[:min(len(colors), s.n)] {
		s.frame[i/64][s.square(i%64)] = c
	}
	if s.frame == before {
		return
	}
	select {
	case s.lit <- struct{}{}:
	default:
	}
}

// square is where the i-th light of a deck sits.
func (s *Strip) square(i int) int {
	if rank := i / 8; s.serpentine && rank%2 == 1 {
		return 8*rank + 7 - i%8
	}
	return i
}

// Frame is the picture shown.
func (s *Strip) Frame() leds.Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frame
}

// Frames is how many transfers were decoded.
func (s *Strip) Frames() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frames
}

// Faults is what went wrong on the line so far.
func (s *Strip) Faults() Faults {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults
}

// Lit is signalled when the picture has changed; room for one signal, further ones are dropped.
func (s *Strip) Lit() <-chan struct{} { return s.lit }

// String is the port's name.
func (s *Strip) String() string { return s.name }

// Duplex is half: nothing comes back.
func (s *Strip) Duplex() conn.Duplex { return conn.Half }

// Close does nothing; the lights keep their colors.
func (s *Strip) Close() error { return nil }
