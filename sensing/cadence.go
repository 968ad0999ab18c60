// SPDX-License-Identifier: Apache-2.0

package sensing

import "time"

// Cadence is the usual time from one reading of a sensor to the next, 0 before the second one.
type Cadence time.Duration

// Note takes in the time between two readings. A gap in which nobody read the sensor changes the cadence little.
func (c *Cadence) Note(gap time.Duration) {
	if *c == 0 {
		*c = Cadence(gap)
	}
	*c += min(Cadence(gap)-*c, *c) / 8
}

// Seen is how much of the time from since to now a sensor was watched that was last read at a time. The next reading
// was due a cadence later, and nobody knows what it would have shown.
func (c Cadence) Seen(since, read, now time.Duration) time.Duration {
	return max(0, min(now, read+time.Duration(c))-since)
}
