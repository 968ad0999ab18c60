package reconcile

import (
	"time"

	"boardd/rules"
)

// sequel finds a reply that was finished before the move that it answers was acknowledged: two moves in one wood.
type sequel struct {
	woods  []rules.Wood
	looked Set  // the places that differed when it was last looked for
	wrong  bool // and nothing was found
	begun  Set  // places that the reply has touched already when the move before it is accepted
}

// find looks for a move and a reply that together explain the wood. It is only asked when one move cannot, and looks once
// for every rest.
func (s *sequel) find(d *Decoder) (Explanation, bool) {
	if !d.reply || d.t.Commit == ByClock || d.still < d.t.Ask || !d.unsure.less(d.differ).Empty() {
		return Explanation{}, false
	}
	if s.wrong && s.looked == d.differ {
		return Explanation{}, false
	}
	if d.still < d.t.Unseen && d.onTheWay() {
		return Explanation{}, false // a hand half way through one move explains it as well
	}
	s.looked, s.wrong = d.differ, true
	var first *hypothesis
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.base != 0 || h.ask || h.ends != "" || h.move == rules.NoMove || d.differ.less(h.places).Empty() {
			continue
		}
		places, pending, ok := s.reply(d, h)
		if pending {
			s.wrong = false // look again when the sensors have settled
		}
		if !ok {
			continue
		}
		if first != nil {
			return Explanation{}, false // two ways to read it: somebody must put it right
		}
		first, s.begun = h, places
	}
	if first == nil {
		return Explanation{}, false
	}
	return Explanation{State: Moved, Move: first.move, Margin: sure, Waited: d.quiet}, true
}

// reply looks for the one reply to a move that leads to what is seen.
func (s *sequel) reply(d *Decoder, h *hypothesis) (places Set, pending, ok bool) {
	if both(h.places, d.differ).Empty() {
		return places, false, false
	}
	q := d.base
	q.Play(h.move)
	mid := d.now
	for i := range h.changes {
		mid[h.changes[i].place] = h.changes[i].want.pile
	}
	s.woods = q.AppendWoods(s.woods[:0])
	count := 0
	for i := range s.woods {
		w := &s.woods[i]
		touched := Set{h.places[0] | w.Touched, h.places[1] | w.Touched}
		if !d.differ.less(touched).Empty() {
			continue
		}
		r := q
		r.Play(w.Move)
		after := mid
		d.g.relay(&after, &r, w.Touched)
		good, waits := d.shows(&after, &mid, touched)
		pending = pending || waits
		if good {
			count++
			places = Set{w.Touched, w.Touched}
		}
	}
	return places, pending, count == 1
}

// shows tells whether the sensors show a wood on some places, and showed the way there: what a captor that was captured at once
// leaves behind may look as if nothing had been touched.
func (d *Decoder) shows(w, mid *Wood, where Set) (ok, pending bool) {
	for p := range where.places() {
		if w[p] == d.now[p] {
			if d.differ.Has(p) || mid[p] != w[p] && !d.passed(p) {
				return false, pending
			}
			continue
		}
		c := change{p, d.g.target(w[p])}
		v := d.judge(p, &c.want)
		pending = pending || v.pending
		if v.against || v.pending || d.untouched(&c) {
			return false, pending
		}
	}
	return true, pending
}

// passed tells whether a place was left by what stood there since the path began.
func (d *Decoder) passed(p Place) bool {
	return d.seen.reed(p) && d.seen.lifted.Has(p) && (!d.seen.analog(&d.g, p) || !d.g.Weights || d.seen.dipped.Has(p))
}

// begun is the places outside a move that were touched after the last contact of the move itself: there the reply begins.
func (s *seen) begun(h *hypothesis) (begun Set) {
	var last time.Time
	for p := range h.places.places() {
		if s.changed[p].After(last) {
			last = s.changed[p]
		}
	}
	for p := range s.turned.less(h.places).places() {
		if s.changed[p].After(last) {
			begun.Add(p)
		}
	}
	return begun
}

func both(a, b Set) Set { return Set{a[0] & b[0], a[1] & b[1]} }
