// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"fmt"
	"time"
)

// Level is how bad parts and pieces are. Standard deviations are of normal distributions, chances are of one event.
type Level struct {
	Name      string
	Bounce    [2]time.Duration // shortest and longest time a reed bounces
	OffCentre float64          // mm, standard deviation along a file and along a rank of where a piece is put down
	// share by which the most sensitive reed closes in a weaker field than the least sensitive
	Sensitive float64
	// share of the field that closes a reed at which it opens again: of the laziest and of the keenest; zero is 0.7
	Release   [2]float64
	Magnet    float64 // standard deviation of a magnet's strength, as a share
	Weak      float64 // chance that a piece has a magnet of 0.6 of the strength
	Flipped   float64 // chance that a piece has its magnet upside down
	DeadSpot  float64 // chance that a piece comes to stand with a pole exactly over the reed's gap
	PieceMass float64 // mg, standard deviation of a piece from its kind
	CellNoise float64 // mg, standard deviation of a settled reading
	Creep     float64 // share of a load that is shown in addition after a minute
	Drift     float64 // mg an hour, standard deviation of a cell's zero
	Press     float64 // mg, how hard a hand presses while it puts a piece down, standard deviation
	// chance that the hand which puts a piece down, or takes it up, leans on the rim; only a scale feels it
	Lean       float64
	RangeNoise float64 // mm, standard deviation of a height
	NoTarget   float64 // chance that a ranging does not converge
	NoAnswer   float64 // chance that a chip, a sensor or a frame is lost in one sweep
}

// Clean is parts as a simulation dreams of them; only bounce and settling remain.
func Clean() Level {
	return Level{Name: "clean", Bounce: [2]time.Duration{ms / 2, ms}, CellNoise: 5, RangeNoise: 0.3}
}

// Club is a well built board in a club. Where the figures come from:
//
//   - bounce: hardware/README.md, facts to design by;
//   - off centre: a cube of 35 mm has 7.5 mm of play on its square; nine in ten pieces stand within 3 mm of the
//     centre;
//   - reeds: one bin of 15 to 30 ampere-turns (CT10-1530), so any closes in half to all of the field of the least
//     sensitive; it opens at 7 ampere-turns at least, 47 % of 15, and at 90 % at most;
//   - magnets: the remanence of N35 is sold as 11.7 to 12.2 kG, 2 %; one in 500 is weak, one in 50 upside down;
//   - dead spot: one landing in 4000 on reeds that are mounted off centre, half of what the decoder was made for;
//   - pieces: 250 mg, the spread of the reference set (reconcile.Reference);
//   - cells: HX711 datasheet page 2, 90 nV of input noise at 80 samples/s; with 5 mV a kilogram (1 mV/V, 5 V) 18 mg;
//     with a table that people lean on, 40 mg. Creep 0.05 % and zero drift 0.05 % of full scale for 10 K as sold; in a
//     room that changes by 2 K an hour, 100 mg an hour;
//   - a scale: cells of 5 kg in place of 1 kg have five times that noise; one hand in twenty leans on the rim.
//     Assumed, not measured;
//   - heights: hardware/README.md (1 to 2 mm), VL6180X datasheet section 2.7 (2 mm at most);
//   - lost transfers: one in 10,000, which is a wire of 30 cm beside an LED line.
func Club() Level {
	return Level{Name: "club", Bounce: [2]time.Duration{ms / 2, ms}, OffCentre: 1.5, Sensitive: 0.5,
		Release: [2]float64{0.47, 0.9}, Magnet: 0.02, Weak: 0.002, Flipped: 0.02, DeadSpot: 1.0 / 4000,
		PieceMass: 250, CellNoise: 40, Creep: 0.0005, Drift: 100, Press: 15_000, Lean: 0.05, RangeNoise: 1.3,
		NoTarget: 0.001, NoAnswer: 0.0001}
}

// Rough is ten times worse than the club: noise, drift, creep, bounce and the chance of everything that can go wrong.
// Play on the square cannot grow tenfold, for the piece would stand on the next one: it is doubled. The spread of
// pieces and the strength of hands are doubled as well: at ten times 250 mg no bishop weighs like another. Reeds are
// of the same bin.
func Rough() Level {
	l := Club()
	return Level{Name: "rough", Bounce: [2]time.Duration{10 * l.Bounce[0], 10 * l.Bounce[1]}, OffCentre: 2 * l.OffCentre,
		Sensitive: l.Sensitive, Release: l.Release, Magnet: 2 * l.Magnet,
		Weak: 10 * l.Weak, Flipped: 10 * l.Flipped, DeadSpot: 10 * l.DeadSpot, PieceMass: 2 * l.PieceMass,
		CellNoise: 10 * l.CellNoise,
		Creep:     10 * l.Creep, Drift: 10 * l.Drift, Press: 2 * l.Press, Lean: 10 * l.Lean, RangeNoise: 10 * l.RangeNoise,
		NoTarget: 10 * l.NoTarget, NoAnswer: 10 * l.NoAnswer}
}

// LevelByName finds a level.
func LevelByName(name string) (Level, error) {
	for _, l := range []Level{Clean(), Club(), Rough()} {
		if l.Name == name {
			return l, nil
		}
	}
	return Level{}, fmt.Errorf("level %q: want clean, club or rough", name)
}
