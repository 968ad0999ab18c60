// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"boardd/sync/broker/gate"
	"boardd/sync/crowd"

	"github.com/nats-io/nats-server/v2/server"
)

// Options is the broker's settings. Listen and Dir are needed.
type Options struct {
	Listen    string // "host:port" for MQTT; port 0 takes a free one
	Dir       string // where sessions and retained messages are kept
	Name      string // of this server, different for every node of a cluster; "" is "boardd"
	Users     []User // who may connect; see Anonymous
	Anonymous bool   // without Users: serve everybody, even from other machines
	TLS       *tls.Config
	Cluster   *Cluster     // nil: a single node; with it Users are needed
	MaxStore  int64        // bytes on disk; 0 is 256 MiB
	Retained  *Retained    // of another broker, in place of what the store retains; nil: what the store has
	Quota     *gate.Quota  // of each of Users; nil is the usual one. A node of a cluster has none
	Log       *slog.Logger // nil: nothing is logged

	Patience time.Duration // how long the server may take for each step of its start; 0 is 20 s
	SetAside bool          // set the store aside also if the server takes longer than that

	writeDeadline time.Duration           // for tests; 0 is the usual one
	keep          time.Duration           // of messages that wait; likewise
	free          func(dir string) uint64 // likewise; nil is what the disk has
}

// Cluster joins three or more nodes. Two are worse than one: when either dies the other has no majority and stops.
type Cluster struct {
	Name   string   // the same on every node
	Listen string   // "host:port" for the other nodes
	Routes []string // "nats-route://host:port" of the other nodes, with user and password when they ask for them
	User   string   // name and password that the other nodes must send; "": none
	Pass   string
}

// Broker is a running broker.
type Broker struct {
	server *server.Server
	log    *logger
	gate   *gate.Gate // nil: a node of a cluster
	addr   string
	tls    bool
	opts   *server.Options // of server, without the accounts
	own    []*server.User  // the accounts that only this package uses
	settle *settle

	sessions *sessions // nil: a node of a cluster
	stop     context.CancelFunc
	all      sync.WaitGroup
}

// ErrSlow is that the server was not ready within Options.Patience. The store is left where it is: it may only be
// large, or the card or the machine slow.
var ErrSlow = errors.New("the server takes long to start")

// Start starts a broker.
func Start(o Options) (*Broker, error) { return StartContext(context.Background(), o) }

// StartContext starts a broker, and gives up when ctx ends. From then on the server logs nothing. A damaged or full
// store must not prevent play. It is set aside and made again, because the owners of retained messages publish them
// again.
func StartContext(ctx context.Context, o Options) (*Broker, error) {
	b, err := start(ctx, o)
	var unusable *storeError
	switch _, none := os.Lstat(o.Dir); {
	case none != nil, !errors.As(err, &unusable), o.Cluster != nil, ctx.Err() != nil:
		return b, err
	case errors.Is(err, ErrSlow) && !o.SetAside:
		return b, err
	}
	aside := o.Dir + ".damaged"
	if again := errors.Join(os.RemoveAll(aside), os.Rename(o.Dir, aside)); again != nil {
		return nil, errors.Join(err, again)
	}
	if o.Log != nil {
		o.Log.Error("the store of the MQTT broker could not be used: it is set aside and made anew", "aside", aside, "error",
			err)
	}
	return start(ctx, o)
}

// storeError is why a broker did not start although its port was free.
type storeError struct{ error }

func (e *storeError) Unwrap() error { return e.error }

// start starts a broker and returns when it accepts connections. If the port is in use, the error says so.
func start(ctx context.Context, o Options) (*Broker, error) {
	host, port, err := listenable(o)
	if err != nil {
		return nil, err
	}
	opts, err := o.nats(host, port)
	if err != nil {
		return nil, err
	}
	b := &Broker{addr: net.JoinHostPort(host, strconv.Itoa(port)), tls: o.TLS != nil}
	patience := cmp.Or(o.Patience, readyWithin)
	own := &settle{addr: b.local(), patience: patience, ownCalls: map[string]bool{}}
	gated := o.Cluster == nil
	var door net.Listener
	if gated { // clients connect to the gate, and only the gate to the server; they wait while that starts
		if door, err = listen(b.addr); err != nil {
			return nil, err
		}
		defer func() {
			if b.gate == nil {
				door.Close() //nolint:errcheck // nobody was let in
			}
		}()
		if own.addr, err = unused(); err != nil {
			return nil, err
		}
		opts.MQTT.Host, opts.MQTT.Port = "127.0.0.1", portOf(own.addr)
	} else {
		opts.MQTT.TLSConfig = own.admit(o.TLS)
	}
	var limits *server.User
	if len(opts.Users) > 0 {
		own.user, limits = account(), limiter()
		b.own = []*server.User{own.user, limits}
		opts.Users = append(opts.Users, b.own...)
	}
	if err := room(o); err != nil {
		return nil, fmt.Errorf("start the MQTT broker with %s: %w", o.Dir, err)
	}
	if err := readable(o.Dir, opts.JetStreamMaxStore); err != nil {
		return nil, &storeError{fmt.Errorf("start the MQTT broker with %s: %w", o.Dir, err)}
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, &storeError{fmt.Errorf("start the MQTT broker: %w", err)}
	}
	log := &logger{ctx: ctx, to: o.Log}
	s.SetLogger(log, false, false)
	if err := log.begin(s, patience); err != nil {
		stop(s)
		if busy := free(net.JoinHostPort(opts.MQTT.Host, strconv.Itoa(opts.MQTT.Port))); busy != nil {
			return nil, busy // another program was quicker: that is no fault of the store
		}
		return nil, &storeError{fmt.Errorf("start the MQTT broker on %s with %s: %w", o.Listen, o.Dir, err)}
	}
	b.server, b.log, b.opts = s, log, opts.Clone()
	if o.Cluster != nil {
		return b, nil // its storage answers only when a majority of the nodes runs
	}
	if err := own.run(ctx); err != nil {
		stop(s)
		return nil, &storeError{fmt.Errorf("start the MQTT broker on %s with %s: %w", o.Listen, o.Dir, err)}
	}
	if err := own.replace(ctx, o.Retained); err != nil && log.speaks() {
		o.Log.Error("the MQTT broker does not have all that was retained before", "error", err)
	}
	b.settle = own
	if err := limit(ctx, s, limits, patience, cmp.Or(o.keep, keepFor)); err != nil && log.speaks() {
		o.Log.Error("the MQTT broker keeps messages for clients that are away without a limit", "error", err)
	}
	if gated {
		b.open(door, o, own.addr)
	}
	b.sessions = &sessions{s: s, settle: own, limits: limits, patience: patience}
	var rounds context.Context
	rounds, b.stop = context.WithCancel(context.Background())
	b.all.Go(func() { b.sessions.every(rounds, log) })
	return b, nil
}

// open opens the gate before a server that listens on this machine.
func (b *Broker) open(door net.Listener, o Options, to string) {
	g := gate.Options{To: to, TLS: o.TLS, Accounts: names(o.Users), Quota: usual, Most: mostPacket, Log: o.Log,
		Fleeting: fleeting}
	if o.Quota != nil {
		g.Quota = *o.Quota
	}
	b.gate = gate.Open(door, g)
}

// fleeting reports whether a topic is that of commands to a board: none is ever retained, because it would be carried
// out again.
func fleeting(topic string) bool {
	name, ok := strings.CutPrefix(topic, "boardd/v1/")
	board, leaf, _ := strings.Cut(name, "/")
	return ok && board != "" && leaf == "command"
}

// unused is an address of this machine on which nobody listens.
func unused() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("start the MQTT broker: %w", err)
	}
	return l.Addr().String(), l.Close()
}

func portOf(address string) int {
	_, port, _ := net.SplitHostPort(address) // it comes from a listener
	n, _ := strconv.Atoi(port)
	return n
}

// Addr is the "host:port" on which the broker listens.
func (b *Broker) Addr() string { return b.addr }

// URL is what a client on this machine connects to: "tcp://host:port" or "tls://host:port".
func (b *Broker) URL() string {
	if b.tls {
		return "tls://" + b.local()
	}
	return "tcp://" + b.local()
}

// URL is the address of a broker with these options, whose port must be known.
func (o Options) URL() string { return (&Broker{addr: o.Listen, tls: o.TLS != nil}).URL() }

// AnyPort reports whether an address leaves the port open: it is known once the broker runs.
func AnyPort(listen string) bool {
	_, port, err := net.SplitHostPort(listen)
	return err == nil && port == "0"
}

// local is the address as a client on this machine dials it.
func (b *Broker) local() string {
	host, port, err := net.SplitHostPort(b.addr)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// Clients is how many clients are connected.
func (b *Broker) Clients() int { return b.server.NumClients() }

// Trouble returns why a started broker no longer serves: its store has failed, or it has stopped. It is nil while the
// broker serves.
func (b *Broker) Trouble() error {
	if !b.server.Running() {
		return errors.New("the MQTT broker has stopped")
	}
	if !b.server.JetStreamEnabled() { // as after a write that failed; sessions and retained messages need it
		return errors.New("the MQTT broker has given up its store: look for a full or damaged disk")
	}
	// That part of the store accepts nothing until the server is restarted, whatever the disk does.
	if what := b.log.unwritten(); what != "" {
		return fmt.Errorf("the MQTT broker has given up a part of its store: %s", what)
	}
	return nil
}

// Close stops the broker and returns when everything is on disk and its goroutines have ended.
func (b *Broker) Close() {
	if b.gate != nil {
		b.gate.Close()
	}
	if b.stop != nil {
		b.stop()
	}
	b.all.Wait()
	stop(b.server)
}

func stop(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}

// listenable checks the address by listening on it for a moment, because the server itself would only log that a port
// is in use. Port 0 becomes a free port.
func listenable(o Options) (host string, port int, err error) {
	if o.Dir == "" {
		return "", 0, errors.New("start the MQTT broker: no directory for its storage is set")
	}
	host, _, err = net.SplitHostPort(o.Listen)
	if err != nil {
		return "", 0, fmt.Errorf("start the MQTT broker on %q: want host:port: %w", o.Listen, err)
	}
	if err := o.refuseStrangers(host); err != nil {
		return "", 0, err
	}
	l, err := listen(o.Listen)
	if err != nil {
		return "", 0, err
	}
	port = l.Addr().(*net.TCPAddr).Port
	return host, port, l.Close()
}

// listen listens at an address. If another program does, the error says so.
func listen(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("start the MQTT broker on %s: %w; %s", address, err, crowd.Advice(err))
	}
	return l, nil
}

// free returns why nobody can listen at an address now, nil if somebody could.
func free(address string) error {
	l, err := listen(address)
	if err != nil {
		return err
	}
	return l.Close()
}
