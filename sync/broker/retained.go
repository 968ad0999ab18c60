// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// Retained is what a broker retains, to be taken over by another one.
type Retained struct {
	messages map[string]string // by topic
	bytes    int
	more     bool // there was more than is carried
}

// The most that is carried from one broker to another: each message is synced to the card.
const (
	mostCarried      = 2000
	mostCarriedBytes = 8 << 20
)

// Retained reads what the broker retains.
func (b *Broker) Retained() (*Retained, error) {
	ctx := context.Background()
	c, err := b.settle.connect(ctx, "")
	if err != nil {
		return nil, err
	}
	defer c.Disconnect(100)
	return b.settle.read(ctx, c)
}

// read reads what is retained. Messages come in order, so that one published now comes behind all.
func (s *settle) read(ctx context.Context, c mqtt.Client) (*Retained, error) {
	r, nonce, end := &Retained{messages: map[string]string{}}, rand.Text(), make(chan struct{})
	take := func(_ mqtt.Client, m mqtt.Message) {
		switch topic := m.Topic(); {
		case topic == marker:
			if string(m.Payload()) == nonce {
				close(end)
			}
		case !m.Retained() || len(topic) > 0 && topic[0] == '$':
		case len(r.messages) >= mostCarried || r.bytes+len(m.Payload()) > mostCarriedBytes:
			r.more = true
		default:
			r.messages[topic] = string(m.Payload())
			r.bytes += len(m.Payload())
		}
	}
	filters := map[string]byte{"#": 0}
	if s.user != nil {
		filters = map[string]byte{"boardd/v1/#": 0, "homeassistant/#": 0, marker: 0}
	}
	for filter, qos := range filters {
		if err := s.finish(ctx, c.Subscribe(filter, qos, take)); err != nil {
			return nil, err
		}
	}
	if err := s.finish(ctx, c.Publish(marker, 0, false, nonce)); err != nil {
		return nil, err
	}
	select {
	case <-end:
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(s.patience):
		return nil, errors.New("the server does not say all that it retains")
	}
}

// replace retains what another broker retained, in place of what the store has.
func (s *settle) replace(ctx context.Context, by *Retained) error {
	if by == nil {
		return nil
	}
	c, err := s.connect(ctx, "")
	if err != nil {
		return err
	}
	defer c.Disconnect(100)
	old, err := s.read(ctx, c)
	if err != nil {
		return fmt.Errorf("take over what was retained: %w", err)
	}
	for topic := range old.messages {
		if _, kept := by.messages[topic]; !kept && !by.more {
			err = errors.Join(err, s.finish(ctx, c.Publish(topic, 1, true, "")))
		}
	}
	for topic, text := range by.messages {
		if old.messages[topic] != text {
			err = errors.Join(err, s.finish(ctx, c.Publish(topic, 1, true, text)))
		}
	}
	return err
}
