// SPDX-License-Identifier: Apache-2.0

package seal_test

import (
	"bytes"
	"crypto/ed25519"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardd/sync/seal"
)

func key(t *testing.T, b byte) ed25519.PrivateKey {
	t.Helper()
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, ed25519.SeedSize))
}

func sample() seal.Game {
	return seal.Game{ID: "g1", Variant: "chess", White: "north", Black: "south", Start: "start",
		Moves: []string{"e2e4", "e7e5", "g1f3"}}
}

func TestEveryChangeIsNoticed(t *testing.T) {
	g := sample()
	s := seal.Sign(key(t, 1), "white", &g)
	if err := s.Check("white", &g); err != nil {
		t.Fatal(err)
	}
	changes := map[string]func(*seal.Game){
		"another id":      func(g *seal.Game) { g.ID = "g2" },
		"another variant": func(g *seal.Game) { g.Variant = "locking" },
		"other seats":     func(g *seal.Game) { g.White, g.Black = g.Black, g.White },
		"another start":   func(g *seal.Game) { g.Start = "other" },
		"a forged move":   func(g *seal.Game) { g.Moves[1] = "c7c5" },
		"a dropped move":  func(g *seal.Game) { g.Moves = g.Moves[:2] },
		"reordered moves": func(g *seal.Game) { g.Moves[0], g.Moves[2] = g.Moves[2], g.Moves[0] },
		"joined moves":    func(g *seal.Game) { g.Moves = []string{"e2e4e7e5", "", "g1f3"} },
		"words that hold line feeds": func(g *seal.Game) {
			g.ID, g.Variant, g.White, g.Black, g.Start = "g1\nchess", "north", "south", "start", ""
		},
	}
	for name, change := range changes {
		bad := sample()
		change(&bad)
		if err := s.Check("white", &bad); err == nil {
			t.Errorf("%s is not noticed", name)
		}
	}
	if err := s.Check("black", &g); err == nil {
		t.Error("white's seal passes for black's")
	}
	other := seal.Sign(key(t, 2), "white", &g)
	forged := s
	forged.Key = other.Key
	if err := forged.Check("white", &g); err == nil {
		t.Error("another key passes")
	}
}

func TestLaterMovesDoNotBreakASeal(t *testing.T) {
	g := sample()
	s := seal.Sign(key(t, 1), "white", &g)
	g.Moves = append(g.Moves, "b8c6")
	if err := s.Covers("white", "white", &g); err != nil {
		t.Errorf("after the answer: %v", err)
	}
	g.Moves = append(g.Moves, "f1c4")
	if err := s.Covers("white", "white", &g); err == nil || !strings.Contains(err.Error(), "number 5") {
		t.Errorf("got %v, want white's fifth move to be missed", err)
	}
	if err := s.Covers("white", "black", &g); err == nil || !strings.Contains(err.Error(), "number 4") {
		t.Errorf("got %v, want white's fourth move to be missed where black moved first", err)
	}
}

func TestOutcomeIsVouchedFor(t *testing.T) {
	g := sample()
	g.Outcome, g.Reason = "0-1", "resignation"
	s := seal.Sign(key(t, 1), "white", &g)
	if err := s.Check("white", &g); err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(*seal.Game){
		func(g *seal.Game) { g.Outcome = "1-0" }, func(g *seal.Game) { g.Reason = "time" },
		func(g *seal.Game) { g.Outcome, g.Reason = "", "" },
		func(g *seal.Game) { g.Moves = append(slices.Clone(g.Moves), "b8c6") },
	} {
		bad := g
		change(&bad)
		if err := s.Check("white", &bad); err == nil {
			t.Errorf("%+v passes", bad)
		}
	}
	early := sample()
	before := seal.Sign(key(t, 1), "white", &early)
	if err := before.Covers("white", "white", &g); err == nil || !strings.Contains(err.Error(), "resignation") {
		t.Errorf("got %v, want a seal from before the end not to vouch for it", err)
	}
}

func TestTakebackEndsASeal(t *testing.T) {
	g := sample()
	s := seal.Sign(key(t, 1), "white", &g)
	g.Takebacks = 1
	if err := s.Check("white", &g); err != nil {
		t.Errorf("what was signed before the takeback no longer counts for the moves that are left: %v", err)
	}
	if err := s.Covers("white", "white", &g); err == nil || !strings.Contains(err.Error(), "takebacks") {
		t.Errorf("got %v, want an old seal not to pass for one of the list after a takeback", err)
	}
	s = seal.Sign(key(t, 1), "white", &g)
	s.Takebacks = 0
	if err := s.Check("white", &g); err == nil {
		t.Error("the number of takebacks can be changed unnoticed")
	}
}

func TestTagLine(t *testing.T) {
	g := sample()
	for _, outcome := range []string{"", "1/2-1/2"} {
		if g.Outcome = outcome; outcome != "" {
			g.Reason = "agreement"
		}
		s := seal.Sign(key(t, 1), "black", &g)
		back, err := seal.Parse(s.String())
		if err != nil {
			t.Fatal(err)
		}
		if err := back.Check("black", &g); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "1 2 3", "x 0 - - AAAA AAAA", "1 x - - AAAA AAAA", "1 0 - - !! AAAA",
		"1 0 - - AAAA AAAA"} {
		s, err := seal.Parse(bad)
		if err == nil {
			err = s.Check("white", &g)
		}
		if err == nil {
			t.Errorf("%q passes", bad)
		}
	}
}

func FuzzParse(f *testing.F) {
	g := sample()
	f.Add(seal.Sign(ed25519.NewKeyFromSeed(make([]byte, 32)), "white", &g).String())
	f.Fuzz(func(t *testing.T, line string) {
		s, err := seal.Parse(line)
		if err != nil {
			return
		}
		again, err := seal.Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("%q is read, but not %q: %v", line, s, err)
		}
		_ = s.Check("white", &g) // any answer, no panic
	})
}

func TestKeyIsMadeOnceAndKept(t *testing.T) {
	name := filepath.Join(t.TempDir(), "board.key")
	first, made, err := seal.LoadKey(name)
	if err != nil || !made {
		t.Fatalf("made %v, %v", made, err)
	}
	again, made, err := seal.LoadKey(name)
	if err != nil || made || !first.Equal(again) {
		t.Errorf("made %v, %v, the same key: %v", made, err, first.Equal(again))
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v, want 0600", info.Mode(), err)
	}
	if f := seal.Fingerprint(first.Public().(ed25519.PublicKey)); len(f) != 6*5-1 {
		t.Errorf("fingerprint %q", f)
	}
	if err := os.WriteFile(name, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := seal.LoadKey(name); err == nil || !strings.Contains(err.Error(), "PRIVATE KEY") {
		t.Errorf("got %v, want an error that says what is needed", err)
	}
}
