// SPDX-License-Identifier: Apache-2.0

package sensing

import (
	"testing"
	"time"
)

// TestCadence: a sensor that was read every 12 ms and then not for half a second was watched for 12 ms more. Its
// cadence stays nearly what it was, and follows a sensor that is really slower.
func TestCadence(t *testing.T) {
	const usual = 12 * time.Millisecond
	var c Cadence
	if got := c.Seen(0, 5, 9); got != 5 {
		t.Errorf("read once: got %v watched, want none after the reading", got)
	}
	for range 20 {
		c.Note(usual)
	}
	if got := c.Seen(100*usual, 103*usual, 150*usual); got != 4*usual {
		t.Errorf("got %v watched, want three readings and one cadence more", got)
	}
	if got := c.Seen(100*usual, 103*usual, 103*usual+1); got != 3*usual+1 {
		t.Errorf("got %v watched, want until now", got)
	}
	if c.Note(500 * time.Millisecond); time.Duration(c) > usual+usual/8 {
		t.Errorf("got a cadence of %v after one gap", time.Duration(c))
	}
	for range 60 {
		c.Note(100 * time.Millisecond)
	}
	if d := time.Duration(c); d < 99*time.Millisecond || d > 101*time.Millisecond {
		t.Errorf("got a cadence of %v of a sensor that is read every 100 ms", d)
	}
}
