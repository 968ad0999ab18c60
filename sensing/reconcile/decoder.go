package reconcile

import (
	"math"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// sure is how much likelier than its runner-up, in nats, an explanation must be to be taken without asking: one
// wrong reed (7.6 nats) on either side must not be enough to change the choice, a stirred place less than that.
const sure = 5.0

// settled is how soon to look again while a sensor settles.
const settled = 20 * time.Millisecond

// afterthought is what a correction or a takeback costs, in nats, against a move that leaves the same wood: a position
// that is repeated is played, not taken back.
const afterthought = -6.0

// brushed is what a place stirred without need costs, in nats: a piece was touched in passing, or adjusted.
const brushed = -3.0

// Decoder turns readings into explanations. It belongs to one goroutine.
type Decoder struct {
	g      Geometry
	t      Timing
	seen   seen
	now    Wood         // the wood as base 0 has it
	turn   rules.Color  // the side to move in base 0
	reply  bool         // the other side may touch its pieces at any time
	waits  *hypothesis  // stood clear and alone, and only waits for the hand to be done
	hyps   []hypothesis // all other explanations
	must   Set          // places that have to be stirred before the wood may be taken for base 0
	hurry  bool         // the clock was pressed since the last Expect
	strict bool         // the wood counts as base 0 only when every sensor has settled on it
	ahead  float64      // the margin of waits
	differ Set          // places that contradict base 0, as of the last Explain
	unsure Set          // places still settling
	live   []ranked     // the hypotheses not contradicted, scratch
}

type ranked struct {
	h    *hypothesis
	nats float64
}

// New makes a decoder for a board. It expects nothing yet: call Expect before Explain.
func New(g Geometry, t Timing) *Decoder { return &Decoder{g: g, t: t} }

// Geometry is the board that the decoder was made for.
func (d *Decoder) Geometry() *Geometry { return &d.g }

// Expect says what the wood may be explained from: bases[0] is the game as it stands, the others are earlier
// positions. What was seen on the way so far is forgotten.
func (d *Decoder) Expect(bases []Base) {
	d.now = d.g.Lay(&bases[0].Position)
	d.turn, d.reply, d.waits = bases[0].Position.Turn(), bases[0].Reply, nil
	d.hyps = hypotheses(&d.g, bases, &d.now)
	d.seen.stirred, d.seen.dipped, d.must = Set{}, Set{}, Set{}
	d.strict, d.hurry = false, false
}

// Hurry says that the player has pressed the clock: what rests now is the move, and no slide is waited for.
func (d *Decoder) Hurry() { d.hurry = true }

// Follow is Expect for a game that went on while the wood did not, and still shows before: the wood counts as the game
// only when every sensor has settled on it, and pieces exchanged on a place whose sensors cannot tell must be seen to be
// lifted.
func (d *Decoder) Follow(bases []Base, before *rules.Position) {
	d.Expect(bases)
	d.strict = true
	old := d.g.Lay(before)
	for p := range Place(Places) {
		if exchanged := old[p] != d.now[p] && old[p] != "" && d.now[p] != ""; exchanged && !d.tells(change{p, old[p]}) {
			d.must.Add(p)
		}
	}
}

// Observe takes one reading in.
func (d *Decoder) Observe(r *sensing.Reading) {
	d.seen.take(r)
	d.seen.dip(&d.g, &d.now, r)
}

// Wood is what the game as it stands has on every place.
func (d *Decoder) Wood() *Wood { return &d.now }

// Explain says what the wood means at a time not earlier than the newest reading.
func (d *Decoder) Explain(at time.Time) Explanation {
	if d.seen.blind(&d.g, at) {
		return Explanation{State: Moving}
	}
	d.compare()
	if d.differ.Empty() && d.strict && !d.unsure.Empty() {
		return Explanation{State: Moving, Again: at.Add(settled)}
	}
	if d.differ.Empty() {
		return d.synced(at)
	}
	d.rank()
	if len(d.live) > 0 {
		return d.weigh(at)
	}
	return d.unexplained(at)
}

// compare finds the places that contradict the game as it stands.
func (d *Decoder) compare() {
	d.differ, d.unsure = Set{}, Set{}
	for p := range Place(Places) {
		v := d.seen.judge(&d.g, p, d.now[p])
		if v.against || d.awaits(p) {
			d.differ.Add(p)
		}
		if v.pending {
			d.unsure.Add(p)
		}
	}
}

// awaits tells whether a place must still be seen to be touched before the wood can be what the game has.
func (d *Decoder) awaits(p Place) bool {
	return d.must.Has(p) && !d.seen.stirred.Has(p) && !d.seen.dipped.Has(p)
}

func (d *Decoder) synced(at time.Time) Explanation {
	if at.Sub(d.seen.moved) >= d.t.Slide && d.unsure.Empty() {
		d.seen.stirred, d.seen.dipped, d.must = Set{}, Set{}, Set{}
		d.seen.drift(&d.g, &d.now)
	}
	return Explanation{State: Synced}
}

// rank lists the hypotheses that nothing settled contradicts.
func (d *Decoder) rank() {
	d.live = d.live[:0]
	for i := range d.hyps {
		h := &d.hyps[i]
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
	for _, c := range h.changes {
		v := d.seen.judge(&d.g, c.place, c.want)
		if v.against {
			return 0, false
		}
		sum += v.nats - d.seen.judge(&d.g, c.place, d.now[c.place]).nats
		if d.untouched(c) {
			return 0, false
		}
	}
	if h.base > 0 {
		sum += afterthought
	}
	needless := Set{d.seen.stirred[0] &^ h.places[0], d.seen.stirred[1] &^ h.places[1]}
	return sum + brushed*float64(needless[0].Count()+needless[1].Count()), true
}

// untouched tells whether pieces would have to be exchanged on a place where nothing was seen to be lifted: the reed
// below an exchanged lowest piece opens, and what an exchanged upper piece weighs or how high it stands is missed
// for a while. Without this a captor still in the hand would pass for one that has landed on its equal.
func (d *Decoder) untouched(c change) bool {
	old := d.now[c.place]
	if old == "" || c.want == "" {
		return false
	}
	if old[0] != c.want[0] {
		return d.seen.known.Has(c.place) && !d.seen.stirred.Has(c.place)
	}
	return !d.tells(c) && !d.seen.dipped.Has(c.place)
}

// tells tells whether an analog sensor of the place can tell the pile wanted from the one the game has there.
func (d *Decoder) tells(c change) bool {
	if c.place >= 64 {
		return false
	}
	old := d.now[c.place]
	if d.g.Heights && len(old) != len(c.want) && d.seen.height[c.place].n > 0 {
		return true
	}
	if !d.g.Weights || d.seen.mass[c.place].n == 0 {
		return false
	}
	a, spread := d.g.mass(old)
	b, _ := d.g.mass(c.want)
	return math.Abs(a-b) > 2*outlier*spread
}

// weigh decides between the live hypotheses.
func (d *Decoder) weigh(at time.Time) Explanation {
	best, second := d.leaders()
	margin := best.nats - second
	quiet := at.Sub(d.seen.moved)
	if margin < sure {
		if d.undecided(best) || quiet < d.t.Ask {
			return d.moving(d.t.Ask)
		}
		return d.ask(best)
	}
	rest := d.rest(best.h)
	if quiet < rest || !d.settled(best.h) {
		if best.h.base == 0 && best.h.move != rules.NoMove && !best.h.ask && d.settled(best.h) {
			d.waits, d.ahead = best.h, margin
		}
		return d.moving(rest)
	}
	if best.h.ask {
		return d.ask(best)
	}
	if best.h.ends != "" {
		return Explanation{State: Ended, Result: best.h.ends}
	}
	if best.h.move == rules.NoMove {
		return Explanation{State: TakenBack, Base: best.h.base}
	}
	return Explanation{State: Moved, Base: best.h.base, Move: best.h.move, Margin: margin, Waited: quiet}
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

// rest is how long the wood must rest before the hypothesis is taken.
func (d *Decoder) rest(h *hypothesis) time.Duration {
	switch {
	case d.hurry && !h.ask:
		return d.t.Bounce
	case h.base > 0 || h.ends != "":
		return d.t.Back
	case h.ask:
		return d.t.Ask
	case h.goesOn:
		return d.t.Slide
	}
	return d.t.Bounce
}

// settled tells whether everything that must be known before the hypothesis is taken is known: no place outside it is
// unsettled, and none inside it that only a load cell or a height can tell.
func (d *Decoder) settled(h *hypothesis) bool {
	if (d.unsure[0]&^h.places[0])|(d.unsure[1]&^h.places[1]) != 0 {
		return false
	}
	for _, c := range h.changes {
		reedTells := (c.want == "") != (d.now[c.place] == "") && d.seen.known.Has(c.place)
		if !reedTells && d.seen.judge(&d.g, c.place, c.want).pending {
			return false
		}
	}
	return true
}

// undecided tells whether a place that is still settling could tell the leaders apart.
func (d *Decoder) undecided(best ranked) bool {
	for _, r := range d.live {
		if best.nats-r.nats >= sure {
			continue
		}
		for _, c := range r.h.changes {
			if d.seen.judge(&d.g, c.place, c.want).pending {
				return true
			}
		}
	}
	return false
}

func (d *Decoder) moving(rest time.Duration) Explanation {
	return Explanation{State: Moving, Touch: d.touch(), Lifts: d.lifts(), Again: d.seen.moved.Add(rest)}
}

// unexplained says whether the wood may be on its way to a legal move, or is wrong.
func (d *Decoder) unexplained(at time.Time) Explanation {
	lifts := d.lifts()
	if d.touched(lifts) {
		return Explanation{State: Moved, Move: d.waits.move, Margin: d.ahead, Waited: at.Sub(d.seen.moved)}
	}
	if len(lifts) == d.differ[0].Count()+d.differ[1].Count() || d.onTheWay() {
		return Explanation{State: Moving, Touch: d.touch(), Lifts: lifts}
	}
	if quiet := at.Sub(d.seen.moved); quiet < d.t.Wrong {
		return Explanation{State: Moving, Touch: d.touch(), Lifts: lifts, Again: d.seen.moved.Add(d.t.Wrong)}
	}
	return Explanation{State: Wrong, Touch: d.touch(), Lifts: lifts}
}

// touched tells whether the other side has begun to reply to a move that only waited for the hand to be done: beyond
// that move nothing differs but pieces of the other side that were lifted. If it was the mover's hand after all, on its way
// to capture, the move made is corrected when it lands.
func (d *Decoder) touched(lifts []Lift) bool {
	if d.waits == nil || !d.reply {
		return false
	}
	if _, ok := d.nats(d.waits); !ok {
		d.waits = nil // the piece itself went on
		return false
	}
	beyond := Set{d.differ[0] &^ d.waits.places[0], d.differ[1] &^ d.waits.places[1]}
	for _, l := range lifts {
		if pile := d.now[l.Place]; beyond.Has(l.Place) && isColor(pile[len(pile)-1], d.turn.Other()) {
			beyond.Drop(l.Place)
		}
	}
	return beyond.Empty()
}

// isColor tells whether a letter is a piece of the color.
func isColor(letter byte, c rules.Color) bool {
	return letter != Pedestal && (letter >= 'a') == (c == rules.Black)
}

// onTheWay tells whether all places that differ belong to one hypothesis, so that a hand may be half way through it.
func (d *Decoder) onTheWay() bool {
	for i := range d.hyps {
		h := &d.hyps[i]
		if h.ends == "" && (d.differ[0]&^h.places[0])|(d.differ[1]&^h.places[1]) == 0 {
			return true
		}
	}
	return false
}
