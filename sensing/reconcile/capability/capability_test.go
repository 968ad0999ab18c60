// SPDX-License-Identifier: Apache-2.0

package capability_test

import (
	"strings"
	"testing"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/reconcile/capability"
	"boardd/sensing/wood"
)

// TestAbility: what boards say of games before they start. The text must contain all the words; no words: nothing is
// said.
func TestAbility(t *testing.T) {
	stack, twin, scale, reeds := wood.Reference(), wood.Reference(), wood.Reference(), wood.Reference()
	stack.Weights, scale.Scale = true, true
	twin.TwoDecks, twin.Heights = true, true
	alike := stack
	for i := range alike.Mass {
		if alike.Mass[i] > 0 {
			alike.Mass[i] = 30_000
		}
	}
	tiles := twin
	tiles.CubeHeight = 6000
	thin := tiles
	thin.CubeHeight = 3000
	bare := wood.Reference()
	bare.TwoDecks = true
	for _, c := range []struct {
		name, game string
		g          wood.Geometry
		faults     []reconcile.Fault
		words      []string
	}{
		{"stack", "locking", stack, nil, nil},
		{"stack", "pillar", stack, nil, []string{"more than 28 pieces"}},
		{"twin", "pillar", twin, nil, []string{"pawn becomes", "more than 4 pieces of 35 mm do not fit"}},
		{"tiles", "pillar", tiles, nil, []string{"more than 25 pieces of 6 mm"}},
		{"thin tiles", "pillar", thin, nil, []string{"too flat", "use pieces of 5 mm"}},
		{"all pieces weigh the same", "chess", alike, nil, []string{"pawn becomes", "knight and bishop"}},
		{"tiles on twin", "meirav", tiles, nil, []string{"pawn becomes"}}, // nothing is piled there
		{"tiles in piles", "locking", tiles, nil, []string{"6 mm may stand one on a square, and not in piles",
			"pieces of 30 mm or more"}},
		{"scale", "chess", scale, nil, []string{"two things happen at once", "leans on the board"}},
		{"scale", "pillar", scale, nil, []string{"which piece of a pile was moved"}},
		{"reeds", "chess", reeds, nil, []string{"pawn becomes", "which capture"}},
		{"reeds", "superchess", reeds, nil, []string{"cannot follow Superchess"}},
		{"reeds on two decks", "meirav", bare, nil, []string{"pawn becomes"}},
		{"a dead reed under weights", "chess", stack,
			[]reconcile.Fault{{Place: 35, Sensor: sensing.Reeds}}, nil},
		{"a dead reed alone", "chess", reeds, []reconcile.Fault{{Place: 35, Sensor: sensing.Reeds}},
			[]string{"nothing can be sensed on d5"}},
		{"a dead cell", "locking", stack, []reconcile.Fault{{Place: 35, Sensor: sensing.Weights}},
			[]string{"cannot be counted on d5"}},
	} {
		v, err := rules.ByID(c.game)
		if err != nil {
			t.Fatal(err)
		}
		a := capability.For(&c.g, v, c.faults)
		got := strings.Join(a.Sentences(), "; ")
		if len(c.words) == 0 && got != "" {
			t.Errorf("%s, %s: got %q, want nothing", c.name, c.game, got)
		}
		for _, w := range c.words {
			if !strings.Contains(got, w) {
				t.Errorf("%s, %s: got %q, want %q in it", c.name, c.game, got, w)
			}
		}
	}
}
