// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/rules/say"
	"boardd/sync/wire"
)

// refusedError says that a connection could not be made.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// link is one connection and the messages on their way through it.
type link struct {
	m      *Mirror
	c      mqtt.Client
	gone   context.Context // done when the connection is lost; its cause is why
	subs   map[string]bool
	game   mqtt.Token // of the game on its way; nil for none
	said   uint64     // sequence number of the last game sent
	resaid time.Time  // when it was published again because another game had replaced it
	shown  retained   // the game, and whether it was published twice
	status retained   // the same of "online"
	note   mqtt.Token // of the note on its way; nil for none
	sent   note
	since  time.Time // of the oldest message on its way
	online bool      // "online" was published, and no stale "offline" seen since
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
	password, err := m.o.secret()
	if err != nil {
		return &refusedError{err}
	}
	l.c = mqtt.NewClient(m.clientOptions(ctx, lose).SetPassword(password))
	if err := await(ctx, l.c.Connect(), connectWithin+writeWithin, gone); err != nil {
		l.c.Disconnect(0)
		return &refusedError{fmt.Errorf("connect to %s: %w", m.u.Redacted(), err)}
	}
	err = l.serve(ctx)
	if ctx.Err() != nil {
		l.goOffline()
		return nil
	}
	err = l.cause(err)
	l.c.Disconnect(0)
	return err
}

// cause is why a connection ended. When a connection is lost, messages on their way fail first, with an error that
// does not say why. The cause follows just after.
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

// clientOptions returns the options of a client that is used for one connection only. Run reconnects.
func (m *Mirror) clientOptions(ctx context.Context, lose context.CancelCauseFunc) *mqtt.ClientOptions {
	return mqtt.NewClientOptions().
		AddBroker(m.u.Scheme+"://"+m.u.Host).
		SetClientID(cmp.Or(m.id, m.o.ClientID)).SetUsername(m.o.User).
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
			return newGuard(conn, func(topic string) { m.drop("a message that is too long", topic, errTooLong) }), nil
		})
}

// await waits for a token until it is done, the time within is over, the connection is gone or ctx ends.
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

// serve subscribes, publishes "online", and then sends what there is to send.
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

// flush sends what can be sent now, and returns after how long to call it again.
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

// finished handles the messages that have been acknowledged or have failed.
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
		l.m.out.acknowledged(l.sent)
		l.note = nil
	}
	if (l.game != nil || l.note != nil) && time.Since(l.since) > answerWithin {
		return fmt.Errorf("the broker has acknowledged nothing for %v", answerWithin)
	}
	return nil
}

// calm says that the trouble is over. A conflict is over only after the connection has lived for a while. A broker may
// acknowledge a message and drop it, because the account must not write there (MQTT 3.1.1 has no answer for that).
// Then the board's own games do not come back, and the trouble is not over.
func (l *link) calm() {
	own := wire.Topic(l.m.o.Board, wire.LeafGame)
	silent := l.m.echo.silence() > hearWithin && !slices.Contains(l.m.Link().Refused, own)
	l.m.tell(func(k *Link) {
		if silent && !k.Conflict {
			k.Trouble = say.That("the broker takes the games of this board and does not show them: its account may probably "+
				"not write %s", own)
			return
		}
		if k.Conflict && (time.Since(l.began) < conflictOver || l.m.echo.foreignSeen()) {
			return
		}
		k.Trouble, k.Conflict = say.Said{}, false
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

// retained is a message that the broker keeps. It is published a second time a little later. A client that subscribes
// while the broker is still storing the message may get neither the message nor the retained one (see askAgain). Other
// people's programs subscribe only once.
type retained struct {
	at    time.Time // when it was first published
	twice bool
}

// published notes that the message is being published for the first time.
func (r *retained) published() { *r = retained{at: time.Now()} }

// again reports whether it has to be published the second time now, and notes that it is.
func (r *retained) again() bool {
	due := !r.twice && !r.at.IsZero() && time.Since(r.at) >= sayTwice
	r.twice = r.twice || due
	return due
}

// wait is the time until then; an hour when it was published twice.
func (r *retained) wait() time.Duration {
	if r.twice || r.at.IsZero() {
		return time.Hour
	}
	return time.Until(r.at.Add(sayTwice))
}

// sayOnline publishes "online" after connecting, and again when a stale "offline" was seen.
func (l *link) sayOnline(ctx context.Context) error {
	if l.m.echo.takeStale() {
		l.online = false
	}
	first := !l.online
	switch {
	case first:
		l.status.published()
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

// sendGame sends the latest game when none is on its way. After connecting it sends it even if it was sent before.
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
		l.shown.published()
		l.shown.twice = ticks // its clocks would be old, and it is soon published again anyway
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

// sendHealth sends the health that is due, and returns the time until something is due again.
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

// goOffline publishes "offline" and disconnects, so that the will is not published.
func (l *link) goOffline() {
	if l.c.IsConnectionOpen() {
		l.c.Publish(wire.Topic(l.m.o.Board, wire.LeafStatus), 1, true, wire.Offline).WaitTimeout(offlineWithin)
	}
	l.c.Disconnect(250)
}
