// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"cmp"
	"fmt"
	"slices"
)

// Guide puts the places to mend in the order in which hands are quickest: first what has to be taken away, so that it lies
// ready, then pieces to exchange, then what is missing; each with the fewest pieces to lift first.
func Guide(touch []Touch) []Touch {
	ts := slices.Clone(touch)
	slices.SortStableFunc(ts, func(a, b Touch) int {
		return cmp.Or(cmp.Compare(a.step(), b.step()), cmp.Compare(a.lifts(), b.lifts()))
	})
	return ts
}

// step is what has to be done first (0), next (1) or last (2).
func (t *Touch) step() int { return 1 - cmp.Compare(t.See, len(t.Want)) }

// lifts is how many pieces have to be lifted from the place or brought to it.
func (t *Touch) lifts() int { return max(1, max(t.See-len(t.Want), len(t.Want)-t.See)) }

// String says what to do, as short as a display is: which place, how many pieces, which one on top.
func (t Touch) String() string {
	switch n := len(t.Want); {
	case n == 0:
		return fmt.Sprintf("%v: take %d off", t.Place, max(1, t.See))
	case t.See > n:
		return fmt.Sprintf("%v: take %d off, %c on top", t.Place, t.See-n, t.Want[n-1])
	case n == 1:
		return fmt.Sprintf("%v: put %s", t.Place, t.Want)
	}
	return fmt.Sprintf("%v: %s, %c on top", t.Place, t.Want, t.Want[len(t.Want)-1])
}
