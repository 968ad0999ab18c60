// SPDX-License-Identifier: Apache-2.0

package wires

import (
	"errors"
	"sync"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/pin"
)

// pair holds the two lines of an I2C bus as seen from GPIO pins wired to them, and what may hold them.
type pair struct {
	mu     sync.Mutex
	low    [2]bool // pulled down by our pins: SCL, SDA
	clocks int     // a chip holds SDA until it has seen this many more clocks
	stops  int     // stop conditions made by our pins
}

// The lines.
const (
	lineSCL = iota
	lineSDA
)

// errHung is what Linux's I2C drivers say through periph when the bus is held (ETIMEDOUT).
var errHung = errors.New("sysfs-i2c: connection timed out")

// stuck reports whether SDA is held.
func (w *pair) stuck() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.clocks > 0
}

// stick makes a chip hold SDA.
func (w *pair) stick(clocks int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clocks = clocks
}

// level is a line's level.
func (w *pair) level(line int) gpio.Level {
	w.mu.Lock()
	defer w.mu.Unlock()
	return gpio.Level(!w.low[line] && (line == lineSCL || w.clocks == 0))
}

// set pulls a line down or lets it go; a clock that falls brings the chip that holds SDA nearer to its end.
func (w *pair) set(line int, low bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if line == lineSCL && low && !w.low[lineSCL] && w.clocks > 0 {
		w.clocks--
	}
	if line == lineSDA && !low && w.low[lineSDA] && !w.low[lineSCL] {
		w.stops++
	}
	w.low[line] = low
}

// Wire is a GPIO pin wired to SCL or SDA: it can pull the line down, let it go, and read it.
type Wire struct {
	name string
	w    *pair
	line int
}

var _ gpio.PinIO = (*Wire)(nil)

// In lets the line go; edges are not reported.
func (p *Wire) In(_ gpio.Pull, edge gpio.Edge) error {
	if edge != gpio.NoEdge {
		return errors.New(p.name + ": no edges on this pin")
	}
	p.w.set(p.line, false)
	return nil
}

// Out pulls the line down for Low; High is refused, as the lines are open drains.
func (p *Wire) Out(l gpio.Level) error {
	if l == gpio.High {
		return errors.New(p.name + ": a line with open drains must not be driven high")
	}
	p.w.set(p.line, true)
	return nil
}

// Read is the level of the line.
func (p *Wire) Read() gpio.Level { return p.w.level(p.line) }

// String is the pin's name.
func (p *Wire) String() string { return p.name }

// Name is the pin's name.
func (p *Wire) Name() string { return p.name }

// Number is -1: the pin has none.
func (p *Wire) Number() int { return -1 }

// Function is what the pin does.
func (p *Wire) Function() string { return string(gpio.IN) }

// Func is gpio.IN.
func (p *Wire) Func() pin.Func { return gpio.IN }

// SupportedFuncs is inputs and outputs.
func (p *Wire) SupportedFuncs() []pin.Func { return []pin.Func{gpio.IN, gpio.OUT} }

// SetFunc is refused: use In and Out.
func (p *Wire) SetFunc(pin.Func) error { return errors.New(p.name + ": use In and Out") }

// Pull is the bus's pull-up.
func (p *Wire) Pull() gpio.Pull { return gpio.PullUp }

// DefaultPull is the bus's pull-up.
func (p *Wire) DefaultPull() gpio.Pull { return gpio.PullUp }

// WaitForEdge reports whether an edge came. None ever does.
func (p *Wire) WaitForEdge(time.Duration) bool { return false }

// PWM is refused.
func (p *Wire) PWM(gpio.Duty, physic.Frequency) error { return errors.New(p.name + ": no PWM") }

// Halt lets the line go.
func (p *Wire) Halt() error { return p.In(gpio.PullUp, gpio.NoEdge) }
