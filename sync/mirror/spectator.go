// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"sync"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"boardd/sync/wire"
)

// BoardMessage is a message of one board: its game, whether it is online, or its reply to a command.
type BoardMessage struct {
	Board  string
	Game   *wire.Game
	Online *bool
	Reply  *wire.Reply // only where Options.Replies is set
}

// Spectator follows every board of a broker, as a spectator does. Messages that cannot be read are left out. A
// spectator whose account has the right may also send commands to the boards.
type Spectator struct {
	o     Options
	nodes []*url.URL
	bad   error

	mu sync.Mutex
	c  mqtt.Client // of the connection; nil while there is none
}

// SendCommand sends a command to a board. It does not wait: the board's reply, and its game, show whether it was
// carried out. An error means that there is no connection.
func (h *Spectator) SendCommand(board string, c wire.Command) error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.c == nil || !h.c.IsConnectionOpen() {
		return errors.New("there is no connection to the broker")
	}
	h.c.Publish(wire.Topic(board, wire.LeafCommand), 1, false, data)
	return nil
}

// connected keeps the client by which commands are sent, nil for none.
func (h *Spectator) connected(c mqtt.Client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.c = c
}

// NewSpectator takes the options of a mirror. Board is not needed and Announce is not used. Two spectators of one name
// may listen at once.
func NewSpectator(o Options) *Spectator {
	if o.Board == "" {
		o.Board = "hall"
	}
	h := &Spectator{}
	h.o, h.nodes, h.bad = o.check()
	return h
}

// Run calls tell for each message until ctx ends, and reconnects to a broker that was away. It calls tell from one
// goroutine at a time; tell must not wait. An error means that the options are wrong.
func (h *Spectator) Run(ctx context.Context, tell func(BoardMessage)) error {
	if h.bad != nil {
		return h.bad
	}
	p := pauses{}
	for try := 0; ctx.Err() == nil; try++ {
		began := time.Now()
		err := h.connection(ctx, h.nodes[try%len(h.nodes)], tell)
		if ctx.Err() != nil {
			break
		}
		h.o.Log.Log(ctx, slog.LevelDebug, "hall: no connection to the broker", "why", err)
		select {
		case <-time.After(p.next(time.Since(began), err)):
		case <-ctx.Done():
		}
	}
	return nil
}

// connection follows the boards until the connection is lost or ctx ends.
func (h *Spectator) connection(ctx context.Context, u *url.URL, tell func(BoardMessage)) error {
	gone, lose := context.WithCancelCause(context.Background())
	defer lose(nil)
	password, err := h.o.secret()
	if err != nil {
		return &refusedError{err}
	}
	c := mqtt.NewClient(mqtt.NewClientOptions().
		AddBroker(u.Scheme + "://" + u.Host).SetUsername(h.o.User).SetPassword(password).
		SetClientID(fmt.Sprintf("boardd-hall-%x", time.Now().UnixNano())).
		SetProtocolVersion(4).SetCleanSession(true).SetAutoReconnect(false).SetConnectRetry(false).
		SetKeepAlive(h.o.KeepAlive).SetPingTimeout(h.o.KeepAlive / 2).SetConnectTimeout(connectWithin).
		SetWriteTimeout(writeWithin).
		SetDefaultPublishHandler(func(_ mqtt.Client, m mqtt.Message) { hear(m, tell) }).
		SetConnectionLostHandler(func(_ mqtt.Client, err error) { lose(err) }).
		SetCustomOpenConnectionFn(func(*url.URL, mqtt.ClientOptions) (net.Conn, error) {
			conn, err := h.o.Dial(ctx, u)
			if err != nil {
				return nil, err
			}
			return newGuard(conn, func(string) {}), nil
		}))
	defer c.Disconnect(100)
	if err := await(ctx, c.Connect(), connectWithin+writeWithin, gone); err != nil {
		return &refusedError{fmt.Errorf("connect to %s: %w", u.Redacted(), err)}
	}
	h.connected(c)
	defer h.connected(nil)
	topics := map[string]byte{wire.Topic("+", wire.LeafStatus): 0, wire.Topic("+", wire.LeafGame): 0}
	if h.o.Replies {
		topics[wire.Topic("+", wire.LeafReply)] = 0
	}
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		if err := await(ctx, c.SubscribeMultiple(topics, nil), subscribeWithin, gone); err != nil {
			return fmt.Errorf("subscribe: %w", err)
		}
		select {
		case <-again.C:
		case <-gone.Done():
			return context.Cause(gone)
		case <-ctx.Done():
			return nil
		}
	}
}

// lookAgain is how often a spectator subscribes again, so that a message it missed (see link.askAgain) is not missed
// for long.
const lookAgain = time.Minute

// hear reads one message.
func hear(m mqtt.Message, tell func(BoardMessage)) {
	board, leaf, err := wire.ParseTopic(m.Topic())
	if err != nil {
		return
	}
	switch leaf {
	case wire.LeafStatus:
		online := string(m.Payload()) == wire.Online
		tell(BoardMessage{Board: board, Online: &online})
	case wire.LeafGame:
		if g, err := wire.DecodeGame(m.Payload()); err == nil {
			tell(BoardMessage{Board: board, Game: &g})
		}
	case wire.LeafReply:
		if r, err := wire.DecodeReply(m.Payload()); err == nil {
			tell(BoardMessage{Board: board, Reply: &r})
		}
	}
}
