// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"fmt"
	"strings"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// Trouble is what is wrong with a sensor.
type Trouble uint8

// The troubles.
const (
	Dead      Trouble = iota // does not show what stands there
	Stuck                    // shows something where nothing stands
	Noisy                    // toggles or trembles though nothing moves: a weak magnet, a loose wire
	Drifting                 // shows more or less than what stands there
	Swapped                  // answers for another place, which answers for this one
	Crosstalk                // answers along with its neighbour
	Silent                   // does not answer
)

// String is the trouble's word.
func (t Trouble) String() string {
	return [...]string{"dead", "stuck", "noisy", "drifting", "swapped", "crosstalk", "silent"}[t]
}

// Fault is a sensor that is not to be trusted. What stands on its place is known from the other sensors and from the
// rules, as long as they can tell.
type Fault struct {
	Place wood.Place
	Part  sensing.Kind
	Kind  Trouble
	With  wood.Place // Swapped, Crosstalk: the other place
	Nats  float64    // how much likelier this makes what was sensed than a sound sensor does; 0: it says so itself
	Since time.Time  // when it was found
}

// Name is the sensor's: "reed of d5".
func (f Fault) Name() string { return partName(f.Part) + " of " + f.Place.String() }

// String says what is wrong, for people.
func (f Fault) String() string {
	part := f.Name()
	switch f.Kind {
	case Dead:
		if f.Part == sensing.Reeds {
			return part + " stays open under a piece: put the piece on its middle, or look for a weak magnet, a broken switch or wire"
		}
		return part + " does not show the piece that stands there: look for a broken wire"
	case Stuck:
		if f.Part == sensing.Reeds {
			return part + " stays closed though nothing stands there: look for a lost magnet, a short or a broken switch"
		}
		return part + " shows something where nothing stands: look what lies there, then tare"
	case Noisy:
		switch f.Part {
		case sensing.Weights:
			return part + " trembles though nothing moves: look for a bad joint or a loose wire"
		case sensing.Heights:
			return part + " trembles though nothing moves: wipe its window, look for a scratch or for light from outside"
		}
		return part + " toggles though nothing moves: put the piece on its middle, or look for a weak magnet or a loose wire"
	case Drifting:
		return part + " does not fit the piece that stands there: calibrate it"
	case Swapped:
		return part + " and that of " + f.With.String() + " answer for each other: their wires are swapped"
	case Crosstalk:
		return part + " answers along with " + f.With.String() + ": its switch is too near or too keen"
	}
	return part + " does not answer"
}

func partName(k sensing.Kind) string {
	return [...]string{"reed", "load cell", "height sensor"}[k]
}

// News is a fault that was found or is gone.
type News struct {
	Fault Fault
	Gone  bool
}

// Describe puts faults into sentences, those of whole ranks and decks into one each.
func Describe(faults []Fault) []string {
	var lines []string
	type bank struct {
		part sensing.Kind
		deck sensing.Deck
	}
	silent := map[bank]rules.Bitboard{}
	var order []bank
	for _, f := range faults {
		if f.Kind != Silent {
			lines = append(lines, f.String())
			continue
		}
		b := bank{f.Part, f.Place.Deck()}
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

func describeSilent(k sensing.Kind, d sensing.Deck, s rules.Bitboard) string {
	what := partName(k) + "s"
	if s == ^rules.Bitboard(0) {
		return fmt.Sprintf("no %s of the %s deck answers: look at the bus, the supply and the cable", partName(k), d)
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
	var where []string
	if len(ranks) > 0 {
		where = append(where, "of rank "+strings.Join(ranks, ", "))
	}
	if len(places) > 0 {
		where = append(where, "of "+strings.Join(places, ", "))
	}
	return fmt.Sprintf("the %s %s (%s deck) do not answer: look at them, their chip and its wires", what, strings.Join(where, " and "), d)
}
