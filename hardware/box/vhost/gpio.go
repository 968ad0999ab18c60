// SPDX-License-Identifier: Apache-2.0

package vhost

import (
	"strings"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// GPIO is a virtio GPIO controller with pins on its lines; a line without a pin reads high and drives nothing.
type GPIO struct {
	names []byte
	lines []*gpioLine
}

// Line is one line of a controller.
type Line struct {
	Name string
	Pin  gpio.PinIO // nil: nothing is wired
}

type gpioLine struct {
	Line
	out     bool
	edge    uint32   // one of the types below
	asked   *Request // the guest waits for an interrupt
	pending bool     // one that came while nobody waited
	stop    chan struct{}
}

// NewGPIO makes a controller.
func NewGPIO(lines []Line) *GPIO {
	g := &GPIO{}
	var names strings.Builder
	for _, l := range lines {
		names.WriteString(l.Name + "\x00")
		g.lines = append(g.lines, &gpioLine{Line: l})
	}
	g.names = []byte(names.String())
	return g
}

// The requests of the controller, its words, and the kinds of interrupt.
const (
	gpioNames        = 1
	gpioDirection    = 2
	gpioSetDirection = 3
	gpioValue        = 4
	gpioSetValue     = 5
	gpioIRQ          = 6

	gpioOK    = 0
	gpioError = 1

	gpioOut = 1
	gpioIn  = 2

	edgeNone    = 0
	edgeRising  = 1
	edgeFalling = 2
	edgeBoth    = 3

	eventDropped = 0
	eventValid   = 1

	requestQueue = 0
)

// Features is that interrupts are served.
func (g *GPIO) Features() uint64 { return 1 }

// Config is the number of lines and the length of their names.
func (g *GPIO) Config() []byte {
	b := le.AppendUint16(nil, uint16(len(g.lines)))
	b = append(b, 0, 0)
	return le.AppendUint32(b, uint32(len(g.names)))
}

// Queues is two: requests and events.
func (g *GPIO) Queues() int { return 2 }

// Reset lets all lines be inputs that nobody watches.
func (g *GPIO) Reset() {
	for _, l := range g.lines {
		l.unwatch()
		l.out, l.asked, l.pending = false, nil, false
	}
}

// Take answers a request; one for an event is answered when it happens.
func (g *GPIO) Take(queue int, r *Request) {
	if queue != requestQueue {
		g.await(r)
		return
	}
	if len(r.In) < 8 {
		r.Answer([]byte{gpioError, 0})
		return
	}
	what, n, value := le.Uint16(r.In), int(le.Uint16(r.In[2:])), le.Uint32(r.In[4:])
	if what == gpioNames {
		r.Answer(append([]byte{gpioOK}, g.names...))
		return
	}
	if n >= len(g.lines) {
		r.Answer([]byte{gpioError, 0})
		return
	}
	v, ok := g.lines[n].obey(what, value, r.link)
	if !ok {
		r.Answer([]byte{gpioError, 0})
		return
	}
	r.Answer([]byte{gpioOK, v})
}

// await keeps a request until the line has an edge; one that came before counts.
func (g *GPIO) await(r *Request) {
	if len(r.In) < 2 || int(le.Uint16(r.In)) >= len(g.lines) {
		r.Answer([]byte{eventDropped})
		return
	}
	l := g.lines[le.Uint16(r.In)]
	if l.edge == edgeNone {
		r.Answer([]byte{eventDropped})
		return
	}
	l.asked = r
	if l.pending {
		l.tell()
	}
}

// obey does what is asked of one line.
func (l *gpioLine) obey(what uint16, value uint32, k *link) (byte, bool) {
	switch what {
	case gpioDirection:
		if l.out {
			return gpioOut, true
		}
		return gpioIn, true
	case gpioSetDirection:
		l.out = value == gpioOut
		if !l.out && l.Pin != nil {
			return 0, l.Pin.In(gpio.PullUp, gpio.NoEdge) == nil
		}
		return 0, true
	case gpioValue:
		if l.Pin != nil && l.Pin.Read() == gpio.Low {
			return 0, true
		}
		return 1, true
	case gpioSetValue:
		if l.Pin != nil && l.out {
			return 0, l.Pin.Out(value != 0) == nil
		}
		return 0, true
	case gpioIRQ:
		return 0, l.watch(value, k)
	}
	return 0, false
}

// watch begins or ends to look for edges, and reports whether that kind of edge can be watched.
func (l *gpioLine) watch(edge uint32, k *link) bool {
	l.unwatch()
	kinds := map[uint32]gpio.Edge{edgeRising: gpio.RisingEdge, edgeFalling: gpio.FallingEdge, edgeBoth: gpio.BothEdges}
	if l.edge = edge; edge == edgeNone {
		if l.asked != nil {
			l.asked.Answer([]byte{eventDropped})
		}
		l.asked, l.pending = nil, false
		return true
	}
	kind, ok := kinds[edge]
	if !ok {
		l.edge = edgeNone
		return false // levels are not watched
	}
	if l.Pin == nil {
		return true
	}
	if err := l.Pin.In(gpio.PullUp, kind); err != nil {
		return false
	}
	l.stop = make(chan struct{})
	go l.look(l.Pin, l.stop, k)
	return true
}

func (l *gpioLine) unwatch() {
	if l.stop != nil {
		close(l.stop)
		l.stop = nil
	}
	l.edge = edgeNone
}

// again is after how long a watcher looks whether it is still wanted.
const again = 50 * time.Millisecond

// look waits for edges until it is stopped.
func (l *gpioLine) look(pin gpio.PinIO, stop chan struct{}, k *link) {
	for {
		moved := pin.WaitForEdge(again)
		select {
		case <-stop:
			return
		default:
		}
		if !moved {
			continue
		}
		k.mu.Lock()
		if l.stop == stop {
			l.tell()
		}
		k.mu.Unlock()
	}
}

// tell says that there was an edge, now or as soon as somebody asks.
func (l *gpioLine) tell() {
	l.pending = l.asked == nil
	if l.asked != nil {
		l.asked.Answer([]byte{eventValid})
		l.asked = nil
	}
}
