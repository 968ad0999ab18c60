// SPDX-License-Identifier: Apache-2.0

package solving

import (
	"fmt"

	"boardd/rules"
	"boardd/rules/search/problems"
	"boardd/sensing/wood"
)

// pickFrom is the number of problems of which the one with the fewest lifts is taken. Chosen, not measured.
const pickFrom = 12

// Choose takes a word that says which problems come from now on, and reports whether it is one. The words are "any",
// and "mate-in-2" and the like for the numbers of moves that problems of the list take.
func (p *Progress) Choose(word string, list []problems.Problem) bool {
	in := 0
	for _, pr := range list {
		if word == fmt.Sprintf("mate-in-%d", pr.In) {
			in = pr.In
		}
	}
	if in == 0 && word != "any" {
		return false
	}
	p.In = in
	return true
}

// Next is the number of the next problem of those that are chosen. Of the easiest ones not shown yet, it is the one
// that takes the fewest lifts to set up from the wood that stands. When all were shown, they come again.
func (p *Progress) Next(v *rules.Variant, list []problems.Problem, stands *wood.Wood, g *wood.Geometry) int {
	seen := p.Seen[v.ID()]
	var left []int
	for range 2 {
		for i := range list {
			if (p.In == 0 || list[i].In == p.In) && !seen.has(i+1) {
				left = append(left, i)
			}
		}
		if len(left) > 0 {
			break
		}
		for i := range list {
			if p.In == 0 || list[i].In == p.In {
				seen.drop(i + 1)
			}
		}
	}
	best, fewest := 1, wood.Places*40
	for _, i := range left[:min(len(left), pickFrom)] {
		q, err := v.ParseFEN(list[i].FEN)
		if err != nil {
			continue
		}
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
