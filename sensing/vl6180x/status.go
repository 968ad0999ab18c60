// SPDX-License-Identifier: Apache-2.0

package vl6180x

import "boardd/rules/say"

// Status is how a measurement ended; only OK gives a distance. The values are those of RESULT__RANGE_STATUS bits 7 to
// 4, datasheet section 6.2.37.
type Status uint8

// The ways a measurement ends.
const (
	OK              Status = 0
	FaultContinuity Status = 1 // 1 to 5: the laser's own checks
	FaultWatchdog   Status = 2
	FaultWatchdog2  Status = 3
	FaultPLL1       Status = 4
	FaultPLL2       Status = 5
	EarlyEstimate   Status = 6
	NoTarget        Status = 7
	Ignored         Status = 8
	Noise           Status = 11
	RawUnderflow    Status = 12
	RawOverflow     Status = 13
	Underflow       Status = 14
	Overflow        Status = 15
)

// String says why there is no distance.
func (s Status) String() string { return s.Said().English }

// Said is the same for people.
func (s Status) Said() say.Said {
	switch s {
	case OK:
		return say.That("good")
	case FaultContinuity, FaultWatchdog, FaultWatchdog2, FaultPLL1, FaultPLL2:
		return say.That("laser fails its own checks")
	case EarlyEstimate:
		return say.That("too little light comes back to go on")
	case NoTarget:
		return say.That("convergence time reached its maximum: no target")
	case Ignored:
		return say.That("target ignored: weaker than the crosstalk of the cover")
	case Noise:
		return say.That("ambient light drowns the signal")
	case RawUnderflow, Underflow:
		return say.That("below the least range")
	case RawOverflow, Overflow:
		return say.That("beyond the greatest range")
	}
	return say.That("range status %d", uint8(s))
}
