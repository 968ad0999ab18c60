// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"boardd/systemd/steady/steadytest"
)

// TestHelloAgain: a browser is told the time once, and again when the computer's clock was set, forward or back.
func TestHelloAgain(t *testing.T) {
	for by, want := range map[time.Duration]int{0: 1, time.Hour: 2, -time.Hour: 2} {
		var out bytes.Buffer
		o := &eventWriter{w: &out, begun: true}
		o.hello("1", Player)
		o.helloAt = steadytest.Set(o.helloAt, -by)
		for range 3 {
			o.resendTime("1", Player, o.helloAt.Add(time.Hour))
			o.resendTime("1", Player, time.Now())
		}
		if n := strings.Count(out.String(), "now_ms"); n != want || o.err != nil {
			t.Errorf("set by %v: told %d times, want %d; %v", by, n, want, o.err)
		}
	}
}
