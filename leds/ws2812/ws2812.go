// SPDX-License-Identifier: Apache-2.0

// Package ws2812 drives a chain of WS2812B lights from the data line of an SPI port, through periph's nrzled.
//
// nrzled makes four SPI bits of every bit, 1000 of a zero and 1110 of a one: 12 bytes a light and 6 more. At the 2.5
// MHz that it asks for, a zero is high for 400 ns and a one for 1200. That is longer than any datasheet of Worldsemi's
// allows. So its port is told another clock, 3.2 MHz. A zero is 312 ns high and 938 low, a one is 938 high and 312
// low, which makes 1.25 us a bit. That is within the limits of the WS2812B of version 1.0: 400 and 850 ns, 800 and 450
// ns, each +-150 ns. It is also within those of the WS2812B-2020: 220 to 380 and 580 to 1000 ns, 580 to 1000 and 220
// to 420 ns. A picture takes 1.9 ms for one deck and 3.8 ms for two. Of nrzled only Write with a whole picture is
// used: its Draw shifts pictures.
//
// On a Pi 3 the SPI clock follows the core clock: core_freq=250 in config.txt holds it still.
package ws2812

import (
	"fmt"
	"time"

	"boardd/leds/chain"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/devices/v3/nrzled"
)

// Opts is the wiring and the limits of the light; the zero value will do.
type Opts = chain.Opts

// asked is the only SPI clock that nrzled takes. clock is what the port runs at, slightly more than 3.2 MHz. A
// Raspberry Pi divides its core clock by even numbers (BCM2835 ARM Peripherals, section 10.5 "CDIV"; Linux rounds
// them up). From core clocks of 250, 400 and 500 MHz the result is above 3.17 MHz, so that a one lasts no longer
// than 950 ns.
const (
	asked = 2500 * physic.KiloHertz
	clock = 3210 * physic.KiloHertz
)

// port is an SPI port that runs at clock whatever it is asked for.
type port struct{ spi.Port }

func (p port) Connect(_ physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	return p.Port.Connect(clock, mode, bits)
}

// gap is how long the line must rest before the next frame: a little more than the datasheet's 280 us (Worldsemi
// WS2812B version 5).
const gap = 300 * time.Microsecond

// Dev is a chain of lights. It is not safe for use by two goroutines at once.
type Dev struct{ chain.Line }

// spaced is a strip that rests long enough between pictures for its lights to latch.
type spaced struct {
	strip *nrzled.Dev
	ended time.Time
}

func (s *spaced) Write(rgb []byte) (int, error) {
	if rest := gap - time.Since(s.ended); rest > 0 {
		time.Sleep(rest)
	}
	defer func() { s.ended = time.Now() }()
	return s.strip.Write(rgb)
}

// New opens the port. The lights keep their colors until the first Show. A port whose transfers are too short for the
// chain is refused; spidev's limit is the kernel parameter spidev.bufsiz.
func New(p spi.Port, o *Opts) (*Dev, error) {
	if o == nil {
		o = &Opts{}
	}
	c, err := chain.New(*o)
	if err != nil {
		return nil, fmt.Errorf("ws2812: %w", err)
	}
	if l, ok := p.(conn.Limits); ok && l.MaxTxSize() < 12*c.Len()+6 {
		return nil, fmt.Errorf("ws2812: %d lights need transfers of %d bytes, %v allows %d: raise spidev.bufsiz", c.Len(),
			12*c.Len()+6, p, l.MaxTxSize())
	}
	strip, err := nrzled.NewSPI(port{p}, &nrzled.Opts{NumPixels: c.Len(), Channels: 3, Freq: asked})
	if err != nil {
		return nil, fmt.Errorf("ws2812: %w", err)
	}
	return &Dev{chain.NewLine(c, &spaced{strip: strip})}, nil
}
