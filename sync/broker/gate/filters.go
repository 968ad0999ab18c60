// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
	"context"
	"encoding/binary"
)

// The broker keeps each topic that a client subscribes to in memory, and takes about ten times its length for it. So
// an account has a share of them.

// Kinds of packets about subscriptions (MQTT 3.1.1, table 2.1).
const (
	subscribe     = 8
	subscribeBack = 9
	unsubscribe   = 10
)

// refused is the answer to a topic that is not subscribed to (MQTT 3.1.1, 3.9.3).
const refused = 0x80

// filters are the topics of a SUBSCRIBE or UNSUBSCRIBE. ok is false if they cannot be read; the broker refuses those.
func (p *packet) filters() (list []string, ok bool) {
	if len(p.body) < 2 {
		return nil, false
	}
	for rest := p.body[2:]; len(rest) > 0; {
		var topic []byte
		if topic, rest, ok = field(rest); !ok {
			return nil, false
		}
		if p.kind() == subscribe {
			if len(rest) == 0 {
				return nil, false
			}
			rest = rest[1:] // the quality of service
		}
		list = append(list, string(topic))
	}
	return list, true
}

// refusal is the answer to a SUBSCRIBE none of whose topics is subscribed to.
func (p *packet) refusal(topics int) packet {
	return packet{subscribeBack << 4, append(binary.BigEndian.AppendUint16(nil, binary.BigEndian.Uint16(p.body)),
		bytes.Repeat([]byte{refused}, topics)...)}
}

// weight is about what a topic takes beside its text: the broker has a node for each of its levels.
func weight(topic string) int {
	n := len(topic) + 2*overhead
	for i := range len(topic) {
		if topic[i] == '/' {
			n += overhead
		}
	}
	return n
}

// subscriptions are the topics of one client id.
type subscriptions struct {
	owner  *client // nil: the client is away, and its session stays
	weight map[string]int
}

// begin notes that a client is there. A client with a session has the topics that it had before.
func (s *share) begin(c *client, kept bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !kept {
		s.forget(c.key)
	}
	if s.filters[c.key] == nil {
		s.filters[c.key] = &subscriptions{weight: map[string]int{}}
	}
	s.filters[c.key].owner = c
}

// end notes that it has gone.
func (s *share) end(c *client, kept bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch of := s.filters[c.key]; {
	case of == nil || of.owner != c: // another one has its place
	case kept:
		of.owner = nil
	default:
		s.forget(c.key)
	}
}

// forget drops the topics of a client id. The share is locked.
func (s *share) forget(key string) {
	if of := s.filters[key]; of != nil {
		for _, w := range of.weight {
			s.weight -= w
		}
		delete(s.filters, key)
	}
}

// subscribe counts topics of a client, and reports whether there is room for them.
func (s *share) subscribe(c *client, topics []string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.filters[c.key]
	if of == nil || of.owner != c {
		return false
	}
	added := map[string]int{}
	sum := s.weight
	for _, topic := range topics {
		if of.weight[topic] == 0 && added[topic] == 0 {
			added[topic] = weight(topic)
			sum += added[topic]
		}
	}
	if s.q.Filters > 0 && sum > s.q.Filters {
		return false
	}
	for topic, w := range added {
		of.weight[topic] = w
	}
	s.weight = sum
	return true
}

// unsubscribe counts topics of a client no longer.
func (s *share) unsubscribe(c *client, topics []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.filters[c.key]
	if of == nil || of.owner != c {
		return
	}
	for _, topic := range topics {
		s.weight -= of.weight[topic]
		delete(of.weight, topic)
	}
}

// followed counts what a packet subscribes to, and asks the broker. done is false if the packet is to be passed on.
func (g *Gate) followed(ctx context.Context, c *client, p *packet) (done bool, err error) {
	kind := p.kind()
	if kind == ping {
		c.pings.asked(nil)
	}
	if c.share == nil || kind != subscribe && kind != unsubscribe {
		return false, nil
	}
	topics, ok := p.filters()
	if !ok {
		return false, nil // the broker refuses it
	}
	if !g.hold(ctx, c.account, c.share, len(p.body)) {
		return false, ctx.Err()
	}
	if kind == unsubscribe {
		c.share.unsubscribe(c, topics)
		return false, nil
	}
	if !c.share.subscribe(c, topics) {
		g.o.Log.Warn("an account of the MQTT broker subscribes to more than its share: it is refused", "account", c.account)
		back := p.refusal(len(topics))
		return true, pass(c.conn, &back)
	}
	return true, g.catchUp(ctx, c, p)
}
