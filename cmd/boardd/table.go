// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"boardd/leds/ssd1306"
	"boardd/rules/game"
	"boardd/sensing/button"
	"boardd/sensing/reconcile"
	"boardd/sync/wire"
)

// screen shows the newest face on the display without making the game wait for the bus.
type screen struct {
	dev   *ssd1306.Dev
	faces chan ssd1306.Face // capacity 1: a face not yet shown gives way to the next
}

func newScreen(dev *ssd1306.Dev) *screen {
	return &screen{dev: dev, faces: make(chan ssd1306.Face, 1)}
}

// show replaces the face that waits. It never blocks; only one goroutine may call it.
func (s *screen) show(f ssd1306.Face) {
	select {
	case <-s.faces:
	default:
	}
	s.faces <- f
}

// run shows faces until ctx ends, and leaves the display off. An error is said once, until it is cured.
func (s *screen) run(ctx context.Context, log *slog.Logger) {
	failed := false
	for {
		select {
		case f := <-s.faces:
			err := s.dev.Show(f)
			if err != nil && !failed {
				log.Error("the display does not take what is sent; play goes on without it", "error", err)
			}
			failed = err != nil
		case <-ctx.Done():
			if err := s.dev.Halt(); err != nil {
				log.Warn("the display could not be switched off", "error", err)
			}
			return
		}
	}
}

// face is what the display says now.
func (b *board) face(now time.Time) ssd1306.Face {
	f := ssd1306.Face{Turn: string(b.game.Turn()) + " to move"}
	if b.game.Over() {
		f.Turn = b.game.Outcome() + " " + strings.ReplaceAll(string(b.game.Reason()), "-", " ")
	}
	if c, ok := b.game.Clocks(now); ok {
		f.Clocks, f.White, f.Black = true, c.White.Truncate(time.Second), c.Black.Truncate(time.Second)
		f.Running = map[game.Side]ssd1306.Side{game.White: ssd1306.White, game.Black: ssd1306.Black}[c.Running]
	}
	switch {
	case b.broken != nil:
		f.Wrong = "the game cannot be saved: mend the card"
	case b.conflict != "":
		f.Wrong = "the other board has other moves: settle it"
	case b.wood.state == wire.Wrong || b.wood.state == wire.Executing || b.wood.state == wire.Setup:
		f.Wrong = map[string]string{wire.Wrong: "mend", wire.Executing: "copy", wire.Setup: "set up"}[b.wood.state]
		if steps := reconcile.Guide(b.explain.Touch); len(steps) > 0 {
			f.Wrong += " " + steps[0].String() // one step at a time: the lights show all of them
		}
	case b.wood.state == wire.Asking:
		f.Wrong = "which move? lift a piece on a white light and put it back"
	default:
		f.Wrong = b.faultLine()
	}
	return f
}

// pressed is a push of a clock button: what rests on the board is the move of that side, and before the first move it
// starts the clock.
func (b *board) pressed(p *button.Press) {
	side := game.Side(p.Name)
	if c, ok := b.game.Clocks(p.At); ok && c.Running == game.Nobody && b.game.Plies() == 0 && side != b.game.Turn() {
		if err := b.do(game.Action{Do: game.Resume}); err != nil {
			b.log.Warn("the clock does not start", "error", err)
		}
		return
	}
	if side == b.game.Turn() {
		b.decoder.Hurry()
		b.hold.pressed = true
		b.look(b.seen())
	}
}
