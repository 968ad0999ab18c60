// SPDX-License-Identifier: Apache-2.0

package page

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"

	"boardd/config/size"
	"boardd/sync/web"
)

// Site is where and for whom the page is served.
type Site struct {
	Address   string // "" for no page
	Spare     bool   // take the next port if this one is taken
	Must      bool   // a page that cannot be served at the start is an error
	Visitors  string // a right, or "" for what suits the address
	Hosts     []string
	Tokens    string // a file, "" for none
	Cert, Key string // files, "" for http

	Opponent web.Opponents // who can be asked to play at another board; nil: nobody
	Settings http.Handler  // changes the configuration; nil: nobody does
	Begun    func()        // told when hardware, journal and page are open; nil: nobody is

	access atomic.Pointer[web.Access] // of the page that is open
}

// Renew reads the tokens again. If the file has faults, the tokens that were read before remain valid. If it was
// removed, none is, so that an owner can end all rights at once.
func (p *Site) Renew() error {
	var next web.Access
	open := p.access.Load()
	if open == nil || p.Tokens == "" {
		return nil
	}
	switch err := p.read(&next); {
	case errors.Is(err, fs.ErrNotExist):
		open.ReplaceTokens(&next)
		return fmt.Errorf("no token counts any more: %w", err)
	case err != nil:
		return fmt.Errorf("the tokens from before count on: %w", err)
	}
	open.ReplaceTokens(&next)
	return nil
}

// Scheme returns the scheme of the page's address: https if it has a certificate, else http.
func (p *Site) Scheme() string {
	if p.Cert != "" {
		return "https"
	}
	return "http"
}

// Part makes the page a part that runs beside the game, and that calls up when it is served. The page is opened here
// already. If that fails, it is tried again when the part is started.
func (p *Site) Part(version string, out io.Writer, log *slog.Logger,
	handler func(web.Options) http.Handler) (func(ctx context.Context, up func()) error, error) {
	l, o, err := p.Open(version, log)
	if err != nil && p.Must {
		return nil, err
	}
	return func(ctx context.Context, up func()) error {
		if l == nil {
			if l, o, err = p.Open(version, log); err != nil {
				return err
			}
		}
		now := l
		l = nil // Serve closes it
		fmt.Fprintf(out, "page: %s://%s/\n", p.Scheme(), now.Addr())
		up()
		return Serve(ctx, now, handler(o), log)
	}, nil
}

// Open takes the address and reads the files.
func (p *Site) Open(version string, log *slog.Logger) (net.Listener, web.Options, error) {
	o := web.Options{Version: version, Hosts: p.Hosts}
	var err error
	if p.Tokens != "" {
		err = p.read(&o.Access)
	}
	var pair tls.Certificate
	if err == nil && p.Cert != "" {
		if pair, err = size.KeyPair(p.Cert, p.Key); err != nil {
			err = fmt.Errorf("web.cert_file and web.key_file: %w", err)
		}
	}
	if err != nil {
		return nil, o, err
	}
	l, err := Listen(p.Address, p.Spare, log)
	if err != nil {
		return nil, o, err
	}
	o.Access.AllowReplacing()
	o.Access.Local = p.Visitors == "" && p.Tokens == ""
	p.access.Store(&o.Access)
	if o.Access.Visitors, err = p.right(l.Addr()); err != nil {
		return nil, o, errors.Join(err, l.Close())
	}
	if p.Cert != "" {
		l = tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair},
			NextProtos: []string{"h2", "http/1.1"}})
	}
	return l, o, nil
}

func (p *Site) read(a *web.Access) error {
	text, err := size.Read(p.Tokens, size.Named)
	if err != nil {
		return fmt.Errorf("web.token_file: %w", err)
	}
	if err := a.ReadTokens(bytes.NewReader(text)); err != nil {
		return fmt.Errorf("web.token_file: %s: %w", p.Tokens, err)
	}
	return nil
}

// right is what visitors without a token may do. If only this machine can reach the page, they may do everything.
func (p *Site) right(at net.Addr) (web.Right, error) {
	if p.Visitors != "" {
		return web.ParseRight(p.Visitors)
	}
	tcp, ok := at.(*net.TCPAddr)
	if ok && tcp.IP.IsLoopback() && p.Tokens == "" {
		return web.Workshop, nil
	}
	return web.Spectator, nil
}
