// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"testing"
	"time"
)

// TestSessionsThere: the session of a client counts for as long as the client is there, and for an hour after it has
// gone. Then another client may have its place.
func TestSessionsThere(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	s := newShare(Quota{Sessions: 1}, now)
	wants := func(when string, after time.Duration, want bool) {
		t.Helper()
		if got, _ := s.room("other", now.Add(after)); got != want {
			t.Errorf("%s: another session is let in: %v, want %v", when, got, want)
		}
		if own, _ := s.room("stays", now.Add(after)); want == false && !own {
			t.Errorf("%s: the client itself has no session any more", when)
		}
	}
	first := packet{0x10, append([]byte("\x00\x04MQTT\x04\x00\x00\x00"), "\x00\x05stays"...)} // a CONNECT
	if id, kept := first.session(); id != "stays" || !kept {
		t.Fatalf("the CONNECT is of %q, kept %v", id, kept)
	}
	c := &client{key: "stays"}
	s.note(&first, now)
	s.begin(c, true)
	wants("at once", 0, false)
	wants("after three hours with the client", 3*time.Hour, false)
	s.end(c, true)
	s.note(&first, now.Add(3*time.Hour))
	wants("within the hour", 3*time.Hour+59*time.Minute, false)
	wants("an hour after it has gone", 4*time.Hour+time.Minute, true)
}
