// SPDX-License-Identifier: Apache-2.0

package reconcile

import "boardd/sensing/wood"

// path is what was seen to leave its place on the way from a position to the wood of now.
type path struct {
	lifted, blinked, dipped, emptied, turned wood.Set // see seen
}

// plus is what was seen on either of two paths.
func (a path) plus(b path) path {
	return path{a.lifted.Union(b.lifted), a.blinked.Union(b.blinked), a.dipped.Union(b.dipped), a.emptied.Union(b.emptied), a.turned.Union(b.turned)}
}

// path is what was seen since the path began.
func (s *seen) path() path { return path{s.lifted, s.blinked, s.dipped, s.emptied, s.turned} }

// path is what was seen on the way from a base. What is taken for another move than the one accepted has been on its way since the
// position before that: the move may have been misread, and then nothing is touched a second time.
func (d *Decoder) path(base int) path {
	if base != 1 {
		return d.seen.path()
	}
	return d.seen.path().plus(d.earlier)
}

// stood is the pile of a place in a base, as far as its wood is kept: that of the game, and that before its last move.
func (d *Decoder) stood(base int, p wood.Place) wood.Pile {
	if base == 1 && d.past != nil {
		return d.then[p]
	}
	return d.now[p]
}
