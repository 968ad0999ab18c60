// SPDX-License-Identifier: Apache-2.0

package link

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"boardd/config"
	"boardd/sync/broker"
	"boardd/systemd/scratch"
)

// BuiltInBroker is the built-in broker. It may fail and come back while the game goes on: nobody waits for it. While
// the disk is full it goes on in memory. What is retained goes with it, there and back; a power cut loses what came
// meanwhile.
type BuiltInBroker struct {
	conf   *config.Config
	log    *slog.Logger
	free   func(dir string) uint64
	memory func() (dir string, err error)
	stop   context.CancelFunc
	done   chan struct{}
	begun  chan struct{} // closed after the first try to start it

	tried    time.Time        // when it was last started, or could not be
	patience time.Duration    // with the next start; 0 is the first one
	volatile string           // the folder in memory that it uses, "" while it uses the disk
	kept     *broker.Retained // what the broker before retained, for the one that is started next
	read     bool             // the files that the configuration names were read

	files sync.Mutex // held while files are read and what they say is taken over; before mu

	mu  sync.Mutex
	o   broker.Options
	br  *broker.Broker // nil while it does not run
	why error          // why it does not run
}

const (
	looks  = time.Second      // how often it is looked at while it runs
	again  = 10 * time.Second // how long after a failed start it is started again
	begins = 10 * time.Second // how often a stranger begins a game, after the first 20
	skew   = time.Minute      // by so much the clock of who signs commands may be behind the board's
	soon   = 5 * time.Second  // how long a board waits for the first start before it says that it has no connection
)

// The patience with a start doubles while the broker is not ready in time. Only after the longest is the store set
// aside. So a large store on a slow card is not taken for a damaged one, and one that never answers is not kept.
const (
	firstPatience = 20 * time.Second
	longest       = 16 // times the first
)

// errStarting is why it does not run before the first try.
var errStarting = errors.New("it is starting")

// Open starts the broker of a configuration, and tries again if that fails. So it does if a file that it needs is not
// there or has faults. It waits for the first try only if the address is not known before it.
func Open(c config.Config, log *slog.Logger) *BuiltInBroker {
	ctx, stop := context.WithCancel(context.Background())
	i := &BuiltInBroker{conf: &c, o: broker.Options{Listen: c.MQTTListen}, log: log, free: broker.Free, memory: volatile,
		stop: stop, done: make(chan struct{}), begun: make(chan struct{}), why: errStarting}
	scratch.Clean(shared, folderPrefix)
	if broker.AnyPort(c.MQTTListen) {
		i.try(ctx)
	}
	go i.run(ctx)
	return i
}

// options returns the broker's options for the next start. The files that the configuration names are read until they
// are sound; from then on Renew reads the accounts.
func (i *BuiltInBroker) options() (broker.Options, error) {
	i.files.Lock()
	defer i.files.Unlock()
	i.mu.Lock()
	o, read := i.o, i.read
	i.mu.Unlock()
	if read {
		return o, nil
	}
	listen := o.Listen
	o, err := Broker(i.conf, i.log)
	if err != nil {
		return o, err
	}
	o.Listen = listen
	i.mu.Lock()
	defer i.mu.Unlock()
	i.o, i.read = o, true
	return o, nil
}

// Renew reads the accounts again, and ends the connections of those that are gone or have another password. If the
// file has faults or no account, the accounts from before count on, if there were any. A nil BuiltInBroker has none.
func (i *BuiltInBroker) Renew() error {
	if i == nil || i.conf.MQTTAccountsFile == "" {
		return nil
	}
	i.files.Lock()
	defer i.files.Unlock()
	users, err := accounts(i.conf.MQTTAccountsFile)
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case err != nil && i.read:
		return fmt.Errorf("the accounts from before count on: %w", err)
	case err != nil:
		return fmt.Errorf("the built-in broker has no accounts yet and does not run: %w", err)
	}
	if !i.read || slices.EqualFunc(users, i.o.Users, broker.User.Equal) {
		return nil
	}
	i.o.Users = users
	i.adopt()
	return nil
}

// adopt gives the broker the accounts as they are now. A broker that cannot take them is started again with them.
func (i *BuiltInBroker) adopt() {
	if i.br == nil {
		return
	}
	if err := i.br.SetUsers(i.o.Users); err != nil {
		i.log.Warn("the built-in broker is started again with its new accounts", "because", err)
		i.close()
		i.why = errors.New("its accounts have changed")
	}
}

// run keeps the broker running until ctx ends.
func (i *BuiltInBroker) run(ctx context.Context) {
	defer close(i.done)
	look := time.NewTicker(looks)
	defer look.Stop()
	for first := true; ; first = false {
		closed := i.look()
		if i.Ready() != nil && (closed || time.Since(i.tried) >= again) {
			i.try(ctx)
		}
		if first {
			close(i.begun)
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}

// look closes a broker that no longer runs, or whose store has to be elsewhere now, and reports whether it did.
func (i *BuiltInBroker) look() (closed bool) {
	i.mu.Lock()
	br := i.br
	i.mu.Unlock()
	if br == nil {
		return false
	}
	why, free := br.Trouble(), i.free(i.o.Dir)
	switch {
	case why != nil:
		i.log.Error("the built-in broker does not run any more: it is started again", "error", why)
	case i.volatile == "" && free < broker.LeastRoom:
		why = errors.New("the disk is full")
		i.keep(br)
	case i.volatile != "" && free >= 2*broker.LeastRoom:
		why = errors.New("the disk has room again")
		i.log.Info("the disk has room again: the built-in broker uses it from now on")
		i.keep(br)
	default:
		return false
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.br == br {
		i.close()
	}
	i.why = why
	return true
}

// keep remembers what the broker retains for the one after it.
func (i *BuiltInBroker) keep(br *broker.Broker) {
	var err error
	if i.kept, err = br.Retained(); err != nil {
		i.log.Warn("what other clients retained on the built-in broker is not taken over", "error", err)
	}
}

// close ends the broker. What it kept in memory goes.
func (i *BuiltInBroker) close() {
	i.br.Close()
	if i.volatile != "" {
		if err := os.RemoveAll(i.volatile); err != nil {
			i.log.Warn("what the built-in broker kept in memory is still there", "error", err)
		}
	}
	i.br, i.volatile = nil, ""
}

// try starts the broker, in memory where the disk is full.
func (i *BuiltInBroker) try(ctx context.Context) {
	defer func() { i.tried = time.Now() }()
	dir := ""
	o, err := i.options()
	if err != nil {
		i.fail(err)
		return
	}
	o.Retained = i.kept
	first := cmp.Or(o.Patience, firstPatience)
	o.Patience = cmp.Or(i.patience, first)
	o.SetAside = o.Patience >= longest*first
	if i.free(o.Dir) < broker.LeastRoom {
		var err error
		if dir, err = i.memory(); err == nil {
			o.Dir, o.MaxStore = filepath.Join(dir, "broker"), mostVolatile
		}
	}
	br, err := broker.StartContext(ctx, o)
	i.patience = 0
	if errors.Is(err, broker.ErrSlow) {
		i.patience = min(2*o.Patience, longest*first)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case ctx.Err() != nil: // nobody wants it any more
	case err != nil:
		i.tell(err)
	case err == nil && dir != "":
		i.log.Error("the disk is full: the built-in broker goes on in memory until there is room")
	}
	if i.br, i.why, i.volatile = br, err, dir; err != nil {
		i.settle()
		i.volatile = ""
		if dir != "" {
			os.RemoveAll(dir) //nolint:errcheck // it goes with the machine's memory at the latest
		}
		return
	}
	i.kept = nil
	i.o.Listen = br.Addr() // a port that was free is the one that clients come back to
	// The accounts may have been changed while it started.
	if !slices.EqualFunc(o.Users, i.o.Users, broker.User.Equal) {
		i.adopt()
	}
}

// fail notes why the broker was not started.
func (i *BuiltInBroker) fail(why error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.tell(why)
	i.why = why
	i.settle()
}

// settle gives a broker that may use any port, and that could not be started, a free one. The board has to know where
// it will be.
func (i *BuiltInBroker) settle() {
	if !broker.AnyPort(i.o.Listen) {
		return
	}
	if l, err := net.Listen("tcp", i.o.Listen); err == nil {
		i.o.Listen = l.Addr().String()
		l.Close() //nolint:errcheck // nothing was written
	}
}

// tell logs why the broker does not run, once.
func (i *BuiltInBroker) tell(why error) {
	if i.why == nil || i.why.Error() != why.Error() {
		i.log.Error("the built-in broker does not run: the game goes on without it, and it is tried again", "error", why)
	}
}

// Ready returns why the broker does not run, nil while it does. A board asks before it connects, because another
// program may listen in its place.
func (i *BuiltInBroker) Ready() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.why != nil {
		return fmt.Errorf("the built-in broker does not run: %w", i.why)
	}
	return nil
}

// Await is Ready, and waits a little for a broker that is being started for the first time.
func (i *BuiltInBroker) Await(ctx context.Context) error {
	late := time.NewTimer(soon)
	defer late.Stop()
	select {
	case <-i.begun:
	case <-late.C:
	case <-ctx.Done():
	}
	return i.Ready()
}

// URL is the address at which the board reaches the broker.
func (i *BuiltInBroker) URL() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	o := i.o
	if !i.read && i.conf.MQTTListenCertFile != "" {
		o.TLS = &tls.Config{} // it will have one
	}
	return o.URL()
}

// Close stops it.
func (i *BuiltInBroker) Close() {
	i.stop()
	<-i.done
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.br != nil {
		i.close()
	}
}
