// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// Decoder turns readings into explanations. It belongs to one goroutine.
type Decoder struct {
	g       geometry
	t       Timing
	tally   tally
	seen    seen
	base    rules.Position      // base 0
	tall    wood.Set            // places where more than one piece stands or may come to stand
	filled  wood.Set            // places where something stands in the game as it is
	past    *rules.Position     // base 1, if another move may have been made there instead
	then    wood.Wood           // the wood as base 1 has it, if so
	earlier path                // what was seen on the way from there to base 0
	trodden path                // what was seen since base 0, before the moves after it were taken back elsewhere
	now     wood.Wood           // the wood as base 0 has it
	want    [wood.Places]target // the same for the sensors
	turn    rules.Color         // the side to move in base 0
	reply   bool                // the other side may touch its pieces at any time
	waits   *hypothesis         // stood clear and alone, and only waits for the hand to be done
	list    lister              // all other explanations
	handled wood.Set            // places whose pieces were lifted and put back since the last Expect
	must    wood.Set            // places that have to be stirred before the wood may be taken for base 0
	hurry   bool                // the clock was pressed since the last Expect
	vacated wood.Set            // places that, as the game went on without the wood, were left for others
	strict  bool                // the wood counts as base 0 only when every sensor has settled on it
	ahead   float64             // the margin of waits
	quiet   time.Duration       // how long the board has rested, as of the last Explain
	still   time.Duration       // how long neither reeds nor loads nor heights have changed
	differ  wood.Set            // places that contradict base 0, as of the last Explain
	wrong   [3]wood.Set         // by kind of sensor: the places where it does
	parted  wood.Set            // places where only upper pieces were lifted at first, which have not come back since
	kept    [64]uint8           // how many pieces stood there then
	strange wood.Set            // places that last showed what contradicts base 0, before a hand covered them if one does
	doubts  wood.Set            // places where only the reed does, and another sensor vouches for the pile
	unsure  wood.Set            // places still settling
	live    []ranked            // the hypotheses not contradicted, scratch
	touchs  []Touch             // scratch of the last Explanation
	lifted  []Lift              // likewise
	picks   []Choice            // likewise
	burdens [64]burden          // what places bore that was more than the game has there
	blame   blame               // sensors at fault
	next    sequel              // the reply that was found together with the move before it
}

// New makes a decoder for a board. It expects nothing yet: call Expect before Explain.
func New(g wood.Geometry, t Timing) *Decoder {
	d := &Decoder{g: geometry{Geometry: g}, t: t}
	d.tally = newTally(&d.g)
	d.list.g, d.list.now = &d.g, &d.now
	for p := range d.seen.swap {
		d.seen.swap[p] = wood.Place(p)
	}
	return d
}

// Geometry is the board that the decoder was made for.
func (d *Decoder) Geometry() *wood.Geometry { return &d.g.Geometry }

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
	d.earlier = d.next.path
	answered := d.base == d.next.doubted // nobody is asked twice
	d.next = sequel{woods: d.next.woods}
	d.past = nil
	if len(bases) > 1 && bases[1].Moves && !answered {
		p := bases[1].Position
		d.past, d.then = &p, d.g.Lay(&p)
	}
	d.trodden = path{}
	d.must, d.parted, d.strange, d.handled, d.vacated = wood.Set{}, wood.Set{}, wood.Set{}, wood.Set{}, wood.Set{}
	d.strict, d.hurry = false, false
}

// findTall finds the places where something stands, those where more than one piece does, or may in any hypothesis, and how high a pile
// can be.
func (d *Decoder) findTall() {
	d.tall, d.filled = wood.Set{}, wood.Set{}
	highest := 1
	for p := range d.now {
		if d.now[p] != "" {
			d.filled.Add(wood.Place(p))
		}
		highest = max(highest, len(d.now[p]))
		if len(d.now[p]) > 1 {
			d.tall.Add(wood.Place(p))
		}
	}
	for i := range d.list.changes {
		c := &d.list.changes[i]
		if highest = max(highest, len(c.want.pile)); len(c.want.pile) > 1 {
			d.tall.Add(c.place)
		}
	}
	d.seen.highest = highest
}

// Hurry says that the player has pressed the clock: what rests now is the move, and no slide is waited for.
func (d *Decoder) Hurry() { d.hurry = true }

// Follow is Expect for a game that went on while the wood did not, and still shows before: the wood counts as the game
// only when every sensor has settled on it, and pieces exchanged on a place whose sensors cannot tell must be seen to be
// lifted.
func (d *Decoder) Follow(bases []Base, before *rules.Position) {
	way, felt, vacated := d.trodden, wood.Set{}, d.vacated
	if *before == d.base {
		way = way.plus(d.seen.path())
		felt = d.handled.Union(d.seen.lifted)
		after := d.g.Lay(&bases[0].Position)
		d.blame.told(d, &after, way.turned)
	}
	if d.past == nil || bases[0].Position != *d.past {
		way = path{}
	} else {
		way = way.plus(d.earlier) // back where that began
	}
	d.Expect(bases)
	d.trodden = way
	d.strict = true
	old := d.g.Lay(before)
	for p := range wood.Place(wood.Places) {
		if d.now[p] != "" {
			vacated.Drop(p)
		} else if old[p] != "" && d.arrives(old[p], &old) {
			vacated.Add(p)
		}
		if exchanged := old[p] != d.now[p] && old[p] != "" && d.now[p] != ""; exchanged && !d.tells(p, old[p], d.now[p]) {
			d.must.Add(p)
		}
	}
	d.vacated = vacated
	if d.compare(); d.must.Less(felt).Empty() && d.differ.Less(d.must).Empty() {
		d.must = wood.Set{} // all is as the game has it, and was exchanged before it went on
	}
}

// copied tells whether nothing is missing but the sight of an exchange, and has not been for longer than people hold a captor, though it has left: a reed
// that is stuck under what was captured, and has never changed, will never show it.
func (d *Decoder) copied() bool {
	if !d.strict || d.differ.Empty() || !d.differ.Less(d.must).Empty() || d.still < holds || d.vacated.Both(d.seen.reeds()).Empty() {
		return false
	}
	for p := range d.differ.Places() {
		if !d.seen.changed[p].IsZero() {
			return false
		}
	}
	return true
}

// holds is for how long at most a captor is held by people who copy a move.
const holds = 20 * time.Second

// arrives tells whether a pile stands in the game where it did not in another wood.
func (d *Decoder) arrives(pile wood.Pile, old *wood.Wood) bool {
	for p := range d.now {
		if d.now[p] == pile && old[p] != pile {
			return true
		}
	}
	return false
}

// Observe takes one reading in.
func (d *Decoder) Observe(r *sensing.Reading) {
	d.seen.take(&d.g, r)
	d.seen.dip(&d.g, &d.want, r)
	d.bear(r)
}

// Wood is what the game as it stands has on every place.
func (d *Decoder) Wood() *wood.Wood { return &d.now }

// Explain says what the wood means at a time not earlier than the newest reading. The lists in the explanation are valid
// until it is called again.
func (d *Decoder) Explain(at time.Time) Explanation {
	e := d.explain(at)
	if seen := d.seen.until(at); seen.Before(at) && !e.Again.IsZero() && !e.Again.After(at) {
		e.Again = at.Add(settled) // nobody has looked at the reeds for so long
	}
	return e
}

func (d *Decoder) explain(at time.Time) Explanation {
	d.seen.forget(at)
	d.seen.quieten(at)
	if d.seen.blind(&d.g, at) {
		d.blame.watch(d, at)
		return Explanation{State: Moving}
	}
	until := d.seen.until(at)
	d.quiet = until.Sub(d.seen.moved)
	d.still = min(d.quiet, until.Sub(d.seen.jumped))
	if d.seen.known.Empty() {
		d.quiet = d.still // no reed says that something moves
	}
	d.compare()
	d.blame.watch(d, at)
	if d.copied() {
		d.must = wood.Set{}
		d.compare()
	}
	if d.differ.Empty() && d.strict && !d.unsure.Empty() {
		return Explanation{State: Moving, Lifts: d.leaving(d.lifted[:0]), Again: at.Add(settled)}
	}
	if d.differ.Empty() {
		return d.synced(at)
	}
	if d.quiet >= d.t.Ask && d.blame.crossed(d, at) {
		return Explanation{State: Moving, Touch: d.touch(), Lifts: d.lifts(), Again: at.Add(settled)}
	}
	d.rank()
	if len(d.live) > 0 {
		return d.weigh(at)
	}
	return d.unexplained(at)
}
