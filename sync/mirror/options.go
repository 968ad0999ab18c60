// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"

	"boardd/sync/wire"
)

// Options are the settings of one mirror. Board and URL are needed.
type Options struct {
	Board string
	// URL is tcp://host:port or mqtt://, tls://host:port or mqtts:// or ssl://; the port defaults to 1883 and 8883.
	// Several, separated by commas, are the nodes of one cluster: when one does not answer the next is tried.
	URL      string
	User     string // "" takes the one of the URL, if any
	Password string
	// Secret returns the password for the next connection, so that a new one counts without a restart. A nil Secret
	// stands for Password.
	Secret func() (string, error)
	// TLS returns the authorities and the client's certificate for the next connection to tls://, so that new ones count
	// without a restart. A nil TLS, or a nil configuration, trusts the system's authorities.
	TLS      func() (*tls.Config, error)
	ClientID string // "" is "boardd-" and the board
	Log      *slog.Logger
	Announce []wire.Announcement // retained messages for other systems, published after each connecting
	Replies  bool                // for a spectator: the boards' replies to commands are wanted as well

	KeepAlive time.Duration // 0 is 10 s; the broker publishes the will after one and a half times as long in silence
	// Gate is called before each connection. If it returns an error, no connection is made. It may wait, but not as long
	// as a connection. A nil Gate allows all.
	Gate func(ctx context.Context) error
	// Dial replaces the network, for tests; nil dials TCP or TLS as the URL says.
	Dial func(ctx context.Context, u *url.URL) (net.Conn, error)
}

// The time limits of a connection. Nothing in the mirror waits longer.
const (
	connectWithin   = 10 * time.Second
	answerWithin    = 10 * time.Second // for PUBACK
	subscribeWithin = 30 * time.Second // a broker is slow when many boards come back at once
	writeWithin     = 3 * time.Second
	offlineWithin   = 2 * time.Second // for the last publish of a clean stop
	healthEvery     = 10 * time.Second
	pauseLeast      = 250 * time.Millisecond
	pauseMost       = 5 * time.Second
	askEvery        = 30 * time.Second
	hearWithin      = 20 * time.Second // for the own game to come back
	resayEvery      = 5 * time.Second  // two boards of one name must not flood the broker
	sayTwice        = 3 * time.Second  // longer than a broker takes to store a message
	conflictOver    = time.Minute
	pauseConflict   = 30 * time.Second // while another client throws this one out
)

func (o Options) check() (Options, []*url.URL, error) {
	if err := wire.CheckBoard(o.Board); err != nil {
		return o, nil, fmt.Errorf("mirror a board: %w", err)
	}
	var nodes []*url.URL
	for _, text := range strings.Split(o.URL, ",") {
		u, err := node(strings.TrimSpace(text))
		if err != nil {
			return o, nil, fmt.Errorf("mirror %s: %w", o.Board, err)
		}
		nodes = append(nodes, u)
	}
	return o.filled(nodes[0]), nodes, nil
}

func node(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("broker URL: %w", err)
	}
	port := map[string]string{"tcp": "1883", "mqtt": "1883", "tls": "8883", "mqtts": "8883", "ssl": "8883"}[u.Scheme]
	if port == "" || u.Hostname() == "" {
		return nil, fmt.Errorf("broker URL %q: want tcp://host:port, mqtt://, tls:// or mqtts://", u.Redacted())
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), port)
	}
	return u, nil
}

func (o Options) filled(u *url.URL) Options {
	if o.User == "" && u.User != nil {
		o.User = u.User.Username()
		o.Password, _ = u.User.Password()
	}
	if o.ClientID == "" {
		o.ClientID = "boardd-" + o.Board
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.KeepAlive == 0 {
		o.KeepAlive = 10 * time.Second
	}
	if o.Dial == nil {
		o.Dial = o.dial
	}
	return o
}

func (o Options) dial(ctx context.Context, u *url.URL) (net.Conn, error) {
	if o.Gate != nil {
		if err := o.Gate(ctx); err != nil {
			return nil, err
		}
	}
	d := &net.Dialer{Timeout: connectWithin}
	if u.Scheme == "tcp" || u.Scheme == "mqtt" {
		return d.DialContext(ctx, "tcp", u.Host)
	}
	var t *tls.Config
	if o.TLS != nil {
		var err error
		if t, err = o.TLS(); err != nil {
			return nil, err
		}
	}
	return (&tls.Dialer{NetDialer: d, Config: t}).DialContext(ctx, "tcp", u.Host)
}

// secret is the password for a connection that is about to be made.
func (o *Options) secret() (string, error) {
	if o.Secret == nil {
		return o.Password, nil
	}
	return o.Secret()
}
