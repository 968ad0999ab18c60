// SPDX-License-Identifier: Apache-2.0

package wires

import "math/bits"

// PCA9548 is the register model of a PCA9548A or TCA9548A, after Texas Instruments' datasheet SCPS207H. It has one
// register, a bit for each open channel, in force from the stop condition on.
type PCA9548 struct {
	mask     byte
	channels [8]map[uint16]Chip
}

// NewPCA9548 makes a multiplexer with nothing behind it and no channel open.
func NewPCA9548() *PCA9548 { return &PCA9548{} }

// Attach puts a chip at an address behind a channel.
func (m *PCA9548) Attach(channel int, addr uint16, c Chip) {
	if m.channels[channel] == nil {
		m.channels[channel] = map[uint16]Chip{}
	}
	m.channels[channel][addr] = c
}

// Reset is what its reset pin or a power cycle does: all channels closed, and the chips behind them none the wiser.
func (m *PCA9548) Reset() { m.mask = 0 }

// Tx writes or reads the one register.
func (m *PCA9548) Tx(w, r []byte) {
	if len(w) > 0 {
		m.mask = w[len(w)-1]
	}
	for i := range r {
		r[i] = m.mask
	}
}

// behind appends the chips that an address reaches through the open channels.
func (m *PCA9548) behind(list []Chip, addr uint16) []Chip {
	for open := m.mask; open != 0; open &= open - 1 {
		if c := m.channels[bits.TrailingZeros8(open)][addr]; c != nil {
			list = append(list, c)
		}
	}
	return list
}
