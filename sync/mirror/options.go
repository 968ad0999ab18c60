package mirror

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"time"

	"boardd/sync/wire"
)

// Options are the settings of one mirror. Board and URL are needed.
type Options struct {
	Board    string
	URL      string // tcp://host:port or mqtt://, tls://host:port or mqtts:// or ssl://; the port defaults to 1883 and 8883
	User     string // "" takes the one of the URL, if any
	Password string
	TLS      *tls.Config // for tls://: CA and client certificate; nil trusts the system's authorities
	ClientID string      // "" is "boardd-" and the board
	Log      *slog.Logger

	KeepAlive time.Duration // 0 is 10 s; the broker publishes the will after one and a half times as long in silence
	// Dial replaces the network, for tests; nil dials TCP or TLS as the URL says.
	Dial func(ctx context.Context, u *url.URL) (net.Conn, error)
}

// The time limits of a connection. Nothing in the mirror waits longer.
const (
	connectWithin = 10 * time.Second
	answerWithin  = 10 * time.Second // for SUBACK and PUBACK
	writeWithin   = 3 * time.Second
	farewell      = 2 * time.Second // for the last publish of a clean stop
	healthEvery   = 10 * time.Second
	pauseLeast    = 250 * time.Millisecond
	pauseMost     = 5 * time.Second
	quarrelOver   = time.Minute
	pauseQuarrel  = 30 * time.Second // while another client throws this one out
)

func (o Options) check() (Options, *url.URL, error) {
	if err := wire.CheckBoard(o.Board); err != nil {
		return o, nil, fmt.Errorf("mirror a board: %w", err)
	}
	u, err := url.Parse(o.URL)
	if err != nil {
		return o, nil, fmt.Errorf("mirror %s: broker URL: %w", o.Board, err)
	}
	port := map[string]string{"tcp": "1883", "mqtt": "1883", "tls": "8883", "mqtts": "8883", "ssl": "8883"}[u.Scheme]
	if port == "" || u.Hostname() == "" {
		return o, nil, fmt.Errorf("mirror %s: broker URL %q: want tcp://host:port, mqtt://, tls:// or mqtts://", o.Board, u.Redacted())
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), port)
	}
	return o.filled(u), u, nil
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
	d := &net.Dialer{Timeout: connectWithin}
	if u.Scheme == "tcp" || u.Scheme == "mqtt" {
		return d.DialContext(ctx, "tcp", u.Host)
	}
	return (&tls.Dialer{NetDialer: d, Config: o.TLS}).DialContext(ctx, "tcp", u.Host)
}
