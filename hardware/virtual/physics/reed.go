// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"time"
)

// The field of a magnet in the base over a reed, sideways: a dipole at reedDepth. Over the centre it is the magnet's strength.
// A magnet of nominal strength closes its reed from anywhere on the square.
const (
	reedDepth = 12.0 // mm from the magnet's middle to the reed: a board of 6 mm, felt, half of the magnet and of the reed
	nominal   = 1.25
	operate   = 0.50 // field at which the reed closes
	release   = 0.35 // field at which it opens again: 70 % of it, as catalogues have it
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
	on       bool
	toggles  bool // it stands so near to a threshold that it does not rest
	since    time.Duration
	until    time.Duration // it bounces
	from, to time.Duration // something passes over it, or rocks on it
	fault    ReedFault
	seed     uint64
}

// closed is the state of the contact at a time.
func (r *reed) closed(at time.Duration) bool {
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

// coin is a side of a coin that is thrown once in every step.
func (r *reed) coin(at, step time.Duration) bool { return Mix(r.seed, uint64(at/step))&1 == 0 }

// busy tells whether the contact may change by itself at or after a time.
func (r *reed) busy(at time.Duration) bool {
	return r.toggles || at <= r.until || at <= r.to || r.fault == ReedNoisy && r.on
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
