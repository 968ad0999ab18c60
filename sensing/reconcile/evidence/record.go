// SPDX-License-Identifier: Apache-2.0

// Package evidence keeps what the sensors of a board have said, as events with times, and says how likely that is.
//
// A [Reed] keeps its flips, with bounces merged. A cell or a height sensor keeps a [Level]: the mean since the last
// step. [Record.LogLikelihood] compares all that the sensors of a place show with a pile that may stand there; a
// [Target] is what they should show. Nothing here knows of moves. All likelihoods are natural logarithms (nats), and 0
// when the reading fits.
package evidence

import (
	"cmp"
	"slices"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// Record is what the sensors have said: what each shows, since when, and what it showed before.
type Record struct {
	Board  *Geometry
	Origin time.Time
	Now    Tick
	Epoch  Tick   // when this ply began
	read   Tick   // when a sensor was last read
	tended Tick   // for how long sensors were read until then: a gap in which nobody read any counts little
	Stamp  uint32 // the evaluation

	Known     wood.Set    // reeds that answered when last read
	Closed    wood.Set    // reeds that were closed when they last answered
	everKnown wood.Set    // reeds that have ever answered
	Answers   [3]wood.Set // sensors that answered when their bank was last read
	Heard     [3][2]bool  // banks that were ever read
	Reeds     [wood.Places]Reed
	Swept     [2]Tick // when the reeds of a deck were last read
	Cells     [64]Level
	Eyes      [64]Level
	Balance   scale.Meter
	balanced  Tick           // tended when the scale last answered
	noise     [2][64]float64 // standard deviation of a sample of each cell and eye
	Trust     [3][wood.Places]Trust

	discounted   [3]wood.Set          // sensors of which Discount was told
	discountedAt [3][wood.Places]Tick // since when such a sensor showed what it did then

	SpilledLoad  [64]float64    // mg that neighbouring cells bear of a piece that stands over the edge of a square
	OverhangLoad [64]float64    // mg that a cell bears of a piece on a neighbouring square
	Leans        [64]float64    // mg that a cell has borne beside the pile of the game while that rested
	Shared       rules.Bitboard // squares of which SpilledLoad or OverhangLoad is not 0

	Flipped       Tick    // when a reed that does not chatter last flipped
	flippedBefore Tick    // the same, without its last flip
	Stepped       Tick    // when any cell or height sensor last began a new level
	looked        [2]step // the last two squares whose height sensor began a new level, the newer one first
}

// step is when the height sensor over a square began a new level.
type step struct {
	square rules.Square
	at     Tick
}

// lastActivity is when a sensor last saw something happen, the height sensor over this place aside.
func (e *Record) lastActivity(p wood.Place) Tick {
	if s := e.looked[0]; wood.Place(s.square) != p {
		return max(e.Flipped, s.at)
	}
	return max(e.Flipped, e.looked[1].at)
}

// New returns the record of a board that has said nothing yet.
func New(g *Geometry) Record {
	e := Record{Board: g, Flipped: Never, flippedBefore: Never, Stepped: Never, looked: [2]step{{at: Never}, {at: Never}}}
	for q := range 64 {
		e.noise[0][q] = float64(cmp.Or(g.CellNoises[q], g.CellNoise))
		e.noise[1][q] = float64(cmp.Or(g.RangeNoises[q], g.RangeNoise))
		e.Cells[q].Heard, e.Eyes[q].Heard = Never, Never
	}
	for k := range e.Trust {
		for p := range e.Trust[k] {
			e.Trust[k][p].Err = Prior[k]
		}
	}
	return e
}

// Tick converts a time.
func (e *Record) Tick(at time.Time) Tick {
	if e.Origin.IsZero() {
		e.Origin = at
	}
	return Tick(at.Sub(e.Origin))
}

// Observe takes in one reading.
func (e *Record) Observe(r *sensing.Reading) {
	at := e.Tick(r.At)
	e.Now = max(e.Now, at)
	e.tended += max(0, min(at-e.read, Tick(world.AbsentAfter/4)))
	e.read = max(e.read, at)
	if r.Kind <= sensing.Heights && r.Deck <= sensing.Upper {
		e.Answers[r.Kind][r.Deck], e.Heard[r.Kind][r.Deck] = r.Known, true
	}
	switch {
	case r.Deck > sensing.Upper:
	case r.Kind == sensing.Reeds:
		e.sweep(r, at)
	case r.Kind == sensing.Scale && e.Board.Scale:
		e.takeScale(r, at)
	case r.Kind == sensing.Weights && r.Deck == sensing.Lower && e.Board.Weights:
		e.weigh(r, at)
	case r.Kind == sensing.Heights && r.Deck == sensing.Lower && e.Board.Heights:
		e.measure(r, at)
	}
}

func (e *Record) sweep(r *sensing.Reading, at Tick) {
	d := r.Deck
	if d == sensing.Upper && !e.Board.TwoDecks {
		return
	}
	e.Swept[d] = at
	turned := (r.Closed ^ e.Closed[d]) & r.Known & e.everKnown[d]
	e.Known[d], e.Closed[d] = r.Known, r.Closed&r.Known|e.Closed[d]&^r.Known
	e.everKnown[d] |= r.Known
	for q := range turned.Squares() {
		p := wood.PlaceAt(d, q)
		c := &e.Reeds[p]
		switch undone := c.flip(at); {
		case c.Chattering(at):
		case undone && e.Flipped.within(at):
			e.Flipped = e.flippedBefore // the flip was a bounce
		case !undone:
			e.flippedBefore, e.Flipped = e.Flipped, at
		}
	}
}

func (e *Record) weigh(r *sensing.Reading, at Tick) {
	for q := range (r.Known &^ r.Stale).Squares() {
		l := &e.Cells[q]
		if at <= l.Heard {
			continue
		}
		l.tended = e.tended
		if l.add(float64(r.Value[q]), e.noise[0][q], world.CellStep, at) {
			e.Stepped = max(e.Stepped, at)
		}
	}
}

func (e *Record) measure(r *sensing.Reading, at Tick) {
	for q := range (r.Known &^ r.Stale).Squares() {
		l := &e.Eyes[q]
		if at <= l.Heard {
			continue
		}
		l.tended = e.tended
		if l.add(float64(r.Value[q]), e.noise[1][q], world.EyeStep, at) {
			e.Stepped = max(e.Stepped, at)
			if e.looked[0].square != q {
				e.looked[1] = e.looked[0]
			}
			e.looked[0] = step{q, at}
		}
	}
}

// takeScale takes in a reading of the scale. It ignores a reading that lacks a corner.
func (e *Record) takeScale(r *sensing.Reading, at Tick) {
	if r.Known&scale.Known != scale.Known || time.Duration(at) <= e.Balance.Heard && e.Balance.N > 0 {
		return
	}
	var bear [scale.Corners]float64
	for i, sq := range scale.Squares {
		bear[i] = float64(r.Value[sq])
	}
	e.balanced = e.tended
	if e.Balance.Add(scale.Read(&bear), float64(e.Board.CellNoise), time.Duration(at)) {
		e.Stepped = max(e.Stepped, at)
	}
}

// Silent reports whether no sensor has ever answered.
func (e *Record) Silent() bool {
	answered := func(l Level) bool { return l.N > 0 }
	return e.everKnown[0]|e.everKnown[1] == 0 && e.Balance.N == 0 && !slices.ContainsFunc(e.Cells[:], answered) &&
		!slices.ContainsFunc(e.Eyes[:], answered)
}

// HeardCell reports whether the load cell under a place can be used now. While nobody reads any sensor, as on a busy
// computer, that stays as it is.
func (e *Record) HeardCell(p wood.Place) bool {
	return e.Board.Weights && p < 64 && e.Cells[p].N > 0 && e.tended.Since(e.Cells[p].tended) < world.AbsentAfter
}

// HeardScale is HeardCell for the scale.
func (e *Record) HeardScale() bool {
	return e.Balance.N > 0 && e.tended.Since(e.balanced) < world.AbsentAfter
}

// CellTrusted reports whether a load cell can be used now and is trusted.
func (e *Record) CellTrusted(p wood.Place) bool {
	return e.HeardCell(p) && e.Trust[sensing.Weights][p].Err < world.DistrustAbove && !e.IsDiscounted(sensing.Weights, p)
}

// HeardEye reports whether the height sensor over a place can be used now. A reading from before the reed flipped
// cannot, because it shows what stood there before. A sensor that missed a measurement still counts for a moment.
func (e *Record) HeardEye(p wood.Place) bool {
	if !e.Board.Heights || p >= 64 || e.Eyes[p].N == 0 || e.Eyes[p].Heard < e.Reeds[p].Last() {
		return false
	}
	return e.Answers[sensing.Heights].Has(p) || e.Now.Since(e.Eyes[p].Heard) < world.MissedGrace
}

// LacksReed reports whether a place has no reed that tells whether something stands there.
func (e *Record) LacksReed(p wood.Place) bool {
	return !e.Known.Has(p) || e.Trust[sensing.Reeds][p].Err > 0.1 || e.IsDiscounted(sensing.Reeds, p)
}

// TurnedAt is when a sensor of a place last showed something new.
func (e *Record) TurnedAt(k sensing.Kind, p wood.Place) Tick {
	switch {
	case k == sensing.Weights && p < 64:
		return e.Cells[p].Since
	case k == sensing.Heights && p < 64:
		return e.Eyes[p].Since
	}
	return e.Reeds[p].Last()
}

// LastAt is when anything last happened on a place, by what its sensors show.
func (e *Record) LastAt(p wood.Place) Tick {
	at := e.Reeds[p].Last()
	if p < 64 && e.Cells[p].N > 0 {
		at = max(at, e.Cells[p].Since)
	}
	if p < 64 && e.Eyes[p].N > 0 {
		at = max(at, e.Eyes[p].Since)
	}
	return at
}

// Tick is a time in nanoseconds since the first reading.
type Tick int64

// Never is a time before all others.
const Never = Tick(-1 << 62)

// Since is the time from u to t.
func (t Tick) Since(u Tick) time.Duration { return time.Duration(t - u) }

// within reports whether t is less than bounce before u.
func (t Tick) within(u Tick) bool { return u.Since(t) < world.Bounce }
