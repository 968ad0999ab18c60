// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"sync"
	"time"
)

// maxNotes is how many events and replies wait while the broker is away; then the oldest are dropped and counted.
const maxNotes = 256

// note is an event or a reply.
type note struct {
	topic   string
	payload []byte
}

// outbox keeps what has to be published: the latest game and health, and events and replies until they are
// acknowledged.
type outbox struct {
	mu       sync.Mutex
	game     []byte // latest; nil before the first
	gameSeq  uint64 // counts games
	ticks    bool   // a clock of it runs
	health   []byte
	healthAt time.Time // when the last one was published
	notes    []note
	dropped  uint64
	wake     chan struct{}
}

func newOutbox() *outbox { return &outbox{wake: make(chan struct{}, 1)} }

func (b *outbox) setGame(payload []byte, ticks bool) {
	b.mu.Lock()
	b.game, b.ticks = payload, ticks
	b.gameSeq++
	b.mu.Unlock()
	signal(b.wake)
}

func (b *outbox) latest() (payload []byte, seq uint64, ticks bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.game, b.gameSeq, b.ticks
}

func (b *outbox) setHealth(payload []byte) {
	b.mu.Lock()
	b.health = payload
	b.mu.Unlock()
	signal(b.wake)
}

// takeHealth returns the health that is due now, or else the time when it will be due; zero when there is none.
func (b *outbox) takeHealth(now time.Time) (payload []byte, due time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.health == nil {
		return nil, time.Time{}
	}
	if due = b.healthAt.Add(healthEvery); now.Before(due) {
		return nil, due
	}
	payload, b.health, b.healthAt = b.health, nil, now
	return payload, time.Time{}
}

func (b *outbox) add(n note) {
	b.mu.Lock()
	if len(b.notes) >= maxNotes {
		b.notes = b.notes[1:]
		b.dropped++
	}
	b.notes = append(b.notes, n)
	b.mu.Unlock()
	signal(b.wake)
}

func (b *outbox) first() (note, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.notes) == 0 {
		return note{}, false
	}
	return b.notes[0], true
}

// acknowledged removes a note that was acknowledged, if it was not dropped meanwhile.
func (b *outbox) acknowledged(n note) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.notes) > 0 && &b.notes[0].payload[0] == &n.payload[0] {
		b.notes = b.notes[1:]
	}
}
