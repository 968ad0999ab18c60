// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"boardd/rules"
)

func variantOf(t testing.TB, id string) *rules.Variant {
	t.Helper()
	v, err := rules.ByID(id)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const two = `% an escaped line
[Event "a \"quoted\" name"]
[White "A"]
[Variant "Locking Chess"]
[Result "*"]

{before} 1. e4 {[%clk 0:09:58.5] best} (1. d4 d5 (1... Nf6 {a ) in a comment}) ; and here )
2. c4) e5 $1 2.Nf3!? Qe8* ; to the end 3. Kd1
*

[Variant "pillar"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/3QK3 w - - 0 1"]

1... {numbers are not believed} d1d4 1-0
`

func TestRead(t *testing.T) {
	games, err := Read(strings.NewReader(two), variantOf(t, "chess"))
	if err != nil || len(games) != 2 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	a, b := games[0], games[1]
	if a.Variant.ID() != "locking" || a.Tag("event") != `a "quoted" name` || a.Result != "*" || len(a.Plies) != 4 {
		t.Errorf("first game: %+v", a)
	}
	if p := a.Plies[0]; p.Clock != 9*time.Minute+58*time.Second+500*time.Millisecond || p.Comment != "best" ||
		p.SAN != "e4" {
		t.Errorf("first ply: %+v", p)
	}
	if p := a.Plies[3]; p.SAN != "Qe8*" || p.Clock >= 0 {
		t.Errorf("last ply: %+v", p)
	}
	if b.Variant.ID() != "pillar" || b.Result != "1-0" || len(b.Plies) != 1 || b.Plies[0].SAN != "Qd4" {
		t.Errorf("second game: %+v", b)
	}
}

// TestReadErrors: what cannot be read is named with its line, and the games before it are kept.
func TestReadErrors(t *testing.T) {
	for _, c := range []struct {
		src, want string
		before    int
	}{
		{"1.e4 e5 2.Ke3", "line 1, move 2.Ke3", 0},
		{"1.e4 *\n\n[Variant \"shogi\"]\n", "line 3, tag Variant", 1},
		{"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n", "line 1, tag FEN", 0},
		{"1.e4 {", "line 1: the comment", 0},
		{"1.e4\n(d4 {x}", "line 2: the variation", 0},
		{"[Event oops]\n", "line 1, [Event oops]: a tag is written", 0},
	} {
		games, err := Read(strings.NewReader(c.src), variantOf(t, "chess"))
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.want) || len(games) != c.before {
			t.Errorf("%q: %d games, error %v; want %d and %q", c.src, len(games), err, c.before, c.want)
		}
	}
}

// roundTrip writes a game and reads the same game back.
func roundTrip(t *testing.T, g *Game) {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, g); err != nil {
		t.Fatal(err)
	}
	back, err := Read(strings.NewReader(b.String()), variantOf(t, "chess"))
	if err != nil || len(back) != 1 {
		t.Fatalf("%d games, %v in\n%s", len(back), err, b.String())
	}
	got := back[0]
	if !reflect.DeepEqual(got.Plies, g.Plies) || got.Start != g.Start || got.Variant != g.Variant ||
		got.Result != g.Result {
		t.Fatalf("got\n%+v, want\n%+v from\n%s", got, *g, b.String())
	}
	for line := range strings.Lines(b.String()) {
		if len(line) > 256 {
			t.Errorf("a line of %d letters: %q", len(line), line)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	games, err := Read(strings.NewReader(two), variantOf(t, "chess"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range games {
		roundTrip(t, &games[i])
	}
}

// TestEval: evaluations come back as they were written; what is none stays a comment.
func TestEval(t *testing.T) {
	for _, c := range []struct {
		comment, rest string
		want          Eval
	}{
		{"[%eval 0.35]", "", Eval{Known: true, Cents: 35}},
		{"[%eval -1.2,14] [%clk 0:01:00] best", "best", Eval{Known: true, Cents: -120, Depth: 14}},
		{"[%clk 0:01:00] [%eval #-3]", "", Eval{Known: true, Mate: -3}},
		{"[%eval #0]", "[%eval #0]", Eval{}},
		{"[%eval NaN]", "[%eval NaN]", Eval{}},
		{"[%eval 1e9]", "[%eval 1e9]", Eval{}},
		{"[%eval 1,x]", "[%eval 1,x]", Eval{}},
		{"[%eval 1", "[%eval 1", Eval{}},
	} {
		games, err := Read(strings.NewReader("1.e4 {"+c.comment+"} *"), variantOf(t, "chess"))
		if err != nil {
			t.Fatal(err)
		}
		if p := games[0].Plies[0]; p.Eval != c.want || p.Comment != c.rest {
			t.Errorf("%s: got %+v and %q, want %+v and %q", c.comment, p.Eval, p.Comment, c.want, c.rest)
		}
		roundTrip(t, &games[0])
	}
}

// TestBounds: a game that nobody played takes no memory, and what it has for a move is said only in part.
func TestBounds(t *testing.T) {
	v := rules.Variants()[0]
	for _, c := range []struct{ name, src, want string }{
		{"moves", strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", mostPlies/4) + "Nf3", "more than 20000 half-moves"},
		{"tags", strings.Repeat("[A \"b\"]\n", mostTags+1), "more than 1000 tags"},
		{"one move", strings.Repeat("\x00", 1<<20), "no move"},
		{"move", "e5" + strings.Repeat("x", 50), "e5xxx"},
		{"one tag", strings.Repeat("[", 1<<20), "a tag is written"},
	} {
		_, err := Read(strings.NewReader(c.src), v)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 1000 {
			t.Errorf("%s: got %.200v, want %q in few words", c.name, err, c.want)
		}
	}
	n := 0
	if err := Each(strings.NewReader(strings.Repeat("*\n", 100)), v,
		func(*Game) bool { n++; return n < 7 }); err != nil || n != 7 {
		t.Errorf("%d games, %v; want 7, as many as were wanted", n, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("1.e4 {[%eval -0.35,12] [%clk 0:01:00]} e5 {[%eval #-3]}")
	f.Add(two)
	f.Add("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 1/2-1/2")
	f.Add("[Variant \"flying\"]\n1.Bf1^ a6 2.Bb5^#")
	f.Add("[Variant \"superchess\"]\n1.O-O {x} {[%clk 1:02:03.25]}")
	f.Fuzz(func(t *testing.T, src string) {
		games, err := Read(strings.NewReader(src), rules.Variants()[0])
		if err != nil {
			return
		}
		for i := range games {
			g := &games[i]
			if !result(g.Result) {
				g.Result = "*" // a tag may say anything
			}
			for k := range g.Plies {
				g.Plies[k].Comment = "" // a comment is people's: it comes back, except its brackets and spaces
			}
			roundTrip(t, g)
		}
	})
}
