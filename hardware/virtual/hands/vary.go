// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"math/rand/v2"
	"strings"
	"time"

	"boardd/sensing/wood"
)

// Vary draws one of the many ways in which two hands can turn one wood into the other. They differ in what leaves
// first, what is held meanwhile and in which hand, and what is touched on the way. Every act has its pause. Whatever
// is drawn, the wood ends as wanted.
func Vary(r *rand.Rand, s *Style, from, to *wood.Wood) []Act {
	v := varied{planner: planner{sites: sites(from, to)}, r: r, s: s, wood: *from, goal: to}
	v.before()
	for i := range v.sites {
		v.putAside(&v.sites[i])
	}
	for v.next() {
	}
	v.pauses()
	return v.acts
}

// varied is a planner that throws dice.
type varied struct {
	planner
	r    *rand.Rand
	s    *Style
	wood wood.Wood // as the acts so far leave it
	held [2]string
	goal *wood.Wood
}

func (v *varied) chance(p float64) bool { return v.r.Float64() < p }

func (v *varied) between(lo, hi int) time.Duration {
	return time.Duration(lo+v.r.IntN(hi-lo+1)) * time.Millisecond
}

// do notes an act and carries it out on the planner's own wood.
func (v *varied) do(a Act) {
	v.acts = append(v.acts, a)
	h, pile := &v.held[a.Hand], v.wood[a.Place]
	switch a.Do {
	case Lift:
		n := len(pile) - a.Count
		*h += string(pile[n:])
		v.wood[a.Place] = pile[:n]
	case Put:
		v.wood[a.Place] += wood.Pile(*h)
		*h = ""
	case Discard:
		*h = ""
	case Take:
		*h += a.Pieces
	}
}

// before is what hands do before the move: nothing, most of the time.
func (v *varied) before() {
	p, ok := v.any(func(p wood.Place) bool { return v.wood[p] != "" })
	if !ok {
		return
	}
	if v.chance(v.s.Hover) {
		v.do(Act{Do: Hover, Place: p, Span: v.between(100, 600)})
	}
	if v.chance(v.s.Touch) {
		if v.chance(0.5) {
			v.do(Act{Do: Adjust, Place: p})
		} else {
			v.do(Act{Do: Lift, Place: p, Count: 1})
			v.do(Act{Do: Put, Place: p})
		}
	}
}

// any draws a place that satisfies the condition; after forty throws it gives up.
func (v *varied) any(ok func(wood.Place) bool) (wood.Place, bool) {
	for range 40 {
		if p := wood.Place(v.r.IntN(wood.Places)); ok(p) {
			return p, true
		}
	}
	return 0, false
}

// putAside takes up the pieces that will stand on top again.
func (v *varied) putAside(s *site) {
	if s.aside == "" {
		return
	}
	if !v.left && !v.chance(v.s.Beside) {
		s.held, v.left = true, true
		v.do(Act{Do: Lift, Hand: Left, Place: s.place, Count: len(s.aside)})
		return
	}
	v.do(Act{Do: Lift, Place: s.place, Count: len(s.aside)})
	v.do(Act{Do: Discard})
}

// next does one of the things that can be done now, and reports whether there was one.
func (v *varied) next() bool {
	n := len(v.sites)
	for i, at := 0, v.r.IntN(max(1, n)); i < n; i++ {
		if v.work(&v.sites[(at+i)%n]) {
			return true
		}
	}
	return v.breakRing()
}

// work does the next thing at a place, and reports whether there was one that could be done. What it calls reports the
// same.
func (v *varied) work(s *site) bool {
	switch {
	case s.goes != "":
		return v.remove(s)
	case s.comes != "":
		return v.bring(s)
	case s.aside != "":
		v.putBack(s)
		return true
	}
	return false
}

// remove takes captured pieces away. The captor may be lifted first, or even stand on them.
func (v *varied) remove(s *site) bool {
	n := 0
	for n < len(s.goes) && !v.needed(s.goes[len(s.goes)-1-n]) {
		n++
	}
	if n == 0 {
		return false
	}
	if n == len(s.goes) && s.comes != "" && !v.left {
		if v.chance(v.s.OnTop) && s.aside == "" && v.onTop(s) || v.chance(v.s.CaptorFirst) && v.captorFirst(s) {
			return true
		}
	}
	if n > 1 && v.chance(v.s.OneByOne) {
		n = 1
	}
	v.do(Act{Do: Lift, Place: s.place, Count: n})
	v.do(Act{Do: Discard})
	s.goes = s.goes[:len(s.goes)-n]
	return true
}

// source finds where the next pieces for a place stand ready, the longest run of them.
func (v *varied) source(s *site) (from *site, n int) {
	for i := range v.sites {
		q := &v.sites[i]
		if q == s || len(q.goes) == 0 {
			continue
		}
		for k := len(q.goes); k > n; k-- {
			if strings.HasPrefix(s.comes, q.goes[len(q.goes)-k:]) {
				from, n = q, k
			}
		}
	}
	return from, n
}

// captorFirst takes the captor in the right hand, the captured pieces in the left.
func (v *varied) captorFirst(s *site) bool {
	q, n := v.source(s)
	if q == nil {
		return false
	}
	v.do(Act{Do: Lift, Place: q.place, Count: n})
	v.do(Act{Do: Lift, Hand: Left, Place: s.place, Count: len(s.goes)})
	if v.chance(0.5) {
		v.do(Act{Do: Put, Place: s.place})
		v.do(Act{Do: Discard, Hand: Left})
	} else {
		v.do(Act{Do: Discard, Hand: Left})
		v.do(Act{Do: Put, Place: s.place})
	}
	v.moved(q, s, n)
	s.goes = ""
	return true
}

func (v *varied) moved(q, s *site, n int) {
	q.goes = q.goes[:len(q.goes)-n]
	s.comes = s.comes[n:]
}

// tallest is how many cubes fit between the decks of a twin board.
const tallest = 4

// onTop puts the captor on what it takes, holds it up for a moment while that is pulled away, and puts it down.
func (v *varied) onTop(s *site) bool {
	q, n := v.source(s)
	if q == nil || len(v.wood[s.place])+n > tallest {
		return false
	}
	v.do(Act{Do: Lift, Place: q.place, Count: n})
	v.do(Act{Do: Put, Place: s.place})
	v.do(Act{Do: Lift, Hand: Left, Place: s.place, Count: n, After: v.between(60, 300)})
	v.do(Act{Do: Lift, Place: s.place, Count: len(s.goes)})
	v.do(Act{Do: Put, Hand: Left, Place: s.place, After: v.between(30, 200)})
	v.do(Act{Do: Discard})
	v.moved(q, s, n)
	s.goes = ""
	return true
}

// bring brings the next pieces of a place.
func (v *varied) bring(s *site) bool {
	q, n := v.source(s)
	if q != nil {
		if !v.left && v.chance(v.s.BothHands) && v.both(s, q, n) {
			return true
		}
		v.carry(q, s, n)
		return true
	}
	for i := range v.sites {
		if strings.IndexByte(v.sites[i].goes, s.comes[0]) >= 0 {
			return false // it will come free
		}
	}
	if v.pawnFirst(s) {
		return true
	}
	n = 1
	if len(s.comes) > 1 && s.comes[0] == wood.Pedestal {
		if q, k := v.source(&site{place: s.place, comes: s.comes[1:]}); q != nil && v.chance(0.5) {
			v.do(Act{Do: Take, Pieces: s.comes[:1]}) // a pedestal and its flyer in one hand
			v.do(Act{Do: Lift, Place: q.place, Count: k})
			v.do(Act{Do: Put, Place: s.place})
			q.goes = q.goes[:len(q.goes)-k]
			s.comes = s.comes[1+k:]
			return true
		}
	}
	v.do(Act{Do: Take, Pieces: s.comes[:n]})
	v.do(Act{Do: Put, Place: s.place})
	s.comes = s.comes[n:]
	return true
}

// pawnFirst puts a promoting pawn on its last rank before it is exchanged.
func (v *varied) pawnFirst(s *site) bool {
	if !v.chance(v.s.PawnFirst) || s.place.Square().Rank()%7 != 0 {
		return false
	}
	for i := range v.sites {
		q := &v.sites[i]
		if k := len(q.goes); k > 0 && (q.goes[k-1] == 'P' || q.goes[k-1] == 'p') && q.comes == "" {
			v.do(Act{Do: Lift, Place: q.place, Count: 1})
			v.do(Act{Do: Put, Place: s.place})
			v.do(Act{Do: Lift, Place: s.place, Count: 1})
			v.do(Act{Do: Discard})
			v.do(Act{Do: Take, Pieces: s.comes[:1]})
			v.do(Act{Do: Put, Place: s.place})
			q.goes, s.comes = q.goes[:k-1], s.comes[1:]
			return true
		}
	}
	return false
}

// both moves two pieces with both hands at once, as in castling.
func (v *varied) both(s, q *site, n int) bool {
	for i := range v.sites {
		t := &v.sites[i]
		if t == s || t == q || t.goes != "" || t.comes == "" || t.aside != "" {
			continue
		}
		p, m := v.source(t)
		if p == nil || p == q || p == s {
			continue
		}
		v.do(Act{Do: Lift, Place: q.place, Count: n})
		v.do(Act{Do: Lift, Hand: Left, Place: p.place, Count: m})
		v.do(Act{Do: Put, Place: s.place})
		v.do(Act{Do: Put, Hand: Left, Place: t.place})
		v.moved(q, s, n)
		v.moved(p, t, m)
		return true
	}
	return false
}

// putBack puts back what was put aside.
func (v *varied) putBack(s *site) {
	if s.held {
		v.do(Act{Do: Put, Hand: Left, Place: s.place})
		v.left = false
	} else {
		v.do(Act{Do: Take, Pieces: s.aside})
		v.do(Act{Do: Put, Place: s.place})
	}
	s.aside = ""
}

// breakRing breaks a ring of places that wait for each other, and reports whether there was one.
func (v *varied) breakRing() bool {
	for i := range v.sites {
		if s := &v.sites[i]; s.goes != "" {
			v.do(Act{Do: Lift, Place: s.place, Count: len(s.goes)})
			v.do(Act{Do: Discard})
			s.goes = ""
			return true
		}
	}
	return false
}

// pauses gives every act without one its pause. A hand that hovers does nothing else meanwhile.
func (v *varied) pauses() {
	haste := 0.7 + 1.5*v.r.Float64()
	for i := range v.acts {
		a := &v.acts[i]
		if a.After == 0 {
			pause := v.s.Pace.Grip
			if a.Do == Put || a.Do == Discard {
				pause = v.s.Pace.Carry
			}
			a.After = time.Duration(haste * (0.5 + v.r.Float64()) * float64(pause))
		}
		if i > 0 && v.acts[i-1].Do == Hover {
			a.After += v.acts[i-1].Span
		}
	}
}
