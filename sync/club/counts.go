// SPDX-License-Identifier: Apache-2.0

package club

import (
	"fmt"
	"slices"
	"strings"

	"boardd/sync/wire"
)

// automatic is the beginning of the id of a game that a board began by itself.
const automatic = "0000000000-"

// counts decides whether a board's message replaces the game of its table, and if not, why; an old message that comes
// late needs no reason. A feed goes back only if moves were taken back or another game was begun.
func (t *table) counts(m *wire.Game, round string) (take bool, why string) {
	g, p := t.game, t.pairing
	if p != nil && p.Game != "" && m.Game != p.Game {
		return false, fmt.Sprintf("it plays game %s, and the pairings say that game %s counts", m.Game, p.Game)
	}
	switch {
	case p != nil && g == nil && m.Outcome != "" && m.Game != p.Game && !t.belongs(m, round):
		return false, fmt.Sprintf("its game was over before the round began, %s by %s: the next one counts", m.Outcome,
			m.Reason)
	case g == nil:
		return true, ""
	case m.Game == g.Game:
		return t.later(m)
	case p != nil && p.Game == m.Game:
		return true, ""
	case decided(g):
		if m.Game < g.Game {
			return false, ""
		}
		if p == nil { // without pairings, as on a club evening, the next game counts
			return true, ""
		}
		return false, fmt.Sprintf("the game ended %s, and another one is on the board: it counts if the pairings name it "+
			"(game %s)", g.Outcome, m.Game)
	case strings.HasPrefix(m.Game, automatic):
		return len(m.Moves) > 0, "" // the board has lost its state: what it plays from now on counts
	}
	return m.Game > g.Game || strings.HasPrefix(g.Game, automatic), ""
}

// belongs reports whether a game has the names of the pairing.
func (t *table) belongs(m *wire.Game, round string) bool {
	n, p := m.Names, t.pairing
	return n != nil && n.White == p.Names.White && n.Black == p.Names.Black && n.Round == round
}

// decided reports whether a game has a result.
func decided(g *wire.Game) bool { return g.Outcome != "" && g.Outcome != "*" }

// later decides about another message of the same game.
func (t *table) later(m *wire.Game) (take bool, why string) {
	g := t.game
	switch {
	case m.Takebacks != g.Takebacks:
		return m.Takebacks > g.Takebacks, ""
	case len(m.Moves) < len(g.Moves):
		return false, ""
	case !slices.Equal(m.Moves[:len(g.Moves)], g.Moves):
		return false, "it says other moves than before, without having taken any back: what it said first stands"
	case len(m.Moves) == len(g.Moves) && g.Outcome != "" && m.Outcome == "":
		return false, ""
	}
	return true, ""
}
