// SPDX-License-Identifier: Apache-2.0

package physics

import "time"

const ms = time.Millisecond

// settle is the time constant of a cell: after 50 ms (hardware/README.md), seven of them, a change of 60 g is within
// its noise.
const settle = 7 * time.Millisecond

// The lengths of the states of a contact that is not at rest.
const (
	bounceStep = 75 * time.Microsecond // hardware/README.md: some ten changes in a bounce of 0.5 to 1 ms
	rockStep   = 5 * time.Millisecond  // a piece that is knocked rocks at some 100 Hz
	toggleStep = 60 * time.Millisecond // what shakes a board with people around it is slow
	noisyStep  = 3 * time.Millisecond
)

// How long a hand leans on the rim. Assumed, not measured.
const leanShortest, leanLongest = 200 * ms, 3 * time.Second

// eager is Rig.Eager of the reference boards.
const eager = 2 * time.Second

// ReferenceWave returns the times of the reference board's height sensors at 400 kHz. A round of all 64 takes 31.8 ms.
// The clock of a chip is 10 % off at most; here all are as slow as the slowest. A sensor in focus is read and started
// again as soon as it has ended. A sweep of reeds that is on the bus comes first.
func ReferenceWave() Wave {
	return Wave{Color: 15_900 * time.Microsecond, Rank: 1500 * time.Microsecond, Ranges: 13_300 * time.Microsecond,
		Fetch: 14_900 * time.Microsecond, News: 10_000,
		Again: 14_300 * time.Microsecond, Glance: 13_900 * time.Microsecond}
}
