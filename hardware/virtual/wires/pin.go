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

// Pin is an input of the controller: a line with a pull-up that any number of open drains pull down.
type Pin struct {
	name  string
	edges chan struct{} // one waiting edge, as the kernel's event queue; further ones are dropped

	mu    sync.Mutex
	pulls int // how many pull it down
	edge  gpio.Edge
	deaf  bool // the wire is broken: no edges, always high
	numb  bool // no edges, the level is true
}

var _ gpio.PinIO = (*Pin)(nil)

// NewPin makes a line that nobody pulls down.
func NewPin(name string) *Pin { return &Pin{name: name, edges: make(chan struct{}, 1)} }

// Drag lets one more open drain pull the line down, or one fewer.
func (p *Pin) Drag(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.pulls > 0
	if down {
		p.pulls++
	} else {
		p.pulls--
	}
	if now := p.pulls > 0; now != before {
		p.event(now)
	}
}

// Deaf makes the pin lose its edges and read high, as a broken wire to a pull-up does; or heals it.
func (p *Pin) Deaf(deaf bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deaf = deaf
}

// LoseEdges makes the pin report no edges while its level stays true; or heals it.
func (p *Pin) LoseEdges(lose bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.numb = lose
}

// event queues an edge if anybody has asked for such.
func (p *Pin) event(fell bool) {
	if p.deaf || p.numb || p.edge == gpio.NoEdge || fell && p.edge == gpio.RisingEdge || !fell &&
		p.edge == gpio.FallingEdge {
		return
	}
	select {
	case p.edges <- struct{}{}:
	default:
	}
}

// In makes the pin report edges; what was queued is dropped.
func (p *Pin) In(_ gpio.Pull, edge gpio.Edge) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.edge = edge
	select {
	case <-p.edges:
	default:
	}
	return nil
}

// Read is the level.
func (p *Pin) Read() gpio.Level {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pulls == 0 || gpio.Level(p.deaf)
}

// WaitForEdge waits for an edge, for ever if the time is negative, and reports whether one came.
func (p *Pin) WaitForEdge(timeout time.Duration) bool {
	if timeout < 0 {
		<-p.edges
		return true
	}
	t := time.NewTimer(timeout)
	defer t.Stop()
	select {
	case <-p.edges:
		return true
	case <-t.C:
		return false
	}
}

// String is the pin's name.
func (p *Pin) String() string { return p.name }

// Name is the pin's name.
func (p *Pin) Name() string { return p.name }

// Number is -1: the pin has none.
func (p *Pin) Number() int { return -1 }

// Function is what the pin does.
func (p *Pin) Function() string { return string(p.Func()) }

// Func is gpio.IN.
func (p *Pin) Func() pin.Func { return gpio.IN }

// SupportedFuncs is inputs only.
func (p *Pin) SupportedFuncs() []pin.Func { return []pin.Func{gpio.IN} }

// SetFunc accepts gpio.IN.
func (p *Pin) SetFunc(f pin.Func) error {
	if f != gpio.IN {
		return errors.New(p.name + ": an input")
	}
	return nil
}

// Pull is the pull-up.
func (p *Pin) Pull() gpio.Pull { return gpio.PullUp }

// DefaultPull is the pull-up.
func (p *Pin) DefaultPull() gpio.Pull { return gpio.PullUp }

// Out is refused: the pin is an input.
func (p *Pin) Out(gpio.Level) error { return errors.New(p.name + ": an input cannot be driven") }

// PWM is refused: the pin is an input.
func (p *Pin) PWM(gpio.Duty, physic.Frequency) error {
	return errors.New(p.name + ": an input cannot be driven")
}

// Halt does nothing.
func (p *Pin) Halt() error { return nil }
