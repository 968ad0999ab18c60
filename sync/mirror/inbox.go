// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"slices"
	"sync"

	"boardd/rules/say"
	"boardd/sync/wire"
)

// Incoming is one piece of news from the mirror. Exactly one of the pointers is set.
type Incoming struct {
	Board   string        // whose game or status; the own id for a command
	Game    *wire.Game    // of a followed board
	Command *wire.Command // to this board
	Link    *Link         // the connection changed
	Online  *bool         // a followed board's status
	Old     bool          // the game was retained: it may have been published long ago
}

// Link is the state of the connection.
type Link struct {
	Up       bool
	Trouble  say.Said // what is wrong; empty when nothing is
	Refused  []string // topics that the broker does not let this account read
	Conflict bool     // another client uses the same client id or writes the same board's topics
}

// maxCommands is the largest number of commands that may wait. Further ones are refused as busy.
const maxCommands = 32

// inbox keeps what arrived until it is taken: commands in order, and of everything else the latest.
type inbox struct {
	mu       sync.Mutex
	commands []Incoming
	latest   map[string]Incoming
	order    []string // keys of latest, oldest first
	filled   chan struct{}
}

func newInbox() *inbox {
	return &inbox{latest: map[string]Incoming{}, filled: make(chan struct{}, 1)}
}

// command adds a command, and reports whether there was room.
func (b *inbox) command(in Incoming) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.commands) >= maxCommands {
		return false
	}
	b.commands = append(b.commands, in)
	signal(b.filled)
	return true
}

// keep stores in under a key. It replaces an older one that has not been taken yet.
func (b *inbox) keep(key string, in Incoming) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, waits := b.latest[key]; !waits {
		b.order = append(b.order, key)
	}
	b.latest[key] = in
	signal(b.filled)
}

// drop removes what waits under a key.
func (b *inbox) drop(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.latest, key)
	b.order = slices.DeleteFunc(b.order, func(k string) bool { return k == key })
}

func (b *inbox) take() (Incoming, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.commands) > 0 {
		in := b.commands[0]
		b.commands = b.commands[1:]
		return in, true
	}
	if len(b.order) == 0 {
		return Incoming{}, false
	}
	key := b.order[0]
	in := b.latest[key]
	b.order = b.order[1:]
	delete(b.latest, key)
	return in, true
}

// pump hands on what is kept until ctx ends.
func (b *inbox) pump(ctx context.Context, out chan<- Incoming) {
	for {
		in, ok := b.take()
		if !ok {
			select {
			case <-b.filled:
				continue
			case <-ctx.Done():
				return
			}
		}
		select {
		case out <- in:
		case <-ctx.Done():
			return
		}
	}
}

// signal fills a channel of capacity one. A full channel is a signal already.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
