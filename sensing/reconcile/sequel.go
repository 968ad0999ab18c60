package reconcile

import "boardd/rules"

// sequel finds a reply that was finished before the move that it answers was acknowledged: two moves in one wood.
type sequel struct {
	woods  []rules.Wood
	looked Set  // the places that differed when it was last looked for
	wrong  bool // and nothing was found
	places Set  // where the reply touched the wood, once it was found
	found  bool
}

// find looks for a move and a reply that together explain the wood. It is only asked when one move cannot, and looks once
// for every rest.
func (s *sequel) find(d *Decoder) (Explanation, bool) {
	if !d.reply || d.t.Commit == ByClock || d.quiet < d.t.Ask || !d.unsure.less(d.differ).Empty() {
		return Explanation{}, false
	}
	if s.wrong && s.looked == d.differ {
		return Explanation{}, false
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
		first, s.places = h, places
	}
	if first == nil {
		return Explanation{}, false
	}
	s.found = true
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
		good, waits := d.shows(&after, touched)
		pending = pending || waits
		if good {
			count++
			places = Set{w.Touched, w.Touched}
		}
	}
	return places, pending, count == 1
}

// shows tells whether the sensors show a wood on some places.
func (d *Decoder) shows(w *Wood, where Set) (ok, pending bool) {
	for p := range where.places() {
		if w[p] == d.now[p] {
			if d.differ.Has(p) {
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

// resume keeps what was seen on the way of the reply, when its move has just been accepted: no hand will show it again.
func (s *sequel) resume(d *Decoder, before *seen) {
	if s.found {
		d.seen.stirred = both(before.stirred, s.places)
		d.seen.lifted = both(before.lifted, s.places)
		d.seen.dipped = both(before.dipped, s.places)
		d.seen.turned = both(before.turned, s.places)
	}
	s.found, s.wrong, s.looked = false, false, Set{}
}

func both(a, b Set) Set { return Set{a[0] & b[0], a[1] & b[1]} }
