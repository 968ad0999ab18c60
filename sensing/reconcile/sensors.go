// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"slices"
	"time"

	"boardd/sensing"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// faults is which sensors contradict the accepted wood, and which are reported as faulty. That is for people only: how
// much a sensor counts depends on its trust, and on evidence.Record.Discount.
type faults struct {
	list         []Fault
	changes      []FaultChange
	badIsCurrent bool                          // bad belongs to the accepted wood
	bad          [3]wood.Set                   // sensors that contradicted the accepted wood when it had rested
	overruled    [3]wood.Set                   // sensors that contradicted a move that was taken all the same
	since        [3][wood.Places]evidence.Tick // since when a sensor has contradicted the wood at rest; 0: it does not
	lost         [3]wood.Set                   // sensors that do not answer
	lostAt       [3]evidence.Tick              // when lost last changed
	looked       evidence.Tick                 // when the sensors were last examined
	turns        [2][64]uint32                 // changes of direction of cells and height sensors when the window began
	samples      [2][64]uint32                 // their samples, likewise
	window       evidence.Tick                 // when the window began
}

// Faults returns the sensors that are not to be trusted now, in the order in which they were found.
func (d *Decoder) Faults() []Fault { return slices.Clone(d.faults.list) }

// FaultChanges returns the faults that were found, and those that are gone, since it was last called.
func (d *Decoder) FaultChanges() []FaultChange {
	n := d.faults.changes
	d.faults.changes = nil
	return n
}

// contradictedBefore reports whether the contradiction of a place was there already when the wood was accepted. It is
// then no sign of a hand.
func (f *faults) contradictedBefore(d *Decoder, p wood.Place) bool {
	reed := f.badIsCurrent && f.bad[sensing.Reeds].Has(p) || f.overruled[sensing.Reeds].Has(p)
	cell := f.badIsCurrent && f.bad[sensing.Weights].Has(p) || f.overruled[sensing.Weights].Has(p)
	eye := f.badIsCurrent && f.bad[sensing.Heights].Has(p) || f.overruled[sensing.Heights].Has(p)
	return reed || (cell || eye) && d.seen.ReedFit(p, d.now[p] != "") == 0
}

// noteContradicting notes which sensors contradict the accepted wood at rest.
func (d *Decoder) noteContradicting() {
	d.faults.badIsCurrent, d.faults.bad = true, [3]wood.Set{}
	for p := range d.closely.Places() {
		for k, bad := range d.contradicting(p) {
			if bad && d.seen.Now.Since(d.seen.TurnedAt(sensing.Kind(k), p)) >= world.SettleTime {
				d.faults.bad[k].Add(p)
			}
		}
	}
}

// noteOverruled notes which sensors contradict the wood of a move that was just taken all the same: they count as
// faulty. Places that have just changed, or that the opponent has lifted from, do not count.
func (d *Decoder) noteOverruled() {
	d.faults.overruled = [3]wood.Set{}
	for p := range d.taken.Places() {
		left, ok := d.part(p)
		lifted := ok && left < len(d.now[p])
		for k, bad := range d.contradicting(p) {
			at := d.seen.TurnedAt(sensing.Kind(k), p)
			if bad && d.seen.Now.Since(at) >= world.SettleTime && !(lifted && at > d.past[0].epoch) {
				d.faults.overruled[k].Add(p)
			}
		}
	}
	d.taken = wood.Set{}
}

// contradicting tells, by kind, which sensors of a place contradict the pile of the game, trusted or not.
func (d *Decoder) contradicting(p wood.Place) (bad [3]bool) {
	e := &d.seen
	bad[sensing.Reeds] = e.Known.Has(p) && e.Closed.Has(p) != (d.now[p] != "") && !e.Reeds[p].Chattering(e.Now)
	if p < 64 {
		bad[sensing.Weights] = d.g.Weights && !d.pressed.Has(p) && e.HeardCell(p) && e.CellWrong(p, &d.want[p])
		bad[sensing.Heights] = d.g.Heights && e.HeardEye(p) && e.EyeWrong(p, &d.want[p]) &&
			(e.Eyes[p].Mean < d.want[p].Height || e.Eyes[p].Since < e.Reeds[p].Last()) && !d.offCentre(p)
	}
	return bad
}

// confirm updates the trust of each sensor from wood that a later move has confirmed. What contradicted that wood, and
// has not changed since, is not heard any more.
func (d *Decoder) confirm() {
	f, e := &d.faults, &d.seen
	for k := range e.Trust {
		for p := range wood.Place(wood.Places) {
			wrong := f.badIsCurrent && f.bad[k].Has(p)
			if f.badIsCurrent {
				e.Trust[k][p].Confirm(wrong, evidence.Prior[k])
			}
			if (wrong || f.overruled[k].Has(p)) && e.TurnedAt(sensing.Kind(k), p) <= e.Epoch {
				e.Discount(sensing.Kind(k), p)
			}
		}
	}
	for i := range f.list {
		d.distrust(&f.list[i])
	}
}

// watch examines the sensors every world.WatchInterval and notes which are at fault.
func (d *Decoder) watch(at time.Time) {
	f, e := &d.faults, &d.seen
	if e.Now.Since(f.looked) < world.WatchInterval {
		return
	}
	f.looked = e.Now
	d.watchSilent(at)
	d.watchNoisy(at)
	resting := e.Now.Since(e.Flipped) > world.AskAfter
	for k := range f.since {
		for p := range wood.Place(wood.Places) {
			switch bad := f.badIsCurrent && f.bad[k].Has(p) || f.overruled[k].Has(p) &&
				d.closely.Has(p) && d.contradicting(p)[k]; {
			case !resting:
			case !bad:
				f.since[k][p] = 0
			case f.since[k][p] == 0:
				f.since[k][p] = e.Now
			case e.Now.Since(f.since[k][p]) > d.timing.FaultAfter:
				d.accuse(Fault{Place: p, Sensor: sensing.Kind(k), Kind: d.faultKind(sensing.Kind(k), p), Since: at})
			}
		}
	}
	f.list = slices.DeleteFunc(f.list, func(x Fault) bool {
		recovered := d.recovered(x)
		if recovered {
			f.changes = append(f.changes, FaultChange{Fault: x, Gone: true})
			if x.Kind != Silent { // that it did not answer says nothing of what it shows
				e.Trust[x.Sensor][x.Place] = evidence.Trust{Err: evidence.Prior[x.Sensor]}
			}
		}
		return recovered
	})
}

// faultKind is the kind of fault of a sensor that contradicts the wood.
func (d *Decoder) faultKind(k sensing.Kind, p wood.Place) FaultKind {
	e := &d.seen
	var shows float64
	switch k {
	case sensing.Reeds:
		if e.Closed.Has(p) {
			return Stuck
		}
		return Dead
	case sensing.Weights:
		shows = e.Cells[p].Mean / d.g.Lightest
	case sensing.Heights:
		shows = e.Eyes[p].Mean / float64(d.g.CubeHeight)
	}
	switch {
	case d.now[p] == "":
		return Stuck
	case shows < 0.5 && shows > -0.5:
		return Dead
	}
	return Drifting
}

// watchSilent finds sensors that do not answer. The sensors of a chip are lost, and come back, one after the other. So
// they are reported only when the set has not changed for a while.
func (d *Decoder) watchSilent(at time.Time) {
	f, e := &d.faults, &d.seen
	for k := range f.lost {
		var lost wood.Set
		for p := range wood.Place(wood.Places) {
			if d.has(sensing.Kind(k), p) && !e.Answers[k].Has(p) {
				lost.Add(p)
			}
		}
		if lost != f.lost[k] {
			f.lost[k], f.lostAt[k] = lost, e.Now
		}
		if e.Now.Since(f.lostAt[k]) < world.AbsentAfter {
			continue
		}
		for p := range lost.Places() {
			d.accuse(Fault{Place: p, Sensor: sensing.Kind(k), Kind: Silent, Since: at})
		}
	}
}

// has reports whether the board has a sensor of a kind at a place, and its bank was ever read.
func (d *Decoder) has(k sensing.Kind, p wood.Place) bool {
	if !d.seen.Heard[k][p.Deck()] {
		return false
	}
	switch k {
	case sensing.Weights:
		return d.g.Weights && p < 64
	case sensing.Heights:
		return d.g.Heights && p < 64
	}
	return p < 64 || d.g.TwoDecks
}

// watchNoisy finds reeds that chatter, and cells and height sensors that go up and down all the time. A hand that
// presses, or comes and goes, turns far less often. One that trembles there shows more than the pile.
func (d *Decoder) watchNoisy(at time.Time) {
	f, e := &d.faults, &d.seen
	for p := range d.filled.Union(e.Closed).Places() {
		if e.Reeds[p].Chattering(e.Now) {
			d.accuse(Fault{Place: p, Sensor: sensing.Reeds, Kind: Noisy, Since: at})
		}
	}
	if e.Now.Since(f.window) < world.TrembleWindow {
		return
	}
	for k, levels := range [2]*[64]evidence.Level{&e.Cells, &e.Eyes} {
		var turns, samples [64]uint32
		for q := range levels {
			l := &levels[q]
			turns[q], samples[q] = l.Turns-f.turns[k][q], l.Samples-f.samples[k][q]
			f.turns[k][q], f.samples[k][q] = l.Turns, l.Samples
		}
		sorted := turns
		slices.Sort(sorted[:])
		shaken := sorted[len(sorted)/2] // a table that shakes, shakes them all
		for q := range levels {
			hand := levels[q].Mean > [2]float64{d.want[q].Mass + world.CellWide, d.want[q].Height + world.EyeWide}[k]
			if samples[q] >= world.MinTrembleReadings && 3*turns[q] > samples[q]+3*shaken && !hand {
				d.accuse(Fault{Place: wood.Place(q), Sensor: sensing.Weights + sensing.Kind(k), Kind: Noisy, Since: at})
			}
		}
	}
	f.window = e.Now
}

// accuse notes a fault, in place of any other of the same sensor, and lowers the trust of the sensor.
func (d *Decoder) accuse(x Fault) {
	f := &d.faults
	if i := slices.IndexFunc(f.list, func(o Fault) bool { return o.Place == x.Place && o.Sensor == x.Sensor }); i >= 0 {
		if f.list[i].Kind == x.Kind || f.list[i].Kind == Silent || f.list[i].Kind == Noisy {
			return
		}
		f.changes = append(f.changes, FaultChange{Fault: f.list[i], Gone: true})
		f.list = slices.Delete(f.list, i, i+1)
	}
	f.list = append(f.list, x)
	f.changes = append(f.changes, FaultChange{Fault: x})
	d.distrust(&x)
}

// distrust lowers the trust of a sensor whose fault lasts.
func (d *Decoder) distrust(x *Fault) {
	wrong := world.AccusedErr
	switch x.Kind {
	case Silent:
		return
	case Noisy:
		wrong = world.NoisyErr
	}
	t := &d.seen.Trust[x.Sensor][x.Place]
	t.Err = max(t.Err, wrong)
	t.Bad, t.N = max(t.Bad, world.TrustPrior*wrong), max(t.N, 1)
}

// recovered reports whether a sensor shows what it should again.
func (d *Decoder) recovered(x Fault) bool {
	e, p := &d.seen, x.Place
	occupied := d.now[p] != ""
	switch x.Kind {
	case Silent:
		return !d.faults.lost[x.Sensor].Has(p) && e.Now.Since(d.faults.lostAt[x.Sensor]) >= world.AbsentAfter
	case Noisy:
		if x.Sensor == sensing.Reeds {
			return e.Reeds[p].Calm(e.Now - evidence.Tick(d.timing.BlindFaultAfter))
		}
		l := &e.Cells[p%64]
		if x.Sensor == sensing.Heights {
			l = &e.Eyes[p%64]
		}
		return e.Now.Since(l.Since) > d.timing.BlindFaultAfter
	case Stuck:
		occupied = !occupied
	}
	if !occupied || d.against.Has(p) || !d.faults.badIsCurrent || e.Now.Since(e.Flipped) < d.timing.FaultAfter {
		return false // the wood as it stands now does not test the sensor
	}
	return !d.contradicting(p)[x.Sensor]
}

// isCovered reports whether a hand seems to hang over a place that a hypothesis, or one close to it, changes. Or it
// may be taken for a pile there. A question waits until the hand has gone or stayed for world.AllHandsLeave.
func (d *Decoder) isCovered(best *hypotheses.Hypothesis) bool {
	for _, i := range d.ranked {
		h := &d.list.Hyps[i]
		if best.Score-h.Score < world.AskWithin && slices.ContainsFunc(h.Changes, d.isChangeCovered) {
			return true
		}
	}
	return false
}

// isChangeCovered reports whether a hand seems to hang over the place of a change, or may be taken for its pile.
func (d *Decoder) isChangeCovered(i int32) bool {
	e, w := &d.seen, &d.list.Changes[i]
	if !e.HeardEye(w.Place) || e.Now.Since(e.Eyes[w.Place].Since) > world.AllHandsLeave {
		return false
	}
	l := &e.Eyes[w.Place]
	grows := d.now[w.Place] != "" && len(w.Pile) > len(d.now[w.Place])
	return l.Mean > w.Height+world.EyeWide || l.Age(e.Now) < world.WrongAfter || grows && d.mayBeHand(w.Place)
}

// sensorsRead reports whether all needed sensors have been read since the last event. They are the height sensors over
// every place that a hypothesis, or one close to it, changes. They may not have been, because a hand is too near to
// some, or leans on the board so that the scale cannot be used. A question waits for them, but not for ever.
func (d *Decoder) sensorsRead(best *hypotheses.Hypothesis, pause time.Duration) bool {
	e := &d.seen
	if pause > world.AloneAfter {
		return true
	}
	if d.scaleBlind() {
		return false
	}
	if !d.g.Heights {
		return true
	}
	for _, i := range d.ranked {
		h := &d.list.Hyps[i]
		if best.Score-h.Score >= world.AskWithin {
			continue
		}
		for _, j := range h.Changes {
			if p := d.list.Changes[j].Place; p < 64 && e.Trust[sensing.Heights][p].Err < world.DistrustAbove &&
				(!e.Answers[sensing.Heights].Has(p) || e.Eyes[p].Heard <= e.Flipped) {
				return false
			}
		}
	}
	return true
}
