// SPDX-License-Identifier: Apache-2.0

package replay_test

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/sensingtest"
	"boardd/sensing/trace"
	"boardd/sensing/trace/replay"
)

// recorded is a trace of a twin board, as the daemon writes one.
func recorded(t *testing.T) *trace.Trace {
	t.Helper()
	start := time.Now()
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	p := v.Start()
	var file bytes.Buffer
	w := trace.New(&file, start, &p)
	all := ^rules.Bitboard(0)
	for i := range 30 {
		at := start.Add(time.Duration(i) * 40 * time.Millisecond)
		for d := range sensing.Deck(2) {
			w.Reading(&sensing.Reading{At: at, Kind: sensing.Reeds, Deck: d, Known: all &^ 2,
				Closed: rules.Square(i + 2).Bit()})
		}
		r := sensing.Reading{At: at, Kind: sensing.Heights, Known: all &^ 1}
		r.Value[i+1] = 35_000
		w.Reading(&r)
		w.Reading(&sensing.Reading{At: at, Kind: sensing.Weights, Known: all, Value: r.Value})
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	tr, err := trace.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// TestReplayConforms: a replayed bank passes the tests of real and virtual ones.
func TestReplayConforms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := recorded(t)
		both := []sensing.Deck{sensing.Lower, sensing.Upper}
		for _, e := range []sensingtest.Expect{
			{Kind: sensing.Reeds, Decks: both, Within: 5 * time.Second, Count: 200},
			{Kind: sensing.Heights, Decks: both[:1], Within: 5 * time.Second, Count: 200},
			{Kind: sensing.Weights, Decks: both[:1], Within: 5 * time.Second, Count: 200},
		} {
			sensingtest.Source(t, replay.New(tr, e.Kind), e)
		}
	})
}

// TestReplayKeepsTime: recorded readings come at their times.
func TestReplayKeepsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := recorded(t)
		out := make(chan sensing.Reading)
		began := time.Now()
		go func() { _ = replay.New(tr, sensing.Heights).Run(t.Context(), out) }()
		for i := range 30 {
			for r := range out {
				if r.Value[i+1] != 35_000 {
					continue
				}
				if late := r.At.Sub(began) - time.Duration(i)*40*time.Millisecond; late < 0 || late > time.Millisecond {
					t.Errorf("reading %d came %v late", i, late)
				}
				break
			}
		}
	})
}
