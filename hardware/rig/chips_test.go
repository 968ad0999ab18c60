// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"maps"
	"slices"
	"testing"

	"boardd/config"
)

// TestEveryChipHasADriver: what the configuration offers is what there are drivers for, no more and no less.
func TestEveryChipHasADriver(t *testing.T) {
	if got, want := slices.Sorted(maps.Keys(expanderDrivers)),
		slices.Sorted(slices.Values(config.ExpanderChips())); !slices.Equal(got, want) {
		t.Errorf("drivers of expanders for %v, the configuration offers %v", got, want)
	}
	if got, want := slices.Sorted(maps.Keys(lightDrivers)),
		slices.Sorted(slices.Values(config.LightChips())); !slices.Equal(got, want) {
		t.Errorf("drivers of lights for %v, the configuration offers %v", got, want)
	}
}

// TestInputs: no square is wired to an input that a chip does not have.
func TestInputs(t *testing.T) {
	for name, missing := range map[string][]int{"tca9535": nil, "mcp23017": {7, 15}} { // GPA7 and GPB7 are outputs only
		c := config.Default()
		c.Reeds = name
		seen := 0
		for _, w := range c.ReedChips() {
			for _, input := range w.Inputs {
				if seen++; input < 0 || input > 15 || slices.Contains(missing, input) {
					t.Errorf("%s: a square at input %d", name, input)
				}
			}
		}
		if seen != 64 {
			t.Errorf("%s: %d squares, want 64", name, seen)
		}
	}
}
