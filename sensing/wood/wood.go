// SPDX-License-Identifier: Apache-2.0

package wood

// Pile holds the pieces that stand on one place, a letter each, bottom to top; '#' is a pedestal cube. The empty pile
// is "".
type Pile string

// Pedestal is the letter of the neutral cube on which a flying piece stands over an empty square.
const Pedestal = '#'

// Wood is what stands on every place.
type Wood [Places]Pile

// Diff is the set of places on which the two differ.
func (w *Wood) Diff(o *Wood) Set {
	var s Set
	for p := range Place(Places) {
		if w[p] != o[p] {
			s.Add(p)
		}
	}
	return s
}
