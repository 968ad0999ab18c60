// SPDX-License-Identifier: Apache-2.0

package club

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/link"
	"boardd/cmd/boardd/page"
	"boardd/config"
	"boardd/sync/lichess"
	"boardd/sync/mirror"
	"boardd/systemd/steady"
)

// Run is the command club.
func Run(ctx context.Context, s cli.Std, args []string) error {
	path, err := cli.Configured(flag.NewFlagSet("club", flag.ContinueOnError), s, args)
	if err != nil {
		return err
	}
	c, err := config.Load(path)
	if err != nil {
		return err
	}
	log, told := steady.New(s.Err, slog.LevelInfo)
	defer told()
	o, err := broker(&c, log)
	if err != nil {
		return err
	}
	spectator := func() spectator { return signed{mirror.NewSpectator(o), c.KeysFile, log} }
	p, err := open(&c, spectator(), log)
	if err != nil {
		return err
	}
	if c.ClubLichess != "" {
		token, err := link.FirstLine(c.LichessTokenFile)
		if err != nil {
			return fmt.Errorf("lichess.token_file: %w", err)
		}
		p.pushTo(lichess.New(c.LichessURL, token, nil))
	}
	ctx, stop := context.WithCancel(ctx)
	var parts sync.WaitGroup
	defer func() {
		stop()
		parts.Wait()
	}()
	served := make(chan error, 1)
	if c.ClubListen != "" {
		l, err := page.Listen(c.ClubListen, false, log)
		if err != nil {
			return fmt.Errorf("club.listen: %w", err)
		}
		fmt.Fprintf(s.Out, "page: http://%s/\n", l.Addr())
		wall := spectator()
		parts.Go(func() { served <- page.Serve(ctx, l, p.handler(wall), log) })
	}
	run := make(chan error, 1)
	parts.Go(func() { run <- p.run(ctx) })
	select {
	case err = <-served:
	case err = <-run:
	}
	return err
}

// broker is how the club reaches its broker.
func broker(c *config.Config, log *slog.Logger) (mirror.Options, error) {
	if c.MQTTURL == "" || c.MQTTURL == "embedded" {
		return mirror.Options{}, errors.New("mqtt.url: name the club's broker, such as mqtt://192.168.1.5:1883: the " +
			"boards are heard there")
	}
	_, err := link.TLS(c, nil) // the club says at once what is wrong with a certificate
	o := link.Mirror(c, nil, log)
	o.Board, o.Replies = "club", true
	return o, err
}

// spectator knows the tables of the broker: a mirror.Spectator.
type spectator interface {
	Run(ctx context.Context, tell func(mirror.BoardMessage)) error
	SendCommand(board string, c command) error
}

// run follows the boards and keeps the round until ctx ends.
func (p *program) run(ctx context.Context) error {
	heard := make(chan error, 1)
	go func() { heard <- p.spectator.Run(ctx, p.inbox.put) }()
	pushed := make(chan struct{})
	go func() {
		defer close(pushed)
		if p.pusher != nil {
			p.pusher.Run(ctx)
		}
	}()
	beat := time.NewTicker(time.Second)
	defer beat.Stop()
	var soon <-chan time.Time // when the changes are to be written
	var written time.Time
	p.publish()
	for {
		select {
		case <-ctx.Done():
			p.publish()
			<-pushed
			return <-heard
		case err := <-heard:
			return err
		case <-p.inbox.wake:
			if !p.read() || soon != nil {
				continue
			}
			if wait := pace - time.Since(written); wait > 0 {
				soon = time.After(wait)
				continue
			}
		case <-soon:
		case <-p.told:
		case <-beat.C:
			again := p.pair()
			p.order(time.Now())
			if !again {
				continue
			}
		}
		p.publish()
		soon, written = nil, time.Now()
	}
}

// pace is the least time between two writes of the files. A move that comes alone is written at once.
const pace = 200 * time.Millisecond

// handler serves the round.
func (p *program) handler(wall spectator) http.Handler { return serve(p, wall) }
