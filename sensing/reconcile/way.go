// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"slices"
	"strings"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// impossible tells whether the way to a change was not, or cannot have been, as the hypothesis needs it.
func (d *Decoder) impossible(h *hypothesis, c *change) bool {
	return d.untouched(h, c) || d.rooted(h, c) || d.early(h, c) || d.stayed(h, c) || d.piecemeal(h, c) || h.base == 0 && (d.unfounded(h, c) || d.overturned(h, c))
}

// untouched tells whether pieces would have to be exchanged on a place where nothing was seen to be lifted: the reed
// below an exchanged lowest piece opens for a while, and what an exchanged upper piece weighs or how high it stands is
// missed. Without this a captor still in the hand would pass for one that has landed on its equal.
func (d *Decoder) untouched(h *hypothesis, c *change) bool {
	old, way := d.stood(h.base, c.place), d.path(h.base)
	if h.move == rules.NoMove {
		if old = d.now[c.place]; d.handled.Has(c.place) || h.base == 1 && d.past != nil && d.earlier.lifted.Has(c.place) {
			return false // it was put back before the rest was, or was never exchanged: see unreturned
		}
	}
	if now := d.now[c.place]; h.base == 1 && len(now) < min(len(old), len(c.want.pile)) {
		if _, ok := d.seen.stood(c.place, len(now)); ok {
			return false // some had left when the move was accepted, and others have come since
		}
	}
	if d.late(h, c) {
		return false
	}
	return d.unexchanged(c, old, &way)
}

// late tells whether a correction exchanges pieces that were lifted and put back before the wood last stood as the game has it: that they are others has
// been seen nowhere, but a height that was taken for a hand's until then may contradict the game now.
func (d *Decoder) late(h *hypothesis, c *change) bool {
	return h.base == 1 && h.move != rules.NoMove && !d.g.Weights && d.handled.Has(c.place) && !d.seen.lifted.Has(c.place) &&
		d.unexchanged(c, d.now[c.place], &path{lifted: d.earlier.lifted})
}

// belated tells whether a correction has such an exchange, so that somebody must say.
func (d *Decoder) belated(h *hypothesis) bool {
	return slices.ContainsFunc(h.changes, func(c change) bool { return d.late(h, &c) })
}

// rooted tells whether a correction has something come below the pieces that the last move put on nothing, or what stood below them go, and nothing has lifted
// them since: more can only have been put on top of them.
func (d *Decoder) rooted(h *hypothesis, c *change) bool {
	if h.base != 1 || h.move == rules.NoMove || d.past == nil || d.then[c.place] != "" {
		return false // what came in place of another piece may have been that one
	}
	now, want := d.now[c.place], c.want.pile
	under := strings.HasSuffix(string(want), string(now)) || strings.HasSuffix(string(now), string(want)) // else it may have been another piece that came
	return now != "" && want != "" && now[0] != want[0] && under &&
		d.seen.reed(c.place) && d.seen.closed.Has(c.place) && !d.seen.turned.Has(c.place)
}

// unreturned tells whether pieces that a takeback puts back were not seen to be exchanged again.
func (d *Decoder) unreturned(h *hypothesis) bool {
	way := d.seen.path()
	return h.move == rules.NoMove && h.ends == "" && slices.ContainsFunc(h.changes, func(c change) bool { return d.unexchanged(&c, d.now[c.place], &way) })
}

// unexchanged tells whether other pieces than of old are to stand on a place where none were seen to be lifted on the way.
func (d *Decoder) unexchanged(c *change, old wood.Pile, way *path) bool {
	want := c.want.pile
	if old == "" || want == "" || old == want {
		return false
	}
	weighed := c.place < 64 && d.g.Weights && d.seen.mass[c.place].n > 0 && !d.seen.mute[sensing.Weights].Has(c.place)
	if old[0] != want[0] {
		lifted := !d.seen.reed(c.place) || way.lifted.Has(c.place) || way.blinked.Has(c.place)
		if weighed && way.emptied.Has(c.place) && d.quiet >= doubt {
			lifted = true // the reed missed it: the cell did not
		}
		gone := way.dipped.Has(c.place)
		if !d.seen.reed(c.place) {
			gone = way.emptied.Has(c.place) // the cell alone must show that everything left
		}
		return !lifted || weighed && !gone
	}
	return d.seen.analog(&d.g, c.place) && !d.tells(c.place, old, want) && !way.dipped.Has(c.place)
}

// piecemeal tells whether a stack that moves as one was seen to leave its place in parts, of which the first had landed before
// the last was lifted: what was lifted first cannot have come to stand below the rest. Two moves may leave the same picture.
func (d *Decoder) piecemeal(h *hypothesis, c *change) bool {
	old, left := d.now[c.place], len(c.want.pile)
	if h.base != 0 || !d.parted.Has(c.place) || int(d.kept[c.place]) <= left || old[:left] != c.want.pile || old[left] == wood.Pedestal {
		return false
	}
	last := d.seen.jumpedAt[c.place]
	switch {
	case d.left(c.place):
		last = d.seen.changed[c.place]
	case !d.g.Weights:
		return false // a height changes with the hand
	}
	for i := range h.changes {
		to := &h.changes[i]
		if to == c || to.place >= 64 || !strings.HasSuffix(string(to.want.pile), string(old[left:])) {
			continue
		}
		if int(d.kept[c.place])-left <= equals(d.now[to.place], to.want.pile, old[left:]) {
			continue
		}
		if d.landedOn(to.place) && d.seen.changed[to.place].After(last) {
			return false // what stands lowest there came after all had been lifted
		}
		if old := d.now[to.place]; old != "" && strings.HasPrefix(string(to.want.pile), string(old)) {
			return d.seen.over.Has(to.place) && d.seen.overAt[to.place].Before(last) // before that, what stays may have been adjusted
		}
		return d.seen.shifted.Has(to.place) && d.seen.shiftedAt[to.place].Before(last)
	}
	return false
}

// equals is how many of the lowest pieces of a pile that is carried to where another stands need not have been: their equals stand there, and stay
// if they are put aside in their stead, and only what was above them goes there.
func equals(old, want, carried wood.Pile) (n int) {
	if want != carried {
		return 0
	}
	for n < min(len(old), len(carried)-1) && old[n] == carried[n] {
		n++
	}
	return n
}

// inParts tells whether a stack that moves as one left its place, or came to the other, in parts, as heights saw it: a move and its reply may leave
// the same picture.
func (d *Decoder) inParts(h *hypothesis) bool {
	for i := range h.changes {
		c := &h.changes[i]
		old, want := d.now[c.place], c.want.pile
		if _, parted := d.seenBetween(c.place, len(old), len(want)); parted {
			return true
		}
		if len(want)+2 > len(old) || old[:len(want)] != want {
			continue
		}
		if _, parted := d.seenBetween(c.place, len(want), len(old)); parted || d.visited(h, c) {
			return true
		}
	}
	return false
}

// reaching is how long before it lifts a piece a hand may be seen over the squares around.
const reaching = 150 * time.Millisecond

// visited tells whether something was over the place where a stack went long before the stack was gone from where it stood: its
// upper part may have gone there first.
func (d *Decoder) visited(h *hypothesis, c *change) bool {
	if !d.g.Heights || c.want.pile != "" || !d.left(c.place) {
		return false
	}
	for i := range h.changes {
		to := h.changes[i].place
		if to == c.place || to >= 64 || d.landedOn(to) && d.seen.changed[to].After(d.seen.changed[c.place]) {
			continue // what stands lowest there came later
		}
		if d.seen.shifted.Has(to) && d.seen.shiftedAt[to].Before(d.seen.changed[c.place].Add(-reaching)) {
			return true
		}
	}
	return false
}

// early tells whether the piece that is to be exchanged on a place was last put down there before its captor was lifted:
// then it was adjusted, and the captor is still in the hand. A piece promoted to comes from beside the board and may be first.
func (d *Decoder) early(h *hypothesis, c *change) bool {
	old, want := d.now[c.place], c.want.pile
	if want == "" || old != "" && old[0] == want[0] || !d.seen.reed(c.place) || h.move == rules.NoMove || h.move.Promotion() != rules.NoKind {
		return false
	}
	if old == "" {
		return d.arrivedFirst(h, c)
	}
	if d.g.Weights && d.tells(c.place, old, want) {
		return false // what stands there now is not what did
	}
	if way := d.path(h.base); !way.turned.Has(c.place) {
		return false // its reed has not changed: the load cell saw it leave
	}
	for i := range h.changes {
		from := &h.changes[i]
		if from.place == c.place || from.place%64 != wood.Place(h.move.From()) || len(from.want.pile) >= len(d.now[from.place]) {
			continue
		}
		left, stood := from.want.pile, d.now[from.place]
		if left != stood[:len(left)] || stood[len(left)] != want[0] && stood[len(stood)-1] != want[0] {
			continue // not the captor that stands lowest now
		}
		switch {
		case len(stood) == 1 && d.seen.reed(from.place):
			return d.seen.changed[from.place].After(d.seen.changed[c.place])
		case from.place < 64 && d.seen.shifted.Has(from.place):
			came := d.seen.changed[c.place]
			return d.seen.shiftedAt[from.place].After(came.Add(lag)) && d.seen.stoodAt[from.place].After(came)
		}
	}
	return false
}

// stayed tells whether a pile whose upper pieces are to have been exchanged was as high as it is before their captor was lifted, and has shown
// nothing else since: no hand was there with it.
func (d *Decoder) stayed(h *hypothesis, c *change) bool {
	if h.base > 0 || h.move == rules.NoMove || d.g.Weights || !d.g.Heights || c.place >= 64 || c.want.pile == "" || len(c.want.pile) != len(d.now[c.place]) || c.want.pile[0] != d.now[c.place][0] {
		return false
	}
	if _, ok := d.seen.height[c.place].steady(); !ok || d.seen.mute[sensing.Heights].Has(c.place) {
		return false
	}
	for i := range h.changes {
		if from := &h.changes[i]; from.want.pile == "" && from.place%64 == wood.Place(h.move.From()) && d.left(from.place) && d.seen.reed(from.place) {
			if equals(d.now[c.place], c.want.pile, d.now[from.place]) > 0 && d.parted.Has(from.place) {
				return false // the captor left before what it stood on
			}
			return d.seen.jumpedAt[c.place].Before(d.seen.changed[from.place])
		}
	}
	return false
}

// arrivedFirst tells whether what is to have come to an empty place came there before it was lifted where it stood: more of its kind had come than gone by
// then. A pedestal comes from beside the board, and may be first.
func (d *Decoder) arrivedFirst(h *hypothesis, c *change) bool {
	kind := c.want.pile
	if kind[0] == wood.Pedestal {
		return false
	}
	if d.stuckBefore(h, c.place) {
		return true
	}
	if !d.landedOn(c.place) {
		return false
	}
	at := d.seen.changed[c.place]
	came, gone, known := 0, 0, false
	for i := range h.changes {
		o := &h.changes[i]
		switch old := d.now[o.place]; {
		case old == "" && o.want.pile == kind && d.landedOn(o.place) && !d.seen.changed[o.place].After(at):
			came++
		case old == kind && o.want.pile == "" && d.left(o.place):
			known = true
			if !d.seen.touched[o.place].After(at.Add(d.t.Bounce)) {
				gone++ // another may have come and gone there since
			}
		case old != kind && strings.HasSuffix(string(old), string(kind)) && len(o.want.pile) < len(old):
			gone++
		}
	}
	if h.base == 1 && (d.returned(h, kind, at) || d.restored(kind)) {
		gone++
	}
	return known && came > gone
}

// restored tells whether the last move took a piece of a kind off the board: it comes back from beside it.
func (d *Decoder) restored(kind wood.Pile) bool {
	if d.past == nil {
		return false
	}
	less := 0
	for p := range d.now {
		if d.now[p] != d.then[p] {
			less += strings.Count(string(d.then[p]), string(kind)) - strings.Count(string(d.now[p]), string(kind))
		}
	}
	return less > 0
}

// stuckBefore tells whether the reed of an empty place has been closed since the first reading, and all that the hypothesis moves has left its place
// after that.
func (d *Decoder) stuckBefore(h *hypothesis, p wood.Place) bool {
	if !d.seen.reed(p) || !d.seen.closed.Has(p) || !d.seen.changed[p].IsZero() || d.seen.analog(&d.g, p) {
		return false // or another sensor tells
	}
	return !slices.ContainsFunc(h.changes, func(c change) bool {
		return c.want.pile == "" && d.left(c.place) && d.seen.changed[c.place].IsZero()
	})
}

// returned tells whether a piece of a kind that the last move took to its goal left there again before a time: what stands there now came later, or is
// to be another one.
func (d *Decoder) returned(h *hypothesis, kind wood.Pile, before time.Time) bool {
	for _, p := range [2]wood.Place{wood.Place(d.list.made.To()), wood.Place(d.list.made.To()) + 64} {
		whole := d.seen.turned.Has(p) && d.seen.reed(p)
		if d.now[p] == d.then[p] || !strings.HasSuffix(string(d.now[p]), string(kind)) && !(whole && strings.Contains(string(d.now[p]), string(kind))) || h.places.Has(p) && len(h.wants(&d.now, p)) < len(d.now[p]) {
			continue // not what moved, or counted already
		}
		if stirred := d.seen.turned.Has(p) && d.seen.reed(p); stirred && d.seen.touched[p].Before(before) {
			return true
		} else if !stirred && p < 64 && d.seen.shifted.Has(p) && d.seen.shiftedAt[p].Before(before) {
			return true
		}
	}
	return false
}

// landedOn tells whether a reed saw something come to a place.
func (d *Decoder) landedOn(p wood.Place) bool {
	return d.seen.reed(p) && d.seen.closed.Has(p) && d.seen.turned.Has(p)
}

// lag is how much later than the reed an analog sensor may notice that a piece is gone: a round of heights, and as much again.
const lag = 50 * time.Millisecond

// unfounded tells whether pieces of a change had come to their place before they left another one, as heights saw it.
func (d *Decoder) unfounded(h *hypothesis, c *change) bool {
	came, could := false, false
	for i := range h.changes {
		from := &h.changes[i]
		carried, rises := d.rises(c.place, d.now[c.place], c.want.pile, from.place, d.now[from.place], from.want.pile)
		came, could = came || carried, could || carried && !rises
	}
	return came && !could
}

// rises tells whether a place may have got pieces from another one, and if so whether they came before they left: the pile of the
// one grows from old to want, that of the other shrinks from stood to left. Pieces that go one by one come to stand in the opposite order.
func (d *Decoder) rises(to wood.Place, old, want wood.Pile, from wood.Place, stood, left wood.Pile) (carried, rises bool) {
	if to == from || len(left) >= len(stood) || len(want) <= len(old) || stood[:len(left)] != left {
		return false, false
	}
	carried = strings.HasSuffix(string(want), string(stood[len(left):]))
	if n := equals(old, want, stood[len(left):]); n > 0 {
		left = stood[:len(left)+n]
	}
	return carried, carried && d.tooSoon(to, old, want, from, stood, left)
}

// tooSoon tells whether what left one place last had come to another one before.
func (d *Decoder) tooSoon(to wood.Place, old, want wood.Pile, from wood.Place, stood, left wood.Pile) bool {
	carried := stood[len(left):]
	if left == "" && d.seen.reed(from) && d.seen.closed.Has(from) && d.seen.lifted.Has(from) {
		return false // others have come there since
	}
	long, early := time.Duration(0), time.Duration(0)
	if d.g.flat() {
		long, early = passing, lag // a hand, or what it puts down beside it, looks like a tile; and noise before it may seem to belong to what has come
	}
	gone, seen := d.seen.stoodOver(from, len(left), long)
	if left == "" && d.left(from) {
		gone, seen = d.seen.changed[from], true
		if d.seen.lifted.Has(from) {
			gone = d.seen.touched[from] // others have come and gone there since
		}
	}
	if !seen {
		return false
	}
	_, parted := d.seenBetween(from, len(left), len(stood))
	if at, ok := d.seenBetween(to, len(want)-len(carried), len(want)); parted && ok && at.Before(gone) {
		return true // not when two hands had lifted all of them by then
	}
	if at, ok := d.seen.stood(to, len(want)); ok && at.Add(early).Before(gone) {
		return true
	}
	return old == "" && want == carried && left != "" && d.seen.reed(to) && d.seen.closed.Has(to) && d.seen.turned.Has(to) && d.seen.changed[to].Before(gone)
}

// seenBetween tells whether, and since when, a place was seen higher than so many pieces, and lower than so many, on the way.
func (d *Decoder) seenBetween(p wood.Place, low, high int) (at time.Time, ok bool) {
	for k := low + 1; k < high && !ok; k++ {
		at, ok = d.seen.stood(p, k)
	}
	return at, ok
}

// tells tells whether an analog sensor of the place can tell one pile from the other.
func (d *Decoder) tells(p wood.Place, old, want wood.Pile) bool {
	if p >= 64 {
		return false
	}
	if d.g.Heights && len(old) != len(want) && d.seen.height[p].n > 0 && !d.seen.mute[sensing.Heights].Has(p) {
		return true
	}
	if !d.g.Weights || d.seen.mass[p].n == 0 || d.seen.mute[sensing.Weights].Has(p) {
		return false
	}
	return d.g.weighable(old, want)
}
