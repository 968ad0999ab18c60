// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bufio"
	"net"
	"time"
)

// backward passes on what the broker sends, packet by packet, because the gate's own answers go between.
func (g *Gate) backward(from *bufio.Reader, conn net.Conn) {
	for {
		p, err := read(from, g.o.Most)
		if err != nil {
			return
		}
		if pass(conn, &p) != nil {
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
