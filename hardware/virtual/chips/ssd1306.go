// SPDX-License-Identifier: Apache-2.0

package chips

import "sync"

// SSD1306 is a model of an SSD1306 display on I2C, after Solomon Systech's datasheet revision 1.1. It has the picture
// memory and the commands that address it. It accepts all others and ignores them.
type SSD1306 struct {
	mu     sync.Mutex
	on     bool
	pixels [8][128]byte
	page   byte
	column byte
	skip   int // arguments of a command still to come
}

// NewSSD1306 makes a display, just powered up: dark, memory undefined, here all lit.
func NewSSD1306() *SSD1306 {
	d := &SSD1306{}
	for p := range d.pixels {
		for c := range d.pixels[p] {
			d.pixels[p][c] = 0xff
		}
	}
	return d
}

// Tx takes a control byte, 0x00 for commands and 0x40 for data (section 8.1.5.2), and what follows it. A read gives
// the status register.
func (d *SSD1306) Tx(w, r []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range r {
		r[i] = 0
		if !d.on {
			r[i] = 0x40
		}
	}
	if len(w) == 0 {
		return
	}
	for _, v := range w[1:] {
		if w[0]&0x40 != 0 {
			d.pixels[d.page&7][d.column&127] = v
			d.column = (d.column + 1) & 127
			continue
		}
		d.command(v)
	}
}

// arguments is how many bytes follow the commands that take some: section 9, table 9-1.
func arguments(c byte) int {
	switch c {
	case 0x20, 0x81, 0x8d, 0xa8, 0xd3, 0xd5, 0xd9, 0xda, 0xdb:
		return 1
	case 0x21, 0x22, 0xa3:
		return 2
	case 0x29, 0x2a:
		return 5
	case 0x26, 0x27:
		return 6
	}
	return 0
}

func (d *SSD1306) command(c byte) {
	if d.skip > 0 {
		d.skip--
		return
	}
	d.skip = arguments(c)
	switch {
	case c == 0xae || c == 0xaf:
		d.on = c == 0xaf
	case c&0xf8 == 0xb0:
		d.page = c & 7
	case c&0xf0 == 0x00:
		d.column = d.column&0xf0 | c
	case c&0xf0 == 0x10:
		d.column = d.column&0x0f | c<<4
	}
}

// Pixels is the picture: [page][column], bit 0 the top one of eight rows; all dark while the display is off.
func (d *SSD1306) Pixels() [8][128]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.on {
		return [8][128]byte{}
	}
	return d.pixels
}
