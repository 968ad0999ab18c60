// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/rules/say"
	"boardd/sync/wire"
)

// wanted lists the topics to subscribe to. They are the commands, and the games and status of the boards that it
// follows. The board's own game and status are there to see stale or foreign messages.
func (m *Mirror) wanted() []string {
	own := []string{wire.LeafCommand, wire.LeafStatus, wire.LeafGame}
	var topics []string
	for _, leaf := range own {
		topics = append(topics, wire.Topic(m.o.Board, leaf))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for b := range m.followed {
		topics = append(topics, wire.Topic(b, wire.LeafStatus), wire.Topic(b, wire.LeafGame))
	}
	slices.Sort(topics)
	return topics
}

// subscribe changes the subscriptions to what is wanted. A topic that the broker refuses is reported, and askAgain
// asks for it again.
func (l *link) subscribe(ctx context.Context) error {
	wanted := l.m.wanted()
	fresh := map[string]byte{}
	for _, topic := range wanted {
		if !l.subs[topic] {
			fresh[topic] = qos(topic)
			l.subs[topic] = true
			if board, leaf, err := wire.ParseTopic(topic); err == nil && leaf == wire.LeafGame {
				l.m.echo.asked(board)
			}
		}
	}
	for topic := range l.subs {
		if !slices.Contains(wanted, topic) {
			delete(l.subs, topic)
			l.c.Unsubscribe(topic) // what still arrives is ignored
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	t := l.c.SubscribeMultiple(fresh, nil)
	if err := await(ctx, t, subscribeWithin, l.gone); err != nil {
		return fmt.Errorf("subscribe: %w", err)
	}
	l.answered(t.(*mqtt.SubscribeToken).Result())
	return nil
}

// qos is 1 for commands, which come once. The other topics are states that are retained and asked for again. With QoS
// 1 they would cost the embedded broker a stored queue per subscription; 250 boards that connected at once overran it.
func qos(topic string) byte {
	if strings.HasSuffix(topic, "/"+wire.LeafCommand) {
		return 1
	}
	return 0
}

// askAgain subscribes again to the games of followed boards, which makes the broker send what is retained. A
// subscription made at the moment in which a game is published may get neither the message nor the retained one.
// This was seen on a cluster of NATS nodes, whose index of retained messages lags behind a publish. A board that
// waits for that very move would wait for ever. It is asked soon after connecting, and then now and then.
func (l *link) askAgain(ctx context.Context) error {
	if time.Now().Before(l.again) {
		return nil
	}
	l.pause = min(2*l.pause+time.Second, askEvery)
	l.again = time.Now().Add(l.pause)
	for topic := range l.subs {
		board, leaf, err := wire.ParseTopic(topic)
		// the own game only if it has not come back: the retained message shows whether the broker accepted it
		wanted := board != l.m.o.Board || l.m.echo.silence() > hearWithin/4
		if err == nil && leaf == wire.LeafGame && wanted || slices.Contains(l.m.Link().Refused, topic) {
			delete(l.subs, topic)
		}
	}
	return l.subscribe(ctx)
}

// answered checks the answers. 128 refuses a topic, but is no error to the client library.
func (l *link) answered(answers map[string]byte) {
	l.m.tell(func(k *Link) {
		refused := slices.DeleteFunc(slices.Clone(k.Refused),
			func(topic string) bool { _, asked := answers[topic]; return asked })
		for topic, code := range answers {
			if code == 128 {
				refused = append(refused, topic)
			}
		}
		slices.Sort(refused)
		k.Refused = refused
	})
}

// heard takes in a message, in the client library's goroutine. It never waits.
func (m *Mirror) heard(msg mqtt.Message) {
	board, leaf, err := wire.ParseTopic(msg.Topic())
	switch {
	case err != nil:
		m.drop("a topic that was not asked for", msg.Topic(), err)
	case board == m.o.Board:
		m.heardOwn(leaf, msg)
	case m.follows(board) && leaf == wire.LeafGame:
		m.heardGame(board, msg)
	case m.follows(board) && leaf == wire.LeafStatus:
		online := string(msg.Payload()) == wire.Online
		m.in.keep(msg.Topic(), Incoming{Board: board, Online: &online})
	}
}

func (m *Mirror) follows(board string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.followed[board]
}

func (m *Mirror) heardGame(board string, msg mqtt.Message) {
	if len(msg.Payload()) == 0 {
		return // the retained game was cleared
	}
	if m.echo.known(board, msg.Payload(), msg.Retained()) {
		return
	}
	g, err := wire.DecodeGame(msg.Payload())
	if err != nil {
		m.drop("a game", msg.Topic(), err)
		return
	}
	m.in.keep(msg.Topic(), Incoming{Board: board, Game: &g, Old: msg.Retained()})
}

func (m *Mirror) heardOwn(leaf string, msg mqtt.Message) {
	switch leaf {
	case wire.LeafCommand:
		m.heardCommand(msg)
	case wire.LeafStatus:
		if m.echo.status(string(msg.Payload()), msg.Retained()) {
			m.conflict()
		}
		signal(m.out.wake)
	case wire.LeafGame:
		if m.echo.game(msg.Payload(), msg.Retained()) {
			m.conflict()
		}
		signal(m.out.wake)
	}
}

func (m *Mirror) heardCommand(msg mqtt.Message) {
	if len(msg.Payload()) == 0 {
		return // an empty message removes the retained one
	}
	c, err := wire.DecodeCommand(msg.Payload())
	switch {
	case msg.Retained():
		m.drop("a retained command", msg.Topic(), errRetained, named(&c)...)
	case err != nil:
		m.drop("a command", msg.Topic(), err, named(&c)...)
		m.Reply(wire.Reply{ID: c.ID, Error: err.Error()})
	case !m.in.command(Incoming{Board: m.o.Board, Command: &c}):
		m.drop("a command", msg.Topic(), errBusy, named(&c)...)
		m.Reply(wire.Reply{ID: c.ID, Error: errBusy.Error()})
	}
}

// Why a command that is in order is dropped.
var (
	errRetained = errors.New("it was retained, so it may be from long ago: send it without the retain flag")
	errBusy     = errors.New("busy: too many commands wait, send it again later")
)

// named is by what a log line names a command, as far as it could be read.
func named(c *wire.Command) (list []any) {
	for _, f := range [][2]string{{"id", c.ID}, {"do", c.Do}} {
		if f[1] != "" {
			list = append(list, f[0], f[1])
		}
	}
	return list
}

// drop counts and logs a message that is not accepted: what it was, and why not.
func (m *Mirror) drop(what, topic string, why error, more ...any) {
	m.dropped.Add(1)
	m.o.Log.Warn("mirror: dropped "+what, append(more, "topic", topic, "err", why)...)
}

func (m *Mirror) conflict() {
	trouble := say.That("another client writes the topics of this board (%s)", m.o.Board)
	m.tell(func(l *Link) { l.Conflict, l.Trouble = true, trouble })
}
