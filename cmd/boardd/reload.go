// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"boardd/cmd/boardd/doctor"
	"boardd/cmd/boardd/setup"
	"boardd/config"
)

// reloading reads the configuration again at every SIGHUP and after every change on the page, and hands it to the
// board. A file with faults changes nothing. Tokens, accounts and keys are read again even then. It ends with ctx, or
// with a wish for more than a reload, which it returns.
func reloading(ctx context.Context, settings *setup.Settings, b *board, log *slog.Logger,
	renew ...func() error) setup.Wish {
	hup := make(chan os.Signal, 1) // capacity 1: after a signal while the file is read, it is read again
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	for {
		select {
		case <-ctx.Done():
			return setup.Reload
		case <-hup:
		case what := <-settings.Wishes:
			if what != setup.Reload {
				return what
			}
		}
		// Before the configuration is read, which names their files: if one is gone, the configuration has a fault too.
		for _, again := range renew {
			if err := again(); err != nil {
				log.Error("a file that the configuration names was not taken", "error", err)
			}
		}
		c, missing, err := config.LoadToPlay(settings.Path)
		if missing != nil {
			log.Error("a part beside the game cannot run", "error", missing)
		}
		take := func() { b.reload(ctx, &c) }
		if err != nil {
			log.Error("the configuration has faults: only the files of keys were read again", "error", err)
			take = b.renewKeys
		}
		select {
		case b.acts <- take:
		case <-ctx.Done():
			return setup.Reload
		}
	}
}

// renewKeys reads the keys of others again, and believes what waited for them.
func (b *board) renewKeys() {
	b.rereadKeys()
	b.carry(b.table.ReceiveAgain(time.Now()))
}

// reload takes over the settings that can change during a game, and says which cannot.
func (b *board) reload(ctx context.Context, c *config.Config) {
	if handed := b.asked.Handed(c); len(handed) > 0 {
		b.log.Info("these files are what systemd handed over before; changed ones come with a restart", "settings", handed)
	}
	taken, restart := b.asked.Adopt(c)
	b.conf.Adopt(c)
	b.renewKeys()
	if len(restart) > 0 {
		b.log.Warn("these settings have changed, and need a restart to count", "settings", restart)
	}
	b.log.Info("the configuration was read again", "taken", taken)
	doctor.LogIdle(c, b.log)
	b.table.Reconfigure(queenAfter(&b.conf), slices.Contains(taken, "game.commit"))
	dim := func() {
		if err := b.rig.Lights.Tune(float64(c.Brightness)/100, c.Gamma, c.CapMA); err != nil {
			b.log.Error("the lights stay as they were", "error", err)
		}
	}
	if b.lighting == nil {
		return
	}
	select {
	case b.lighting.Tune <- dim:
	case <-ctx.Done():
	}
}
