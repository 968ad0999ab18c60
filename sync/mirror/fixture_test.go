package mirror_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	mochi "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"

	"boardd/sync/asyncapi"
	"boardd/sync/mirror"
	"boardd/sync/wire"
)

// bench is a broker in the same bubble of virtual time; boards reach it over pipes.
type bench struct {
	t    *testing.T
	s    *mochi.Server
	rule *rule
	away bool // the broker cannot be reached

	delay time.Duration // of everything the network carries, each way

	mu    sync.Mutex
	links map[string][]net.Conn // by board: the broker's ends
	seen  []string              // "topic payload" of everything published
	dials int
}

// rule decides who may do what; the zero rule allows everything.
type rule struct {
	mochi.HookBase
	deny atomic.Value // a topic that nobody may read
	drop atomic.Value // a topic that is acknowledged and dropped
}

func (*rule) ID() string { return "rule" }
func (*rule) Provides(b byte) bool {
	return b == mochi.OnConnectAuthenticate || b == mochi.OnACLCheck || b == mochi.OnPublish
}
func (r *rule) OnPublish(_ *mochi.Client, p packets.Packet) (packets.Packet, error) {
	if p.TopicName == r.drop.Load() {
		return p, packets.CodeSuccessIgnore
	}
	return p, nil
}
func (*rule) OnConnectAuthenticate(*mochi.Client, packets.Packet) bool { return true }
func (r *rule) OnACLCheck(_ *mochi.Client, topic string, write bool) bool {
	return write || topic != r.deny.Load()
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, rule: &rule{}, links: map[string][]net.Conn{}}
	b.s = mochi.New(&mochi.Options{InlineClient: true, Logger: slog.New(slog.DiscardHandler)})
	if err := b.s.AddHook(b.rule, nil); err != nil {
		t.Fatal(err)
	}
	if err := b.s.Serve(); err != nil {
		t.Fatal(err)
	}
	err := b.s.Subscribe("boardd/#", 1, func(_ *mochi.Client, _ packets.Subscription, p packets.Packet) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.seen = append(b.seen, p.TopicName+" "+string(p.Payload))
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.s.Close() })
	return b
}

func (b *bench) dial(board string) func(context.Context, *url.URL) (net.Conn, error) {
	return func(context.Context, *url.URL) (net.Conn, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.dials++
		if b.away {
			return nil, errors.New("no route to the broker")
		}
		near, pipe := net.Pipe()
		far := newSlow(pipe, b.delay)
		b.links[board] = append(b.links[board], far)
		go func() { _ = b.s.EstablishConnection("pipe", far) }() // its error is how the connection ended
		if b.delay > 0 {
			return newSlow(near, b.delay), nil
		}
		return near, nil
	}
}

// leave lets the broker be away or come back.
func (b *bench) leave(away bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.away = away
}

// dialled counts the attempts to connect.
func (b *bench) dialled() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.dials
}

// cut closes a board's connections at the broker's end.
func (b *bench) cut(board string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.links[board] {
		c.Close()
	}
	b.links[board] = nil
}

// run starts a mirror and gives a function that stops it and waits.
func (b *bench) run(o mirror.Options) (*mirror.Mirror, func()) {
	b.t.Helper()
	o.URL = "tcp://broker"
	if o.Dial == nil {
		o.Dial = b.dial(o.Board)
	}
	m := mirror.New(o)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := m.Run(ctx); err != nil {
			b.t.Error(err)
		}
	})
	return m, func() { cancel(); wg.Wait() }
}

// retained gives what is retained on a topic.
func (b *bench) retained(topic string) string {
	for _, p := range b.s.Topics.Messages(topic) {
		return string(p.Payload)
	}
	return ""
}

func (b *bench) publish(topic, payload string, retain bool) {
	b.t.Helper()
	if err := b.s.Publish(topic, []byte(payload), retain, 1); err != nil {
		b.t.Fatal(err)
	}
}

// count counts what was published on a topic with a payload that begins like this.
func (b *bench) count(topic, prefix string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, s := range b.seen {
		if strings.HasPrefix(s, topic+" "+prefix) {
			n++
		}
	}
	return n
}

// checkContract checks everything that was published against the AsyncAPI document.
func (b *bench) checkContract(least int) {
	b.t.Helper()
	c, err := asyncapi.Read()
	if err != nil {
		b.t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.seen {
		topic, payload, _ := strings.Cut(s, " ")
		if err := c.Check(topic, []byte(payload)); err != nil {
			b.t.Error(err)
		}
	}
	if len(b.seen) < least {
		b.t.Errorf("%d messages, want at least %d: %q", len(b.seen), least, b.seen)
	}
}

// settle lets virtual time pass and everything come to rest.
func settle(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// next takes what arrives until it is of the kind that want accepts.
func next(t *testing.T, m *mirror.Mirror, want func(mirror.Incoming) bool) mirror.Incoming {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case in := <-m.Incoming():
			if want(in) {
				return in
			}
		case <-limit:
			t.Fatal("nothing of the kind arrived within a minute")
		}
	}
}

func isGame(in mirror.Incoming) bool    { return in.Game != nil }
func isCommand(in mirror.Incoming) bool { return in.Command != nil }

// sample is a game of n moves that another decoder takes.
func sample(id string, n int) wire.Game {
	return wire.Game{
		Schema: wire.Schema, Game: id, Variant: "chess", Seats: wire.Seats{White: "north", Black: "south"}, Turn: "white",
		Moves: slices.Repeat([]string{"g1f3"}, n), Wood: wire.Wood{State: wire.Synced},
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
