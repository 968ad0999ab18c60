// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

// TestDiagnosis: what is wanting in every guest is let pass, anything else is not.
func TestDiagnosis(t *testing.T) {
	const well = `{"part":"disk","ok":true,"say":"fine"}` + "\n" +
		`{"part":"clock","ok":false,"say":"nothing keeps it"}` + "\n"
	for _, c := range []struct {
		said, want string
		seen       int
	}{
		{well + "boardd doctor: 1 of 2 parts needs mending\n", "", 2},
		{well + `{"part":"lights","ok":false,"say":"dark"}`, "lights: dark", 3},
		{"boardd: no such command\n", "named no part", 0},
	} {
		seen, err := diagnosis(c.said)
		if seen != c.seen || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %d parts, %v; want %d, %q", c.said, seen, err, c.seen, c.want)
		}
	}
}
