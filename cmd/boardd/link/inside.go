// SPDX-License-Identifier: Apache-2.0

package link

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"boardd/sync/broker"
)

// Inside is the broker inside. It may fail and come back while the game goes on: nobody waits for it.
type Inside struct {
	o    broker.Options
	log  *slog.Logger
	stop context.CancelFunc
	done chan struct{}

	mu  sync.Mutex
	br  *broker.Broker // nil while it does not run
	why error          // why not
}

// again is how long after a failed start the broker is started anew, and how often it is looked at while it runs.
const again = 10 * time.Second

// Open starts the broker, and goes on trying where that fails. The first try is waited for only where the address is
// not known before it.
func Open(o broker.Options, log *slog.Logger) *Inside {
	ctx, stop := context.WithCancel(context.Background())
	i := &Inside{o: o, log: log, stop: stop, done: make(chan struct{}), why: errors.New("it is starting")}
	if broker.Anywhere(o.Listen) {
		i.try()
	}
	go i.run(ctx)
	return i
}

// run keeps the broker running until ctx ends.
func (i *Inside) run(ctx context.Context) {
	defer close(i.done)
	look := time.NewTicker(again)
	defer look.Stop()
	for {
		i.look()
		if i.Ready() != nil {
			i.try()
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}

// look closes a broker that runs no more.
func (i *Inside) look() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.br == nil {
		return
	}
	if why := i.br.Trouble(); why != nil {
		i.log.Error("the broker inside does not run any more: it is started again", "error", why)
		i.br.Close()
		i.br, i.why = nil, why
	}
}

// try starts the broker.
func (i *Inside) try() {
	br, err := broker.Start(i.o)
	i.mu.Lock()
	defer i.mu.Unlock()
	if err != nil && (i.why == nil || i.why.Error() != err.Error()) {
		i.log.Error("the broker inside does not run: the game goes on without it, and it is tried again", "error", err)
	}
	i.br, i.why = br, err
}

// Ready says why the broker does not run, nil while it does. A board asks before it connects: another program may
// listen in its place.
func (i *Inside) Ready() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.why != nil {
		return fmt.Errorf("the broker inside does not run: %w", i.why)
	}
	return nil
}

// URL is where the board finds it.
func (i *Inside) URL() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.br != nil {
		return i.br.URL()
	}
	return i.o.URL()
}

// Close stops it.
func (i *Inside) Close() {
	i.stop()
	<-i.done
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.br != nil {
		i.br.Close()
	}
}
