// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"boardd/config"
	"boardd/sync/broker"
	"boardd/sync/mirror"
	"boardd/sync/web"
	"boardd/sync/wire"
)

// runDaemon runs one board until it is told to stop.
func runDaemon(ctx context.Context, s std, args []string) error {
	path, err := configured(flag.NewFlagSet("run", flag.ContinueOnError), s, args)
	if err != nil {
		return err
	}
	c, err := config.Load(path)
	if err != nil {
		return err
	}
	log, told := newLog(s.err, slog.LevelInfo)
	defer told()
	if c.MQTTURL == "embedded" {
		o, err := brokerOptions(&c, log)
		if err != nil {
			return err
		}
		br, err := broker.Start(o)
		if err != nil {
			return err
		}
		defer br.Close()
		c.MQTTURL, c.MQTTInside = br.URL(), true
	}
	b, err := startBoard(c, log)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		reloading(ctx, path, b, log)
	}()
	defer func() {
		stop()
		<-ended
	}()
	return runBoards(ctx, site{address: c.WebListen, visitors: c.WebVisitors, tokens: c.WebTokenFile, cert: c.WebCertFile, key: c.WebKeyFile}, s, log, b)
}

// startBoard opens a board and its link to the broker.
func startBoard(c config.Config, log *slog.Logger) (*board, error) {
	b, err := newBoard(c, log)
	if err != nil {
		return nil, err
	}
	if c.MQTTURL == "" {
		return b, nil
	}
	o := mirror.Options{Board: c.Board, URL: c.MQTTURL, User: c.MQTTUser, Log: b.log}
	o.TLS, err = tlsOf(&c)
	if err == nil && c.MQTTPasswordFile != "" {
		o.Password, err = firstLine(c.MQTTPasswordFile)
	}
	if err != nil {
		return nil, errors.Join(err, b.journal.Close(), b.rig.Close())
	}
	if c.HomeAssistant {
		a, err := wire.HomeAssistant(c.Board, version)
		if err != nil {
			return nil, errors.Join(err, b.journal.Close(), b.rig.Close())
		}
		o.Announce = []wire.Announcement{a}
	}
	b.mirror, b.link = mirror.New(o), o
	return b, nil
}

// tlsOf reads the certificates that the configuration names; nil trusts the system's authorities.
func tlsOf(c *config.Config) (*tls.Config, error) {
	inside := c.MQTTInside && c.MQTTListenCertFile != ""
	if c.MQTTCAFile == "" && c.MQTTCertFile == "" && !inside {
		return nil, nil
	}
	t := &tls.Config{MinVersion: tls.VersionTLS12}
	if inside {
		if err := trustOwn(t, c); err != nil {
			return nil, err
		}
	}
	if c.MQTTCAFile != "" {
		pem, err := os.ReadFile(c.MQTTCAFile)
		if err != nil {
			return nil, fmt.Errorf("mqtt.ca_file: %w", err)
		}
		t.RootCAs = x509.NewCertPool()
		if !t.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("mqtt.ca_file: %s holds no certificate in PEM", c.MQTTCAFile)
		}
	}
	if c.MQTTCertFile != "" {
		pair, err := tls.LoadX509KeyPair(c.MQTTCertFile, c.MQTTKeyFile)
		if err != nil {
			return nil, fmt.Errorf("mqtt.cert_file and mqtt.key_file: %w", err)
		}
		t.Certificates = []tls.Certificate{pair}
	}
	return t, nil
}

func firstLine(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("mqtt.password_file: %w", err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimRight(line, "\r"), nil
}

// runBoards runs boards and their page until ctx ends. A page that cannot listen is an error before anything moves.
func runBoards(ctx context.Context, page site, s std, log *slog.Logger, boards ...*board) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var pages []*web.Board
	for _, b := range boards {
		pages = append(pages, b.page())
	}
	done := make(chan error, len(boards)+1)
	parts := 0
	start := func(f func() error) {
		parts++
		go func() { done <- f() }()
	}
	if page.address != "" {
		l, options, err := page.open()
		if err != nil {
			for _, b := range boards {
				err = errors.Join(err, b.journal.Close(), b.rig.Close())
			}
			return err
		}
		options.Hall, options.Stored = hall(boards[0]), stored(boards, log)
		fmt.Fprintf(s.out, "page: %s://%s/\n", page.scheme(), l.Addr())
		start(func() error { return serve(ctx, l, web.Handler(options, pages...), log) })
	}
	for _, b := range boards {
		start(func() error { return b.run(ctx) })
	}
	var errs []error
	for range parts {
		err := <-done
		errs = append(errs, err)
		stop(err) // one part that ends ends all
	}
	return errors.Join(errs...)
}
