// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"time"

	"boardd/rules/game"
	"boardd/sync/wire"
)

// desync is the reason of a pause that lasts until the wood shows the game again.
const desync = "desync"

// republish is how often a game whose clock runs is told again without anything having happened: a spectator who joins sees how
// old the clocks are (clock.at) and is never further off than this where its own clock cannot be trusted. Every second
// would write every board's game to the broker's disk every second.
const republish = time.Minute

// keepTime stops the clocks while the wood shows no position of the game, and lets them go on when it does again.
func (b *board) keepTime() {
	c, timed := b.game.Clocks(time.Now())
	switch {
	case !timed || b.game.Over():
	case b.wood.state == wire.Wrong && c.Running != game.Nobody:
		b.clockDo(game.Action{Do: game.Pause, Reason: desync})
	case b.wood.state == wire.Synced && b.game.WhyPaused() == desync:
		b.clockDo(game.Action{Do: game.Resume})
	}
}

func (b *board) clockDo(a game.Action) {
	if err := b.do(a); err != nil {
		b.log.Warn("the clock does not follow the wood", "error", err)
	}
}

// stopped tells whether people have stopped the game; what stops by itself because the wood is wrong, here or at the other
// board, does not keep anybody from moving.
func (b *board) stopped() bool {
	return b.game.Paused() && !strings.HasSuffix(b.game.WhyPaused(), desync)
}

// retell publishes a game again whose clock runs.
func (b *board) retell(now time.Time) {
	if now.Sub(b.toldAt) < republish {
		return
	}
	if c, ok := b.game.Clocks(now); ok && c.Running != game.Nobody {
		b.publish()
	}
}
