// SPDX-License-Identifier: Apache-2.0

package rerun_test

import (
	"strings"
	"testing"
	"time"

	"boardd/sensing/reconcile/rerun"
	"boardd/sensing/trace"
)

// TestSaidBeforeSensed: a takeback was said on the page, and then carried out on the board. It is replayed in that
// order even if its line has a later time than the readings behind it. So it is where a slow disk kept the board
// waiting.
func TestSaidBeforeSensed(t *testing.T) {
	for _, said := range []string{"1000000", "1300000", "2500000"} {
		tr, err := trace.Read(strings.NewReader(`boardd-trace 1
game chess rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
board 0 reeds 0 0 0 35000
r 1000 0 ffffffffffffffff ffff00000000ffff
r 400000 0 ffffffffffffffff ffff00000000efff
r 500000 0 ffffffffffffffff ffff00001000efff
m 760000 e2e4
b ` + said + ` 1
r 1200000 0 ffffffffffffffff ffff00000000efff
r 1250000 0 ffffffffffffffff ffff00000000ffff
r 3000000 0 ffffffffffffffff ffff00000000f7ff
r 3100000 0 ffffffffffffffff ffff00000800f7ff
m 3400000 d2d4
`))
		if err != nil {
			t.Fatal(err)
		}
		g, err := rerun.Geometry(tr, "")
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		want := rerun.Result{Moves: 2}
		if got := rerun.Run(tr, g, func(line string) { told = append(told, line) }); got != want {
			t.Errorf("said at %s us: %+v, want %+v:\n%s", said, got, want, strings.Join(told, "\n"))
		}
		if end := tr.Entries[len(tr.Entries)-1]; end.Move != "d2d4" || end.At != 3400*time.Millisecond {
			t.Errorf("the trace itself was changed: it ends with %+v", end)
		}
	}
}
