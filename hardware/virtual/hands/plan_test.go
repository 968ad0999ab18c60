// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"math/rand/v2"
	"testing"

	"boardd/sensing/wood"
)

// table is a wood and two hands without any physics.
type table struct {
	wood  wood.Wood
	hands [2]string
}

func (t *table) act(tb testing.TB, a Act) {
	tb.Helper()
	h := &t.hands[a.Hand]
	switch pile := string(t.wood[a.Place]); a.Do {
	case Lift:
		if a.Count < 1 || a.Count > len(pile) {
			tb.Fatalf("lift %d of %q on %v", a.Count, pile, a.Place)
		}
		*h += pile[len(pile)-a.Count:]
		t.wood[a.Place] = wood.Pile(pile[:len(pile)-a.Count])
	case Put:
		if *h == "" {
			tb.Fatalf("put on %v with an empty hand", a.Place)
		}
		t.wood[a.Place] += wood.Pile(*h)
		*h = ""
	case Discard:
		*h = ""
	case Take:
		*h += a.Pieces
	}
}

func check(t *testing.T, from, to wood.Wood) []Act {
	t.Helper()
	tb := table{wood: from}
	acts := Plan(&from, &to)
	for _, a := range acts {
		tb.act(t, a)
	}
	if tb.wood != to {
		t.Fatalf("after the plan %v the wood differs at %v", acts, tb.wood.Diff(&to))
	}
	if tb.hands != [2]string{} {
		t.Fatalf("after the plan the hands hold %q", tb.hands)
	}
	return acts
}

// TestPlan: from and to name a few squares; the number of movements is what a person would need.
func TestPlan(t *testing.T) {
	type w = map[int]wood.Pile
	for _, c := range []struct {
		name     string
		from, to w
		acts     int
	}{
		{"move", w{0: "R"}, w{5: "R"}, 2},
		{"capture", w{0: "R", 5: "n"}, w{5: "R"}, 4},
		{"castling, king first", w{4: "K", 7: "R"}, w{6: "K", 5: "R"}, 4},
		{"castlock", w{4: "K", 7: "R"}, w{6: "KR"}, 4},
		{"promotion", w{50: "P"}, w{58: "Q"}, 4},
		{"capture of the locked piece", w{0: "R", 5: "nB"}, w{5: "RB"}, 6},
		{"overlay in passing", w{28: "P", 27: "Np"}, w{20: "Pp", 27: "N"}, 4},
		{"flyer leaves its pedestal", w{28: "#N", 40: "P"}, w{40: "PN"}, 4},
		{"ground piece under a flyer", w{28: "#N", 20: "P"}, w{28: "PN"}, 6},
		{"ground piece from under a flyer", w{28: "PN"}, w{28: "#N", 36: "P"}, 6},
		{"buried piece captures a buried one", w{0: "RQ", 32: "pn"}, w{0: "Q", 32: "Rn"}, 0},
		{"a captured piece is buried, another leaves", w{0: "R", 32: "bq"}, w{32: "qR"}, 0},
		{"two places change their pieces", w{0: "R", 1: "N"}, w{0: "N", 1: "R"}, 0},
	} {
		var a, b wood.Wood
		for p, s := range c.from {
			a[p] = s
		}
		for p, s := range c.to {
			b[p] = s
		}
		if acts := check(t, a, b); c.acts != 0 && len(acts) != c.acts {
			t.Errorf("%s: %d movements, want %d: %v", c.name, len(acts), c.acts, acts)
		}
	}
}

// TestPlanAnything: any wood can be turned into any other.
func TestPlanAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func() (w wood.Wood) {
		for range 12 {
			w[r.IntN(8)] += wood.Pile("PNBRQKpnbrqk#"[r.IntN(13):][:1])
		}
		return w
	}
	for range 5000 {
		check(t, random(), random())
	}
}
