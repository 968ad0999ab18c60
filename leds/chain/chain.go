// SPDX-License-Identifier: Apache-2.0

// Package chain turns a frame of the board into the bytes of a chain of lights. It applies the wiring order,
// brightness, gamma, and a cap on the current. The drivers ws2812 and apa102 send the bytes.
package chain

import (
	"errors"
	"fmt"
	"math"
	"time"

	"boardd/leds"
)

// Wiring is the order in which the chain visits the squares of a deck. The lower deck comes first.
type Wiring uint8

// The wirings.
const (
	Rows       Wiring = iota // a1 to h1, a2 to h2, ... every rank from the a file
	Serpentine               // a1 to h1, h2 to a2, a3 to h3, ...
)

// String is the word in configurations.
func (w Wiring) String() string {
	if w == Serpentine {
		return "serpentine"
	}
	return "rows"
}

// ParseWiring reads the words that String writes; the empty text is rows.
func ParseWiring(s string) (Wiring, error) {
	switch s {
	case "", "rows":
		return Rows, nil
	case "serpentine":
		return Serpentine, nil
	}
	return Rows, fmt.Errorf("wiring %q: want rows or serpentine", s)
}

// Opts is how the lights are wired and how bright they may shine. The zero value is one deck in rows, full
// brightness, gamma 2.2, 2 A.
type Opts struct {
	Decks      int     // 1 or 2; 0 is 1
	Wiring     Wiring  // the same on both decks
	Brightness float64 // more than 0, at most 1; 0 is 1
	Gamma      float64 // 1 to 4; 0 is 2.2; 1 is none
	CapMA      int     // what the whole chain may draw, in milliamperes; 0 is 2000
	// what one color of one light draws at 255, in milliamperes; 0 is 16.7: 64 lights at white draw 3.2 A
	FullMA  float64
	IdleMA  float64       // what a dark light draws, in milliamperes; 0 is 1, the WS2812B's; negative is none
	Refresh time.Duration // how long an unchanged picture is not sent again; 0 is 1 s
}

func (o *Opts) fill() {
	if o.Decks == 0 {
		o.Decks = 1
	}
	if o.CapMA == 0 {
		o.CapMA = 2000
	}
	if o.Refresh == 0 {
		o.Refresh = time.Second
	}
	for _, d := range []struct {
		v *float64
		d float64
	}{{&o.Brightness, 1}, {&o.Gamma, 2.2}, {&o.FullMA, 50.0 / 3}, {&o.IdleMA, 1}} {
		if *d.v == 0 {
			*d.v = d.d
		}
	}
	o.IdleMA = max(0, o.IdleMA)
}

// check returns an error that joins all faults.
func (o *Opts) check() error {
	var errs []error
	if o.Decks != 1 && o.Decks != 2 {
		errs = append(errs, fmt.Errorf("lights: %d decks: want 1 or 2", o.Decks))
	}
	if o.Brightness < 0 || o.Brightness > 1 {
		errs = append(errs, fmt.Errorf("lights: brightness %g: want more than 0 and at most 1", o.Brightness))
	}
	if o.Gamma < 1 || o.Gamma > 4 {
		errs = append(errs, fmt.Errorf("lights: gamma %g: want 1 to 4", o.Gamma))
	}
	if idle := o.IdleMA * float64(64*o.Decks); float64(o.CapMA) <= idle {
		errs = append(errs, fmt.Errorf("lights: cap of %d mA: %d dark lights draw %.0f mA already", o.CapMA, 64*o.Decks,
			idle))
	}
	return errors.Join(errs...)
}

// Chain encodes pictures. It is not safe for use by two goroutines at once.
type Chain struct {
	o     Opts
	table [256]float64 // from a color's value to its share of full light, 0 to 1
	rgb   []byte
	sent  []byte
	when  time.Time
	ma    float64
}

// New makes a chain. The error joins all faults of the options.
func New(o Opts) (*Chain, error) {
	o.fill()
	if err := o.check(); err != nil {
		return nil, err
	}
	c := &Chain{o: o, rgb: make([]byte, 3*64*o.Decks)}
	for i := range c.table {
		c.table[i] = o.Brightness * math.Pow(float64(i)/255, o.Gamma)
	}
	return c, nil
}

// Tune changes how bright the lights may shine, and how much they may draw; wiring and size stay.
func (c *Chain) Tune(brightness, gamma float64, capMA int) error {
	o := c.o
	o.Brightness, o.Gamma, o.CapMA = brightness, gamma, capMA
	n, err := New(o)
	if err != nil {
		return err
	}
	c.o, c.table, c.sent = n.o, n.table, nil
	return nil
}

// Len is the number of lights.
func (c *Chain) Len() int { return len(c.rgb) / 3 }

// Encode returns the red, green and blue bytes of every light in the chain's order, valid until the next call. A color
// that is not black stays visible, with at least one step of light. If the frame would draw more than the cap, all
// lights are dimmed alike.
func (c *Chain) Encode(f *leds.Frame) []byte {
	sum := 0.0
	for i := range c.Len() {
		col := f[i/64][c.o.square(i%64)]
		sum += c.table[col.R] + c.table[col.G] + c.table[col.B]
	}
	idle := c.o.IdleMA * float64(c.Len())
	scale := 1.0
	if room := float64(c.o.CapMA) - idle; sum*c.o.FullMA > room {
		scale = room / (sum * c.o.FullMA)
	}
	steps := 0
	for i := range c.Len() {
		col := f[i/64][c.o.square(i%64)]
		for j, v := range [3]uint8{col.R, col.G, col.B} {
			b := c.step(v, scale)
			c.rgb[3*i+j] = b
			steps += int(b)
		}
	}
	c.ma = idle + c.o.FullMA*float64(steps)/255
	return c.rgb
}

// step is the byte for one color. Dimming rounds down, so that the cap holds.
func (c *Chain) step(v uint8, scale float64) byte {
	if v == 0 {
		return 0
	}
	b := 255 * c.table[v] * scale
	if scale == 1 {
		b = math.Round(b)
	}
	return byte(max(1, b))
}

// Shown is the last frame as its bytes have it, dimmed and capped, by square.
func (c *Chain) Shown() (f leds.Frame) {
	for i := range c.Len() {
		f[i/64][c.o.square(i%64)] = leds.Color{R: c.rgb[3*i], G: c.rgb[3*i+1], B: c.rgb[3*i+2]}
	}
	return f
}

// Current is what the last picture draws, in milliamperes.
func (c *Chain) Current() float64 { return c.ma }

// Due reports whether bytes must be sent: they differ from those sent last, or those are older than the refresh.
func (c *Chain) Due(rgb []byte, now time.Time) bool {
	return string(rgb) != string(c.sent) || now.Sub(c.when) >= c.o.Refresh
}

// Sent remembers what is on the line now.
func (c *Chain) Sent(rgb []byte, now time.Time) {
	c.sent = append(c.sent[:0], rgb...)
	c.when = now
}

// square is where the i-th light of a deck sits.
func (o *Opts) square(i int) int {
	if rank := i / 8; o.Wiring == Serpentine && rank%2 == 1 {
		return 8*rank + 7 - i%8
	}
	return i
}
