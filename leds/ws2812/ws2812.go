// Package ws2812 drives a chain of WS2812B lights from the data line of an SPI port, through periph's nrzled.
//
// nrzled makes four SPI bits of every bit, at 2.5 MHz: 12 bytes a light and 6 more, which is 2.5 ms for one deck and 4.9 ms for two.
// Of nrzled only Write with a whole picture is used: its Draw shifts pictures, and its default frequency is refused on SPI.
//
// On a Pi 3 the SPI clock follows the core clock: core_freq=250 in config.txt holds it still.
package ws2812

import (
	"fmt"
	"time"

	"boardd/leds"
	"boardd/leds/chain"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/devices/v3/nrzled"
)

// Opts is the wiring and the limits of the light; the zero value will do.
type Opts = chain.Opts

// frequency of the SPI clock: the only one nrzled takes.
const frequency = 2500 * physic.KiloHertz

// gap is how long the line must rest before the next picture: the datasheet's 280 us (Worldsemi WS2812B version 5), and a little.
const gap = 300 * time.Microsecond

// Dev is a chain of lights. It is not safe for use by two goroutines at once.
type Dev struct {
	c     *chain.Chain
	strip *nrzled.Dev
	ended time.Time
}

// New opens the port; the lights keep what they show until the first Show. A port whose transfers are too short for the
// chain is refused: spidev's limit is the kernel parameter spidev.bufsiz.
func New(port spi.Port, o *Opts) (*Dev, error) {
	if o == nil {
		o = &Opts{}
	}
	c, err := chain.New(*o)
	if err != nil {
		return nil, fmt.Errorf("ws2812: %w", err)
	}
	if l, ok := port.(conn.Limits); ok && l.MaxTxSize() < 12*c.Len()+6 {
		return nil, fmt.Errorf("ws2812: %d lights need transfers of %d bytes, %v allows %d: raise spidev.bufsiz", c.Len(), 12*c.Len()+6, port, l.MaxTxSize())
	}
	strip, err := nrzled.NewSPI(port, &nrzled.Opts{NumPixels: c.Len(), Channels: 3, Freq: frequency})
	if err != nil {
		return nil, fmt.Errorf("ws2812: %w", err)
	}
	return &Dev{c: c, strip: strip}, nil
}

// Show shows a picture. Bytes go out only when the picture differs from the last one or when that is older than the
// refresh, so call it at least as often as that; a light that lost its colors then has them again.
func (d *Dev) Show(f leds.Frame) error {
	rgb := d.c.Encode(&f)
	if !d.c.Due(rgb, time.Now()) {
		return nil
	}
	return d.send(rgb)
}

// Shown is the picture as it shines: what the bytes of the last Show say, each light on its square.
func (d *Dev) Shown() leds.Frame { return d.c.Shown() }

// Tune changes brightness (0 to 1), gamma and the cap on the current from the next Show on.
func (d *Dev) Tune(brightness, gamma float64, capMA int) error {
	return d.c.Tune(brightness, gamma, capMA)
}

// Halt makes all lights dark.
func (d *Dev) Halt() error { return d.send(d.c.Encode(&leds.Frame{})) }

// Current is what the last picture draws, in milliamperes.
func (d *Dev) Current() float64 { return d.c.Current() }

func (d *Dev) send(rgb []byte) error {
	if rest := gap - time.Since(d.ended); rest > 0 {
		time.Sleep(rest)
	}
	_, err := d.strip.Write(rgb)
	d.ended = time.Now()
	if err != nil {
		return fmt.Errorf("ws2812: send a picture: %w", err)
	}
	d.c.Sent(rgb, d.ended)
	return nil
}
