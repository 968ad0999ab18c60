// SPDX-License-Identifier: Apache-2.0

package solving

import (
	"boardd/rules"
	"boardd/rules/search/problems"
	"boardd/sensing/wood"
)

// pickFrom is the number of problems of which the one with the fewest lifts is taken. Chosen, not measured.
const pickFrom = 12

// Next is the number of the next problem. Of the easiest ones not shown yet, it is the one that takes the fewest lifts
// to set up from the wood that stands. When all were shown, it begins again.
func (p *Progress) Next(v *rules.Variant, list []problems.Problem, stands *wood.Wood, g *wood.Geometry) int {
	seen := p.Seen[v.ID()]
	if seen.len() >= len(list) {
		clear(seen)
	}
	best, fewest, looked := 1, wood.Places*40, 0
	for i := range list {
		if seen.has(i+1) || looked >= pickFrom {
			continue
		}
		q, err := v.ParseFEN(list[i].FEN)
		if err != nil {
			continue
		}
		looked++
		want := g.Lay(&q)
		if n := lifts(stands, &want); n < fewest {
			best, fewest = i+1, n
		}
	}
	return best
}

// lifts is the number of pieces that have to be taken off or put on to turn one wood into another.
func lifts(from, to *wood.Wood) (n int) {
	for at := range wood.Place(wood.Places) {
		a, b := from[at], to[at]
		same := 0
		for same < min(len(a), len(b)) && a[same] == b[same] {
			same++
		}
		n += len(a) + len(b) - 2*same
	}
	return n
}
