// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"boardd/rules/say"
	"boardd/sync/wire"
)

// Mirror is one board on a broker.
type Mirror struct {
	o     Options
	nodes []*url.URL
	u     *url.URL // the one of nodes that is tried or connected to; Run's own
	id    string   // client id that is used after a conflict over the first, "" before; Run's own
	bad   error    // what is wrong with the options, told by Run

	out      *outbox
	in       *inbox
	incoming chan Incoming
	over     sync.Once     // incoming is closed
	dropped  atomic.Uint64 // messages that arrived and were not taken

	mu       sync.Mutex
	followed map[string]bool
	link     Link
	echo     echo
}

// New returns a mirror. It does not connect before Run, which also returns what is wrong with the options.
func New(o Options) *Mirror {
	m := &Mirror{out: newOutbox(), in: newInbox(), incoming: make(chan Incoming), followed: map[string]bool{}}
	m.o, m.nodes, m.bad = o.check()
	return m
}

// Run keeps the board on the broker until ctx ends. Then it publishes "offline" and returns nil. An error means that
// the options are wrong. A broker that is away, even for weeks, is no error: Link tells. Incoming is closed when Run
// returns.
func (m *Mirror) Run(ctx context.Context) error {
	if m.bad != nil {
		m.over.Do(func() { close(m.incoming) })
		return m.bad
	}
	whole := ctx
	ctx, stop := context.WithCancel(ctx)
	defer func() {
		if whole.Err() != nil { // otherwise it panics, and Run may be called again
			m.over.Do(func() { close(m.incoming) })
		}
	}()
	var pump sync.WaitGroup
	pump.Go(func() { m.in.pump(ctx, m.incoming) })
	defer pump.Wait()
	defer stop()
	p := pauses{}
	for try := 0; ctx.Err() == nil; try++ {
		m.u = m.nodes[try%len(m.nodes)]
		began := time.Now()
		err := m.connection(ctx)
		if ctx.Err() != nil {
			break
		}
		wait := p.next(time.Since(began), err)
		m.down(err, p.conflict())
		m.rename(p.conflict())
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
	return nil
}

// Publish shows a game. Only the latest counts: one that has not been sent yet is replaced.
func (m *Mirror) Publish(g wire.Game) {
	m.encode(g, func(b []byte) { m.PublishJSON(b, g.Clock != nil && g.Clock.Running != "") })
}

// PublishJSON is Publish for a game that is JSON already, and that must not change afterwards. ticks says that its
// clock runs.
func (m *Mirror) PublishJSON(game []byte, ticks bool) { m.out.setGame(game, ticks) }

// Health publishes the state of the board's parts. At most one message goes out every ten seconds, the latest.
func (m *Mirror) Health(h wire.Health) { m.encode(h, m.out.setHealth) }

// Event publishes something that happened, at least once. While the broker is away the newest 256 are kept.
func (m *Mirror) Event(e wire.Event) { m.note(wire.LeafEvent, e) }

// Reply answers a command, at least once.
func (m *Mirror) Reply(r wire.Reply) { m.note(wire.LeafReply, r) }

func (m *Mirror) note(leaf string, v any) {
	m.encode(v, func(b []byte) { m.out.add(note{wire.Topic(m.o.Board, leaf), b}) })
}

// encode marshals in the caller's goroutine, so that the caller may change v afterwards.
func (m *Mirror) encode(v any, take func([]byte)) {
	b, err := json.Marshal(v)
	if err != nil {
		m.o.Log.Error("mirror: write a message", "err", err) // only a NaN can cause this
		return
	}
	take(b)
}

// Follow sets the boards whose games and status are wanted, in place of those before. The own id, and names that are
// no board ids, are left out.
func (m *Mirror) Follow(boards ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := map[string]bool{}
	for _, b := range boards {
		if wire.CheckBoard(b) == nil && b != m.o.Board {
			next[b] = true
		}
	}
	for b := range m.followed {
		if !next[b] {
			m.echo.forget(b)
			m.in.drop(wire.Topic(b, wire.LeafGame))
			m.in.drop(wire.Topic(b, wire.LeafStatus))
		}
	}
	m.followed = next
	signal(m.out.wake)
}

// Incoming delivers what arrives. The channel has no capacity. Commands wait in a queue of 32; more are answered as
// busy. Of each followed board only the latest game and status wait, and of the link the latest state. A game that is
// the same as the one before is not delivered again on the same connection.
func (m *Mirror) Incoming() <-chan Incoming { return m.incoming }

// Dropped counts messages that arrived and were not taken: too long, not understood, retained commands.
func (m *Mirror) Dropped() uint64 { return m.dropped.Load() }

// Link is the state of the connection now.
func (m *Mirror) Link() Link {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.link
}

// tell stores a new state of the connection, and delivers it if it has changed.
func (m *Mirror) tell(change func(*Link)) {
	m.mu.Lock()
	before := m.link
	change(&m.link)
	now := m.link
	m.mu.Unlock()
	if before.Up != now.Up || before.Trouble.English != now.Trouble.English || before.Conflict != now.Conflict ||
		!slices.Equal(before.Refused, now.Refused) {
		m.in.keep("link", Incoming{Board: m.o.Board, Link: &now})
	}
}

func (m *Mirror) down(err error, conflict bool) {
	trouble := say.That("the connection to the broker at %s was lost: %v", m.u.Redacted(), err)
	var refused *refusedError
	if errors.As(err, &refused) {
		trouble = say.That("no connection to the broker: %v", err)
	}
	if conflict {
		trouble = say.That("the broker keeps closing the connection: another client probably uses the id %s or the board %s",
			m.o.ClientID, m.o.Board)
	}
	m.tell(func(l *Link) { l.Up, l.Trouble, l.Conflict = false, trouble, conflict })
}

// rename takes another client id after conflicts over this one. A client with the same id throws the board off its
// broker whenever it connects. A board is not found by its client id, so any will do. The id is not logged, because a
// line that differs each time would be logged each time.
func (m *Mirror) rename(conflict bool) {
	if !conflict {
		return
	}
	m.id = fmt.Sprintf("%s-%08x", m.o.ClientID, rand.Uint32())
	m.o.Log.Warn("the broker keeps closing the connection, as if another client used the same id: this board takes " +
		"another one")
}

// pauses grow while connecting fails. They grow more while connections are closed soon after they were made. Then
// another client probably has the same id, and both would disconnect each other for ever.
type pauses struct {
	failed int // attempts in a row
	short  int // connections in a row that the broker closed within a minute; lost lines do not count
}

func (p *pauses) conflict() bool { return p.short >= 3 }

// closedByPeer reports whether the broker closed the connection, rather than the line going dead.
func closedByPeer(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.ErrClosedPipe)
}

// next is how long to wait after a connection or attempt that lasted lived.
func (p *pauses) next(lived time.Duration, err error) time.Duration {
	var refused *refusedError
	switch {
	case errors.As(err, &refused):
		if p.failed++; p.failed > 3 {
			p.short = 0 // the broker is away: this is no conflict
		}
	case lived < time.Minute && closedByPeer(err):
		p.short++
		p.failed = 0
	default:
		*p = pauses{}
	}
	wait := min(pauseMost, pauseLeast<<min(p.failed, 8))
	if p.conflict() {
		wait = min(pauseConflict, pauseLeast<<min(p.short, 10))
	}
	return wait/2 + rand.N(wait/2) // spread, so that a thousand boards do not come back at the same moment
}
