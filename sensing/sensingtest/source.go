// SPDX-License-Identifier: Apache-2.0

// Package sensingtest has the tests that every sensing.Source must pass, whether its sensors are real, replayed or
// virtual.
package sensingtest

import (
	"context"
	"errors"
	"testing"
	"time"

	"boardd/sensing"
)

// Expect is what a source has to deliver.
type Expect struct {
	Kind   sensing.Kind
	Decks  []sensing.Deck // each of them must send readings
	Within time.Duration  // the time in which Count readings must have come, including the set-up of the chips
	Count  int            // of readings on each deck
}

// Source runs the kit on a source that has not been run yet.
func Source(t *testing.T, s sensing.Source, e Expect) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out := make(chan sensing.Reading)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, out) }()
	k := kit{t: t, e: e, n: map[sensing.Deck]int{}, last: map[sensing.Deck]time.Time{}}
	limit := time.After(e.Within)
	for !k.enough() {
		select {
		case r := <-out:
			k.reading(&r)
			k.health(s.Health())
		case err := <-ended:
			t.Fatalf("Run ended with %v while its context lived", err)
		case <-limit:
			t.Fatalf("got %v readings in %v, want %d on each of %v", k.n, e.Within, e.Count, e.Decks)
		}
	}
	// Nobody receives any more: Run waits at a full channel, and must end all the same.
	stop()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Run ended with %v, want %v", err, context.Canceled)
		}
	case <-time.After(2 * time.Second):
		t.Fatal("Run did not end within 2 s of its context")
	}
	k.health(s.Health())
}

// kit is one run of the tests.
type kit struct {
	t    *testing.T
	e    Expect
	n    map[sensing.Deck]int
	last map[sensing.Deck]time.Time
}

// enough reports whether all decks have been heard often enough.
func (k *kit) enough() bool {
	for _, d := range k.e.Decks {
		if k.n[d] < k.e.Count {
			return false
		}
	}
	return true
}

// reading checks one reading.
func (k *kit) reading(r *sensing.Reading) {
	k.t.Helper()
	k.n[r.Deck]++
	if r.Kind != k.e.Kind {
		k.t.Errorf("reading of %v, want %v", r.Kind, k.e.Kind)
	}
	if r.Deck > sensing.Upper {
		k.t.Errorf("reading of deck %d, want 0 or 1", r.Deck)
	}
	if r.At.IsZero() || r.At.Before(k.last[r.Deck]) || time.Until(r.At) > time.Second {
		k.t.Errorf("reading dated %v after one of %v", r.At, k.last[r.Deck])
	}
	k.last[r.Deck] = r.At
	if r.Closed&^r.Known != 0 {
		k.t.Errorf("squares %016x are closed and unknown", uint64(r.Closed&^r.Known))
	}
	if r.Stale&^r.Known != 0 || k.n[r.Deck] == 1 && r.Stale != 0 {
		k.t.Errorf("squares %016x are stale, of which %016x are known, in reading %d", uint64(r.Stale),
			uint64(r.Known&r.Stale), k.n[r.Deck])
	}
	if r.Kind == sensing.Reeds && r.Value != [64]int32{} {
		k.t.Errorf("reeds with values: %v", r.Value)
	}
	if r.Kind != sensing.Reeds && r.Closed != 0 {
		k.t.Errorf("%v with closed switches: %016x", r.Kind, uint64(r.Closed))
	}
	for sq, v := range r.Value {
		if v != 0 && r.Known>>sq&1 == 0 {
			k.t.Errorf("square %d is unknown and has the value %d", sq, v)
		}
	}
}

// health checks the source's parts.
func (k *kit) health(parts []sensing.Part) {
	k.t.Helper()
	if len(parts) == 0 {
		k.t.Error("health has no part")
	}
	names := map[string]bool{}
	for _, p := range parts {
		if p.Name == "" || names[p.Name] {
			k.t.Errorf("part %q: want a name, and each once", p.Name)
		}
		names[p.Name] = true
		if p.Sweep > p.Worst {
			k.t.Errorf("part %q: the last sweep took %v and the worst %v", p.Name, p.Sweep, p.Worst)
		}
		if !p.OK && p.Detail == "" {
			k.t.Errorf("part %q is not well and does not say why", p.Name)
		}
	}
}
