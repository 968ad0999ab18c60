// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bufio"
	"net"
	"time"
)

// client is a client that has logged in, on its way to the broker.
type client struct {
	account string
	share   *share // nil: it has no quota
	in      *bufio.Reader
	conn    net.Conn // to the client
	back    net.Conn // to the broker
	will    *will    // nil: it has none, or has said farewell
	key     string   // by which its topics are counted
	pings   pings
}

// backward passes on what the broker sends, packet by packet, because the gate's own answers go between.
func (g *Gate) backward(from *bufio.Reader, c *client) {
	for {
		p, err := read(from, g.o.Most)
		if err != nil {
			return
		}
		if p.kind() == pingBack && c.caughtUp() {
			continue
		}
		if g.passSlowly(c, &p) != nil {
			return
		}
	}
}

// pass sends a packet to a client.
func pass(conn net.Conn, p *packet) error {
	if err := conn.SetWriteDeadline(time.Now().Add(taken)); err != nil {
		return err
	}
	_, err := conn.Write(p.bytes())
	return err
}
