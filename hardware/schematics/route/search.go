// SPDX-License-Identifier: Apache-2.0

package route

import "math"

// What a way costs: one step along the layer's direction is 10.
const (
	along    = 10
	across   = 16 // a step against the layer's direction
	diagonal = 17
	change   = 120 // a via
	pastCost = 12  // for each time that wires crossed there
)

var moves = [8]offset{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}

// search finds one way at a time.
type search struct {
	*grid
	cost  [layers][]int32
	from  [layers][]int8 // the move that led here; 8 a change of layer, 9 the beginning
	seen  [layers][]int32
	round int32
	queue queue
}

func newSearch(g *grid) *search {
	s := &search{grid: g}
	for l := range layers {
		s.cost[l], s.from[l], s.seen[l] = make([]int32, g.w*g.h), make([]int8, g.w*g.h), make([]int32, g.w*g.h)
	}
	return s
}

// item is a place from which the search goes on. Of two with the same cost, the later one comes first.
type item struct {
	sum    int32 // cost so far and what is left at least
	serial int32
	node   node
}

// queue is a heap of places, the cheapest first.
type queue struct {
	items []item
	n     int32
}

func (a *item) before(b *item) bool { return a.sum < b.sum || a.sum == b.sum && a.serial > b.serial }

func (q *queue) push(it item) {
	q.n++
	it.serial = q.n
	q.items = append(q.items, it)
	i := len(q.items) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !q.items[i].before(&q.items[up]) {
			return
		}
		q.items[i], q.items[up] = q.items[up], q.items[i]
		i = up
	}
}

func (q *queue) pop() item {
	first, last := q.items[0], len(q.items)-1
	q.items[0] = q.items[last]
	q.items = q.items[:last]
	for i := 0; ; {
		least := 2*i + 1
		if least >= last {
			return first
		}
		if least+1 < last && q.items[least+1].before(&q.items[least]) {
			least++
		}
		if !q.items[least].before(&q.items[i]) {
			return first
		}
		q.items[i], q.items[least] = q.items[least], q.items[i]
		i = least
	}
}

// way finds the cheapest way of a wire from some places to a pad. When the wire leads to a plane, it ends at a via in
// that. toll is what each wire in the way costs.
func (s *search) way(w *wire, class int, sources []node, to *Pad, toll int32) []node {
	s.round++
	s.queue.items, s.queue.n = s.queue.items[:0], 0
	left := func(n node) int32 { return 0 }
	if to != nil {
		left = func(n node) int32 {
			p := s.at(n.x, n.y)
			dx, dy := max(to.Core.Min.X-p.X, 0, p.X-to.Core.Max.X), max(to.Core.Min.Y-p.Y, 0, p.Y-to.Core.Max.Y)
			return int32(along*max(dx, dy)/step) + int32((diagonal-along)*min(dx, dy)/step)
		}
	}
	push := func(n node, cost int32, by int8) {
		i := n.y*s.w + n.x
		if s.seen[n.on][i] == s.round && s.cost[n.on][i] <= cost {
			return
		}
		s.seen[n.on][i], s.cost[n.on][i], s.from[n.on][i] = s.round, cost, by
		s.queue.push(item{sum: cost + left(n), node: n})
	}
	for _, n := range sources {
		if s.classes[class].open(n.on, n.y*s.w+n.x, w.number) {
			push(n, 0, 9)
		}
	}
	for len(s.queue.items) > 0 {
		it := s.queue.pop()
		n := it.node
		i := n.y*s.w + n.x
		cost := s.cost[n.on][i]
		if it.sum > cost+left(n) {
			continue
		}
		if to != nil && to.On[n.on] && to.Core.Holds(s.at(n.x, n.y)) {
			return s.back(n)
		}
		price, ok := s.viaPrice(w, class, n, toll)
		if ok && to == nil && w.inPlane(s.at(n.x, n.y)) {
			// the plane is reached by a via: entered as a change of layer, so that the dearer of two vias waits its
			// turn
			if s.from[n.on][i] == 8 {
				return s.back(n)
			}
		}
		if ok {
			push(node{1 - n.on, n.x, n.y}, cost+change+price, 8)
		}
		for m, d := range moves {
			x, y := n.x+d.x, n.y+d.y
			if !s.inside(x, y) {
				continue
			}
			c := s.classes[class]
			j := y*s.w + x
			if !c.open(n.on, j, w.number) || m >= 4 && (!c.open(n.on, n.y*s.w+x, w.number) || !c.open(n.on, y*s.w+n.x,
				w.number)) {
				continue
			}
			length := int32(along)
			switch {
			case m >= 4:
				length = diagonal
			case (n.on == Front) == (d.x != 0):
				length = across
			}
			push(node{n.on, x, y}, cost+length+toll*int32(c.used[n.on][j])+pastCost*int32(c.past[n.on][j]), int8(m))
		}
	}
	return nil
}

// viaPrice is what a via costs in addition to change, and whether there may be one.
func (s *search) viaPrice(w *wire, class int, n node, toll int32) (int32, bool) {
	v, i := s.classes[0], n.y*s.w+n.x
	price := int32(0)
	for l := range layers {
		if !v.open(l, i, w.number) || !s.classes[class].open(l, i, w.number) {
			return 0, false
		}
		price += toll*int32(v.used[l][i]) + pastCost*int32(v.past[l][i])
	}
	for _, own := range w.vias {
		if math.Hypot(float64(own.x-n.x), float64(own.y-n.y))*step < s.Rules.Drill+s.Rules.HoleGap {
			return 0, false
		}
	}
	return price, true
}

func (w *wire) inPlane(p Point) bool {
	for _, b := range w.plane {
		if b.Holds(p) {
			return true
		}
	}
	return false
}

// back is the way that led to a place, from its beginning.
func (s *search) back(n node) []node {
	list := []node{n}
	for {
		switch m := s.from[n.on][n.y*s.w+n.x]; m {
		case 9:
			for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
				list[i], list[j] = list[j], list[i]
			}
			return list
		case 8:
			n.on = 1 - n.on
		default:
			n.x, n.y = n.x-moves[m].x, n.y-moves[m].y
		}
		list = append(list, n)
	}
}
