// SPDX-License-Identifier: Apache-2.0

package games

import (
	"slices"
	"testing"

	"boardd/rules/game"
	"boardd/rules/table"
)

// TestSettleForged: south contradicts itself, as a board does that got an old backup back. Then the broker sends
// another game in its name. Whoever now gives way to south does not get that game, signed or not.
func TestSettleForged(t *testing.T) {
	for name, sign := range map[string]func(d *duel, h *game.RemoteGame) table.Seals{
		"not signed":  func(*duel, *game.RemoteGame) table.Seals { return table.Seals{} },
		"another key": func(d *duel, h *game.RemoteGame) table.Seals { return d.sealed(h, d.evil) },
	} {
		d := newDuel(t, 1)
		d.play()
		d.carry(d.north.Receive(d.now, clone(d.said[len(d.said)-1])))
		before := d.north.Game().Coords()
		other := clone(d.said[len(d.said)-1])
		for slices.Equal(other.Game.Moves, before) {
			other.Game.Moves = other.Game.Moves[:1]
			d.extend(&other.Game, 1)
		}
		other.Seals = d.sealed(&other.Game, d.keys)
		if d.carry(d.north.Receive(d.now, other)); d.north.Conflict().English == "" {
			t.Fatal("south contradicts itself, and nothing is said of it")
		}
		forged := clone(other)
		forged.Game.ID = table.Automatic + "z"
		forged.Seals = sign(d, &forged.Game)
		d.carry(d.north.Receive(d.now, forged))
		err := d.settle()
		if g := d.north.Game(); err == nil || g.ID() != played || !slices.Equal(g.Coords(), before) {
			t.Errorf("%s: somebody gave way to south (error %v), and the broker's game %s %v counts", name, err, g.ID(),
				g.Coords())
		}
	}
}

// TestDoubtEnds: the broker wrote in south's name, and that is shown. It is shown no more once south itself is heard,
// even about another game, and not because of what nobody has signed.
func TestDoubtEnds(t *testing.T) {
	d := newDuel(t, 1)
	d.play()
	forged := clone(d.said[len(d.said)-1])
	forged.Seals = d.sealed(&forged.Game, d.evil)
	if d.carry(d.north.Receive(d.now, forged)); d.north.Conflict().English == "" {
		t.Fatal("a message by another key, and nothing is said of it")
	}
	other := clone(forged)
	other.Game.ID, other.Seals = table.Automatic+"a", table.Seals{}
	other.Game.White, other.Game.Black = "local", "local"
	if d.carry(d.north.Receive(d.now, other)); d.north.Conflict().English == "" {
		t.Error("what nobody has signed ends the doubt")
	}
	other = clone(forged)
	other.Game.ID = table.Automatic + "a"
	other.Seals = d.sealed(&other.Game, d.keys)
	d.carry(d.north.Receive(d.now, other))
	if text := d.north.Conflict().English; text != "" {
		t.Errorf("south itself plays another game, and it is still said: %s", text)
	}
}
