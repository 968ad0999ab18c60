// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"

	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/link"
	"boardd/cmd/boardd/page"
	"boardd/config"
	"boardd/sync/mirror"
	"boardd/sync/web"
	"boardd/sync/wire"
	"boardd/systemd/steady"
)

// runDaemon runs one board until it is told to stop.
func runDaemon(ctx context.Context, s cli.Std, args []string) error {
	path, err := cli.Configured(flag.NewFlagSet("run", flag.ContinueOnError), s, args)
	if err != nil {
		return err
	}
	c, err := config.Load(path)
	if err != nil {
		return err
	}
	log, told := steady.New(s.Err, slog.LevelInfo)
	defer told()
	var gate func() error
	if c.MQTTURL == "embedded" {
		o, err := link.Broker(&c, log)
		if err != nil {
			return err
		}
		br := link.Open(o, log)
		defer br.Close()
		c.MQTTURL, c.MQTTInside, gate = br.URL(), true, br.Ready
	}
	b, err := startBoard(c, gate, log)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	site := &page.Site{Address: c.WebListen, Visitors: c.WebVisitors, Hosts: c.WebHosts, Tokens: c.WebTokenFile, Cert: c.WebCertFile, Key: c.WebKeyFile}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		reloading(ctx, path, b, site, log)
	}()
	defer func() {
		stop()
		<-ended
	}()
	return runBoards(ctx, site, s, log, b)
}

// startBoard opens a board and its link to the broker. gate says why the broker inside does not run; nil: there is none inside.
func startBoard(c config.Config, gate func() error, log *slog.Logger) (*board, error) {
	b, err := newBoard(c, log)
	if err != nil {
		return nil, err
	}
	if c.MQTTURL == "" {
		return b, nil
	}
	o := mirror.Options{Board: c.Board, URL: c.MQTTURL, User: c.MQTTUser, Gate: gate, Log: b.log}
	o.TLS, err = link.TLS(&c)
	if err == nil && c.MQTTPasswordFile != "" {
		o.Password, err = link.FirstLine(c.MQTTPasswordFile)
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

// runBoards runs boards and their page until ctx ends. A page that cannot listen is an error before anything moves.
func runBoards(ctx context.Context, on *page.Site, s cli.Std, log *slog.Logger, boards ...*board) error {
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
	if on.Address != "" {
		l, options, err := on.Open(release())
		if err != nil {
			for _, b := range boards {
				err = errors.Join(err, b.journal.Close(), b.rig.Close())
			}
			return err
		}
		options.Log, options.Opponent = log, on.Opponent
		options.Hall, options.Stored = hall(boards[0]), stored(boards, log)
		fmt.Fprintf(s.Out, "page: %s://%s/\n", on.Scheme(), l.Addr())
		start(func() error { return page.Serve(ctx, l, web.Handler(options, pages...), log) })
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
