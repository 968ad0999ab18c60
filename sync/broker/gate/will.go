// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"encoding/binary"
	"slices"
	"time"
)

// will is what the broker publishes for a client that goes without a farewell.
type will struct {
	message packet // with QoS 0
	qos     byte   // that it really has
}

// farewell is the DISCONNECT by which a client takes its will back.
var farewell = packet{head: disconnect << 4}

// will is the will of a CONNECT, nil for none.
func (p *packet) will() *will {
	_, rest, ok := field(p.body)
	if !ok || len(rest) < fixed || rest[1]&0x04 == 0 {
		return nil
	}
	flags := rest[1]
	_, rest, ok = field(rest[fixed:]) // the client id
	topic, rest, ok2 := field(rest)
	text, _, ok3 := field(rest)
	if !ok || !ok2 || !ok3 {
		return nil
	}
	body := append(binary.BigEndian.AppendUint16(nil, uint16(len(topic))), topic...)
	return &will{packet{publish<<4 | flags>>5&1, append(body, text...)}, flags >> 3 & 3}
}

// died counts the will of a client that has gone, before the broker sees that and publishes it. Otherwise an account
// could publish without limit by connections that break. A will for which there is no quota among the messages that
// wait goes only to connected clients.
func (g *Gate) died(ctx context.Context, c *client) {
	w := c.will
	if w == nil || !g.hold(g.ctx, c.account, c.share, len(w.message.body)) {
		return
	}
	g.retain(ctx, c, &w.message)
	if w.qos == 0 {
		return
	}
	if ok, _ := c.share.keeps(len(w.message.body), time.Now()); !ok {
		c.back.Write(append(w.message.bytes(), farewell.bytes()...)) //nolint:errcheck // the connection ends anyway
	}
}

// withoutWill is a CONNECT that leaves no will.
func (p *packet) withoutWill() packet {
	w, body := p.will(), slices.Clone(p.body)
	if w == nil {
		return *p
	}
	_, rest, _ := field(body)
	flags := &rest[1]
	_, rest, _ = field(rest[fixed:]) // the client id
	from := len(body) - len(rest)
	_, rest, _ = field(rest) // the topic
	_, rest, _ = field(rest) // the text
	*flags &^= 0x3c
	return packet{p.head, slices.Concat(body[:from], rest)}
}

// withoutIgnored is a CONNECT without a will that would be ignored. The broker may publish it before the client is
// seen to have gone.
func (g *Gate) withoutIgnored(account string, first packet) packet {
	if w := first.will(); w != nil && g.ignored(account, &w.message) {
		return first.withoutWill()
	}
	return first
}

// swallow answers a message that is ignored, and reports whether the connection is still there.
func (g *Gate) swallow(ctx context.Context, c *client, p *packet) bool {
	if c.share != nil && !g.hold(ctx, c.account, c.share, len(p.body)) {
		return false
	}
	answer, ok := p.receipt()
	return !ok || pass(c.conn, &answer) == nil
}
