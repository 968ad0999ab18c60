package reconcile

type ranked struct {
	h    *hypothesis
	nats float64
}

// afterthought is what a correction or a takeback costs, in nats, against a move that leaves the same wood: a position
// that is repeated is played, not taken back.
const afterthought = -sure - 1

// brushed is what a place stirred without need costs, in nats: a piece was touched in passing, or adjusted. The game as it
// stands needs none of the places that were stirred; a hypothesis is spared the cost of its own.
const brushed = -3.0

// rank lists the hypotheses that nothing settled contradicts.
func (d *Decoder) rank() {
	d.live = d.live[:0]
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if (d.differ[0]&^h.places[0])|(d.differ[1]&^h.places[1]) != 0 {
			continue
		}
		if nats, ok := d.nats(h); ok {
			d.live = append(d.live, ranked{h, nats})
		}
	}
}

// nats is how much likelier the hypothesis makes all that was seen than the game as it stands does.
func (d *Decoder) nats(h *hypothesis) (sum float64, ok bool) {
	for i := range h.changes {
		c := &h.changes[i]
		v := d.judge(c.place, &c.want)
		if v.against || d.impossible(h, c) {
			return 0, false
		}
		sum += v.nats - d.judge(c.place, &d.want[c.place]).nats
	}
	if h.base > 0 {
		sum += afterthought
	}
	if h.base > 1 {
		sum += afterthought // several moves taken back are less likely than one made otherwise
	}
	return sum - brushed*float64(both(d.seen.stirred, h.places).Count()), true
}

// leaders are the best hypothesis and the figure of its runner-up; the wood as the game has it counts as one (0 nats).
func (d *Decoder) leaders() (best ranked, second float64) {
	best = d.live[0]
	for _, r := range d.live[1:] {
		if r.nats > best.nats {
			second = max(second, best.nats)
			best = r
		} else {
			second = max(second, r.nats)
		}
	}
	return best, second
}
