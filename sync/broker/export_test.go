// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"context"
	"log/slog"
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

// Waited is how often a client took longer than the deadline.
func (b *Broker) Waited() int64 { return b.server.NumSlowConsumers() }

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
