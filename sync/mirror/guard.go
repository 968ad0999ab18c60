// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
)

// maxPacket is the largest MQTT packet that is let in, in bytes. The client library allocates whatever length a
// packet's first bytes claim, up to 256 MiB.
const maxPacket = 1 << 20

// errTooLong is why a publish is skipped.
var errTooLong = fmt.Errorf("it has more than %d bytes", maxPacket)

// maxShownTopic is how much of the topic of a skipped publish is shown, in bytes. Topics of boards are shorter.
const maxShownTopic = 100

// guard is a connection that skips publishes longer than maxPacket. It does not end the connection because of one,
// because a retained one would end the next connection as well.
type guard struct {
	net.Conn
	in      *bufio.Reader
	head    []byte // of the present packet, not yet handed on
	pass    int    // bytes of the present packet that follow
	skipped func(topic string)
}

func newGuard(c net.Conn, skipped func(topic string)) *guard {
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
	topic, err := g.topic()
	if err != nil {
		return err
	}
	g.skipped(topic)
	_, err = io.CopyN(io.Discard, g.in, int64(length))
	return err
}

// topic is the beginning of the topic of the publish that is skipped (MQTT 3.1.1, section 3.3.2.1).
func (g *guard) topic() (string, error) {
	b, err := g.in.Peek(2)
	if err != nil {
		return "", err
	}
	n := min(int(b[0])<<8|int(b[1]), maxShownTopic)
	b, err = g.in.Peek(2 + n)
	return string(b[min(2, len(b)):]), err
}
