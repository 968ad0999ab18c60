// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"

	"boardd/sync/web"
)

// site is where and for whom the page is served.
type site struct {
	address   string // "" for no page
	spare     bool   // take the next port if this one is taken
	visitors  string // a right, or "" for what suits the address
	tokens    string // a file, "" for none
	cert, key string // files, "" for http
}

func (p *site) scheme() string {
	if p.cert != "" {
		return "https"
	}
	return "http"
}

// open takes the address and reads the files.
func (p *site) open() (net.Listener, web.Options, error) {
	o := web.Options{Version: release()}
	var err error
	if p.tokens != "" {
		err = p.read(&o.Access)
	}
	var pair tls.Certificate
	if err == nil && p.cert != "" {
		if pair, err = tls.LoadX509KeyPair(p.cert, p.key); err != nil {
			err = fmt.Errorf("web.cert_file and web.key_file: %w", err)
		}
	}
	if err != nil {
		return nil, o, err
	}
	l, err := listen(p.address, p.spare)
	if err != nil {
		return nil, o, err
	}
	if o.Access.Visitors, err = p.right(l.Addr()); err != nil {
		return nil, o, errors.Join(err, l.Close())
	}
	if p.cert != "" {
		l = tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2", "http/1.1"}})
	}
	return l, o, nil
}

func (p *site) read(a *web.Access) error {
	f, err := os.Open(p.tokens)
	if err != nil {
		return fmt.Errorf("web.token_file: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	if err := a.ReadTokens(f); err != nil {
		return fmt.Errorf("web.token_file: %s: %w", p.tokens, err)
	}
	return nil
}

// right is what visitors without a token may do. Where only this machine can reach the page, who sits at it may do everything.
func (p *site) right(at net.Addr) (web.Right, error) {
	if p.visitors != "" {
		return web.ParseRight(p.visitors)
	}
	tcp, ok := at.(*net.TCPAddr)
	if ok && tcp.IP.IsLoopback() && p.tokens == "" {
		return web.Workshop, nil
	}
	return web.Spectator, nil
}
