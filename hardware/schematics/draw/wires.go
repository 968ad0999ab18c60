// SPDX-License-Identifier: Apache-2.0

package draw

import "slices"

// junctions is the places where three or more ends of wires and pins meet; a wire passing counts for two.
func (s *sheet) junctions() []pt {
	count := map[pt]int{}
	for _, w := range s.wires {
		count[w[0]]++
		count[w[1]]++
	}
	seen := map[pt]bool{}
	for _, p := range s.parts {
		for _, q := range p.sym.pins {
			at, _ := s.end(p, q.number)
			if !seen[at] { // stacked pins count once
				seen[at] = true
				count[at]++
			}
		}
	}
	var list []pt
	for p, n := range count {
		for _, w := range s.wires {
			if inside(p, w) {
				n += 2
			}
		}
		if n >= 3 {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b pt) int { return (a.y-b.y)*100000 + a.x - b.x })
	return list
}

// pieces is the wires, cut wherever something joins them, because KiCad joins wires only at their ends.
func (s *sheet) pieces() [][2]pt {
	var cuts []pt
	for _, w := range s.wires {
		cuts = append(cuts, w[0], w[1])
	}
	for _, p := range s.parts {
		for _, q := range p.sym.pins {
			at, _ := s.end(p, q.number)
			cuts = append(cuts, at)
		}
	}
	for _, m := range s.marks {
		cuts = append(cuts, m.at)
	}
	list := slices.Clone(s.wires)
	for i := 0; i < len(list); i++ {
		for _, c := range cuts {
			if inside(c, list[i]) {
				list = append(list, [2]pt{c, list[i][1]})
				list[i][1] = c
			}
		}
	}
	return list
}

// inside reports whether a place is on a wire, its ends not counted.
func inside(p pt, w [2]pt) bool {
	a, b := w[0], w[1]
	if a.x == b.x {
		return p.x == a.x && p.y > min(a.y, b.y) && p.y < max(a.y, b.y)
	}
	return p.y == a.y && p.x > min(a.x, b.x) && p.x < max(a.x, b.x)
}
