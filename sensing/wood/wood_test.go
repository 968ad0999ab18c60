// SPDX-License-Identifier: Apache-2.0

package wood_test

import (
	"slices"
	"testing"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// TestSet: sets contain the places that were added, on both decks.
func TestSet(t *testing.T) {
	a1, h8, up := wood.PlaceAt(sensing.Lower, 0), wood.PlaceAt(sensing.Lower, 63), wood.PlaceAt(sensing.Upper, 12)
	set := func(places ...wood.Place) (s wood.Set) {
		for _, p := range places {
			s.Add(p)
		}
		return s
	}
	a, b := set(a1, up), set(up, h8)
	for _, c := range []struct {
		name string
		got  wood.Set
		want []wood.Place
	}{
		{"union", a.Union(b), []wood.Place{a1, h8, up}},
		{"intersect", a.Intersect(b), []wood.Place{up}},
		{"minus", a.Minus(b), []wood.Place{a1}},
		{"nothing", a.Minus(a), nil},
	} {
		if got := slices.Collect(c.got.Places()); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if c.got.Count() != len(c.want) || c.got.Empty() != (len(c.want) == 0) {
			t.Errorf("%s: count %d, empty %v", c.name, c.got.Count(), c.got.Empty())
		}
	}
	a.Put(up, false)
	if a.Put(h8, true); a != set(a1, h8) || a.Has(up) || !a.Has(h8) {
		t.Errorf("put: %v", slices.Collect(a.Places()))
	}
	if up.String() != "e2^" || h8.String() != "h8" {
		t.Errorf("places are called %v and %v", up, h8)
	}
}

// TestLay: where pieces of each kind of game stand on one deck and on two.
func TestLay(t *testing.T) {
	for _, c := range []struct {
		variant, square string
		decks           int
		lower, upper    wood.Pile
	}{
		{"chess", "e1", 2, "K", ""},
		{"meirav", "e1", 1, "K", ""},
		{"meirav", "e1", 2, "", "K"}, // the array stands on the top board
		{"flying", "e1", 2, "K", ""}, // and here on the ground
	} {
		v, err := rules.ByID(c.variant)
		if err != nil {
			t.Fatal(err)
		}
		g := wood.Reference()
		g.TwoDecks = c.decks == 2
		start := v.Start()
		w := g.Lay(&start)
		sq, _ := rules.ParseSquare(c.square)
		lower, upper := w[wood.PlaceAt(sensing.Lower, sq)], w[wood.PlaceAt(sensing.Upper, sq)]
		if lower != c.lower || upper != c.upper {
			t.Errorf("%s on %d decks, %s: %q and %q, want %q and %q", c.variant, c.decks, c.square, lower, upper, c.lower,
				c.upper)
		}
		if other := (&wood.Wood{}); w.Diff(other).Count() != start.Occupied().Count() {
			t.Errorf("%s: %d places are taken, want %d", c.variant, w.Diff(other).Count(), start.Occupied().Count())
		}
	}
}

// TestPassesOver: a piece comes over the squares on its line, and over those that its line cuts at a corner.
func TestPassesOver(t *testing.T) {
	at := func(name string) rules.Square {
		s, err := rules.ParseSquare(name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, c := range []struct {
		from, over, to string
		want           bool
	}{
		{"d7", "d6", "d5", true},
		{"a1", "d4", "h8", true},
		{"b1", "b2", "c3", true},
		{"b1", "c2", "c3", true},
		{"b1", "a2", "c3", false},
		{"d7", "d5", "d6", false},
		{"d7", "d6", "d6", false},
		{"d7", "d6", "d7", false},
		{"a1", "h1", "a8", false},
	} {
		if got := wood.PassesOver(at(c.from), at(c.over), at(c.to)); got != c.want {
			t.Errorf("from %s to %s over %s: %v, want %v", c.from, c.to, c.over, got, c.want)
		}
	}
}

// TestBeside: the squares beside one are those that are one file, one rank or both away.
func TestBeside(t *testing.T) {
	for s := range rules.Square(64) {
		for q := range rules.Square(64) {
			df, dr := s.File()-q.File(), s.Rank()-q.Rank()
			want := s != q && df*df <= 1 && dr*dr <= 1
			if got := wood.Beside(s)&q.Bit() != 0; got != want {
				t.Errorf("%v beside %v: %v, want %v", q, s, got, want)
			}
		}
	}
}
