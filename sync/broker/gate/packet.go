// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"

	"boardd/sync/crowd"
)

// Kinds of packets, the upper half of their first byte (MQTT 3.1.1, table 2.1).
const (
	connect     = 1
	connectBack = 2
	publish     = 3
	publishBack = 4
	disconnect  = 14
)

// Answers to a CONNECT (MQTT 3.1.1, table 3.1).
const (
	badPassword   = 4
	notAuthorized = 5
)

// packet is one packet of MQTT 3.1.1.
type packet struct {
	head byte   // kind and flags
	body []byte // after the length
}

func (p *packet) kind() byte { return p.head >> 4 }

// read reads a packet of at most this many bytes.
func read(r *bufio.Reader, most int) (packet, error) {
	head, err := r.ReadByte()
	if err != nil {
		return packet{}, err
	}
	n, shift := 0, 0
	for {
		b, err := r.ReadByte()
		if err != nil {
			return packet{}, noMore(err)
		}
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			break
		}
		if shift += 7; shift > 21 {
			return packet{}, errors.New("the length of a packet has more than four bytes")
		}
	}
	if n > most {
		return packet{}, fmt.Errorf("a packet of %d bytes, %d are taken", n, most)
	}
	// It grows as the bytes come, so a client that only announces a large packet uses no memory.
	var body bytes.Buffer
	if _, err := io.CopyN(&body, r, int64(n)); err != nil {
		return packet{}, noMore(err)
	}
	return packet{head, body.Bytes()}, nil
}

// noMore is the error of a packet that ends in the middle.
func noMore(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// bytes is the packet as it is sent.
func (p *packet) bytes() []byte {
	out, n := []byte{p.head}, len(p.body)
	for {
		b := byte(n & 0x7f)
		if n >>= 7; n > 0 {
			out = append(out, b|0x80)
			continue
		}
		return append(append(out, b), p.body...)
	}
}

// field takes the next field with a length of two bytes before it.
func field(b []byte) (text, rest []byte, ok bool) {
	if len(b) < 2 {
		return nil, nil, false
	}
	n := int(binary.BigEndian.Uint16(b))
	if len(b)-2 < n {
		return nil, nil, false
	}
	return b[2 : 2+n], b[2+n:], true
}

// fixed is the number of bytes between the name of the protocol and the client id: level, flags and keep-alive.
const fixed = 4

// account is the name by which a CONNECT logs in. It is "" where there is none or it cannot be read: the broker
// refuses what it cannot read.
func (p *packet) account() string {
	_, rest, ok := field(p.body)
	if !ok || len(rest) < fixed || rest[0] != 4 {
		return ""
	}
	flags, rest := rest[1], rest[fixed:]
	skip := 1 // the client id
	if flags&0x04 != 0 {
		skip += 2 // the will's topic and message
	}
	for range skip {
		if _, rest, ok = field(rest); !ok {
			return ""
		}
	}
	name, _, ok := field(rest)
	if !ok || flags&0x80 == 0 {
		return ""
	}
	return string(name)
}

// own is the CONNECT with a client id that no other account can have, because a prefix from the account's name is
// added. An empty id stays, and the broker makes one.
func (p *packet) own(account string) packet {
	protocol, rest, ok := field(p.body)
	if !ok || len(rest) < fixed || rest[0] != 4 {
		return *p
	}
	id, after, ok := field(rest[fixed:])
	if !ok || len(id) == 0 {
		return *p
	}
	sum := sha256.Sum256([]byte(account))
	id = append([]byte(hex.EncodeToString(sum[:8])+"-"), id...)
	if len(id) > 1<<16-1 {
		return *p
	}
	body := binary.BigEndian.AppendUint16(nil, uint16(len(protocol)))
	body = append(append(body, protocol...), rest[:fixed]...)
	body = append(binary.BigEndian.AppendUint16(body, uint16(len(id))), id...)
	return packet{p.head, append(body, after...)}
}

// retains returns the topic and the size of a PUBLISH to be retained. Size 0 removes the retained message.
func (p *packet) retains() (topic string, size int, ok bool) {
	if p.kind() != publish || p.head&1 == 0 {
		return "", 0, false
	}
	name, rest, ok := field(p.body)
	if p.head&6 != 0 {
		rest = rest[min(2, len(rest)):] // the packet's number
	}
	return string(name), len(rest), ok
}

// qos is the quality of service of a PUBLISH.
func (p *packet) qos() byte { return p.head >> 1 & 3 }

// passing is a PUBLISH of QoS 1 as one of QoS 0, which is not kept for absent clients. It also returns the answer for
// which its sender waits.
func (p *packet) passing() (now, answer packet, ok bool) {
	topic, rest, ok := field(p.body)
	if !ok || len(rest) < 2 {
		return *p, packet{}, false
	}
	head := len(topic) + 2
	body := append(append([]byte{}, p.body[:head]...), rest[2:]...)
	return packet{p.head &^ 0x0e, body}, packet{publishBack << 4, rest[:2]}, true
}

// forget is a PUBLISH that removes what is retained at a topic.
func forget(topic string) packet {
	return packet{publish<<4 | 1, append(binary.BigEndian.AppendUint16(nil, uint16(len(topic))), topic...)}
}

// receipt is the answer for which the sender of a PUBLISH waits; ok is false for QoS 0.
func (p *packet) receipt() (answer packet, ok bool) {
	_, rest, ok := field(p.body)
	if p.qos() == 0 || !ok || len(rest) < 2 {
		return packet{}, false
	}
	kind := byte(publishBack)
	if p.qos() > 1 {
		kind++ // the first of two
	}
	return packet{kind << 4, rest[:2]}, true
}

// ignored reports whether a message is to be retained where nothing may be. Clients that are connected would get it
// like any other message, and those that come later would get it again.
func (g *Gate) ignored(account string, p *packet) bool {
	topic, _, ok := p.retains()
	if !ok || g.o.Fleeting == nil || !g.o.Fleeting(topic) {
		return false
	}
	g.noted.Do(func() {
		g.o.Log.Warn("a message to be retained is ignored: nothing may be retained there", "topic", topic, "account",
			account)
	})
	return true
}

// greeting reads the CONNECT of a client. One that begins otherwise speaks no MQTT, and is not waited for.
func (g *Gate) greeting(in *bufio.Reader, conn net.Conn) (first packet, ok bool) {
	head, err := in.Peek(1)
	if err != nil {
		return first, false
	}
	if head[0]>>4 != connect {
		g.mute.Do(func() {
			g.o.Log.Warn("a client of the MQTT broker speaks no MQTT", "from", crowd.Host(conn.RemoteAddr().String()))
		})
		return first, false
	}
	first, err = read(in, min(g.o.Most, mostHello))
	return first, err == nil
}
