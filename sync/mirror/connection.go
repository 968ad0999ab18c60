// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/wire"
)

// refusedError says that no connection came about.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// link is one connection and what is on its way through it.
type link struct {
	m      *Mirror
	c      mqtt.Client
	gone   context.Context // done when the connection is lost; its cause is why
	subs   map[string]bool
	game   mqtt.Token // of the game on its way; nil for none
	said   uint64     // sequence number of the last game sent
	resaid time.Time  // when it was said again because something else stood in its place
	shown  retained   // the game, and whether it was said twice
	status retained   // the same of "online"
	note   mqtt.Token // of the note on its way; nil for none
	sent   note
	since  time.Time // of the oldest message on its way
	online bool      // "online" was said and no stale "offline" seen since
	began  time.Time // when the connection was made
	again  time.Time // when to ask for retained games again
	pause  time.Duration
}

// connection makes one connection and serves it until it is lost or ctx ends.
func (m *Mirror) connection(ctx context.Context) error {
	gone, lose := context.WithCancelCause(context.Background())
	defer lose(nil)
	l := &link{m: m, gone: gone, subs: map[string]bool{}, began: time.Now()}
	l.again = l.began.Add(time.Second)
	m.echo.reset()
	m.tell(func(k *Link) { k.Refused = nil })
	l.c = mqtt.NewClient(m.clientOptions(ctx, lose))
	if err := await(ctx, l.c.Connect(), connectWithin+writeWithin, gone); err != nil {
		l.c.Disconnect(0)
		return &refusedError{fmt.Errorf("connect to %s: %w", m.u.Redacted(), err)}
	}
	err := l.serve(ctx)
	if ctx.Err() != nil {
		l.farewell()
		return nil
	}
	err = l.cause(err)
	l.c.Disconnect(0)
	return err
}

// cause is why a connection ended. A loss fails whatever was on its way, with an error that says nothing of why, and
// is told just after that.
func (l *link) cause(err error) error {
	if l.c.IsConnectionOpen() {
		return err
	}
	select {
	case <-l.gone.Done():
		return context.Cause(l.gone)
	case <-time.After(time.Second):
		return err
	}
}

// clientOptions are those of a client that lives for one connection only; reconnecting is Run's.
func (m *Mirror) clientOptions(ctx context.Context, lose context.CancelCauseFunc) *mqtt.ClientOptions {
	return mqtt.NewClientOptions().
		AddBroker(m.u.Scheme+"://"+m.u.Host).
		SetClientID(orElse(m.id, m.o.ClientID)).SetUsername(m.o.User).SetPassword(m.o.Password).
		SetProtocolVersion(4).SetCleanSession(true).
		SetAutoReconnect(false).SetConnectRetry(false).SetOrderMatters(true).
		SetKeepAlive(m.o.KeepAlive).SetPingTimeout(m.o.KeepAlive/2).
		SetConnectTimeout(connectWithin).SetWriteTimeout(writeWithin).
		SetWill(wire.Topic(m.o.Board, wire.LeafStatus), wire.Offline, 1, true).
		SetStore(mqtt.NewOrderedMemoryStore()).
		SetDefaultPublishHandler(func(_ mqtt.Client, msg mqtt.Message) { m.heard(msg) }).
		SetConnectionLostHandler(func(_ mqtt.Client, err error) { lose(err) }).
		SetCustomOpenConnectionFn(func(*url.URL, mqtt.ClientOptions) (net.Conn, error) {
			conn, err := m.o.Dial(ctx, m.u)
			if err != nil {
				return nil, err
			}
			return newGuard(conn, func() { m.drop("a message of more than a mebibyte", "", nil) }), nil
		})
}

func orElse(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}

// await waits for a token, but never longer than within, and not when the connection is gone or ctx ends.
func await(ctx context.Context, t mqtt.Token, within time.Duration, gone context.Context) error {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-t.Done():
		return t.Error()
	case <-gone.Done():
		return context.Cause(gone)
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return fmt.Errorf("no answer within %v", within)
	}
}

// serve subscribes, says that the board is there, and then sends whatever there is to say.
func (l *link) serve(ctx context.Context) error {
	if err := l.subscribe(ctx); err != nil {
		return err
	}
	for _, a := range l.m.o.Announce {
		if err := await(ctx, l.c.Publish(a.Topic, 1, true, a.Payload), answerWithin, l.gone); err != nil {
			return fmt.Errorf("announce on %s: %w", a.Topic, err)
		}
	}
	l.m.tell(func(k *Link) { k.Up = true })
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		next, err := l.flush(ctx)
		if err != nil {
			return err
		}
		timer.Reset(next)
		select {
		case <-l.m.out.wake:
		case <-done(l.game):
		case <-done(l.note):
		case <-timer.C:
		case <-l.gone.Done():
			return context.Cause(l.gone)
		case <-ctx.Done():
			return nil
		}
	}
}

func done(t mqtt.Token) <-chan struct{} {
	if t == nil {
		return nil
	}
	return t.Done()
}

// flush sends what can be sent now and says after how long to look again.
func (l *link) flush(ctx context.Context) (time.Duration, error) {
	if err := l.finished(); err != nil {
		return 0, err
	}
	if err := l.subscribe(ctx); err != nil {
		return 0, err
	}
	if err := l.askAgain(ctx); err != nil {
		return 0, err
	}
	if err := l.sayOnline(ctx); err != nil {
		return 0, err
	}
	l.calm()
	l.sendGame()
	l.sendNote()
	return l.sendHealth(), nil
}

// finished looks after the messages on their way.
func (l *link) finished() error {
	if l.game != nil && isDone(l.game) {
		if err := l.game.Error(); err != nil {
			return fmt.Errorf("publish the game: %w", err)
		}
		l.game = nil
	}
	if l.note != nil && isDone(l.note) {
		if err := l.note.Error(); err != nil {
			return fmt.Errorf("publish on %s: %w", l.sent.topic, err)
		}
		l.m.out.said(l.sent)
		l.note = nil
	}
	if (l.game != nil || l.note != nil) && time.Since(l.since) > answerWithin {
		return fmt.Errorf("the broker has acknowledged nothing for %v", answerWithin)
	}
	return nil
}

// calm says that the trouble is over; a quarrel only after the connection has lived long enough to believe it. A
// broker that acknowledges what it then drops, because the account may not write there (MQTT 3.1.1 has no answer for
// that), is told from the own games that do not come back.
func (l *link) calm() {
	own := wire.Topic(l.m.o.Board, wire.LeafGame)
	silent := l.m.echo.silence() > hearWithin && !slices.Contains(l.m.Link().Refused, own)
	l.m.tell(func(k *Link) {
		if silent && !k.Quarrel {
			k.Trouble = "the broker takes the games of this board and does not show them: its account may probably not write " +
				own
			return
		}
		if k.Quarrel && (time.Since(l.began) < quarrelOver || l.m.echo.foreignSeen()) {
			return
		}
		k.Trouble, k.Quarrel = "", false
	})
}

func isDone(t mqtt.Token) bool {
	select {
	case <-t.Done():
		return true
	default:
		return false
	}
}

// retained is a message that stays on the broker. It is published again a little later. A client that subscribes
// while the broker is still storing the message may get neither the message nor the retained one (see askAgain), and
// other people's programs subscribe only once.
type retained struct {
	at    time.Time // when it was said the first time
	twice bool
}

// said notes that the message is said now, for the first time.
func (r *retained) said() { *r = retained{at: time.Now()} }

// again reports whether it is to be said the second time now, and notes that it is.
func (r *retained) again() bool {
	due := !r.twice && !r.at.IsZero() && time.Since(r.at) >= sayTwice
	r.twice = r.twice || due
	return due
}

// wait is how long it is until then; an hour when it was said twice.
func (r *retained) wait() time.Duration {
	if r.twice || r.at.IsZero() {
		return time.Hour
	}
	return time.Until(r.at.Add(sayTwice))
}

// sayOnline says "online" after connecting, and again when a stale "offline" was seen.
func (l *link) sayOnline(ctx context.Context) error {
	if l.m.echo.takeStale() {
		l.online = false
	}
	first := !l.online
	switch {
	case first:
		l.status.said()
	case !l.status.again():
		return nil
	}
	l.m.echo.saidOnline()
	l.online = true
	t := l.c.Publish(wire.Topic(l.m.o.Board, wire.LeafStatus), 1, true, wire.Online)
	if !first {
		return nil // nothing waits for that
	}
	return await(ctx, t, answerWithin, l.gone)
}

// sendGame sends the latest game when none is on its way; the first time after connecting also one that was sent
// before.
func (l *link) sendGame() {
	payload, seq, ticks := l.m.out.latest()
	overwritten := time.Since(l.resaid) > resayEvery && l.m.echo.takeOld()
	if overwritten {
		l.said, l.resaid = 0, time.Now()
	}
	switch {
	case l.game != nil || payload == nil:
		return
	case overwritten:
	case seq != l.said:
		l.shown.said()
		l.shown.twice = ticks // its clocks would be old, and it is published anew soon
	case !l.shown.again():
		return
	}
	l.m.echo.saidGame(payload)
	l.said = seq
	l.game = l.c.Publish(wire.Topic(l.m.o.Board, wire.LeafGame), 1, true, payload)
	l.since = time.Now()
}

func (l *link) sendNote() {
	n, ok := l.m.out.first()
	if l.note != nil || !ok {
		return
	}
	l.sent = n
	l.note = l.c.Publish(n.topic, 1, false, n.payload)
	l.since = time.Now()
}

// sendHealth sends the health that is due, and says when there is something to do by time alone.
func (l *link) sendHealth() time.Duration {
	payload, due := l.m.out.takeHealth(time.Now())
	if payload != nil {
		l.c.Publish(wire.Topic(l.m.o.Board, wire.LeafHealth), 0, true, payload)
	}
	wait := min(answerWithin, time.Until(l.again), l.status.wait())
	if l.game == nil {
		wait = min(wait, l.shown.wait())
	}
	if !due.IsZero() {
		wait = min(wait, time.Until(due))
	}
	return max(time.Millisecond, wait)
}

// farewell says "offline" and leaves; the will is not published then.
func (l *link) farewell() {
	if l.c.IsConnectionOpen() {
		l.c.Publish(wire.Topic(l.m.o.Board, wire.LeafStatus), 1, true, wire.Offline).WaitTimeout(farewell)
	}
	l.c.Disconnect(250)
}
