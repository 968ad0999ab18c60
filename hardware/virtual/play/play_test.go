// SPDX-License-Identifier: Apache-2.0

package play

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"boardd/hardware/virtual"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
	"boardd/sync/wire"
)

// dark is a board with the array on it, that shows nothing and whose lights are off.
func dark(t *testing.T) (*Board, rules.Position) {
	t.Helper()
	v, err := virtual.New(virtual.Options{Name: "play-" + t.Name(), Untimed: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() }) //nolint:errcheck // nothing is kept there
	g := wood.Reference()
	chess, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	p := chess.Start()
	b := &Board{ID: "dark", Virtual: v, Geometry: &g, Moved: func(err error) error { return err },
		Game:    func() []byte { return nil },
		Changed: func() <-chan struct{} { return nil }}
	h := newPlayer(io.Discard, b, 0, "tidy", 1)
	if err := h.bring(t.Context(), &p); err != nil {
		t.Fatal(err)
	}
	if stands := v.Wood(); stands != g.Lay(&p) {
		t.Fatalf("the hands set up %v", stands)
	}
	return b, p
}

// TestLightsWanted: hands that copy a move say which square stays dark; whoever is told to stop while waiting for a
// light says only that.
func TestLightsWanted(t *testing.T) {
	b, p := dark(t)
	m, err := p.ParseMove("e2e4")
	if err != nil {
		t.Fatal(err)
	}
	p.Play(m)
	h := newPlayer(io.Discard, b, 0, "tidy", 1)
	if err := h.copies(&p); err == nil || !strings.Contains(err.Error(), "e2 must be touched") {
		t.Errorf("nothing shines, and the hands say %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := h.lights(ctx, &p); !errors.Is(err, context.Canceled) {
		t.Errorf("told to stop, the hands say %v", err)
	}
}

// TestGuests: as many sit as were asked, and at no board that shows no game.
func TestGuests(t *testing.T) {
	b, _ := dark(t)
	said := &strings.Builder{}
	g := NewGuests(t.Context(), []*Board{b}, func(rules.Position) rules.Move { return rules.NoMove },
		slog.New(slog.NewTextHandler(said, nil)))
	if g.Persons() != 0 {
		t.Fatal("somebody sits there unasked")
	}
	g.SetPersons(1)
	for g.Persons() > 0 {
		runtime.Gosched()
	}
	if n := g.Persons(); n != 0 || !strings.Contains(said.String(), "shows no game") {
		t.Errorf("%d sit at a board without a game: %s", n, said)
	}
}

// TestPersonIsDisturbed: somebody takes a pawn while the person at the board is about to move another one. The person
// leaves at once, moves nothing more, and takes no piece from the box for it.
func TestPersonIsDisturbed(t *testing.T) {
	b, p := dark(t)
	v := b.Virtual
	b.Game = func() []byte {
		data, err := json.Marshal(wire.Game{Variant: "chess", FEN: p.FEN(), Turn: "white",
			Seats: wire.Seats{White: b.ID, Black: "other"}, Wood: wire.Wood{State: wire.Synced}})
		if err != nil {
			t.Error(err)
		}
		return data
	}
	acts := 0
	b.Moved = func(err error) error {
		if acts++; acts == 1 {
			if err := v.Lift("left", sensing.Lower, 11, 1); err != nil {
				t.Error(err)
			}
		}
		return err
	}
	person := Person{Board: b, Pace: 1, Choose: func(p rules.Position) rules.Move {
		m, err := p.ParseMove("e2e4")
		if err != nil {
			t.Error(err)
		}
		return m
	}}
	if err := person.Sit(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := b.Geometry.Lay(&p)
	want[11], want[12] = "", ""
	if stands, held := v.Wood(), string(v.Hand("left"))+string(v.Hand("right")); acts != 1 || stands != want ||
		held != "PP" {
		t.Errorf("%d acts, the hands hold %q, and on d2, e2 and e4 stand %q, %q and %q", acts, held, stands[11], stands[12],
			stands[28])
	}
}

// TestPersonWaits: the board asks for pieces that stand where the person would put them. The person waits for news,
// and does not ask again and again.
func TestPersonWaits(t *testing.T) {
	b, p := dark(t)
	ctx, stop := context.WithTimeout(t.Context(), looksAfter/10)
	defer stop()
	looks := 0
	b.Game = func() []byte {
		looks++
		data, err := json.Marshal(wire.Game{Variant: "chess", FEN: p.FEN(), Turn: "white", Seats: wire.Seats{White: b.ID},
			Wood: wire.Wood{State: wire.Setup, Squares: []wire.Touch{{Square: "e2", Deck: "lower"}}}})
		if err != nil {
			t.Error(err)
		}
		return data
	}
	person := Person{Board: b, Choose: func(rules.Position) rules.Move { return rules.NoMove }}
	if err := person.Sit(ctx); err != nil || looks > 1 {
		t.Errorf("looked %d times without news, error %v", looks, err)
	}
}

// TestTurned: where the game lies the other way round, hands move the pieces of the game's squares, and look at the
// lights under them.
func TestTurned(t *testing.T) {
	b, p := dark(t)
	before := b.Virtual.Wood()
	b.Turned = func() bool { return true }
	h := newPlayer(io.Discard, b, 0, "tidy", 1)
	if err := h.bring(t.Context(), &p); err != nil {
		t.Fatal(err)
	}
	stands := b.Virtual.Wood()
	for q := range wood.Place(64) {
		if stands[63-q] != before[q] {
			t.Errorf("%v of the game holds %q, want %q", q, stands[63-q], before[q])
		}
	}
	m, err := p.ParseMove("e2e4")
	if err != nil {
		t.Fatal(err)
	}
	p.Play(m)
	if err := h.bring(t.Context(), &p); err != nil {
		t.Fatal(err)
	}
	if after := b.Virtual.Wood(); after[63-12] != "" || after[63-28] != "P" {
		t.Errorf("d7 and d5 of the board hold %q and %q after e2e4 of the game", after[63-12], after[63-28])
	}
}
