// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// How long to wait for an answer of the storage. Retained games that arrive later never reach the spectator.
// Measured on a machine with ten other programs at work. A hall of 21 MB took longer than 30 s, and most of it never
// arrived. Within one process no request is lost, so a long wait is right. In a cluster the node that was asked may
// have died.
const (
	storeWithin = 10 * time.Minute
	nodesWithin = 30 * time.Second
)

// readyWithin is how long each step of a start may take. Measured: a single node needs some tens of milliseconds. It
// needs 14 s where it has 60,000 retained messages of 2.5 kB and a thirtieth of a processor. A card that stalls takes
// more.
const readyWithin = 20 * time.Second

// looks is how often it is looked whether the start has to be given up.
const looks = 100 * time.Millisecond

// again is how long a broker that has just started gets to deliver a message, before it is asked once more.
const again = 20 * time.Millisecond

// nats translates the options. DontListen closes the NATS port, SyncAlways makes an acknowledgement mean that the
// message is on disk (the default syncs every two minutes).
func (o Options) nats(host string, port int) (*server.Options, error) {
	users, err := o.users()
	if err != nil {
		return nil, err
	}
	opts := &server.Options{
		ServerName:         cmp.Or(o.Name, "boardd"),
		DontListen:         true,
		NoSigs:             true,
		JetStream:          true,
		StoreDir:           o.Dir,
		SyncAlways:         true,
		JetStreamMaxMemory: 16 << 20,
		JetStreamMaxStore:  cmp.Or(o.MaxStore, 256<<20),
		MaxPayload:         mostMessage,
		// a spectator that joins gets all retained games at once: 10,000 of 2.5 KiB are 25 MB, and a client over the limit
		// is disconnected
		MaxPending: 64 << 20,
		// slow clients are waited for; clients that take nothing for 10 s are disconnected
		WriteTimeout:  server.WriteTimeoutPolicyRetry,
		WriteDeadline: o.writeDeadline, // 0 is the server's 10 s
		Users:         users,
		// Each board's subscription to its commands is a consumer of one stream, which takes 1,000 by default and refuses
		// the rest. Here connections are limited instead (limits.go).
		JetStreamLimits: server.JSLimitOpts{DefaultMaxConsumers: -1},
		MQTT: server.MQTTOpts{ConsumerInactiveThreshold: serverKeeps, Host: cmp.Or(host, "0.0.0.0"), Port: port,
			TLSTimeout: 10, JSAPITimeout: storeWithin},
	}
	if o.Cluster != nil {
		opts.MQTT.JSAPITimeout = nodesWithin
		err = o.Cluster.join(opts)
	}
	return opts, err
}

// join makes the server a node. The server starts its routes only behind a listener for NATS clients. So there is one
// on a free port of this machine alone, and no account may use it (see users).
func (c *Cluster) join(opts *server.Options) error {
	opts.DontListen = false
	opts.Host, opts.Port = "127.0.0.1", server.RANDOM_PORT
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return fmt.Errorf("join cluster %q on %q: want host:port: %w", c.Name, c.Listen, err)
	}
	opts.Cluster = server.ClusterOpts{Name: c.Name, Host: host, Username: c.User, Password: c.Pass}
	if opts.Cluster.Port, err = strconv.Atoi(port); err != nil {
		return fmt.Errorf("join cluster %q on %q: want a port number: %w", c.Name, c.Listen, err)
	}
	for _, route := range c.Routes {
		u, err := url.Parse(route)
		if err != nil {
			return fmt.Errorf("join cluster %q: route %q: %w", c.Name, route, err)
		}
		opts.Routes = append(opts.Routes, u)
	}
	return nil
}

// logger passes on only what an owner should act on, not the notices, debugging lines and traces of the server.
type logger struct {
	ctx   context.Context // it says nothing once that has ended: a server that is stopped complains
	to    *slog.Logger
	mu    sync.Mutex
	fatal string // why the server gave up
	write string // why a part of its store accepts nothing more; "" while it does
}

// begin starts the server and waits until it serves. A server that gives up says so only in the log.
func (l *logger) begin(s *server.Server, patience time.Duration) error {
	s.Start()
	l.mu.Lock()
	fatal := l.fatal
	l.mu.Unlock()
	if fatal != "" {
		return errors.New(fatal)
	}
	for end := time.Now().Add(patience); !s.ReadyForConnections(min(patience, looks)); {
		switch {
		case l.ctx.Err() != nil:
			return l.ctx.Err()
		case time.Now().After(end):
			return fmt.Errorf("%w: it was not ready within %v", ErrSlow, patience)
		}
	}
	return nil
}

func (l *logger) Noticef(string, ...any) {}
func (l *logger) Debugf(string, ...any)  {}
func (l *logger) Tracef(string, ...any)  {}

// Warnf leaves out that passwords are plain text in the server's options. They are in the owner's configuration as
// well, and a hash may be given there. It also leaves out that a busy machine read on only after two seconds.
func (l *logger) Warnf(format string, v ...any) {
	if !strings.HasPrefix(format, "Plaintext passwords") && !strings.Contains(format, "Readloop processing time") {
		l.say(slog.LevelWarn, format, v)
	}
}

// Errorf notes what could not be written: the server says so to the log alone.
func (l *logger) Errorf(format string, v ...any) {
	if strings.Contains(strings.ToLower(format), "critical write error") {
		l.mu.Lock()
		l.write = fmt.Sprintf(format, v...)
		l.mu.Unlock()
	}
	l.say(slog.LevelError, format, v)
}

func (l *logger) unwritten() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.write
}

// Fatalf notes why the server gives up.
func (l *logger) Fatalf(format string, v ...any) {
	l.mu.Lock()
	l.fatal = fmt.Sprintf(format, v...)
	l.mu.Unlock()
	l.say(slog.LevelError, format, v)
}

// mostSaid is the largest number of bytes of a line of the server that are logged. Some lines quote whole files.
const mostSaid = 500

// speaks reports whether there is anybody to tell.
func (l *logger) speaks() bool { return l.to != nil && l.ctx.Err() == nil }

func (l *logger) say(level slog.Level, format string, v []any) {
	if l.speaks() {
		text := fmt.Sprintf(format, v...)
		if len(text) > mostSaid {
			text = strings.ToValidUTF8(text[:mostSaid], "") + " ..."
		}
		l.to.Log(context.Background(), level, "MQTT broker: "+text)
	}
}
