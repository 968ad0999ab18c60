// SPDX-License-Identifier: Apache-2.0

// Package mirrortest is a broker and a network for tests, all in memory, so that they work in a bubble of virtual
// time. The network can be slow or cut, and the broker can be away, or crash and forget.
package mirrortest

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/url"
	"sync"
	"time"

	mochi "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// Net is a broker and the links of boards to it. Its methods may be called from any goroutine.
type Net struct {
	delay time.Duration
	hook  mochi.Hook

	mu     sync.Mutex
	server *mochi.Server
	away   bool
	cutOff map[string]bool
	links  map[string][]net.Conn // by board: the broker's ends
	dials  int
}

// open lets everybody read and write everything.
type open struct{ mochi.HookBase }

func (*open) ID() string { return "open" }
func (*open) Provides(b byte) bool {
	return b == mochi.OnConnectAuthenticate || b == mochi.OnACLCheck
}
func (*open) OnConnectAuthenticate(*mochi.Client, packets.Packet) bool { return true }
func (*open) OnACLCheck(*mochi.Client, string, bool) bool              { return true }

// NewNet starts a broker whose network carries everything after a delay, each way. The hook sees what the broker does
// and may refuse it. Without a hook (nil) everything is allowed.
func NewNet(delay time.Duration, hook mochi.Hook) (*Net, error) {
	if hook == nil {
		hook = &open{}
	}
	n := &Net{delay: delay, hook: hook, links: map[string][]net.Conn{}, cutOff: map[string]bool{}}
	if err := n.start(); err != nil {
		return nil, err
	}
	return n, nil
}

func (n *Net) start() error {
	s := mochi.New(&mochi.Options{InlineClient: true, Logger: slog.New(slog.DiscardHandler)})
	if err := s.AddHook(n.hook, nil); err != nil {
		return err
	}
	if err := s.Serve(); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.server = s
	return nil
}

// Close stops the broker.
func (n *Net) Close() error { return n.now().Close() }

func (n *Net) now() *mochi.Server {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.server
}

// Dial returns a board's way to the broker, for mirror.Options.
func (n *Net) Dial(board string) func(context.Context, *url.URL) (net.Conn, error) {
	return func(context.Context, *url.URL) (net.Conn, error) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.dials++
		if n.away || n.cutOff[board] {
			return nil, errors.New("no route to the broker")
		}
		near, pipe := net.Pipe()
		far := newSlow(pipe, n.delay)
		n.links[board] = append(n.links[board], far)
		server := n.server
		go func() { _ = server.EstablishConnection("pipe", far) }() // its error is how the connection ended
		if n.delay > 0 {
			return newSlow(near, n.delay), nil
		}
		return near, nil
	}
}

// Leave makes the broker unreachable for new connections, or reachable again.
func (n *Net) Leave(away bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.away = away
}

// CutOff ends a board's connections and lets it make no more until it is let in again.
func (n *Net) CutOff(board string, off bool) {
	n.mu.Lock()
	n.cutOff[board] = off
	n.mu.Unlock()
	if off {
		n.Cut(board)
	}
}

// Dialled counts the attempts to connect.
func (n *Net) Dialled() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.dials
}

// Cut closes a board's connections at the broker's end.
func (n *Net) Cut(board string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.links[board] {
		c.Close()
	}
	n.links[board] = nil
}

// Crash ends the broker and every connection without its "offline". Until Restart nobody can reach it.
func (n *Net) Crash() {
	n.Leave(true)
	n.mu.Lock()
	var boards []string
	for b := range n.links {
		boards = append(boards, b)
	}
	n.mu.Unlock()
	for _, b := range boards {
		n.Cut(b)
	}
	n.now().Close() //nolint:errcheck // it is thrown away
}

// Restart brings up a broker that holds these retained messages, by topic, and lets boards in.
func (n *Net) Restart(retained map[string][]byte) error {
	if err := n.start(); err != nil {
		return err
	}
	for topic, payload := range retained {
		if err := n.Publish(topic, payload, true); err != nil {
			return err
		}
	}
	n.Leave(false)
	return nil
}

// Retained returns the messages that the broker retains, by topic.
func (n *Net) Retained() map[string][]byte {
	all := map[string][]byte{}
	for topic, p := range n.now().Topics.Retained.GetAll() {
		all[topic] = bytes.Clone(p.Payload)
	}
	return all
}

// Publish lets the broker itself publish a message, at least once.
func (n *Net) Publish(topic string, payload []byte, retain bool) error {
	return n.now().Publish(topic, payload, retain, 1)
}

// Watch calls take for every message on the topics of a filter, in the broker's goroutines; after Restart it has to be
// called again.
func (n *Net) Watch(filter string, take func(topic string, payload []byte)) error {
	return n.now().Subscribe(filter, 1, func(_ *mochi.Client, _ packets.Subscription, p packets.Packet) {
		take(p.TopicName, bytes.Clone(p.Payload))
	})
}
