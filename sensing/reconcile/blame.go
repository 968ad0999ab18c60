package reconcile

import (
	"math"
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// blame finds the sensors that are at fault, from what they show against the wood that the game, the other sensors and the
// rules agree on. A sensor that is at fault counts as unknown until it is cured.
type blame struct {
	faults   []Fault
	news     []News
	lost     [3]Set       // by kind: places that do not answer, as last looked
	lostAt   [3]time.Time // when that set last changed
	agreed   [3]Set       // by kind: faulty places that show what they should, as last looked
	agreedAt [3]time.Time // when that set last changed
	votes    []pairVote   // pairs of places that answered for each other, or together
	suspects []suspect    // sensors whose fault would make moves of the open question right
	doubted  Set          // reeds that a settled sensor contradicts, as last looked
	since    time.Time    // when that set last changed
}

// suspect is a move that is right if a sensor is at fault.
type suspect struct {
	after Wood
	fault Fault
}

// pairVote counts how often two places were seen to be mixed up.
type pairVote struct {
	a, b  Place
	kind  Trouble
	count int
}

// Faults are the sensors that are not to be trusted now, in the order in which they were found.
func (d *Decoder) Faults() []Fault { return slices.Clone(d.blame.faults) }

// News are the faults found and gone since it was last called.
func (d *Decoder) News() []News {
	n := d.blame.news
	d.blame.news = nil
	return n
}

// has finds the fault of a sensor.
func (b *blame) has(p Place, k sensing.Kind) (int, bool) {
	i := slices.IndexFunc(b.faults, func(f Fault) bool { return f.Place == p && f.Part == k })
	return i, i >= 0
}

// find notes a fault, in place of any other of the same sensor.
func (b *blame) find(d *Decoder, f Fault) {
	if i, ok := b.has(f.Place, f.Part); ok {
		if b.faults[i].Kind == f.Kind {
			return
		}
		b.clear(d, i)
	}
	b.faults = append(b.faults, f)
	b.news = append(b.news, News{Fault: f})
	if f.Kind != Swapped {
		d.seen.mute[f.Part].Add(f.Place)
	} else {
		d.seen.cross(f.Place, f.With)
	}
}

// clear lifts a fault.
func (b *blame) clear(d *Decoder, i int) {
	f := b.faults[i]
	b.faults = slices.Delete(b.faults, i, i+1)
	b.news = append(b.news, News{Fault: f, Gone: true})
	d.seen.mute[f.Part].Drop(f.Place)
	if f.Kind == Swapped {
		d.seen.swap[f.Place] = f.Place
	}
}

// cross lets the reed of one place answer for another. What it showed last is not what it shows now.
func (s *seen) cross(p, with Place) {
	s.crossed = true
	s.swap[p] = with
	s.known.Drop(p)
}

// watch looks for sensors that do not answer, and for reeds that are noisy for good.
func (b *blame) watch(d *Decoder, at time.Time) {
	for k := range b.lost {
		lost := d.lost(sensing.Kind(k))
		if lost != b.lost[k] {
			b.lost[k], b.lostAt[k] = lost, at
		}
		if at.Sub(b.lostAt[k]) < deaf {
			continue
		}
		b.silence(d, sensing.Kind(k), at)
	}
	for p := range d.seen.noisy.places() {
		if _, known := b.has(p, sensing.Reeds); !known && d.seen.level[p] > 3*often {
			b.find(d, Fault{Place: p, Part: sensing.Reeds, Kind: Noisy, Nats: -reedWrong * d.seen.level[p] / often, Since: at})
		}
	}
}

// silence makes faults of the places of a kind that do not answer, and lifts those of the places that do.
func (b *blame) silence(d *Decoder, k sensing.Kind, at time.Time) {
	for i := len(b.faults) - 1; i >= 0; i-- {
		if f := &b.faults[i]; f.Part == k && f.Kind == Silent && !b.lost[k].Has(f.Place) {
			b.clear(d, i)
		}
	}
	for p := range b.lost[k].places() {
		if _, known := b.has(p, k); !known {
			b.find(d, Fault{Place: p, Part: k, Kind: Silent, Since: at})
		}
	}
}

// lost is the places whose sensor of a kind should answer and does not.
func (d *Decoder) lost(k sensing.Kind) Set {
	all := ^rules.Bitboard(0)
	switch {
	case k == sensing.Reeds && d.g.TwoDecks:
		return Set{all &^ d.seen.known[0], all &^ d.seen.known[1]}
	case k == sensing.Reeds:
		return Set{all &^ d.seen.known[0]}
	case k == sensing.Weights && d.g.Weights:
		return Set{silentMeters(&d.seen.mass)}
	case k == sensing.Heights && d.g.Heights:
		return Set{silentMeters(&d.seen.height)}
	}
	return Set{}
}

func silentMeters(m *[64]meter) (s rules.Bitboard) {
	for q := range m {
		if m[q].n == 0 {
			s |= 1 << q
		}
	}
	return s
}

// settle looks at the sensors while the wood stands as the game has it and rests: who does not agree is at fault, and who is
// called faulty but agrees may be cured.
func (b *blame) settle(d *Decoder, at time.Time) {
	if d.doubts != b.doubted {
		b.doubted, b.since = d.doubts, at
	}
	if at.Sub(b.since) >= d.t.Fault {
		for p := range d.doubts.places() {
			b.find(d, d.reedFault(p, -floorNats, at))
		}
	}
	b.weary(d, at)
	if len(b.faults) > 0 {
		b.cure(d, at)
	}
}

// weary finds load cells whose zero has wandered far: they are followed, but should be tared.
func (b *blame) weary(d *Decoder, at time.Time) {
	if !d.g.Weights {
		return
	}
	limit := d.g.lightest() / 4
	for q := range d.seen.mass {
		m := &d.seen.mass[q]
		if math.Abs(m.offset) > limit {
			b.find(d, Fault{Place: Place(q), Part: sensing.Weights, Kind: Drifting, Nats: -floorNats, Since: at})
		}
	}
}

// reedFault is what is wrong with a reed that contradicts the game as it stands.
func (d *Decoder) reedFault(p Place, nats float64, at time.Time) Fault {
	f := Fault{Place: p, Part: sensing.Reeds, Kind: Dead, Nats: nats, Since: at}
	if d.seen.closed.Has(p) {
		f.Kind = Stuck
	}
	return f
}

// cured is how long a faulty sensor must show what it should before it is trusted again.
const cured = time.Second

// cure lifts the faults of sensors that have shown what they should for a while, where that means something: a dead reed says
// nothing by being open.
func (b *blame) cure(d *Decoder, at time.Time) {
	var agreed [3]Set
	for i := range b.faults {
		if f := &b.faults[i]; d.agrees(f, at) {
			agreed[f.Part].Add(f.Place)
		}
	}
	for k := range agreed {
		if agreed[k] != b.agreed[k] {
			b.agreed[k], b.agreedAt[k] = agreed[k], at
		}
	}
	for i := len(b.faults) - 1; i >= 0; i-- {
		if f := &b.faults[i]; agreed[f.Part].Has(f.Place) && at.Sub(b.agreedAt[f.Part]) >= cured {
			b.clear(d, i)
		}
	}
}

// agrees tells whether a faulty sensor shows what stands on its place, in a way that a faulty one would not.
func (d *Decoder) agrees(f *Fault, at time.Time) bool {
	p, want := f.Place, &d.want[f.Place]
	stands := want.pile != ""
	if f.Part == sensing.Reeds {
		switch f.Kind {
		case Dead:
			return d.seen.known.Has(p) && stands && d.seen.closed.Has(p)
		case Stuck:
			return d.seen.known.Has(p) && !stands && !d.seen.closed.Has(p)
		case Noisy:
			return d.seen.known.Has(p) && stands == d.seen.closed.Has(p) && at.Sub(d.seen.changed[p]) >= 10*time.Second
		}
		return false
	}
	if f.Kind == Silent || f.Kind == Dead && !stands || f.Kind == Stuck && stands {
		return false
	}
	m, mean, noise := &d.seen.mass[p], want.mass, float64(d.g.CellNoise)
	if f.Part == sensing.Heights {
		m, mean, noise = &d.seen.height[p], want.height, float64(d.g.RangeNoise)
	}
	if f.Part == sensing.Weights && math.Abs(m.offset) > d.g.lightest()/8 {
		return false
	}
	var v verdict
	return v.hold(m, mean, m.spread(noise, want.variance), f.Part)
}

// again is when it is worth looking at a wood that nothing explains once more.
func (b *blame) again(d *Decoder, at time.Time) time.Time {
	for _, wait := range []time.Duration{d.t.Fault, d.t.Blind} {
		if d.quiet < wait {
			return d.seen.moved.Add(wait)
		}
	}
	return time.Time{}
}

// explain looks for sensors whose fault makes sense of a wood that nothing explains and that has rested for a while.
func (b *blame) explain(d *Decoder, at time.Time) (Explanation, bool) {
	if d.still < d.t.Fault || at.Sub(d.seen.first) < d.t.Fault || !d.unsure.less(d.differ).Empty() {
		return Explanation{}, false
	}
	if b.standing(d, at) {
		return Explanation{State: Synced}, true
	}
	return b.moved(d, at)
}

// standing tells whether nothing was moved at all and all sensors that contradict are at fault: then they are named.
func (b *blame) standing(d *Decoder, at time.Time) bool {
	var found []Fault
	mute := 0
	for p := range d.differ.places() {
		f, ok := d.alone(p, &d.want[p], at)
		if !ok || d.seen.turned.Has(p) || d.seen.shifted.Has(p) || d.awaits(p) {
			return false
		}
		if f.Part == sensing.Reeds {
			if mute++; mute > 2 || d.still < d.t.Blind || at.Sub(d.seen.first) < d.t.Blind || !d.seen.changed[p].IsZero() {
				return false
			}
		}
		found = append(found, f)
	}
	if len(found) > 4 {
		return false // so many do not fail at once: the wood is wrong
	}
	for _, f := range found {
		b.find(d, f)
	}
	return true
}

// alone finds the one sensor of a place that contradicts a pile there, if the fault is the sensor's: an analog value that fits
// another pile as well speaks for the value, not against the sensor.
func (d *Decoder) alone(p Place, want *target, at time.Time) (Fault, bool) {
	v := d.judge(p, want)
	f := Fault{Place: p, Nats: -floorNats, Since: at}
	switch v.wrong {
	case 1 << sensing.Reeds:
		f.Part, f.Nats = sensing.Reeds, -reedWrong
		if d.seen.closed.Has(p) {
			f.Kind = Stuck
		}
		return f, !v.pending
	case 1 << sensing.Weights:
		f.Part = sensing.Weights
		mean, ok := d.seen.mass[p].steady()
		f.Kind = analogTrouble(mean, want.mass, d.g.lightest())
		return f, ok && d.seen.reed(p) && !d.fitsOther(mean, want.pile)
	case 1 << sensing.Heights:
		f.Part = sensing.Heights
		mean, ok := d.seen.height[p].steady()
		f.Kind = analogTrouble(mean, want.height, float64(d.g.CubeHeight))
		return f, ok && d.seen.reed(p) && len(want.pile) <= 1 && (want.pile == "" || mean < float64(d.g.CubeHeight)/2)
	}
	return Fault{}, false
}

// fitsOther tells whether a weight may be that of other pieces where at least one must stand, or of one where none must.
func (d *Decoder) fitsOther(mg float64, want Pile) bool {
	if want == "" {
		return d.tally.fits(mg, 1)
	}
	for n := 1; n <= len(want)+1; n++ {
		if d.tally.fits(mg, n) {
			return true
		}
	}
	return false
}

func analogTrouble(value, want, unit float64) Trouble {
	switch {
	case want > 0 && value < unit/2:
		return Dead
	case want == 0 && value > unit/2:
		return Stuck
	}
	return Drifting
}

// moved looks for moves that explain everything but one sensor. If an analog sensor is the odd one, and the reed has seen the
// move, it is made; if it takes the rules alone to contradict a reed, somebody must say.
func (b *blame) moved(d *Decoder, at time.Time) (Explanation, bool) {
	var best *hypothesis
	var fault Fault
	var all []*hypothesis
	b.suspects = b.suspects[:0]
	for i := range d.list.hyps {
		h := &d.list.hyps[i]
		if h.base != 0 || h.ask || h.ends != "" || h.move == rules.NoMove {
			continue
		}
		if f, ok := b.odd(d, h, at); ok {
			best, fault = h, f
			all = append(all, h)
			after := d.now
			for j := range h.changes {
				after[h.changes[j].place] = h.changes[j].want.pile
			}
			b.suspects = append(b.suspects, suspect{after, f})
		}
	}
	switch {
	case len(all) == 0:
		return Explanation{}, false
	case len(all) == 1 && fault.Part != sensing.Reeds && best.places.Has(fault.Place) && d.seen.turned.Has(fault.Place):
		b.find(d, fault)
		return Explanation{State: Moved, Move: best.move, Margin: fault.Nats, Waited: d.quiet}, true
	case d.still < d.t.Blind || d.inHand():
		return Explanation{}, false
	}
	d.live = d.live[:0]
	for _, h := range all {
		d.live = append(d.live, ranked{h, 0})
	}
	return d.ask(d.live[0]), true
}

// inHand tells whether all that differs is pieces of the side to move that are missing: a person thinks.
func (d *Decoder) inHand() bool {
	lifts := d.lifts()
	if len(lifts) != d.differ.Count() {
		return false
	}
	for _, l := range lifts {
		if pile := d.now[l.Place]; !isColor(pile[len(pile)-1], d.turn) {
			return false
		}
	}
	return true
}

// odd tells whether a hypothesis explains all sensors but one.
func (b *blame) odd(d *Decoder, h *hypothesis, at time.Time) (f Fault, ok bool) {
	outside := d.differ.less(h.places)
	if outside.Count() > 1 {
		return f, false
	}
	for p := range outside.places() {
		if f, ok = d.alone(p, &d.want[p], at); !ok {
			return f, false
		}
	}
	for i := range h.changes {
		c := &h.changes[i]
		v := d.judge(c.place, &c.want)
		if v.against {
			if ok {
				return f, false
			}
			if f, ok = d.alone(c.place, &c.want, at); !ok {
				return f, false
			}
			continue
		}
		if d.untouched(c) {
			return f, false
		}
	}
	return f, ok
}

// confirm takes the fault for real that was suspected when the move was asked for that has now been made.
func (b *blame) confirm(d *Decoder) {
	for i := range b.suspects {
		if s := &b.suspects[i]; s.after == d.now {
			b.find(d, s.fault)
			break
		}
	}
	b.suspects = b.suspects[:0]
}

// together is within which time two reeds change that are closed by the same magnet: three sweeps.
const together = 6 * time.Millisecond

// How often two places must have been mixed up before it is no accident.
const (
	swapVotes = 2
	talkVotes = 3
)

// vote holds the reeds that changed on the way of a move against those that should have.
func (b *blame) vote(d *Decoder, h *hypothesis) {
	if h.base != 0 {
		return
	}
	var should Set
	for i := range h.changes {
		c := &h.changes[i]
		if (c.want.pile == "") != (d.now[c.place] == "") {
			should.Add(c.place)
		}
	}
	missing, extra := should.less(d.seen.turned), d.seen.turned.less(h.places)
	missing = Set{missing[0] & d.seen.known[0], missing[1] & d.seen.known[1]}
	if extra.Count() != 1 || missing.Count() > 1 {
		return
	}
	var x, m Place
	for p := range extra.places() {
		x = p
	}
	if missing.Empty() {
		for p := range should.places() {
			if near := d.seen.changed[p].Sub(d.seen.changed[x]).Abs() <= together; near && beside(p, x) {
				b.count(d, p, x, Crosstalk, talkVotes)
				return
			}
		}
		return
	}
	for p := range missing.places() {
		m = p
	}
	if m.Deck() == x.Deck() {
		b.count(d, min(m, x), max(m, x), Swapped, swapVotes)
	}
}

// beside tells whether two places are neighbors on the same deck.
func beside(a, b Place) bool {
	df, dr := a.Square().File()-b.Square().File(), a.Square().Rank()-b.Square().Rank()
	return a.Deck() == b.Deck() && a != b && df*df <= 1 && dr*dr <= 1
}

// count adds a vote, and makes a fault of it when there are enough.
func (b *blame) count(d *Decoder, x, y Place, k Trouble, enough int) {
	i := slices.IndexFunc(b.votes, func(v pairVote) bool { return v.a == x && v.b == y && v.kind == k })
	if i < 0 {
		if len(b.votes) >= 64 {
			b.votes = b.votes[1:]
		}
		b.votes = append(b.votes, pairVote{a: x, b: y, kind: k})
		i = len(b.votes) - 1
	}
	b.votes[i].count++
	if b.votes[i].count < enough {
		return
	}
	nats := -reedWrong * float64(b.votes[i].count)
	b.votes = slices.Delete(b.votes, i, i+1)
	b.find(d, Fault{Place: y, Part: sensing.Reeds, Kind: k, With: x, Nats: nats, Since: d.seen.latest})
	if k == Swapped {
		b.find(d, Fault{Place: x, Part: sensing.Reeds, Kind: k, With: y, Nats: nats, Since: d.seen.latest})
	}
}
