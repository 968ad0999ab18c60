// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// WithWriteDeadline makes a broker that finds its clients slow after d already.
func (o Options) WithWriteDeadline(d time.Duration) Options {
	o.writeDeadline = d
	return o
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
