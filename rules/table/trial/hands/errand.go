// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"slices"

	"boardd/sensing/wood"
)

// aside is where pieces go that leave the board, and come from that enter it.
const aside = wood.Nowhere

// errand is pieces that are carried together, the lowest first.
type errand struct {
	pieces   []int
	from, to wood.Place
	captured bool // they leave the board for good, or are put elsewhere by the opponent
}

// piles is which pieces stand on each place, the lowest first.
type piles [wood.Places][]int

func (p *piles) clone() (q piles) {
	for i := range p {
		q[i] = slices.Clone(p[i])
	}
	return q
}

// find is where a piece stands.
func (p *piles) find(piece int) (at wood.Place, index int) {
	for i := range p {
		if k := slices.Index(p[i], piece); k >= 0 {
			return wood.Place(i), k
		}
	}
	return aside, 0
}

// goals says which piece is to stand where. Pieces that keep their height are left alone. For the others, pieces of
// the same place are used first, then those of from, then others that have to leave, then spare ones.
func (c *Crew) goals(after *wood.Wood, from wood.Place) piles {
	var want, free piles
	for p := range want {
		now, keep := c.piles[p], 0
		for keep < len(now) && keep < len(after[p]) && c.letter(now[keep]) == after[p][keep] {
			keep++
		}
		want[p] = slices.Clone(now[:keep])
		for range len(after[p]) - keep {
			want[p] = append(want[p], -1)
		}
		free[p] = slices.Clone(now[keep:])
	}
	fill := func(fits func(sink, source wood.Place) bool) {
		for p := range want {
			for k, id := range want[p] {
				for q := 0; q < len(free) && id < 0; q++ {
					if fits(wood.Place(p), wood.Place(q)) {
						id = c.take(&free[q], after[p][k])
					}
				}
				want[p][k] = id
			}
		}
	}
	fill(func(sink, source wood.Place) bool { return sink == source })
	fill(func(_, source wood.Place) bool { return source == from })
	fill(func(_, _ wood.Place) bool { return true })
	for p := range want {
		for k, id := range want[p] {
			if id < 0 {
				want[p][k] = c.spare(after[p][k])
			}
		}
	}
	return want
}

// take takes a piece with a letter out of a list, the first one; -1 when there is none.
func (c *Crew) take(list *[]int, letter byte) int {
	i := slices.IndexFunc(*list, func(id int) bool { return c.letter(id) == letter })
	if i < 0 {
		return -1
	}
	id := (*list)[i]
	*list = slices.Delete(*list, i, i+1)
	return id
}

// spare is a piece beside the board, a new one when there is none.
func (c *Crew) spare(letter byte) int {
	if id := c.take(&c.spares, letter); id >= 0 {
		return id
	}
	return c.add(letter, c.tray())
}

// plan sorts what has to be carried into an order in which it can be done. Pieces go to their place when that is
// ready, and what is in the way is put aside first.
func (c *Crew) plan(want *piles) (list []errand) {
	now := c.piles.clone()
	for {
		e, ok := c.direct(&now, want)
		if !ok {
			if e, ok = c.clear(&now, want); !ok {
				return list
			}
		}
		if e.from != aside {
			now[e.from] = now[e.from][:len(now[e.from])-len(e.pieces)]
		}
		if e.to != aside {
			now[e.to] = append(now[e.to], e.pieces...)
		}
		list = append(list, e)
	}
}

// direct is pieces that can go where they belong now.
func (c *Crew) direct(now, want *piles) (errand, bool) {
	for p := range want {
		n := len(now[p])
		if n >= len(want[p]) || !slices.Equal(now[p], want[p][:n]) {
			continue
		}
		next := want[p][n:]
		at, k := now.find(next[0])
		if at == aside {
			return errand{pieces: next[:1], from: aside, to: wood.Place(p)}, true
		}
		if top := now[at][k:]; len(top) <= len(next) && slices.Equal(top, next[:len(top)]) && at != wood.Place(p) {
			return errand{pieces: slices.Clone(top), from: at, to: wood.Place(p)}, true
		}
	}
	return errand{}, false
}

// clear is pieces that have to be put aside: those that leave the board, or one that stands where others belong.
// Captured ones go first.
func (c *Crew) clear(now, want *piles) (e errand, ok bool) {
	best := 0
	for p := range want {
		n, keep := len(now[p]), 0
		for keep < n && keep < len(want[p]) && now[p][keep] == want[p][keep] {
			keep++
		}
		if keep == n {
			continue
		}
		k := n - 1
		gone := func(i int) bool { at, _ := want.find(now[p][i]); return at == aside }
		worth := 1
		switch {
		case gone(k):
			worth = 3
		case keep < len(want[p]):
			worth = 2
		}
		if worth <= best {
			continue
		}
		for worth == 3 && k > keep && gone(k-1) && c.dice.chance(together) {
			k--
		}
		best, e, ok = worth, errand{pieces: slices.Clone(now[p][k:]), from: wood.Place(p), to: aside,
			captured: worth == 3}, true
	}
	return e, ok
}
