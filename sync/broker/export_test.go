// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// WithWriteDeadline makes a broker that finds its clients slow after d already.
func (o Options) WithWriteDeadline(d time.Duration) Options {
	o.writeDeadline = d
	return o
}

// WithKeep makes a broker that keeps messages for clients that are away only so long.
func (o Options) WithKeep(d time.Duration) Options {
	o.keep = d
	return o
}

// Forget does as the broker does now and then, as if it was that time.
func (b *Broker) Forget(at time.Time) error {
	b.stop()
	b.all.Wait()
	return b.sessions.forget(context.Background(), at)
}

// Sessions is how many sessions are in the store.
func (b *Broker) Sessions() (int, error) {
	ids, err := b.sessions.kept(context.Background())
	return len(ids), err
}

// Waiting is how many messages wait in the store.
func (b *Broker) Waiting() (int, error) {
	c, end, err := inside(context.Background(), b.server, b.sessions.limits, b.sessions.patience)
	if err != nil {
		return 0, err
	}
	defer end()
	var info struct {
		State struct {
			Messages int `json:"messages"`
		} `json:"state"`
	}
	err = c.call("$JS.API.STREAM.INFO."+stream, nil, &info)
	return info.State.Messages, err
}

// AwaitGone waits until no client is connected whose id ends so.
func (b *Broker) AwaitGone(id string) error {
	for {
		open, _, err := b.sessions.there(time.Now())
		if err != nil || !slices.ContainsFunc(slices.Collect(maps.Keys(open)), func(other string) bool {
			return strings.HasSuffix(other, id)
		}) {
			return err
		}
	}
}

// WithFree makes a broker whose disk has this many bytes free.
func (o Options) WithFree(free func() uint64) Options {
	o.free = func(string) uint64 { return free() }
	return o
}

// Slow is closed when a client takes longer than the deadline.
func (b *Broker) Slow() <-chan struct{} {
	n := &noticing{logger: b.log, slow: make(chan struct{})}
	b.server.SetLogger(n, false, false)
	return n.slow
}

// noticing is a logger that looks for what the server says only as a notice.
type noticing struct {
	*logger
	slow chan struct{}
	once sync.Once
}

func (n *noticing) Noticef(format string, _ ...any) {
	if strings.Contains(format, "WriteDeadline") {
		n.once.Do(func() { close(n.slow) })
	}
}

// Consumers is how many subscriptions with QoS 1 a stream takes; less than 0: any number.
func (o Options) Consumers() (int, error) {
	opts, err := o.nats("127.0.0.1", 1883)
	if err != nil {
		return 0, err
	}
	return opts.JetStreamLimits.DefaultMaxConsumers, nil
}

// Break makes the broker give up its store, as when the disk fails.
func (b *Broker) Break() error { return b.server.DisableJetStream() }

// Warn has the server warn of something.
func Warn(to *slog.Logger, format string, v ...any) {
	(&logger{ctx: context.Background(), to: to}).Warnf(format, v...)
}
