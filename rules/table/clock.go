// SPDX-License-Identifier: Apache-2.0

package table

import (
	"strings"

	"boardd/rules/game"
)

// Desync is the reason of a pause that lasts until the wood shows the game again.
const Desync = "desync"

// keepTime stops the clocks while the wood shows no position of the game, and lets them go on when it does again.
func (t *Table) keepTime() {
	c, timed := t.game.Clocks(t.now)
	switch {
	case !timed || t.game.Over():
	case t.wood.state == Wrong && c.Running != game.Nobody:
		t.clockDo(game.Action{Do: game.Pause, Reason: Desync})
	case t.wood.state == Synced && (t.game.WhyPaused() == Desync || t.game.WhyPaused() == Copying):
		t.clockDo(game.Action{Do: game.Resume})
	}
}

func (t *Table) clockDo(a game.Action) {
	if err := t.decide(a, elsewhere); err != nil {
		t.do(Warn{"the clock does not follow the wood", []any{"error", err}})
	}
}

// stopped reports whether people have stopped the game; what stops by itself because the wood is wrong, here or at the other
// board, does not keep anybody from moving.
func (t *Table) stopped() bool {
	why := t.game.WhyPaused()
	return t.game.Paused() && !strings.HasSuffix(why, Desync) && why != Copying
}

// retell publishes a game again whose clock runs.
func (t *Table) retell() {
	if t.now.Sub(t.toldAt) < republish {
		return
	}
	if c, ok := t.game.Clocks(t.now); ok && c.Running != game.Nobody {
		t.store.changed = true
	}
}

// fall lets the flag of the side to move fall, when its time is up.
func (t *Table) fall() {
	at, ok := t.game.FlagAt()
	if !ok || at.After(t.now) {
		return
	}
	if err := t.decide(game.Action{Do: game.Flag}, elsewhere); err != nil {
		t.do(Warn{"the flag did not fall", []any{"error", err}})
	}
	t.refresh(t.game.Plies())
}
