// SPDX-License-Identifier: Apache-2.0

package steadytest

import (
	"time"
	"unsafe"
)

// Set returns a time of [time.Now] as it would be had the computer's clock been set forward before, by whole seconds.
// If by is negative it was set back. The time between it and others of time.Now stays what it is.
func Set(t time.Time, by time.Duration) time.Time {
	set := t
	// The layout of time.Time with a monotonic reading: a bit, 33 bits of seconds since 1885, 30 bits of nanoseconds.
	*(*uint64)(unsafe.Pointer(&set)) += uint64(by/time.Second) << 30
	if set.Sub(t) != 0 || set.Round(0).Sub(t.Round(0)) != by {
		panic("steadytest: no time of time.Now, or Go lays times out in another way now")
	}
	return set
}
