// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"time"
)

// The field of a magnet in the base over a reed, sideways: a dipole at reedDepth. Over the centre it is the magnet's
// strength. A magnet of nominal strength closes its reed from anywhere on the square.
const (
	reedDepth = 12.0 // mm from the magnet's middle to the reed: a board of 6 mm, felt, half of the magnet and of the reed
	nominal   = 1.25
	operate   = 0.50 // field at which the least sensitive reed closes
	// share of that at which a reed opens again, where the level says nothing else, as catalogues have it
	release   = 0.70
	uncertain = 0.02 // nearer than this to a threshold, the reed toggles as long as the piece stands so
	play      = 7.5  // mm that a cube of 35 mm can stand off the centre of a square of 50 mm
)

// field is the strength at the reed of a magnet that stands so far off its centre, in mm.
func field(strength, off float64) float64 {
	x := off / reedDepth
	return strength / math.Pow(1+x*x, 1.5)
}

// reed is one switch: where its contact comes to rest, and until when and how it is not at rest.
type reed struct {
	closes   float64 // field at which it closes
	opens    float64 // and at which it opens again
	ohms     float64 // of its contact
	on       bool
	toggles  bool // it stands so near to a threshold that it does not rest
	since    time.Duration
	until    time.Duration // it bounces
	from, to time.Duration // something passes over it, or rocks on it
	fault    ReedFault
	seed     uint64
}

// sorted gives a reed its value within the bin in which it was sold. It is always the same for the same board, and
// uses no random numbers of the world.
func (o *Options) sorted(place uint64) (r reed) {
	share := func(n uint64) float64 { return float64(Mix(o.Seed, 2*place+n)>>11) / (1 << 53) }
	r.closes = operate * (1 - o.Level.Sensitive*share(0))
	r.opens = release * r.closes
	if l := o.Level.Release; l != [2]float64{} {
		r.opens = (l[0] + (l[1]-l[0])*share(1)) * r.closes
	}
	return r
}

// The input of a square as in schematics/sheets/rank. Also what a TCA9535 reads as low and as high, as shares of its
// supply (datasheet SCPS201, electrical characteristics). Between them it may read either.
const (
	pullUpOhms = 10_000
	seriesOhms = 1_000
	lowShare   = 0.3
	highShare  = 0.7
)

// level is the input's voltage with the contact closed, as a share of the supply.
func (r *reed) level() float64 { return (seriesOhms + r.ohms) / (pullUpOhms + seriesOhms + r.ohms) }

// unsure reports whether the input is neither high nor low with the contact closed.
func (r *reed) unsure() bool { l := r.level(); return l > lowShare && l < highShare }

// closed reports whether the input shows a contact that is closed, and well, at a time.
func (r *reed) closed(at time.Duration) bool {
	return r.contact(at) && (r.level() <= lowShare || r.unsure() && r.coin(at, noisyStep))
}

// contact reports whether the contact is closed at a time.
func (r *reed) contact(at time.Duration) bool {
	switch r.fault {
	case ReedStuckOpen:
		return false
	case ReedStuckClosed:
		return true
	case ReedNoisy:
		return r.on && r.coin(at, noisyStep)
	}
	if at < r.until {
		return r.on != (at-r.since >= bounceStep && r.coin(at-r.since, bounceStep))
	}
	if at >= r.from && at < r.to {
		if r.on {
			return r.coin(at, rockStep)
		}
		return true
	}
	if r.toggles {
		return r.coin(at, toggleStep)
	}
	return r.on
}

// coin reports whether a coin that is thrown once in every step shows heads.
func (r *reed) coin(at, step time.Duration) bool { return Mix(r.seed, uint64(at/step))&1 == 0 }

// busy reports whether the contact may change by itself at or after a time.
func (r *reed) busy(at time.Duration) bool {
	return r.toggles || at <= r.until || at <= r.to || r.on && (r.fault == ReedNoisy || r.unsure())
}

// turn makes the contact come to rest in another state, after a bounce.
func (r *reed) turn(on bool, at, bounce time.Duration, seed uint64) {
	if r.on != on {
		r.on, r.since, r.until, r.seed = on, at, at+bounce, seed
	}
}

// Mix is a small hash: the finalizer of SplitMix64 (Steele, Lea, Flood, 2014).
func Mix(a, b uint64) uint64 {
	z := a + b*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
