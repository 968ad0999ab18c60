// SPDX-License-Identifier: Apache-2.0

package crowd

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Listener limits the number of connections, by a Room. So a host that opens many displaces only its own, and cannot
// keep others out. The log says so now and then.
type Listener struct {
	net.Listener
	room   *Room
	log    *slog.Logger
	pushed atomic.Pointer[string] // a host that has lost a connection since the last warning was looked for
	mu     sync.Mutex             // for what follows
	warned time.Time
}

// warnsAgain is the least time between two log lines about hosts that lose connections.
const warnsAgain = time.Minute

// Limit limits a listener, which it owns from then on, to so many connections. Each host may have three quarters of
// them. That is more than there are event streams, so that there is room beside these. Without a log nothing is said.
func Limit(l net.Listener, most int, log *slog.Logger) *Listener {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Listener{Listener: l, room: NewRoom(most, most-most/4), log: log}
}

// warn logs that a host has lost a connection, if that was not said lately.
func (l *Listener) warn() {
	host := l.pushed.Swap(nil)
	if host == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.warned) >= warnsAgain {
		l.warned = now
		l.log.Warn("one address has more connections than it may: those of them that did nothing for longest are closed",
			"from", *host, "listen", l.Addr().String())
	}
}

// Conn is a connection that counts until it is closed or known.
type Conn struct {
	net.Conn
	place *Place
}

// Accept waits for the next connection.
func (l *Listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	host := Host(conn.RemoteAddr().String())
	place := l.room.Enter(host, func() { // to close the one that is pushed out never waits
		l.pushed.Store(&host)
		conn.Close() //nolint:errcheck // it is closed either way
	})
	l.warn()
	return &Conn{conn, place}, nil
}

// Known takes the connection out of the count. Its client has logged in, and has its own limits.
func (c *Conn) Known() { c.place.Leave() }

// Close closes the connection, and takes it out of the count.
func (c *Conn) Close() error {
	c.place.Leave()
	return c.Conn.Close()
}

type (
	placeKey   struct{}
	requestKey struct{}
)

// With puts the place of a connection into the context of its requests. The connection may be inside another one, as
// that of TLS.
func With(ctx context.Context, conn net.Conn) context.Context {
	if outer, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = outer.NetConn()
	}
	if c, ok := conn.(*Conn); ok {
		return context.WithValue(ctx, placeKey{}, c.place)
	}
	return ctx
}

// Ask counts a request of the connection of a context until done is called. It begins at Waiting. Where the connection
// is not known nothing is counted.
func Ask(ctx context.Context) (asked context.Context, done func()) {
	p, ok := ctx.Value(placeKey{}).(*Place)
	if !ok {
		return ctx, func() {}
	}
	q := p.Ask()
	return context.WithValue(ctx, requestKey{}, q), q.Done
}

// Reached says how far the request of a context has come.
func Reached(ctx context.Context, s Stage) {
	if q, ok := ctx.Value(requestKey{}).(*Request); ok {
		q.Reached(s)
	}
}
