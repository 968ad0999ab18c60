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

// sequel finds a reply that was finished before the move that it answers was acknowledged: two moves in one wood.
type sequel struct {
	woods   []rules.Wood
	looked  time.Time      // when it was last looked for
	asking  bool           // several were found
	several bool           // a move was found that several replies may have followed
	firm    bool           // one of them was felt all the way
	found   wood.Wood      // what the last reading leads to
	blind   bool           // what nothing would have shown may have happened
	again   bool           // what moved last may have moved again, which is believed only after more rest
	undone  bool           // several moves taken back explain the wood as well
	late    bool           // a move may have closed its reed after the reply had landed: landings show no order
	stay    hypothesis     // that the last move is right, for a question
	proved  bool           // the reply is known to have left and taken them all
	begun   wood.Set       // places that the reply has touched already when the move before it is accepted
	path    path           // what was seen on the way of the move that is accepted
	doubted rules.Position // somebody was asked which move led to it
}

// glance is how often it is looked for while the wood rests: it takes longer than all else.
const glance = 200 * time.Millisecond

// find looks for a move and a reply that together explain the wood. It is only asked when one move cannot. If there are several
// ways to read it, somebody must say what came first.
func (s *sequel) find(d *Decoder, at time.Time, single *hypothesis) (Explanation, bool) {
	if !d.reply || d.t.Commit == ByClock || d.uncounted() {
		return Explanation{}, false
	}
	if early := d.still < d.t.Ask || at.Sub(s.looked) < glance && !s.asking; early && (single == nil || single.base == 0) {
		if s.again && d.still >= d.t.Ask {
			return d.moving(lingers), true // as before
		}
		return Explanation{}, false // a correction, once it is to be taken, is held against others there and then
	}
	half := single == nil && d.capturing() // it may be one move that is only half done
	if half && d.restedOn(d.differ, at) < d.t.Unseen {
		return Explanation{}, false
	}
	s.looked, s.asking, s.late = at, false, false
	begun := s.readings(d, single)
	if s.again {
		return d.moving(lingers), true
	}
	if len(d.live) == 0 && single == nil {
		s.late = true
		begun = s.readings(d, nil)
	}
	if len(d.live) == 0 && single == nil {
		s.blind = true
		begun = s.readings(d, nil) // what moved last may have gone on to where nothing shows it
		s.blind = false
		d.live = slices.DeleteFunc(d.live, func(r ranked) bool { return r.h.base == 0 })
	}
	if (s.late || !s.firm) && single == nil && slices.ContainsFunc(d.live, func(r ranked) bool { return r.h.base == 1 }) {
		d.live, s.firm = append(d.live, ranked{&s.stay, 0}), true // somebody must say
	}
	if len(d.live) == 1 && !s.several && s.firm {
		s.blind = true
		begun = s.readings(d, single) // the same, and what may as well have been
		s.blind = false
	}
	if len(d.live) == 0 || !s.firm && single == nil {
		return Explanation{}, false
	}
	if s.again {
		return d.moving(lingers), true
	}
	if single == nil && d.still < 2*d.t.Slide && s.half(d) {
		return Explanation{}, false
	}
	if single != nil {
		d.live = append(d.live, ranked{single, 0})
	}
	s.begun, s.proved, s.path = begun, len(d.live) == 1 && !s.several, d.path(d.live[0].h.base)
	if len(d.live) > 1 {
		s.asking = true
		return d.ask(s.earliest(d)), true
	}
	d.blame.suspects = d.blame.suspects[:0] // the reply explains what they were suspected of
	return Explanation{State: Moved, Base: d.live[0].h.base, Move: d.live[0].h.move, Margin: sure, Waited: d.waited()}, true
}

// readings lists the moves that a reply may have followed, and gives the places that those replies touched.
func (s *sequel) readings(d *Decoder, single *hypothesis) (begun wood.Set) {
	s.several, s.firm, s.again = false, false, false
	d.live = d.live[:0]
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if !s.answerable(d, h, single) {
			continue
		}
		if places, ok := s.reply(d, h, single); ok {
			d.live = append(d.live, ranked{h, 0})
			begun = wood.Set{begun[0] | places[0], begun[1] | places[1]}
		}
	}
	return begun
}

// answerable tells whether a reply is looked for to a move: one of now, or in place of the last one, that does not explain the wood alone. A correction, and
// a move without an order of landings, need more rest. What is held against a correction is a move of now as well.
func (s *sequel) answerable(d *Decoder, h, single *hypothesis) bool {
	switch {
	case h.ask, h.ends != "", h.move == rules.NoMove, h.base > 1, h.base == 1 && d.past == nil:
		return false
	case (h.base == 1 || s.late) && d.quiet < lingers:
		return false
	case single != nil:
		return h != single && (h.base == single.base || h.base == 0)
	}
	return !d.differ.Less(h.places).Empty() || !d.parted.Both(h.places).Empty()
}

// earliest is the reading that goes back the farthest: of readings from several bases, the question is which of its moves was made.
func (s *sequel) earliest(d *Decoder) ranked {
	for _, r := range d.live {
		if r.h.base == 1 {
			s.doubted = d.base
			return r
		}
	}
	return d.live[0]
}

// reply looks for replies to a move that lead to what is seen. Which of several it was is found when the move is accepted.
func (s *sequel) reply(d *Decoder, h, single *hypothesis) (places wood.Set, ok bool) {
	if h.places.Both(d.differ).Empty() {
		return places, false
	}
	if d.others(h, d.lies) {
		return places, false // it lies elsewhere, though its reed is open there
	}
	q := d.base
	if h.base == 1 {
		q = *d.past
	}
	q.Play(h.move)
	mid := d.now
	for i := range h.changes {
		mid[h.changes[i].place] = h.changes[i].want.pile
	}
	s.woods = q.AppendWoods(s.woods[:0])
	count := 0
	for i := range s.woods {
		w := &s.woods[i]
		touched := wood.Set{h.places[0] | w.Touched, h.places[1] | w.Touched}
		if !d.differ.Less(touched).Empty() {
			continue
		}
		again := h.base == 0 && single == nil && d.quiet < lingers && d.movesAgain(w.Move)
		r := q
		r.Play(w.Move)
		after := mid
		d.g.Relay(&after, &r, w.Touched)
		if !d.shows(h, &after, &mid, touched) || !d.follows(h, w, &mid, &after) {
			continue
		}
		if s.undone && d.overlaps(h, w) {
			continue // people who take back do not wait for each other
		}
		if (s.late || h.base == 1) && d.crosses(h, w.Move) {
			continue
		}
		if again {
			s.again = true
		} else {
			count++
			s.found = after
			places = wood.Set{places[0] | w.Touched, places[1] | w.Touched}
			s.several = s.several || count > 1
			s.firm = s.firm || d.felt(h.base, &after, &mid, touched)
		}
	}
	return places, count > 0
}

// others tells whether another move of the same piece is so.
func (d *Decoder) others(h *hypothesis, so func(o *hypothesis) bool) bool {
	for i := range d.list.hyps {
		o := &d.list.hyps[i]
		if o.base == h.base && !o.ask && o.move != rules.NoMove && o.move.From() == h.move.From() && o.move.To() != h.move.To() && so(o) {
			return true
		}
	}
	return false
}

// crosses tells whether the piece of a move may have landed where its reply is to have, and did so before anything landed where the move is to have gone: that
// is the likelier order, and what came last another matter.
func (d *Decoder) crosses(h *hypothesis, reply rules.Move) bool {
	first, second := d.seen.changed[h.move.To()], d.seen.changed[reply.To()]
	made := h.base == 1 && d.list.made.From() == h.move.From() && d.list.made.To() == reply.To()
	return second.Before(first) && (made || d.others(h, func(o *hypothesis) bool { return o.move.To() == reply.To() }))
}

// overlaps tells whether something of a reply had been touched before the move that it answers had landed, as far as reeds tell.
func (d *Decoder) overlaps(h *hypothesis, w *rules.Wood) bool {
	landed := d.contact(h.places)
	for p := range (wood.Set{w.Touched, w.Touched}).Less(h.places).Both(d.seen.turned).Places() {
		if d.seen.touched[p].Before(landed) {
			return true
		}
	}
	return false
}

// half tells whether some move and its reply lead to a wood of which the one that was found is a part: a piece may be in a hand still.
func (s *sequel) half(d *Decoder) bool {
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.base > 1 || h.base == 1 && d.past == nil || h.ask || h.ends != "" || h.move == rules.NoMove {
			continue
		}
		q, mid := d.base, d.now
		if h.base == 1 {
			q = *d.past
		}
		q.Play(h.move)
		for j := range h.changes {
			mid[h.changes[j].place] = h.changes[j].want.pile
		}
		s.woods = q.AppendWoods(s.woods[:0])
		for j := range s.woods {
			r, after := q, mid
			r.Play(s.woods[j].Move)
			d.g.Relay(&after, &r, s.woods[j].Touched)
			if partOf(&s.found, &after) {
				return true
			}
		}
	}
	return false
}

// partOf tells whether some piles of one wood are lower parts of those of another, and all others the same.
func partOf(a, b *wood.Wood) bool {
	less := false
	for p := range a {
		if a[p] == b[p] {
			continue
		}
		if a[p] == "" || !strings.HasPrefix(string(b[p]), string(a[p])) {
			return false
		}
		less = true
	}
	return less
}

// follows tells whether a reply may have been made after a move, by all that was seen to come and go.
func (d *Decoder) follows(h *hypothesis, w *rules.Wood, mid, after *wood.Wood) bool {
	for i := range h.changes {
		if c := &h.changes[i]; d.now[c.place] == "" && c.want.pile != "" && d.seen.reed(c.place) && d.arrivedFirst(h, c) {
			return false
		}
	}
	return d.landed(mid, after, h) && d.answers(w, h, after) && !d.atOneTime(h, w) &&
		d.arrived(h.move, &d.now, mid) && d.arrived(w.Move, mid, after) &&
		d.founded(&d.now, mid, after, h.places) && d.founded(mid, after, after, wood.Set{w.Touched, w.Touched})
}

// atOneTime tells whether a piece of a move and one of its reply would have landed at the same time.
func (d *Decoder) atOneTime(h *hypothesis, w *rules.Wood) bool {
	for p := range h.places.Places() {
		for q := range (wood.Set{w.Touched, w.Touched}).Less(h.places).Places() {
			if d.now[p] == "" && d.now[q] == "" && d.echoes(p, q) {
				return true
			}
		}
	}
	return false
}

// answers tells whether a reply came down after all of the move had, by the last contacts. Where these are not known, or a reed may have closed late, and where
// a correction and its reply began long ago, it must have been lifted after the move.
func (d *Decoder) answers(w *rules.Wood, h *hypothesis, after *wood.Wood) bool {
	touched := wood.Set{w.Touched, w.Touched}
	first, second := d.contact(h.places.Less(touched)), d.contact(touched.Both(d.differ))
	known := !d.next.late && !first.IsZero() && !second.IsZero()
	if known && second.Before(first) {
		return false // it was no reply to it
	}
	return known && h.base == 0 && !d.movesAgain(w.Move) || d.begunAfter(w.Move, h, after)
}

// movesAgain tells whether a reply moves what moved last: it may have gone on before the move in between.
func (d *Decoder) movesAgain(reply rules.Move) bool {
	return d.past != nil && d.list.made != rules.NoMove && reply.From() == d.list.made.To()
}

// founded tells whether nothing came to a place before it left another one, in a move after which the wood became what it is at last.
func (d *Decoder) founded(was, is, last *wood.Wood, where wood.Set) bool {
	for to := range where.Places() {
		came, could := false, false
		for from := range where.Places() {
			carried, rises := d.rises(to, was[to], is[to], from, was[from], is[from])
			refilled := len(last[from]) > len(is[from]) // then nothing tells when they left
			came, could = came || carried, could || carried && (!rises || refilled)
		}
		if came && !could {
			return false
		}
	}
	return true
}

// shows tells whether the sensors show a wood on some places, and showed the way there: what a captor that was captured at once
// leaves behind may look as if nothing had been touched.
func (d *Decoder) shows(h *hypothesis, w, mid *wood.Wood, where wood.Set) bool {
	for p := range where.Places() {
		way := d.path(h.base)
		if m, a := mid[p], w[p]; m != "" && a != "" && m[0] != a[0] && d.seen.reed(p) && !way.lifted.Has(p) && !way.blinked.Has(p) && d.now[p] != "" {
			return false // what stood lowest in between has never left
		}
		if w[p] == d.now[p] {
			if d.differ.Has(p) || mid[p] != w[p] && !d.passed(h.base, p) {
				return false
			}
			continue
		}
		c := change{p, d.g.target(w[p])}
		v := d.judge(p, &c.want)
		if stands, known := d.measured(p, 0); known && stands == (w[p] == "") && (h.base == 1 && h.places.Has(p) || !stands && !d.seen.outdated(p, &d.seen.height[p])) {
			return false // the move was not taken so before: a reed that a height contradicts does not refute it; nor is it enough for two moves at once
		}
		if v.against || v.pending || d.untouched(h, &c) || !d.next.blind && (d.unnoticed(p, d.now[p], w[p]) || mid[p] != d.now[p] && d.unnoticed(p, mid[p], w[p])) {
			return false
		}
	}
	return true
}

// felt tells whether all exchanges of pieces that neither the reed nor a count can tell were at least seen to begin by a reed or a load cell, or counted half
// way: a height that was lower for a moment is too little to believe two moves at once, though enough to doubt two others.
func (d *Decoder) felt(base int, w, mid *wood.Wood, where wood.Set) bool {
	for p := range where.Places() {
		if d.now[p] == "" && mid[p] != "" && w[p] != "" && mid[p][0] != w[p][0] && !d.seen.reed(p) {
			return false // see landed
		}
		old, want, way := d.stood(base, p), w[p], d.path(base)
		if base == 1 && want == "" && d.left(p) && !way.turned.Has(p) {
			return false // its reed never closed under what came there last
		}
		if mid[p] == d.now[p] {
			old = mid[p] // what the move did here was seen when another one was taken for it
		}
		begun := way.lifted.Has(p) || p < 64 && d.g.Weights && way.dipped.Has(p) && !d.seen.mute[sensing.Weights].Has(p)
		begun = begun || base == 0 && d.lowerBetween(p, old, mid[p], want) || way.blinked.Has(p) && d.quiet >= d.t.Unseen // as long as for one move
		if old != want && old != "" && want != "" && !begun && !d.tells(p, old, want) {
			return false
		}
	}
	return true
}

// lowerBetween tells whether a place stood for a while as high as its pile was between two moves, lower than before and after: no hand looks like that.
func (d *Decoder) lowerBetween(p wood.Place, old, mid, want wood.Pile) bool {
	return mid != "" && len(mid) < min(len(old), len(want)) && d.seen.stoodFor(p, len(mid)) >= passing && !d.seen.mute[sensing.Heights].Has(p)
}

// arrived tells whether a square was last touched after another one had been emptied, as far as reeds can tell, on each deck:
// a captor cannot have landed before it was lifted. What a pawn becomes comes from beside the board, and may.
func (d *Decoder) arrived(m rules.Move, was, is *wood.Wood) bool {
	if m.Promotion() != rules.NoKind {
		return true
	}
	for deck := range wood.Place(2) {
		p, q := wood.Place(m.From())+64*deck, wood.Place(m.To())+64*deck
		if len(is[q]) > 1 && was[p] != "" && is[q][0] != was[p][0] {
			continue // it comes to stand on others, which no reed tells
		}
		if len(was[p]) > 1 && was[p][0] == wood.Pedestal {
			continue // the reed tells when the pedestal was taken away
		}
		if d.left(p) && d.now[q] != "" && d.seen.reed(q) && d.seen.lifted.Has(q) && d.seen.changed[p].After(d.seen.changed[q]) {
			return false
		}
	}
	return !d.idle(wood.Place(m.From()), wood.Place(m.To()), was, is)
}

// idle tells whether what counts the pieces of a square has shown nothing new since something first left another one, from which pieces are to
// have come: none has.
func (d *Decoder) idle(from, to wood.Place, was, is *wood.Wood) bool {
	if left, ok := strings.CutPrefix(string(was[from]), string(is[from])); !ok || left == "" || !strings.HasSuffix(string(is[to]), left) {
		return false
	}
	if from == to || d.now[from] == "" || !d.seen.analog(&d.g, to) {
		return false
	}
	left := d.seen.shiftedAt[from]
	switch {
	case d.g.Weights && d.seen.shifted.Has(from):
	case d.left(from) && len(d.now[from]) == 1:
		left = d.seen.changed[from]
		if d.seen.lifted.Has(from) {
			left = d.seen.touched[from] // others have come and gone there since
		}
	default:
		return false // a height changes with every hand that passes, and a pile may leave in parts
	}
	heard := d.seen.mass[to].heard
	if !d.g.Weights {
		heard = d.seen.height[to].heard
	}
	return d.seen.jumpedAt[to].Add(lag).Before(left) && heard.After(left)
}

// landed tells whether both the captor and the one that captured it at once were felt to land. A captor that was put onto what it captures never
// stood alone when both were taken together.
func (d *Decoder) landed(mid, after *wood.Wood, h *hypothesis) bool {
	for p := range h.places.Places() {
		if mid[p] == "" || after[p] == "" || after[p][0] == mid[p][0] || !d.seen.reed(p) || d.seen.landings[p] >= 2 {
			continue
		}
		if d.now[p] == "" || h.base == 0 && d.now[p][0] != mid[p][0] && !d.seen.blinked.Has(p) {
			return false
		}
	}
	return true
}

// begunAfter tells whether the square that a reply starts from was left later than that of the move it answers, as far as
// reeds and heights can tell. A piece may close its reed long after it has landed; that it left can hardly be missed.
func (d *Decoder) begunAfter(reply rules.Move, h *hypothesis, after *wood.Wood) bool {
	for _, p := range [2]wood.Place{wood.Place(reply.From()), wood.Place(reply.From()) + 64} {
		at, known := d.seen.changed[p], d.left(p)
		if !known && after[p] != "" && len(after[p]) < len(d.now[p]) {
			at, known = d.seen.stood(p, len(after[p]))
		}
		if known && h.base == 1 && p < 64 && d.g.Weights && d.seen.shifted.Has(p) {
			at = d.seen.shiftedAt[p] // its first part
		}
		for i := range h.changes {
			if c := &h.changes[i]; known && c.place != p && d.leftAfter(c, at) {
				return false
			}
		}
	}
	return true
}

// leftAfter tells whether a move took pieces from a place after a time: all of them, or by a load cell or a height those on top.
func (d *Decoder) leftAfter(c *change, at time.Time) bool {
	switch old, want := d.now[c.place], c.want.pile; {
	case want == "":
		return d.left(c.place) && at.Before(d.seen.changed[c.place])
	case len(want) < len(old) && old[:len(want)] == want && c.place < 64 && d.seen.shifted.Has(c.place):
		return at.Before(d.seen.stoodAt[c.place])
	}
	return false
}

// left tells whether a reed saw everything leave a place.
func (d *Decoder) left(p wood.Place) bool {
	return d.now[p] != "" && d.seen.reed(p) && !d.seen.closed.Has(p)
}

// contact is when any of the places last changed.
func (d *Decoder) contact(where wood.Set) (last time.Time) {
	for p := range where.Places() {
		t := d.seen.changed[p]
		if flipped := d.seen.closed.Has(p) != (d.now[p] != ""); !flipped && p < 64 && d.g.Weights {
			t = d.seen.jumpedAt[p]
		} else if !flipped && !d.seen.lifted.Has(p) {
			continue // a height changes with every hand that passes
		}
		if t.After(last) {
			last = t
		}
	}
	return last
}

// passed tells whether a place was left by what stood there since the path began.
func (d *Decoder) passed(base int, p wood.Place) bool {
	way := d.path(base)
	return d.seen.reed(p) && way.lifted.Has(p) && (d.now[p] == "" || !d.seen.analog(&d.g, p) || !d.g.Weights || way.dipped.Has(p))
}

// begun is the places outside a move that were touched after the last contact of the move itself: there the reply begins.
func (s *seen) begun(h *hypothesis) (begun wood.Set) {
	var last time.Time
	for p := range h.places.Places() {
		if s.changed[p].After(last) {
			last = s.changed[p]
		}
	}
	for p := range s.turned.Less(h.places).Places() {
		if s.changed[p].After(last) {
			begun.Add(p)
		}
	}
	for p := range s.shifted.Less(h.places).Places() {
		if s.jumpedAt[p].After(last) {
			begun.Add(p)
		}
	}
	return begun
}
