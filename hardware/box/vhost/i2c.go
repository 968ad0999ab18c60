// SPDX-License-Identifier: Apache-2.0

package vhost

import (
	"slices"

	"boardd/sensing/bus"
)

// Bus is what hangs on the adapter: w is written, then r is read after a repeated start.
type Bus interface {
	Tx(addr uint16, w, r []byte) error
}

// I2C is a virtio I2C adapter with a bus.
type I2C struct {
	bus  Bus
	held []*Request // writes whose transaction goes on
}

// NewI2C makes an adapter.
func NewI2C(bus Bus) *I2C { return &I2C{bus: bus} }

// The flags of a message, and the words about it.
const (
	i2cGoesOn = 1 // FAIL_NEXT: another message of the same transaction follows
	i2cRead   = 2
	i2cOK     = 0
	i2cError  = 1
	// not in the standard, for whose drivers it is an error as any other: a chip holds the bus, and the adapter gave up
	// waiting
	i2cHeld = 2
	i2cHead = 8
)

// Features is that messages without bytes are taken.
func (d *I2C) Features() uint64 { return 1 }

// Config is empty.
func (d *I2C) Config() []byte { return nil }

// Queues is one.
func (d *I2C) Queues() int { return 1 }

// Reset forgets what was begun.
func (d *I2C) Reset() { d.held = nil }

// Take takes one message. The messages of a transaction go over the bus together, when its last one has come.
func (d *I2C) Take(_ int, r *Request) {
	if len(r.In) < i2cHead || r.Room < 1 {
		r.Answer([]byte{i2cError})
		return
	}
	flags := le.Uint32(r.In[4:])
	if flags&i2cGoesOn != 0 && flags&i2cRead == 0 && len(d.held) == 0 {
		d.held = append(d.held, r)
		return
	}
	addr := le.Uint16(r.In) >> 1 // 7 bits, shifted as on the wire
	var w, in []byte
	all := append(slices.Clone(d.held), r)
	d.held = d.held[:0]
	for _, m := range all {
		if le.Uint16(m.In)>>1 != addr {
			answer(all, nil, i2cError) // a transaction with two chips is none that we have
			return
		}
		w = append(w, m.In[i2cHead:]...)
	}
	if flags&i2cRead != 0 {
		in = make([]byte, r.Room-1)
	}
	switch bus.Classify(d.bus.Tx(addr, w, in)) {
	case bus.Fine:
		answer(all, in, i2cOK)
	case bus.Hung:
		answer(all, in, i2cHeld)
	default:
		answer(all, in, i2cError)
	}
}

// answer answers all messages of a transaction; what was read goes into the last.
func answer(all []*Request, in []byte, status byte) {
	last := len(all) - 1
	for _, m := range all[:last] {
		m.Answer([]byte{status})
	}
	all[last].Answer(append(in, status))
}
