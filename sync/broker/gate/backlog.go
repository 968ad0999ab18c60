// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"slices"
	"sync"
	"time"
)

// What a client has not taken yet waits in the broker's memory. Who subscribes gets all at once that is retained,
// which may be many megabytes. So of each account only a few catch up at a time, and only a few may be slow at a time.
const (
	catchUps  = 2           // subscriptions of an account whose retained messages are on their way
	catchUpIn = time.Minute // how long they may be on their way
	stalls    = 4           // clients of an account that have taken nothing for stalled
	stalled   = time.Second
)

// Kinds of packets by which one learns that the other side has come so far (MQTT 3.1.1, table 2.1).
const (
	ping     = 12
	pingBack = 13
)

// pings are questions to the broker that it has not answered. It answers in their order.
type pings struct {
	mu  sync.Mutex
	all []*time.Timer // of the gate's own; nil for the client's
}

func (p *pings) asked(own *time.Timer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, own)
}

// answered returns what the answer is to.
func (p *pings) answered() (own *time.Timer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.all) > 0 {
		own = p.all[0]
		p.all = p.all[1:]
	}
	return own
}

// catchUp passes on a SUBSCRIBE when its account has room for one more that catches up. The question behind it is
// answered when the client has taken all that was retained.
func (g *Gate) catchUp(ctx context.Context, c *client, p *packet) error {
	select {
	case c.share.turns <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	c.pings.asked(time.AfterFunc(catchUpIn, func() { c.conn.Close() }))
	question := packet{head: ping << 4}
	_, err := c.back.Write(slices.Concat(p.bytes(), question.bytes()))
	return err
}

// caughtUp gives back the turn of the client's subscription that the broker has answered. It reports whether the
// answer is not for the client.
func (c *client) caughtUp() bool {
	own := c.pings.answered()
	if own == nil {
		return false
	}
	own.Stop()
	<-c.share.turns
	return true
}

// leave gives back the turns of a client that has gone.
func (c *client) leave() {
	c.pings.mu.Lock()
	left := len(c.pings.all)
	c.pings.mu.Unlock()
	for range left {
		c.caughtUp()
	}
}

// passSlowly passes a packet to a client. Of the clients of one account that do not take theirs, a few are waited for.
func (g *Gate) passSlowly(c *client, p *packet) error {
	if c.share == nil {
		return pass(c.conn, p)
	}
	late := time.AfterFunc(stalled, func() {
		if c.share.stalled.Add(1) > stalls {
			g.o.Log.Warn("an account of the MQTT broker has many clients that take nothing: one more is disconnected",
				"account", c.account)
			c.conn.Close() //nolint:errcheck // it is closed either way
		}
	})
	err := pass(c.conn, p)
	if !late.Stop() {
		c.share.stalled.Add(-1)
	}
	return err
}
