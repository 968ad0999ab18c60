// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// seen is what the sensors show now and showed since the wood last stood as it should.
type seen struct {
	known  wood.Set     // reeds that answered
	missed [2]time.Time // by deck: since when some of them have not
	closed wood.Set     // reeds that are closed
	mass   [64]meter
	height [64]meter
	shake  [2][64]tremble // of the load cells, and of the height sensors

	mute    [3]wood.Set             // by kind of sensor: places where it is known to be at fault
	noisy   wood.Set                // reeds that toggle without rest, and say nothing while they do
	calm    wood.Set                // reeds that were not noisy when the path began
	level   [wood.Places]float64    // how often a reed toggled lately, see restless
	changed [wood.Places]time.Time  // when each reed last changed
	crossed bool                    // some wires are swapped
	swap    [wood.Places]wood.Place // if so, the place whose reed answers for each place
	turned  wood.Set                // reeds that changed since the path began, be they trusted or not
	touched [wood.Places]time.Time  // when each of them did so first

	stirred   wood.Set               // places whose reed opened or closed since the path began
	lifted    wood.Set               // places whose reed was open for longer than a bounce and closed again since then
	away      wood.Set               // those of them whose reed was open for longer than a noisy one ever is
	unwatched wood.Set               // places whose reed last changed while nobody looked for longer than between two sweeps
	lapsed    time.Time              // until when the reeds of a deck were last not looked at for longer than sweeps
	opened    [wood.Places]time.Time // when the reed opened that was lifted and closed again last
	landings  [wood.Places]uint8     // how often that happened
	weighed   [64]float64            // what was on each load cell when it had settled on what closed the reed
	weighedAt [64]time.Time          // when that reed closed
	blinked   wood.Set               // places whose reed was open for a moment, which may have been a knock or a quick exchange
	dipped    wood.Set               // places that weighed less, or were lower, than the game has it, for at least one reading
	shifted   wood.Set               // places whose load or height changed at once
	shiftedAt [64]time.Time          // when each of them did so first
	stoodAt   [64]time.Time          // when each of them was last heard to show what it did before
	jumpedAt  [64]time.Time          // when each of them did so last
	emptied   wood.Set               // places with a load cell that showed nothing at all, for at least one reading
	over      wood.Set               // places that show more than the game has there
	overAt    [64]time.Time          // since when each of them has
	moved     time.Time              // when a reed last changed that is not noisy
	jumped    time.Time              // when a load or a height last changed at once
	latest    time.Time              // time of the newest reading
	first     time.Time              // time of the first one
	heard     [3]wood.Set            // by kind of sensor: places that were known at least once
	spoke     [3][2]time.Time        // by kind of sensor and deck: when the bank was last heard
	fresh     bool                   // load cells or heights were read since their zeros last followed
	tilt      [64]float64            // of flat pieces: how much higher than its pile each place showed when the wood was last known
	highest   int                    // how many pieces stand on one another at most, in any wood that can come about
	began     time.Time              // when the path began
	stays     [64]stays              // how high each place was seen to stand on the way
}

// take folds a reading in.
func (s *seen) take(g *geometry, r *sensing.Reading) {
	if int(r.Kind) >= len(s.heard) || r.Deck > sensing.Upper {
		return // no bank of ours
	}
	if r.At.After(s.latest) {
		s.latest = r.At
	}
	if s.first.IsZero() {
		s.first = r.At
	}
	if r.At.Before(s.first) {
		return // it comes late, of a time before there was anything to compare it with
	}
	before := s.heard[r.Kind][r.Deck]
	s.heard[r.Kind][r.Deck] |= r.Known
	gap := r.At.Sub(s.spoke[r.Kind][r.Deck])
	s.spoke[r.Kind][r.Deck] = r.At.Add(max(0, -gap)) // what was measured before may come later
	switch {
	case r.Kind == sensing.Reeds:
		if gap > sweeps {
			s.lapsed = r.At
		}
		s.takeReeds(r, before, gap > sweeps)
	case r.Deck == sensing.Upper: // analog sensors look at the lower deck only
	case r.Kind == sensing.Weights:
		s.takeMeters(&s.mass, r, g.cell)
		s.weigh(g.lightest() / 2)
		s.fresh = true
	case r.Kind == sensing.Heights:
		s.takeMeters(&s.height, r, g.eye)
		s.fresh = true
	}
}

// enough is how many readings of a cell must agree before what closed a reed counts as weighed: a hand may press for three.
const enough = 6

// weigh notes what closed the reeds of the squares that have been filled lately, if it is more than the least that can be.
func (s *seen) weigh(least float64) {
	for p := range (wood.Set{s.turned[0] & s.closed[0]}).Places() {
		if m := &s.mass[p]; s.weighedAt[p] != s.changed[p] && m.n >= enough {
			if mean, ok := m.steady(); ok && mean > least {
				s.weighed[p], s.weighedAt[p] = mean, s.changed[p]
			}
		}
	}
}

// waking is how long a bank of sensors may take to say its first word. Load cells need 0.4 s after power-up (BOARD 1),
// a hub that has to be opened again up to a second.
const waking = 2 * time.Second

// blind tells whether too little has been sensed yet to say anything: what was never read is not empty. A bank that
// stays silent is waited for no longer than waking; its places are unknown then. When all are silent the board is blind again.
func (s *seen) blind(g *geometry, at time.Time) bool {
	if s.first.IsZero() {
		return true
	}
	if at.Sub(s.first) >= waking {
		return s.known.Empty() && silentMeters(&s.mass) == ^rules.Bitboard(0) && silentMeters(&s.height) == ^rules.Bitboard(0)
	}
	missing := s.heard[sensing.Reeds][sensing.Lower] == 0 || g.TwoDecks && s.heard[sensing.Reeds][sensing.Upper] == 0
	missing = missing || g.Weights && s.heard[sensing.Weights].Empty() || g.Heights && s.heard[sensing.Heights].Empty()
	return missing
}

// deaf is how long a bank may send nothing before what it said last counts no more. The slowest, a round of heights, comes
// forty times a second.
const deaf = time.Second

// sweeps is how long a bank of reeds may be silent between two sweeps: on a quiet board it is swept every 40 ms.
const sweeps = 60 * time.Millisecond

// until is up to when, at a time, all decks of reeds have been seen: on a machine with too much to do, what has not been looked at since has not rested.
func (s *seen) until(at time.Time) time.Time {
	until := at
	for d := range s.known {
		spoke := s.spoke[sensing.Reeds][d]
		if seen := spoke.Add(sweeps); !spoke.IsZero() && seen.Before(until) && at.Sub(spoke) <= deaf {
			until = seen
		}
	}
	if until.Before(s.moved) {
		return s.moved // the other deck has not been swept yet
	}
	return until
}

// forget drops what banks said that are not heard any more.
func (s *seen) forget(at time.Time) {
	for d := range s.known {
		if s.known[d] != 0 && at.Sub(s.spoke[sensing.Reeds][d]) > deaf {
			s.known[d] = 0
		}
	}
	hush(&s.mass, s.spoke[sensing.Weights][sensing.Lower], at)
	hush(&s.height, s.spoke[sensing.Heights][sensing.Lower], at)
}

func hush(m *[64]meter, spoke, at time.Time) {
	if spoke.IsZero() || at.Sub(spoke) <= deaf {
		return
	}
	for q := range m {
		m[q].forget()
	}
}

// reeds is the places whose reed answers and can be trusted.
func (s *seen) reeds() wood.Set {
	return wood.Set{
		s.known[0] &^ s.mute[sensing.Reeds][0] &^ s.noisy[0],
		s.known[1] &^ s.mute[sensing.Reeds][1] &^ s.noisy[1],
	}
}

// reed tells whether the reed of a place answers and can be trusted.
func (s *seen) reed(p wood.Place) bool {
	return s.known.Has(p) && !s.mute[sensing.Reeds].Has(p) && !s.noisy.Has(p)
}

// begin forgets what was seen on the way so far, but for the places of a way that has already begun.
func (s *seen) begin(keep wood.Set) {
	k := func(s wood.Set) wood.Set { return s.Both(keep) }
	s.stirred, s.lifted, s.dipped, s.emptied, s.turned = k(s.stirred), k(s.lifted), k(s.dipped), k(s.emptied), k(s.turned)
	s.shifted, s.blinked, s.away = k(s.shifted), k(s.blinked), k(s.away)
	for p := range s.landings {
		if !s.lifted.Has(wood.Place(p)) {
			s.landings[p] = 0
		}
	}
	s.calm = wood.Set{^s.noisy[0], ^s.noisy[1]}
	s.restay(keep)
}

// pass says that everything that stood on some places was seen to leave.
func (s *seen) pass(where wood.Set) {
	for _, set := range []*wood.Set{&s.stirred, &s.lifted, &s.dipped, &s.emptied} {
		*set = wood.Set{set[0] | where[0], set[1] | where[1]}
	}
}

// takeMeters takes what a bank of analog sensors shows.
func (s *seen) takeMeters(m *[64]meter, r *sensing.Reading, of func(q rules.Square) *grade) {
	for q := range m {
		if r.Stale&(1<<q) != 0 {
			continue // it was taken in before
		}
		if r.Known&(1<<q) != 0 {
			if s.trembles(r, q, of(rules.Square(q))) {
				m[q].forget()
				continue
			}
			stood := m[q].heard
			if m[q].add(r.Value[q], of(rules.Square(q)), r.At) {
				s.jumped = r.At
				s.jumpedAt[q] = r.At
				if !s.shifted.Has(wood.Place(q)) {
					s.shiftedAt[q], s.stoodAt[q] = r.At, stood
				}
				s.shifted.Add(wood.Place(q))
			}
		} else {
			m[q].miss(r.At)
		}
	}
}

// trembles tells whether an analog sensor does nothing but tremble.
func (s *seen) trembles(r *sensing.Reading, q int, of *grade) bool {
	if r.Kind == sensing.Weights {
		return s.shake[0][q].add(float64(r.Value[q]), of, r.At)
	}
	return s.shake[1][q].addHeight(float64(r.Value[q]), of, r.At)
}

// dip notes the places of the lower deck from which something is missing for the moment, and those with more than should be there: half of the
// lightest piece, or half a cube, more than any noise.
func (s *seen) dip(g *geometry, want *[wood.Places]target, r *sensing.Reading) {
	if r.Deck == sensing.Upper {
		return
	}
	switch r.Kind {
	case sensing.Weights:
		missing := g.lightest() / 2
		for q := range rules.Square(64) {
			if !r.Known.Has(q) {
				continue
			}
			load := float64(r.Value[q]) - s.mass[q].offset
			s.exceed(q, load > want[q].mass+missing, r.At)
			if want[q].pile != "" && load < want[q].mass-missing {
				s.dipped.Add(wood.Place(q))
				if load < missing {
					s.emptied.Add(wood.Place(q))
				}
			}
		}
	case sensing.Heights:
		missing := float64(g.CubeHeight) / 2
		for q := range rules.Square(64) {
			m := &s.height[q]
			if m.n < g.eye(q).count {
				continue
			}
			if !g.Weights {
				s.exceed(q, m.mean > want[q].height+missing, r.At)
			}
			if want[q].pile != "" && m.mean < want[q].height-missing {
				s.dipped.Add(wood.Place(q))
			}
		}
		s.stand(g, want, r)
	}
}

// exceed notes whether a place shows more than it should.
func (s *seen) exceed(q rules.Square, more bool, at time.Time) {
	switch p := wood.Place(q); {
	case !more:
		s.over.Drop(p)
	case !s.over.Has(p):
		s.over.Add(p)
		s.overAt[q] = at
	}
}
