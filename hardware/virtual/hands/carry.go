// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"time"

	"boardd/sensing/wood"
)

// carry moves a run of pieces, by one of the ways of people.
func (v *varied) carry(q, s *site, n int) {
	v.do(Act{Do: Lift, Place: q.place, Count: n})
	if v.chance(v.s.Hesitate) {
		v.do(Act{Do: Hover, Place: q.place, Span: v.between(200, 2000)})
	}
	if v.chance(v.s.Mind) {
		v.elsewhere(n, v.between(60, 700), func(p wood.Place) bool { return p.Deck() == s.place.Deck() })
	}
	if v.chance(v.s.Drop) {
		v.elsewhere(n, v.between(400, 1500), func(p wood.Place) bool {
			return p.Deck() == s.place.Deck() && near(p, s.place)
		})
	}
	if v.chance(v.s.Drag) && len(v.wood[q.place]) == 0 {
		for _, p := range v.way(q.place, s.place) {
			v.do(Act{Do: Graze, Place: p, Span: v.between(20, 80), After: v.between(25, 90)})
		}
	}
	if v.chance(v.s.Brush) {
		beside := func(p wood.Place) bool { return v.wood[p] != "" && near(p, s.place) && p.Deck() == s.place.Deck() }
		if p, ok := v.any(beside); ok {
			v.do(Act{Do: Knock, Place: p, Span: v.between(5, 40)})
		}
	}
	v.do(Act{Do: Put, Place: s.place})
	v.moved(q, s, n)
}

// elsewhere puts what the right hand holds down on an empty place and takes it up again.
func (v *varied) elsewhere(n int, rest time.Duration, ok func(wood.Place) bool) {
	p, found := v.any(func(p wood.Place) bool { return v.wood[p] == "" && v.goal[p] == "" && ok(p) })
	if !found {
		return
	}
	v.do(Act{Do: Put, Place: p})
	v.do(Act{Do: Lift, Place: p, Count: n, After: rest})
}

func near(a, b wood.Place) bool {
	df, dr := a.Square().File()-b.Square().File(), a.Square().Rank()-b.Square().Rank()
	return a != b && df*df <= 1 && dr*dr <= 1
}

// way lists the empty places of the line from one to another, none if there is no line or something stands on it.
func (v *varied) way(from, to wood.Place) (ps []wood.Place) {
	f, r := from.Square().File(), from.Square().Rank()
	df, dr := to.Square().File()-f, to.Square().Rank()-r
	n := max(df, -df, dr, -dr)
	if from.Deck() != to.Deck() || n < 2 || df != 0 && dr != 0 && df*df != dr*dr {
		return nil
	}
	for k := 1; k < n; k++ {
		p := wood.Place(int(from) + k*(df/n+8*(dr/n)))
		if v.wood[p] != "" {
			return nil
		}
		ps = append(ps, p)
	}
	return ps
}
