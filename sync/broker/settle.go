// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"sync"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/nats-io/nats-server/v2/server"
)

// settle waits until the server knows its retained messages. It reads their index in the background once the first
// client has connected. In those milliseconds a subscriber would get none of them, which was measured one time in ten
// after a restart. The index is read in the order of writing, so that once a message retained now comes back, all
// older ones do.
type settle struct {
	addr     string
	user     *server.User // nil: no accounts
	tls      bool
	patience time.Duration // with the server
	mu       sync.Mutex
	ownCalls map[string]bool // local addresses of connections made here
}

const marker = "boardd-broker/ready"

// account is the account that only settle uses, with a password that nobody else knows.
func account() *server.User {
	return &server.User{Username: "boardd-broker", Password: rand.Text(), AllowedConnectionTypes: mqttOnly(),
		Permissions: &server.Permissions{
			Publish:   permit(append(clientTopics(), "boardd-broker.>")),
			Subscribe: permit(append(clientTopics(), "boardd-broker.>", "$MQTT.sub.>")),
		}}
}

// clientTopics is all that accounts may write, as subjects of NATS.
func clientTopics() []string {
	return []string{"boardd.v1", "boardd.v1.>", "homeassistant", "homeassistant.>"}
}

func (s *settle) run(ctx context.Context) error {
	c, err := s.connect(ctx, "")
	if err != nil {
		return err
	}
	defer c.Disconnect(100)
	if err := s.readBack(ctx, c); err != nil {
		return fmt.Errorf("read back what is retained: %w", err)
	}
	return nil
}

// connect makes a client of the server without a session. "" as its id is one that nobody has.
func (s *settle) connect(ctx context.Context, id string) (mqtt.Client, error) {
	o := mqtt.NewClientOptions().AddBroker("tcp://" + s.addr).SetClientID(cmp.Or(id, "boardd-broker-"+rand.Text())).
		SetAutoReconnect(false).SetConnectTimeout(2 * s.patience).SetWriteTimeout(2 * s.patience). // finish is first
		SetCustomOpenConnectionFn(func(*url.URL, mqtt.ClientOptions) (net.Conn, error) { return s.dial() })
	if s.user != nil {
		o.SetUsername(s.user.Username).SetPassword(s.user.Password)
	}
	c := mqtt.NewClient(o)
	if err := s.finish(ctx, c.Connect()); err != nil {
		return nil, fmt.Errorf("connect to the server: %w", err)
	}
	return c, nil
}

func (s *settle) readBack(ctx context.Context, c mqtt.Client) error {
	nonce := rand.Text()
	if err := s.finish(ctx, c.Publish(marker, 1, true, nonce)); err != nil {
		return err
	}
	back := make(chan struct{}, 1)
	seen := func(_ mqtt.Client, m mqtt.Message) {
		if m.Retained() && string(m.Payload()) == nonce {
			select {
			case back <- struct{}{}:
			default:
			}
		}
	}
	for range s.patience / again {
		if err := s.finish(ctx, c.Subscribe(marker, 0, seen)); err != nil {
			return err
		}
		select {
		case <-back:
			return s.finish(ctx, c.Publish(marker, 1, true, "")) // removes it
		case <-time.After(again):
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := s.finish(ctx, c.Unsubscribe(marker)); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: nothing came within %v", ErrSlow, s.patience)
}

// finish waits for a token until it is done.
func (s *settle) finish(ctx context.Context, t mqtt.Token) error {
	late := time.NewTimer(s.patience)
	defer late.Stop()
	select {
	case <-t.Done():
		return t.Error()
	case <-ctx.Done():
		return ctx.Err()
	case <-late.C:
		return fmt.Errorf("%w: no answer within %v", ErrSlow, s.patience)
	}
}

// dial connects to the listener of this process, so there is no certificate to check.
func (s *settle) dial() (net.Conn, error) {
	conn, err := net.DialTimeout("tcp", s.addr, s.patience)
	if err != nil || !s.tls {
		return conn, err
	}
	s.mu.Lock()
	s.ownCalls[conn.LocalAddr().String()] = true
	s.mu.Unlock()
	return tls.Client(conn, &tls.Config{InsecureSkipVerify: true}), nil
}

// admit returns a configuration that asks for no client certificate on settle's own connection. For all others it is
// given.
func (s *settle) admit(given *tls.Config) *tls.Config {
	if given == nil {
		return nil
	}
	s.tls = true
	own := given.Clone()
	own.ClientAuth = tls.NoClientCert
	wrapped := given.Clone()
	wrapped.GetConfigForClient = func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		s.mu.Lock()
		mine := s.ownCalls[h.Conn.RemoteAddr().String()]
		s.mu.Unlock()
		if mine {
			return own, nil
		}
		if given.GetConfigForClient != nil {
			return given.GetConfigForClient(h)
		}
		return nil, nil
	}
	return wrapped
}
