// SPDX-License-Identifier: Apache-2.0

package mirror_test

import (
	"context"
	"encoding/json"
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
	"boardd/sync/mirror/mirrortest"
	"boardd/sync/wire"
)

// bench is a broker in the same bubble of virtual time; boards reach it over pipes.
type bench struct {
	*mirrortest.Net
	t    *testing.T
	rule *rule

	mu   sync.Mutex
	seen []string // "topic payload" of everything published
}

// rule decides who may do what; the zero rule allows everything.
type rule struct {
	mochi.HookBase
	deny atomic.Value // a topic that nobody may read
	drop atomic.Value // a topic that is acknowledged and dropped
	cut  atomic.Value // a topic at whose messages the broker closes the connection
	late atomic.Value // a func(topic string), called between a subscription and what is retained there
}

func (*rule) ID() string { return "rule" }
func (*rule) Provides(b byte) bool {
	return b == mochi.OnConnectAuthenticate || b == mochi.OnACLCheck || b == mochi.OnPublish ||
		b == mochi.OnSubscribe
}
func (r *rule) OnSubscribe(_ *mochi.Client, p packets.Packet) packets.Packet {
	if late, ok := r.late.Load().(func(string)); ok {
		for _, f := range p.Filters {
			late(f.Filter)
		}
	}
	return p
}
func (r *rule) OnPublish(c *mochi.Client, p packets.Packet) (packets.Packet, error) {
	if p.TopicName == r.drop.Load() {
		return p, packets.CodeSuccessIgnore
	}
	if p.TopicName == r.cut.Load() {
		c.Net.Conn.Close()
	}
	return p, nil
}
func (*rule) OnConnectAuthenticate(*mochi.Client, packets.Packet) bool { return true }
func (r *rule) OnACLCheck(_ *mochi.Client, topic string, write bool) bool {
	return write || topic != r.deny.Load()
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return newSlowBench(t, 0)
}

// newSlowBench is a bench whose network carries everything after a delay, each way.
func newSlowBench(t *testing.T, delay time.Duration) *bench {
	t.Helper()
	b := &bench{t: t, rule: &rule{}}
	var err error
	if b.Net, err = mirrortest.NewNet(delay, b.rule); err != nil {
		t.Fatal(err)
	}
	err = b.Watch("boardd/#", func(topic string, payload []byte) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.seen = append(b.seen, topic+" "+string(payload))
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// run starts a mirror and returns a function that stops it and waits. The end of a test stops it too: one that fails
// would wait for it for ever, in virtual time.
func (b *bench) run(o mirror.Options) (*mirror.Mirror, func()) {
	b.t.Helper()
	o.URL = "tcp://broker"
	if o.Dial == nil {
		o.Dial = b.Dial(o.Board)
	}
	m := mirror.New(o)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := m.Run(ctx); err != nil {
			b.t.Error(err)
		}
	})
	stop := func() { cancel(); wg.Wait() }
	b.t.Cleanup(stop)
	return m, stop
}

// retained is the message that is retained on a topic.
func (b *bench) retained(topic string) string { return string(b.Retained()[topic]) }

func (b *bench) publish(topic, payload string, retain bool) {
	b.t.Helper()
	if err := b.Publish(topic, []byte(payload), retain); err != nil {
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
	limit := time.After(patience)
	for {
		select {
		case in := <-m.Incoming():
			if want(in) {
				return in
			}
		case <-limit:
			t.Fatal("nothing of the kind arrived")
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
