// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/reconcile/evidence"
	"boardd/sensing/reconcile/hypotheses"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// State says what kind of explanation was found.
type State uint8

const (
	Synced    State = iota // the wood stands as the game has it
	Moving                 // a hand is at work and nothing is wrong so far
	Moved                  // a legal move was made: Base and Move say which
	TakenBack              // the wood stands as in the earlier position Base: the moves since are taken back
	Ended                  // both kings stand on centre squares, which announces Result
	Asking                 // several legal moves explain the wood, Choices lists them
	Wrong                  // no legal move leads here: Touch says which places to mend
	Unmade                 // the last move was never made: its piece only brushed a square, and is still on its way
)

// String returns the state's word.
func (s State) String() string {
	return [...]string{"synced", "moving", "moved", "taken back", "ended", "asking", "wrong", "unmade"}[s]
}

// Explanation is the decoder's answer.
type Explanation struct {
	State   State
	Base    int        // Moved, TakenBack, Asking, Unmade: index of the base that the moves start from
	Move    rules.Move // Moved: the move; Moving: a move that is held until it is surer, NoMove for none
	Result  string     // Ended: "1-0", "0-1" or "1/2-1/2"
	Choices []Choice   // Asking
	Margin  float64    // Moved: nats by which it is likelier than the runner-up
	// Moved: time from the last contact to now; 0 when none was seen because the wood changed while nobody looked
	Waited        time.Duration
	Discrepancies []Discrepancy // places that differ from the game as it stands, in the order a1 ... h8, lower deck first
	Lifts         []Lift        // places from which pieces were lifted and where nothing was added
	NextLook      time.Time     // when to call Explain again if nothing is read until then; zero: never
}

// Choice is one possible answer to a question.
type Choice struct {
	Move rules.Move
	// a player answers by lifting the piece here and putting it back; Nowhere: answer elsewhere, there are too few pieces
	Place wood.Place
}

// Discrepancy is a place that differs from the game, and that a player has to put right.
type Discrepancy struct {
	Place wood.Place
	Want  wood.Pile // what should stand there
	See   int       // the number of pieces that seem to stand there
}

// Lift is a place whose upper pieces are in a hand.
type Lift struct {
	Place wood.Place
	Keep  int // the number of pieces of the pile that still stand there
}

// Timing is how long faults must last, and what a move waits for. Everything else that takes time stands in
// package world.
type Timing struct {
	FaultAfter time.Duration // rest before a sensor that contradicts all others is called faulty
	// the same where only the rules, and no other sensor, say that it is wrong: a person may think with a piece in hand
	BlindFaultAfter time.Duration
	Commit          CommitPolicy // what a move waits for before it counts
}

// CommitPolicy says what a move waits for, besides resting, before it counts.
type CommitPolicy uint8

// The policies.
const (
	AtRest  CommitPolicy = iota // nothing else
	ByTouch                     // the opponent's first touch, or the clock
	ByClock                     // the clock
)

// String returns the policy's word in configurations.
func (p CommitPolicy) String() string { return [...]string{"rest", "touch", "clock"}[p] }

// ParseCommitPolicy reads the words that String returns.
func ParseCommitPolicy(s string) (CommitPolicy, error) {
	for p := AtRest; p <= ByClock; p++ {
		if p.String() == s {
			return p, nil
		}
	}
	return 0, fmt.Errorf("when a move counts: %q is unknown, use rest, touch or clock", s)
}

// DefaultTiming returns the usual times; moves count when they rest.
func DefaultTiming() Timing {
	return Timing{FaultAfter: world.FaultAfter, BlindFaultAfter: world.BlindAfter}
}

// Destinations is where a lifted piece may legally go, by what happens there.
type Destinations struct {
	Quiet   wood.Set // onto an empty place
	Capture wood.Set // taking something
	Stack   wood.Set // onto a piece that stays: climbing, locking, occupying
	Special wood.Set // castling, castlock, promotion
	Begun   bool     // some move lifts these pieces, with others or alone
}

// Any reports whether there is any place to go.
func (r *Destinations) Any() bool {
	return !r.Quiet.Empty() || !r.Capture.Empty() || !r.Stack.Empty() || !r.Special.Empty()
}

// Guide sorts the places to put right into the order that is quickest for hands. First come pieces to take away, so
// that they lie ready, then pieces to exchange, then missing pieces. Within each group the places with the fewest
// pieces to lift come first.
func Guide(touch []Discrepancy) []Discrepancy {
	ts := slices.Clone(touch)
	slices.SortStableFunc(ts, func(a, b Discrepancy) int {
		return cmp.Or(cmp.Compare(a.guideGroup(), b.guideGroup()), cmp.Compare(a.pieceCount(), b.pieceCount()))
	})
	return ts
}

// guideGroup says whether the place comes first (0), next (1) or last (2).
func (t *Discrepancy) guideGroup() int { return 1 - cmp.Compare(t.See, len(t.Want)) }

// pieceCount is the number of pieces that have to be lifted from the place or brought to it.
func (t *Discrepancy) pieceCount() int { return max(1, max(t.See-len(t.Want), len(t.Want)-t.See)) }

// String returns the English of Said.
func (t Discrepancy) String() string { return t.Said().English }

// Said says what to do, in few enough words for a small display: which place, how many pieces, which one on top.
func (t Discrepancy) Said() say.Said {
	switch n := len(t.Want); {
	case n == 0:
		return say.That("%v: take %d off", t.Place, max(1, t.See))
	case t.See > n:
		return say.That("%v: take %d off, %s on top", t.Place, t.See-n, t.Want[n-1:])
	case n == 1:
		return say.That("%v: put %s", t.Place, t.Want)
	}
	return say.That("%v: %s, %s on top", t.Place, t.Want, t.Want[len(t.Want)-1:])
}

// FaultKind says what is wrong with a sensor.
type FaultKind uint8

// The kinds of faults.
const (
	Dead      FaultKind = iota // does not show what stands there
	Stuck                      // shows something where nothing stands
	Noisy                      // toggles or trembles although nothing moves: a weak magnet, a loose wire
	Drifting                   // shows more or less than what stands there
	Swapped                    // shows another place, whose sensor shows this one
	Crosstalk                  // follows its neighbour as well
	Silent                     // does not answer
)

// String returns the word of the kind.
func (t FaultKind) String() string {
	return [...]string{"dead", "stuck", "noisy", "drifting", "swapped", "crosstalk", "silent"}[t]
}

// Fault is a sensor that is not to be trusted. What stands on its place is known from the other sensors and from the
// rules, as long as they can tell.
type Fault struct {
	Place  wood.Place
	Sensor sensing.Kind
	Kind   FaultKind
	With   wood.Place // Swapped, Crosstalk: the other place
	Since  time.Time  // when it was found
}

// Name is the name of the sensor, such as "reed of d5".
func (f Fault) Name() string { return SensorName(f.Sensor) + " of " + f.Place.String() }

// String says what is wrong, for people, in English.
func (f Fault) String() string { return f.Said().English }

// Said says what is wrong, for people.
func (f Fault) Said() say.Said {
	part, at := SensorName(f.Sensor), f.Place
	switch f.Kind {
	case Dead:
		if f.Sensor == sensing.Reeds {
			return say.That("%s of %v stays open under a piece: put the piece on its middle, or look for a weak magnet, a "+
				"broken switch or wire", part, at)
		}
		return say.That("%s of %v does not show the piece that stands there: look for a broken wire", part, at)
	case Stuck:
		if f.Sensor == sensing.Reeds {
			return say.That("%s of %v stays closed though nothing stands there: look for a lost magnet, a short or a broken "+
				"switch", part, at)
		}
		return say.That("%s of %v shows something where nothing stands: look what lies there, then tare", part, at)
	case Noisy:
		switch f.Sensor {
		case sensing.Weights:
			return say.That("%s of %v trembles though nothing moves: look for a bad joint or a loose wire", part, at)
		case sensing.Heights:
			return say.That("%s of %v trembles though nothing moves: wipe its window, look for a scratch or for light from "+
				"outside", part, at)
		}
		return say.That("%s of %v toggles though nothing moves: put the piece on its middle, or look for a weak magnet or "+
			"a loose wire", part, at)
	case Drifting:
		return say.That("%s of %v does not fit the piece that stands there: calibrate it", part, at)
	case Swapped:
		return say.That("%s of %v and that of %v answer for each other: their wires are swapped", part, at, f.With)
	case Crosstalk:
		return say.That("%s of %v answers along with %v: its switch is too near or too keen", part, at, f.With)
	}
	return say.That("%s of %v does not answer", part, at)
}

// SensorName is what people call a sensor.
func SensorName(k sensing.Kind) string {
	return [...]string{"reed", "load cell", "height sensor"}[k]
}

// FaultChange is a fault that was found or is gone.
type FaultChange struct {
	Fault Fault
	Gone  bool
}

// Describe puts faults into sentences, with one for the faults of a whole rank or deck.
func Describe(faults []Fault) []say.Said {
	var lines []say.Said
	type bank struct {
		part sensing.Kind
		deck sensing.Deck
	}
	silent := map[bank]rules.Bitboard{}
	var order []bank
	for _, f := range faults {
		if f.Kind != Silent {
			lines = append(lines, f.Said())
			continue
		}
		b := bank{f.Sensor, f.Place.Deck()}
		if silent[b] == 0 {
			order = append(order, b)
		}
		silent[b] |= f.Place.Square().Bit()
	}
	for _, b := range order {
		lines = append(lines, describeSilent(b.part, b.deck, silent[b]))
	}
	return lines
}

func describeSilent(k sensing.Kind, d sensing.Deck, s rules.Bitboard) say.Said {
	if s == ^rules.Bitboard(0) {
		return say.That("no %s of the %s deck answers: look at the bus, the supply and the cable", SensorName(k), d)
	}
	var ranks, places []string
	for r := range 8 {
		rank := rules.Bitboard(0xff) << (8 * r)
		if s&rank == rank {
			ranks = append(ranks, fmt.Sprint(r+1))
			s &^= rank
		}
	}
	for q := range s.Squares() {
		places = append(places, wood.PlaceAt(d, q).String())
	}
	var where []say.Said
	if len(ranks) > 0 {
		where = append(where, say.That("of rank %s", strings.Join(ranks, ", ")))
	}
	if len(places) > 0 {
		where = append(where, say.That("of %s", strings.Join(places, ", ")))
	}
	return say.That("the %ss %s (%s deck) do not answer: look at them, their chip and its wires", SensorName(k),
		say.List(" and ", where...), d)
}

// fresh returns the places that contradict the game clearly, or only since lately, without those of sensors at fault.
func (d *Decoder) fresh() (s wood.Set) {
	for p := range d.against.Places() {
		if d.clear.Has(p) || !d.faults.contradictedBefore(d, p) && d.seen.Now.Since(d.seen.LastAt(p)) < world.SettledAfter {
			s.Add(p)
		}
	}
	return s
}

// heightsStableFor is how long the heights have been the same over the places that the best hypothesis, and those
// close to it, change. A question must not be about a hand that passes.
func (d *Decoder) heightsStableFor(best *hypotheses.Hypothesis) time.Duration {
	e := &d.seen
	at := evidence.Never
	for _, i := range d.ranked {
		h := &d.list.Hyps[i]
		if best.Score-h.Score >= world.AskWithin {
			continue
		}
		for q := range h.Places[0].Squares() {
			if e.HeardEye(wood.Place(q)) {
				at = max(at, e.Eyes[q].Since)
			}
		}
	}
	return e.Now.Since(at)
}

// Count is the number of pieces that seem to stand on a place. If its cell or height sensor is heard, that counts too.
// So a reed that opens for a moment, while that shows the pile, has lifted nothing. A height sensor may see a hand, so
// there are no more pieces than the game or a likely move puts there.
func (d *Decoder) Count(p wood.Place) int {
	e, pile := &d.seen, d.now[p]
	seen := p < 64 && e.HeardEye(p)
	switch {
	case !seen && d.against.Has(p):
		return d.count(p)
	case !seen && !(p < 64 && e.HeardCell(p)):
		return len(pile)
	}
	for _, i := range d.ranked {
		if h := &d.list.Hyps[i]; h.Score > 0 && len(d.list.PileOn(h, p)) > len(pile) {
			pile = d.list.PileOn(h, p)
		}
	}
	if e.Known.Has(p) && !e.Closed.Has(p) && d.likelier(p, pile, "") {
		return len(pile)
	}
	return min(len(pile), d.count(p))
}
