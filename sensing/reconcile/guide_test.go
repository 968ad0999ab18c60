// SPDX-License-Identifier: Apache-2.0

package reconcile_test

import (
	"testing"

	"boardd/sensing/reconcile"
)

func TestGuide(t *testing.T) {
	got := reconcile.Guide([]reconcile.Discrepancy{
		{Place: 4, Want: "K", See: 0},
		{Place: 12, Want: "P", See: 3},
		{Place: 20, Want: "PN", See: 2},
		{Place: 28, Want: "", See: 1},
		{Place: 36, Want: "pnr", See: 1},
	})
	want := []string{"e4: take 1 off", "e2: take 2 off, P on top", "e3: PN, N on top", "e1: put K", "e5: pnr, r on top"}
	for i := range want {
		if s := got[i].String(); s != want[i] {
			t.Errorf("step %d: got %q, want %q", i+1, s, want[i])
		}
	}
}
