// SPDX-License-Identifier: Apache-2.0

// Package boottest is a boot loader that is not there: that of an Arduino Mega 2560 as its maker's source has it, with
// faults.
package boottest

// Loader is a boot loader. It implements boot.Line: what is written is answered at once.
type Loader struct {
	Memory    [256 << 10]byte // what was programmed; 0xff where nothing was
	Signature [3]byte
	Left      bool // programming mode was left: the program runs

	// Faults.
	Deaf     int                            // restarts after which it does not answer; -1 is for ever
	NoReset  error                          // what Restart says
	Noise    []byte                         // comes before every answer
	Lose     func(command byte, n int) bool // the answer of the n-th command of that kind is lost
	Garble   func(command byte, n int) bool // a bit of it is flipped
	Worn     int                            // this byte keeps a bit, 0 is none
	Protests byte                           // this command fails, 0 is none
	Gone     int                            // after this many bytes the line is gone, 0 is never
	Err      error                          // that is what it says then

	in, out []byte
	wrote   int
	counts  map[byte]int
	address int // in bytes
	erased  int // what was erased, from 0 on
	awake   bool
}

// New is an ATmega2560 whose memory is full of an old program.
func New() *Loader {
	l := &Loader{Signature: [3]byte{0x1e, 0x98, 0x01}, counts: map[byte]int{}}
	for i := range l.Memory {
		l.Memory[i] = byte(i * 7)
	}
	return l
}

// Restart begins again.
func (l *Loader) Restart() error {
	if l.NoReset != nil && !l.awake {
		l.awake = true // somebody presses the button
		return l.NoReset
	}
	l.awake = l.Deaf == 0
	if l.Deaf > 0 {
		l.Deaf--
	}
	l.in, l.out, l.address, l.erased, l.Left = nil, nil, 0, 0, false
	return nil
}

// Read is what it has to say; 0 bytes when that is nothing.
func (l *Loader) Read(p []byte) (int, error) {
	if l.Gone > 0 && l.wrote > l.Gone {
		return 0, l.Err
	}
	n := copy(p[:min(len(p), 17)], l.out) // in pieces, as a line gives them
	l.out = l.out[n:]
	return n, nil
}

// Write takes bytes of the host.
func (l *Loader) Write(p []byte) (int, error) {
	l.wrote += len(p)
	if l.Gone > 0 && l.wrote > l.Gone {
		return 0, l.Err
	}
	if !l.awake || l.Left {
		return len(p), nil
	}
	l.in = append(l.in, p...)
	for {
		for len(l.in) > 0 && l.in[0] != 0x1b {
			l.in = l.in[1:]
		}
		if len(l.in) < 5 {
			return len(p), nil
		}
		size := int(l.in[2])<<8 | int(l.in[3])
		if l.in[4] != 0x0e || size > 295 {
			l.in = l.in[1:]
			continue
		}
		if len(l.in) < 6+size {
			return len(p), nil
		}
		m := l.in[:6+size]
		l.in = l.in[6+size:]
		var sum byte
		for _, b := range m {
			sum ^= b
		}
		if sum == 0 {
			l.say(m[1], m[5], l.obey(m[5:5+size]))
		}
	}
}

// say sends an answer.
func (l *Loader) say(sequence, command byte, body []byte) {
	l.counts[command]++
	if l.Lose != nil && l.Lose(command, l.counts[command]) {
		return
	}
	m := append([]byte{0x1b, sequence, byte(len(body) >> 8), byte(len(body)), 0x0e}, body...)
	var sum byte
	for _, b := range m {
		sum ^= b
	}
	m = append(m, sum)
	if l.Garble != nil && l.Garble(command, l.counts[command]) {
		m[len(m)-1] ^= 4
	}
	l.out = append(append(l.out, l.Noise...), m...)
}

// obey carries out a command and returns the answer.
func (l *Loader) obey(m []byte) []byte {
	if m[0] == l.Protests {
		return []byte{m[0], 0xc0}
	}
	switch m[0] {
	case 0x01:
		return append([]byte{1, 0, 8}, "AVRISP_2"...)
	case 0x06:
		l.address = 2 * (int(m[1])<<24 | int(m[2])<<16 | int(m[3])<<8 | int(m[4]))
	case 0x11:
		l.Left = true
	case 0x13:
		l.program(m[10:])
	case 0x14:
		n := int(m[1])<<8 | int(m[2])
		data := l.Memory[l.address : l.address+n]
		l.address += n
		return append(append([]byte{m[0], 0}, data...), 0)
	case 0x1b:
		return []byte{m[0], 0, l.Signature[m[4]], 0}
	}
	return []byte{m[0], 0}
}

// program writes a page. The next page that is still full is erased first, whatever the address, as the boot loader
// does. Without erasing, a page can only lose bits.
func (l *Loader) program(data []byte) {
	for i := range 256 {
		l.Memory[l.erased+i] = 0xff
	}
	l.erased += 256
	for i, b := range data {
		l.Memory[l.address+i] &= b
		if l.Worn != 0 && l.address+i == l.Worn {
			l.Memory[l.address+i] ^= 0x10
		}
	}
	l.address += len(data)
}
