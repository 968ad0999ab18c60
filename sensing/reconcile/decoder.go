package reconcile

import (
	"math"
	"strings"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// sure is how much likelier than its runner-up, in nats, an explanation must be to be taken without asking: one
// wrong reed (7.6 nats) on either side must not be enough to change the choice, a stirred place less than that.
const sure = 7.0

// settled is how soon to look again while a sensor settles.
const settled = 20 * time.Millisecond

// afterthought is what a correction or a takeback costs, in nats, against a move that leaves the same wood: a position
// that is repeated is played, not taken back.
const afterthought = -sure - 1

// brushed is what a place stirred without need costs, in nats: a piece was touched in passing, or adjusted. The game as it
// stands needs none of the places that were stirred; a hypothesis is spared the cost of its own.
const brushed = -3.0

// Decoder turns readings into explanations. It belongs to one goroutine.
type Decoder struct {
	g      Geometry
	t      Timing
	tally  tally
	seen   seen
	base   rules.Position  // base 0
	tall   Set             // places where more than one piece stands or may come to stand
	past   *rules.Position // base 1, if another move may have been made there instead
	now    Wood            // the wood as base 0 has it
	want   [Places]target  // the same for the sensors
	turn   rules.Color     // the side to move in base 0
	reply  bool            // the other side may touch its pieces at any time
	waits  *hypothesis     // stood clear and alone, and only waits for the hand to be done
	list   lister          // all other explanations
	must   Set             // places that have to be stirred before the wood may be taken for base 0
	hurry  bool            // the clock was pressed since the last Expect
	strict bool            // the wood counts as base 0 only when every sensor has settled on it
	ahead  float64         // the margin of waits
	quiet  time.Duration   // how long the board has rested, as of the last Explain
	still  time.Duration   // how long neither reeds nor loads nor heights have changed
	differ Set             // places that contradict base 0, as of the last Explain
	wrong  [3]Set          // by kind of sensor: the places where it does
	parted Set             // places where only upper pieces were lifted at first, which have not come back since
	kept   [64]uint8       // how many pieces stood there then
	doubts Set             // places where only the reed does, and another sensor vouches for the pile
	unsure Set             // places still settling
	live   []ranked        // the hypotheses not contradicted, scratch
	touchs []Touch         // scratch of the last Explanation
	lifted []Lift          // likewise
	picks  []Choice        // likewise
	blame  blame           // sensors at fault
	next   sequel          // the reply that was found together with the move before it
}

type ranked struct {
	h    *hypothesis
	nats float64
}

// New makes a decoder for a board. It expects nothing yet: call Expect before Explain.
func New(g Geometry, t Timing) *Decoder {
	d := &Decoder{g: g, t: t, tally: newTally(&g)}
	d.list.g, d.list.now = &d.g, &d.now
	for p := range d.seen.swap {
		d.seen.swap[p] = Place(p)
	}
	return d
}

// Geometry is the board that the decoder was made for.
func (d *Decoder) Geometry() *Geometry { return &d.g }

// Expect says what the wood may be explained from: bases[0] is the game as it stands, the others are earlier
// positions. What was seen on the way so far is forgotten.
func (d *Decoder) Expect(bases []Base) {
	d.base = bases[0].Position
	d.now = d.g.Lay(&d.base)
	for p := range d.now {
		if d.want[p].pile != d.now[p] {
			d.want[p] = d.g.target(d.now[p])
		}
	}
	d.turn, d.reply, d.waits = d.base.Turn(), bases[0].Reply, nil
	d.list.hypotheses(bases)
	d.findTall()
	d.blame.confirm(d)
	d.seen.begin(d.next.begun)
	if d.next.proved {
		d.seen.pass(d.next.begun)
	}
	d.next = sequel{woods: d.next.woods}
	d.past = nil
	if len(bases) > 1 && bases[1].Moves {
		p := bases[1].Position
		d.past = &p
	}
	d.must, d.parted = Set{}, Set{}
	d.strict, d.hurry = false, false
}

// findTall finds the places where more than one piece stands, or does in any hypothesis.
func (d *Decoder) findTall() {
	d.tall = Set{}
	for p := range d.now {
		if len(d.now[p]) > 1 {
			d.tall.Add(Place(p))
		}
	}
	for i := range d.list.changes {
		if c := &d.list.changes[i]; len(c.want.pile) > 1 {
			d.tall.Add(c.place)
		}
	}
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
		if exchanged := old[p] != d.now[p] && old[p] != "" && d.now[p] != ""; exchanged && !d.tells(p, old[p], d.now[p]) {
			d.must.Add(p)
		}
	}
}

// Observe takes one reading in.
func (d *Decoder) Observe(r *sensing.Reading) {
	d.seen.take(&d.g, r)
	d.seen.dip(&d.g, &d.want, r)
}

// Wood is what the game as it stands has on every place.
func (d *Decoder) Wood() *Wood { return &d.now }

// Explain says what the wood means at a time not earlier than the newest reading. The lists in the explanation are valid
// until it is called again.
func (d *Decoder) Explain(at time.Time) Explanation {
	d.seen.forget(at)
	d.seen.quieten(at)
	if d.seen.blind(&d.g, at) {
		d.blame.watch(d, at)
		return Explanation{State: Moving}
	}
	d.quiet = at.Sub(d.seen.moved)
	d.still = min(d.quiet, at.Sub(d.seen.jumped))
	d.compare()
	d.blame.watch(d, at)
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

// compare finds the places that contradict the game as it stands. The upper deck has reeds only.
func (d *Decoder) compare() {
	d.differ, d.unsure, d.doubts, d.wrong = Set{}, Set{}, Set{}, [3]Set{}
	reeds := d.seen.reeds()
	for p := range Place(Places) {
		if p >= 64 && (reeds[1] == 0 || !reeds.Has(p)) {
			continue
		}
		v := d.judge(p, &d.want[p])
		if v.against {
			d.differ.Add(p)
			for k := range d.wrong {
				if v.wrong&(1<<k) != 0 {
					d.wrong[k].Add(p)
				}
			}
		}
		if v.doubt {
			d.doubts.Add(p)
		}
		if v.pending {
			d.unsure.Add(p)
		}
	}
	for p := range d.must.places() {
		if d.awaits(p) {
			d.differ.Add(p)
		}
	}
	d.parted = Set{d.parted[0] & (d.differ[0] | d.unsure[0]), d.parted[1] & (d.differ[1] | d.unsure[1])}
	for p := range both(d.tall, d.differ).places() {
		if k, ok := d.part(p); ok && k > 0 && p < 64 {
			if !d.parted.Has(p) {
				d.kept[p] = 0
			}
			d.parted.Add(p)
			d.kept[p] = max(d.kept[p], uint8(k))
		}
	}
}

// judge holds a pile against what a place shows now.
func (d *Decoder) judge(p Place, want *target) verdict {
	return d.seen.judge(&d.g, p, want, d.quiet, !d.tall.Has(p))
}

// awaits tells whether a place must still be seen to be touched before the wood can be what the game has.
func (d *Decoder) awaits(p Place) bool {
	return d.must.Has(p) && !d.seen.stirred.Has(p) && !d.seen.dipped.Has(p)
}

func (d *Decoder) synced(at time.Time) Explanation {
	e := Explanation{State: Synced}
	if !d.unsure.Empty() {
		return e
	}
	if d.quiet < d.t.Slide {
		e.Again = d.seen.moved.Add(d.t.Slide)
		return e
	}
	d.seen.begin(Set{})
	d.must = Set{}
	d.seen.follow(&d.g, &d.want)
	d.blame.settle(d, at)
	return e
}

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
	return sum - brushed*float64(both(d.seen.stirred, h.places).Count()), true
}

// untouched tells whether pieces would have to be exchanged on a place where nothing was seen to be lifted: the reed
// below an exchanged lowest piece opens for a while, and what an exchanged upper piece weighs or how high it stands is
// missed. Without this a captor still in the hand would pass for one that has landed on its equal.
func (d *Decoder) untouched(c *change) bool {
	old, want := d.now[c.place], c.want.pile
	if old == "" || want == "" {
		return false
	}
	weighed := c.place < 64 && d.g.Weights && d.seen.mass[c.place].n > 0 && !d.seen.mute[sensing.Weights].Has(c.place)
	if old[0] != want[0] {
		lifted := !d.seen.reed(c.place) || d.seen.lifted.Has(c.place) || d.seen.blinked.Has(c.place)
		if weighed && d.seen.emptied.Has(c.place) && d.quiet >= doubt {
			lifted = true // the reed missed it: the cell did not
		}
		gone := d.seen.dipped
		if !d.seen.reed(c.place) {
			gone = d.seen.emptied // the cell alone must show that everything left
		}
		return !lifted || weighed && !gone.Has(c.place)
	}
	return d.seen.analog(&d.g, c.place) && !d.tells(c.place, old, want) && !d.seen.dipped.Has(c.place)
}

// piecemeal tells whether a stack that moves as one was seen to leave its place in parts, of which the first had landed before
// the last was lifted: what was lifted first cannot have come to stand below the rest. Two moves may leave the same picture.
func (d *Decoder) piecemeal(h *hypothesis, c *change) bool {
	old, left := d.now[c.place], len(c.want.pile)
	if h.base != 0 || !d.parted.Has(c.place) || int(d.kept[c.place]) <= left || old[:left] != c.want.pile || old[left] == Pedestal {
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
		return d.seen.shifted.Has(to.place) && d.seen.shiftedAt[to.place].Before(last)
	}
	return false
}

// unchanged tells whether the hypothesis has another piece lowest on a place than the one that was weighed there when its reed
// closed, though the reed has not opened since: then something was put on top of it, be it as heavy.
func (d *Decoder) unchanged(c *change) bool {
	p, pile := c.place, c.want.pile
	if p >= 64 || d.now[p] != "" || pile == "" || !d.g.Weights || !d.seen.reed(p) || !d.seen.closed.Has(p) || d.seen.weighedAt[p].IsZero() || d.seen.weighedAt[p] != d.seen.changed[p] {
		return false
	}
	if d.seen.mute[sensing.Weights].Has(p) || !d.fitsOther(d.seen.weighed[p], pile) {
		return false // the cell is not to be believed
	}
	lowest := d.g.target(pile[:1])
	above := d.seen.weighed[p] - lowest.mass
	if math.Abs(above) <= outlier*math.Sqrt(float64(d.g.CellNoise)*float64(d.g.CellNoise)+lowest.variance) {
		return false
	}
	for n := 1; n <= len(pile)+1; n++ {
		if d.tally.fits(above, n) {
			return false // others that came with it
		}
	}
	return true
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
	for i := range h.changes {
		from := &h.changes[i]
		if from.place == c.place || from.place%64 != Place(h.move.From()) || len(from.want.pile) >= len(d.now[from.place]) {
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
			return d.seen.shiftedAt[from.place].After(d.seen.changed[c.place].Add(lag))
		}
	}
	return false
}

// arrivedFirst tells whether what is to have come to an empty place came there before it was lifted where it stood.
func (d *Decoder) arrivedFirst(h *hypothesis, c *change) bool {
	for i := range h.changes {
		from := &h.changes[i]
		if from.want.pile == "" && d.now[from.place] == c.want.pile && d.left(from.place) && d.seen.closed.Has(c.place) && d.seen.turned.Has(c.place) {
			return d.seen.changed[from.place].After(d.seen.changed[c.place].Add(d.t.Bounce))
		}
	}
	return false
}

// lag is how much later than the reed an analog sensor may notice that a piece is gone: a round of heights, and as much again.
const lag = 50 * time.Millisecond

// tells tells whether an analog sensor of the place can tell one pile from the other.
func (d *Decoder) tells(p Place, old, want Pile) bool {
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

// unseen tells whether the hypothesis has pieces arrive where nothing that can be trusted shows it: they may as well be
// in a hand still.
func (d *Decoder) unseen(h *hypothesis) bool {
	for i := range h.changes {
		c := &h.changes[i]
		old, want := d.now[c.place], c.want.pile
		if want == "" || len(want) <= len(old) && old[:len(want)] == want {
			continue // nothing arrives
		}
		lowest := old == "" || old[0] != want[0]
		noisy := old == "" && d.seen.noisy.Has(c.place) && d.seen.calm.Has(c.place) // toggles since the path began: a magnet is there
		if counted := d.seen.analog(&d.g, c.place) && (old == "" || !lowest || d.g.Weights || d.tells(c.place, old, want)); counted || noisy || lowest && d.seen.reed(c.place) {
			continue
		}
		return true
	}
	return false
}

// doubtful tells whether more or less was seen on the way than a move needs, so that it may not be done yet: pieces exchanged
// so quickly that their place may only have been knocked against, or pieces taken away, or a move corrected, while others were
// lifted too.
func (d *Decoder) doubtful(h *hypothesis) bool {
	removes := d.removes(h)
	if (removes || h.base > 0 && h.move != rules.NoMove) && !d.seen.lifted.less(h.places).Empty() {
		return true
	}
	for i := range h.changes {
		c := &h.changes[i]
		old, want := d.now[c.place], c.want.pile
		if old == "" || want == "" || !d.seen.reed(c.place) {
			continue
		}
		lifted := d.seen.lifted.Has(c.place)
		if removes && lifted && old[0] == want[0] || !lifted && old[0] != want[0] && d.seen.blinked.Has(c.place) && !d.emptied(c.place) {
			return true
		}
	}
	return false
}

// emptied tells whether the load cell of a place saw everything leave.
func (d *Decoder) emptied(p Place) bool {
	return p < 64 && d.g.Weights && d.seen.emptied.Has(p)
}

// removes tells whether a move only takes pieces away: they may be in a hand that takes them elsewhere.
func (d *Decoder) removes(h *hypothesis) bool {
	for i := range h.changes {
		if c := &h.changes[i]; len(c.want.pile) >= len(d.now[c.place]) {
			return false
		}
	}
	return h.move != rules.NoMove
}

// weigh decides between the live hypotheses.
func (d *Decoder) weigh(at time.Time) Explanation {
	best, second := d.leaders()
	if best.h.base > 1 && best.h.move == rules.NoMove {
		if e, ok := d.next.find(d, at); ok {
			return e // a move and its reply are likelier than several moves taken back
		}
	}
	margin := best.nats - second
	if margin < sure {
		wait := d.t.Ask
		if d.unseen(best.h) {
			wait = d.t.Unseen
		}
		if d.undecided(best) || d.quiet < wait {
			return d.moving(wait)
		}
		return d.ask(best)
	}
	rest := d.rest(best.h)
	if rested := d.rested(best.h, at); rested < rest || !d.settled(best.h) || d.held(best.h) {
		if best.h.base <= 1 && best.h.move != rules.NoMove && !best.h.ask && !best.h.passed && d.settled(best.h) {
			d.waits, d.ahead = best.h, margin
		}
		e := d.moving(rest)
		if again := at.Add(rest - rested); rested < rest && again.After(e.Again) {
			e.Again = again
		}
		return e
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
	return d.made(best.h, margin)
}

// made is the explanation that a move was made.
func (d *Decoder) made(h *hypothesis, margin float64) Explanation {
	d.blame.vote(d, h)
	d.next.begun, d.next.proved = d.seen.begun(h), false
	return Explanation{State: Moved, Base: h.base, Move: h.move, Margin: margin, Waited: d.quiet}
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
	rest := d.t.Bounce
	switch {
	case d.hurry && !h.ask:
	case d.unseen(h), h.passed, d.doubtful(h):
		rest = d.t.Unseen
	case d.removes(h):
		rest = 2 * d.t.Slide
	case h.base > 0 || h.ends != "":
		rest = d.t.Back
	case h.ask:
		rest = d.t.Ask
	case h.goesOn:
		rest = d.t.Slide
	}
	if noisy := (h.places[0]&d.seen.noisy[0])|(h.places[1]&d.seen.noisy[1]) != 0; noisy {
		rest = max(rest, calms+d.t.Bounce)
	}
	return rest
}

// rested is how long the wood of the hypothesis has rested: since a reed last changed or, where no reed tells of it, since the
// load or the height of one of its places did.
func (d *Decoder) rested(h *hypothesis, at time.Time) time.Duration {
	rested := d.quiet
	for i := range h.changes {
		c := &h.changes[i]
		flips := (c.want.pile == "") != (d.now[c.place] == "")
		if !flips && c.place < 64 && d.seen.shifted.Has(c.place) {
			rested = min(rested, at.Sub(d.seen.jumpedAt[c.place]))
		}
	}
	return rested
}

// held tells whether the game wants moves to wait for the clock or the opponent's touch.
func (d *Decoder) held(h *hypothesis) bool {
	waits := d.t.Commit == ByClock || d.t.Commit == ByTouch && d.reply
	return waits && h.base == 0 && h.move != rules.NoMove && h.ends == "" && !h.ask && !d.hurry
}

// settled tells whether everything that must be known before the hypothesis is taken is known: no place outside it is
// unsettled where it may go on, and none inside it that only a load cell or a height can tell. What a hand disturbs
// elsewhere is another matter.
func (d *Decoder) settled(h *hypothesis) bool {
	if outside := d.unsure.less(h.places); !outside.Empty() && (h.move == rules.NoMove || h.base > 0 || d.leads(h, outside)) {
		return false
	}
	for i := range h.changes {
		c := &h.changes[i]
		reedTells := (c.want.pile == "") != (d.now[c.place] == "") && d.seen.reed(c.place) && d.atOnce(h, c)
		if !reedTells && d.judge(c.place, &c.want).pending && (d.g.Weights || d.tells(c.place, d.now[c.place], c.want.pile)) {
			return false
		}
	}
	return true
}

// atOnce tells whether all that stands on a place came there together, or is gone: then its lowest piece tells of all.
func (d *Decoder) atOnce(h *hypothesis, c *change) bool {
	if len(c.want.pile) <= 1 {
		return true
	}
	for i := range h.changes {
		from := &h.changes[i]
		if d.now[from.place] == from.want.pile+c.want.pile {
			return true
		}
	}
	return false
}

// leads tells whether the hypothesis is part of another one that has to do with some of the places.
func (d *Decoder) leads(h *hypothesis, where Set) bool {
	for i := range d.list.hyps {
		on := &d.list.hyps[i]
		if on.base == h.base && h.places.less(on.places).Empty() && !both(on.places, where).Empty() {
			return true
		}
	}
	return false
}

// undecided tells whether a place that is still settling could tell the leaders apart.
func (d *Decoder) undecided(best ranked) bool {
	for _, r := range d.live {
		if best.nats-r.nats >= sure {
			continue
		}
		for i := range r.h.changes {
			if c := &r.h.changes[i]; d.judge(c.place, &c.want).pending {
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
		return d.made(d.waits, d.ahead)
	}
	if e, ok := d.next.find(d, at); ok {
		return e
	}
	if e, ok := d.blame.explain(d, at); ok {
		return e
	}
	if len(lifts) == d.differ.Count() || d.quiet < d.t.Unseen && d.onTheWay() {
		return Explanation{State: Moving, Touch: d.touch(), Lifts: lifts, Again: d.blame.again(d, at)}
	}
	if d.quiet < d.t.Wrong {
		return Explanation{State: Moving, Touch: d.touch(), Lifts: lifts, Again: d.seen.moved.Add(d.t.Wrong)}
	}
	return Explanation{State: Wrong, Touch: d.touch(), Lifts: lifts, Again: d.blame.again(d, at)}
}

// touched tells whether the other side has begun to reply to a move that only waited for the hand to be done: beyond
// that move nothing differs but pieces of the other side that were lifted. If it was the mover's hand after all, on its way
// to capture, the move made is corrected when it lands.
func (d *Decoder) touched(lifts []Lift) bool {
	if d.waits == nil || !d.reply || d.t.Commit == ByClock {
		return false
	}
	replies := d.turn.Other()
	if d.waits.base == 1 {
		replies = d.turn
	}
	if !d.stands(d.waits, replies) {
		d.waits = nil // the piece itself went on
		return false
	}
	if (d.unseen(d.waits) || d.removes(d.waits) || d.doubtful(d.waits)) && d.onTheWay() {
		return false // a capture that has only begun explains it as well
	}
	beyond := Set{d.differ[0] &^ d.waits.places[0], d.differ[1] &^ d.waits.places[1]}
	for _, l := range lifts {
		if pile := d.now[l.Place]; beyond.Has(l.Place) && isColor(pile[len(pile)-1], replies) && d.later(l.Place, d.waits) {
			beyond.Drop(l.Place)
		}
	}
	return beyond.Empty()
}

// later tells whether a place was last touched after all that a hypothesis moves had come to rest: what was lifted before that
// may be a captured piece whose captor is only passing.
func (d *Decoder) later(p Place, h *hypothesis) bool {
	at := d.seen.changed[p]
	if p < 64 && d.seen.reed(p) && d.seen.closed.Has(p) {
		at = d.seen.jumpedAt[p]
	}
	for q := range h.places.places() {
		if d.seen.reed(q) && d.seen.changed[q].After(at) {
			return false
		}
	}
	return true
}

// stands tells whether the wood of a hypothesis stood, and still does but for what the other side has lifted from it since.
func (d *Decoder) stands(h *hypothesis, replies rules.Color) bool {
	if _, ok := d.nats(h); ok {
		return true
	}
	taken := false
	for i := range h.changes {
		c := &h.changes[i]
		pile := c.want.pile
		switch {
		case !d.judge(c.place, &c.want).against:
			if d.impossible(h, c) {
				return false
			}
		case pile == "" || !isColor(pile[len(pile)-1], replies) || !d.seen.reed(c.place) || d.seen.closed.Has(c.place):
			return false
		default:
			taken = true
		}
	}
	return taken
}

// impossible tells whether the way to a change was not, or cannot have been, as the hypothesis needs it.
func (d *Decoder) impossible(h *hypothesis, c *change) bool {
	return d.untouched(c) || d.early(h, c) || d.piecemeal(h, c) || d.unchanged(c)
}

// isColor tells whether a letter is a piece of the color.
func isColor(letter byte, c rules.Color) bool {
	return letter != Pedestal && (letter >= 'a') == (c == rules.Black)
}

// capturing tells whether all places that differ belong to one move of the game as it stands.
func (d *Decoder) capturing() bool {
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.base == 0 && h.move != rules.NoMove && d.differ.less(h.places).Empty() {
			return true
		}
	}
	return false
}

// onTheWay tells whether all places that differ belong to one hypothesis, so that a hand may be half way through it.
func (d *Decoder) onTheWay() bool {
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.ends == "" && (d.differ[0]&^h.places[0])|(d.differ[1]&^h.places[1]) == 0 {
			return true
		}
	}
	return false
}
