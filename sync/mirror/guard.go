// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"bufio"
	"errors"
	"io"
	"net"
)

// maxPacket is the largest MQTT packet that is let in, in bytes. The client library allocates whatever length a
// packet's first bytes claim, up to 256 MiB.
const maxPacket = 1 << 20

// guard is a connection that skips publishes longer than maxPacket. It does not end the connection because of one,
// because a retained one would end the next connection as well.
type guard struct {
	net.Conn
	in      *bufio.Reader
	head    []byte // of the present packet, not yet handed on
	pass    int    // bytes of the present packet that follow
	skipped func()
}

func newGuard(c net.Conn, skipped func()) *guard {
	return &guard{Conn: c, in: bufio.NewReader(c), skipped: skipped}
}

// Read hands on packets within the limit.
func (g *guard) Read(p []byte) (int, error) {
	for len(g.head) == 0 && g.pass == 0 {
		if err := g.next(); err != nil {
			return 0, err
		}
	}
	if len(g.head) > 0 {
		n := copy(p, g.head)
		g.head = g.head[n:]
		return n, nil
	}
	n, err := g.in.Read(p[:min(len(p), g.pass)])
	g.pass -= n
	return n, err
}

// next reads the fixed header of the next packet (MQTT 3.1.1, section 2.2) and skips the packet if it is too long.
func (g *guard) next() error {
	first, err := g.in.ReadByte()
	if err != nil {
		return err
	}
	head, length := []byte{first}, 0
	for shift := 0; ; shift += 7 {
		b, err := g.in.ReadByte()
		if err != nil {
			return err
		}
		if shift > 21 {
			return errors.New("read MQTT packet: its length has more than four bytes")
		}
		head = append(head, b)
		length |= int(b&0x7f) << shift
		if b < 0x80 {
			break
		}
	}
	if length <= maxPacket {
		g.head, g.pass = head, length
		return nil
	}
	if first>>4 != 3 {
		return errors.New("read MQTT packet: too long, and no publish")
	}
	g.skipped()
	_, err = io.CopyN(io.Discard, g.in, int64(length))
	return err
}
