// SPDX-License-Identifier: Apache-2.0

package rerun_test

import (
	"strings"
	"testing"
	"time"

	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/reconcile"
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

// heard is a decoder that notes when it was given readings of cells.
type heard struct {
	table.Decoder
	at *[]time.Duration
}

func (h heard) Observe(r *sensing.Reading) {
	if r.Kind == sensing.Weights {
		*h.at = append(*h.at, r.At.Sub(time.Unix(0, 0)))
	}
	h.Decoder.Observe(r)
}

// TestNotRead: while nobody read a sensor, a replay does not repeat its last readings, and it says so. Else it would
// decide what the board could not. That ends with a gap of any length.
func TestNotRead(t *testing.T) {
	const second = time.Second
	for _, c := range []struct {
		unread string
		none   [2]time.Duration // between these times nothing of the cells is read
	}{
		{"", [2]time.Duration{}},
		{"n 500000 w 0 1000000\n", [2]time.Duration{second / 2, 3 * second / 2}},
		{"n 500000 w 0 1000000\nx 1200000 e7e5\nn 1500000 w 0 200000\n", [2]time.Duration{second / 2, 17 * second / 10}},
		{"x 1200000 e7e5\nn 500000 w 0 1000000\n", [2]time.Duration{second / 2, 3 * second / 2}}, // it is written at the end
		{"n 500000 w 0 9007199254740991\n", [2]time.Duration{second / 2, time.Hour}},
		{"n 500000 r 0 1000000\nn 500000 w 1 1000000\nn 500000 w 0 0\n", [2]time.Duration{}},
	} {
		tr, err := trace.Read(strings.NewReader(`boardd-trace 1
game chess rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
r 1000 0 ffffffffffffffff ffff00000000ffff
w 2000 ffffffffffffffff 12:20000
r 400000 0 ffffffffffffffff ffff00000000efff
w 401000 ffffffffffffffff 12:0
` + c.unread + `r 2000000 0 ffffffffffffffff fff700001000efff
`))
		if err != nil {
			t.Fatal(err)
		}
		g, err := rerun.Geometry(tr, "stack")
		if err != nil {
			t.Fatal(err)
		}
		var at []time.Duration
		told, lines := "", strings.Count(c.unread, " w 0 ")-strings.Count(c.unread, " w 0 0\n")
		decode := func() table.Decoder { return heard{reconcile.New(g, reconcile.DefaultTiming()), &at} }
		rerun.BlindWith(decode, tr, func(line string) { told += line + "\n" })
		if n := strings.Count(told, "nobody read the weights of the lower deck"); n != lines {
			t.Errorf("%q: it says %d times that nobody read the cells, want %d:\n%s", c.unread, n, lines, told)
		}
		within := 0
		for _, when := range at {
			if when > c.none[0]+time.Millisecond && when < c.none[1]-time.Millisecond {
				within++
			}
		}
		if within > 0 || len(at) < 20 {
			t.Errorf("%q: of %d readings of the cells %d are from when nobody read them", c.unread, len(at), within)
		}
	}
}
