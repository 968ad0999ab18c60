// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"boardd/cmd/boardd/calibrate"
	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/doctor"
	"boardd/cmd/boardd/link"
	"boardd/cmd/boardd/page"
	"boardd/cmd/boardd/setup"
	"boardd/config"
	"boardd/hardware/rig"
	"boardd/sensing/sweep"
	"boardd/sync/mirror"
	"boardd/sync/web"
	"boardd/sync/wire"
	"boardd/systemd/steady"
	"boardd/systemd/watchdog"
)

// errAgain ends the boards so that they begin again with the new configuration.
var errAgain = errors.New("the configuration was changed")

// runDaemon runs one board until it is told to stop. Without a configuration the first page asks for it.
func runDaemon(ctx context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("run", flag.ContinueOnError)
	listen := f.String("listen", "0.0.0.0:8080", "where the first page is served while there is no configuration")
	path, err := cli.Configured(f, s, args)
	if err != nil {
		return err
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // else a log that nobody reads any more ends the game
	log, told := steady.New(s.Err, slog.LevelInfo)
	defer told()
	settings := setup.NewSettings(path)
	calibrating := false
	for {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			first := setup.First{Path: path, Listen: *listen}
			if calibrating, err = first.Run(ctx, s.Out, release(), log); err != nil {
				return unlessStopped(ctx, err)
			}
		}
		c, missing, err := config.LoadToPlay(path)
		if err != nil {
			return err
		}
		if missing != nil {
			log.Error("the board plays, and its parts do without what they need", "error", missing)
		}
		doctor.LogIdle(&c, log)
		if calibrating {
			calibratedFirst(ctx, s, c, log)
		}
		calibrating, err = runOnce(ctx, s, c, settings, log)
		switch {
		case errors.Is(err, errAgain):
		case err != nil && settings.Revert():
			log.Error("the board cannot run with what was changed: the former configuration is back", "error", err)
			calibrating = false
		default:
			return err
		}
	}
}

// unlessStopped returns err, or nil if it only says that ctx was cancelled.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// calibratedFirst has people calibrate the board on the page before it plays, or else play on as the reference board.
func calibratedFirst(ctx context.Context, s cli.Std, c config.Config, log *slog.Logger) {
	silent, end := io.Pipe() // nobody types on the terminal
	defer end.Close()        //nolint:errcheck // it never fails
	inner, stop := context.WithCancel(ctx)
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		watchdog.Keep(inner)
	}()
	defer func() {
		stop()
		<-kept
	}()
	err := calibrate.Run(ctx, calibrate.Terminal{In: silent, Out: s.Out, Err: s.Err}, c,
		calibrate.Opts{Version: release()})
	if err != nil && ctx.Err() == nil {
		log.Error("the board was not calibrated", "error", err)
	}
}

// runOnce runs one board until it is told to stop, or to begin again (errAgain), with calibrating after calibration.
func runOnce(ctx context.Context, s cli.Std, c config.Config, settings *setup.Settings,
	log *slog.Logger) (calibrating bool, err error) {
	held, err := doctor.Hold(c.StateDir) // before another daemon's broker or hardware is touched
	if err != nil {
		return false, err
	}
	defer held.Close()         //nolint:errcheck // nothing was written
	var br *link.BuiltInBroker // nil: without the built-in broker
	if c.MQTTURL == "embedded" {
		br = link.Open(c, log)
		defer br.Close()
		c.MQTTURL, c.MQTTInside = br.URL(), true
	}
	open := rig.OpenMost
	if settings.Unsure() {
		open = rig.Open // after a change, missing hardware is an error, so that the change can be undone
	}
	b, err := startBoard(c, open, br, log)
	if err != nil {
		return false, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	settings.Keys, settings.Radio = b.desk(), nil
	if c.WebListen != "" {
		settings.Radio = &setup.Radio{Password: setup.WorkshopPassword(c.WebTokenFile), Listen: c.WebListen}
	}
	site := &page.Site{Address: c.WebListen, Visitors: c.WebVisitors, Hosts: c.WebHosts, Tokens: c.WebTokenFile,
		Cert: c.WebCertFile, Key: c.WebKeyFile,
		Settings: settings.Handler(), Begun: settings.Begun, Must: settings.Unsure()}
	b.beside.Run(ctx, "missing hardware", func(ctx context.Context) {
		if b.rig.Repaired(ctx, &b.asked) {
			log.Info("a part of the board that was missing is there: the board begins again with it")
			stop(errAgain)
		}
	})
	if r := settings.Radio; r != nil && r.Reachable() {
		b.beside.Run(ctx, "access point", func(ctx context.Context) { r.Keep(ctx, log, func(string) {}) })
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if what := reloading(ctx, settings, b, log, site.Renew, br.Renew); what != setup.Reload {
			calibrating = what == setup.Calibrate
			stop(errAgain)
		}
	}()
	err = runBoards(ctx, site, s, log, b)
	if errors.Is(context.Cause(ctx), errAgain) && err == nil {
		err = errAgain
	}
	stop(nil)
	<-ended
	return calibrating, err
}

// startBoard opens a board and its link to the broker, which may be the built-in one.
func startBoard(c config.Config, open opener, inside *link.BuiltInBroker, log *slog.Logger) (*board, error) {
	b, err := newBoard(c, open, log)
	if err != nil {
		return nil, err
	}
	if c.MQTTURL == "" {
		return b, nil
	}
	o := link.Mirror(&c, inside, b.log)
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

// runBoards runs boards and their page until ctx ends. If the page must be served and cannot be, it returns an error
// before anything starts.
func runBoards(ctx context.Context, on *page.Site, s cli.Std, log *slog.Logger, boards ...*board) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var pages []*web.Board
	for _, b := range boards {
		pages = append(pages, b.page())
	}
	inner, end := context.WithCancel(ctx)
	first := boards[0]
	defer first.beside.Wait()
	defer end()
	if on.Address != "" {
		serve, err := on.Part(release(), s.Out, log, func(o web.Options) http.Handler {
			o.Log, o.Opponents, o.Settings = log, on.Opponent, on.Settings
			o.FollowAll, o.WallGames = watchAll(first), storedGames(boards, log)
			return web.Handler(o, pages...)
		})
		if err != nil {
			return errors.Join(err, closeAll(boards))
		}
		first.beside.Go(inner, "page", serve)
	}
	if on.Begun != nil {
		on.Begun()
	}
	if c := first.conf; c.LiveChessListen != "" {
		first.beside.Go(inner, "livechess", page.LiveChess(c.LiveChessListen, c.LiveChessOrigins, c.WebHosts, log, pages...))
	}
	if first.rig.Virtual == nil { // the chips of a virtual board are work like any other
		sweep.Spare()
	}
	done := make(chan error, len(boards))
	for _, b := range boards {
		go func() { done <- b.run(ctx) }()
	}
	var errs []error
	for range boards {
		err := <-done
		errs = append(errs, err)
		stop(err) // when one board ends, all end
	}
	return errors.Join(errs...)
}
