// SPDX-License-Identifier: Apache-2.0

package boottest

// Nano is the boot loader of an Arduino Nano that is not there, with faults. It implements boot.NanoLine.
type Nano struct {
	Memory    [32 << 10]byte
	Signature [3]byte
	Left      bool // programming was left: the program runs
	Baud      int  // at which it hears anything

	// Faults.
	Deaf  int                            // restarts after which it does not answer; -1 is for ever
	Noise []byte                         // comes before every answer
	Lose  func(command byte, n int) bool // the answer of the n-th command of that kind is lost
	Worn  int                            // this byte keeps a bit, 0 is none
	Gone  int                            // after this many bytes the line is gone, 0 is never
	Err   error                          // that is what it says then

	in, out     []byte
	wrote, baud int
	counts      map[byte]int
	address     int // in bytes
	awake       bool
}

// NewNano is an ATmega328P whose memory is full of an old program.
func NewNano() *Nano {
	l := &Nano{Signature: [3]byte{0x1e, 0x95, 0x0f}, Baud: 115200, counts: map[byte]int{}}
	for i := range l.Memory {
		l.Memory[i] = byte(i * 7)
	}
	return l
}

// Speed sets the line's.
func (l *Nano) Speed(baud int) error {
	l.baud = baud
	return nil
}

// Restart begins again.
func (l *Nano) Restart() error {
	l.awake = l.Deaf == 0
	if l.Deaf > 0 {
		l.Deaf--
	}
	l.in, l.out, l.address, l.Left = nil, nil, 0, false
	return nil
}

// Read is what it has to say; 0 bytes when that is nothing.
func (l *Nano) Read(p []byte) (int, error) {
	if l.Gone > 0 && l.wrote > l.Gone {
		return 0, l.Err
	}
	n := copy(p[:min(len(p), 17)], l.out)
	l.out = l.out[n:]
	return n, nil
}

// Write takes bytes of the host.
func (l *Nano) Write(p []byte) (int, error) {
	l.wrote += len(p)
	if l.Gone > 0 && l.wrote > l.Gone {
		return 0, l.Err
	}
	if !l.awake || l.Left || l.baud != l.Baud {
		return len(p), nil
	}
	l.in = append(l.in, p...)
	for len(l.in) > 0 {
		size := map[byte]int{0x55: 3, 0x74: 4, 0x64: 4}[l.in[0]]
		size = max(size, 1)
		if len(l.in) < size {
			break
		}
		if l.in[0] == 0x64 {
			size += int(l.in[1])<<8 | int(l.in[2])
		}
		if len(l.in) < size+1 {
			break
		}
		m := l.in[:size]
		if l.in[size] != 0x20 { // out of step: Optiboot starts again
			l.in, l.awake = nil, false
			break
		}
		l.in = l.in[size+1:]
		l.obey(m)
	}
	return len(p), nil
}

// obey carries out a command and answers.
func (l *Nano) obey(m []byte) {
	var answer []byte
	switch m[0] {
	case 0x51:
		l.Left = true
	case 0x55:
		l.address = 2 * (int(m[1]) | int(m[2])<<8)
	case 0x64:
		for i := range 128 { // the page is erased before it is written
			l.Memory[l.address&^127+i] = 0xff
		}
		copy(l.Memory[l.address:], m[4:])
		if at := l.Worn; at >= l.address && at < l.address+len(m)-4 && at != 0 {
			l.Memory[at] ^= 0x10
		}
	case 0x74:
		answer = l.Memory[l.address : l.address+(int(m[1])<<8|int(m[2]))]
	case 0x75:
		answer = l.Signature[:]
	}
	l.counts[m[0]]++
	if l.Lose != nil && l.Lose(m[0], l.counts[m[0]]) {
		return
	}
	l.out = append(append(l.out, l.Noise...), 0x14)
	l.out = append(append(l.out, answer...), 0x10)
}
