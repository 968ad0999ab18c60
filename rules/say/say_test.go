// SPDX-License-Identifier: Apache-2.0

package say

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
)

// TestErrorWraps: who made an error asks for the ones that it was made of, as with fmt.Errorf.
func TestErrorWraps(t *testing.T) {
	lost := Error("chip was reset")
	for _, err := range []error{Error("%s: %v", "0x20", lost), Error("%s: %v", "0x20", fmt.Errorf("read: %w", lost)),
		Of(lost).And("; ", That("mend it")).Refusal(lost)} {
		if !errors.Is(err, lost) {
			t.Errorf("%v does not wrap %v", err, lost)
		}
	}
	if _, list := lost.(interface{ Unwrap() []error }); list {
		t.Error("a sentence is taken for a list of faults, of which it has none")
	}
	if errors.Is(Error("chip was reset"), lost) {
		t.Error("an error is another one with the same words")
	}
}

func TestThat(t *testing.T) {
	asks := That("%s asks to take back, so that %d moves remain", "white", 3)
	refused := fmt.Errorf("move: %w", Error("it is %s's move", "black"))
	for _, c := range []struct {
		got  Said
		text string
		want []Part
	}{
		{asks, "white asks to take back, so that 3 moves remain", []Part{{asks.Parts[0].Code, []string{"white", "3"}}}},
		{That("board %s declines: %s", "south", asks), "board south declines: white asks to take back, so that 3 moves " +
			"remain",
			[]Part{{"board %s declines: %s", []string{"south"}}, asks.Parts[0]}},
		{That("a new game: %v", refused), "a new game: move: it is black's move",
			[]Part{{"a new game: %v", nil}, {"it is %s's move", []string{"black"}}}},
		{That("a new game: %v", errors.New("no")), "a new game: no", []Part{{"a new game: %v", []string{"no"}}}},
		{That("field %q is %s", "do", Word("a list")), `field "do" is a list`, []Part{{"field %q is %s",
			[]string{"do", "a list"}}}},
		{Of(fmt.Errorf("read: %w", errors.Join(Error("no %s", "id"), errors.New("no"), Error("no move")))),
			"read: no id\nno\nno move", []Part{{"no %s", []string{"id"}}, {"no move", nil}}},
		{Of(refused), "move: it is black's move", []Part{{"it is %s's move", []string{"black"}}}},
		{Of(errors.New("no")), "no", nil},
		{Of(nil), "", nil},
	} {
		if c.got.String() != c.text || !reflect.DeepEqual(c.got.Parts, c.want) {
			t.Errorf("got %q %q, want %q %q", c.got, c.got.Parts, c.text, c.want)
		}
	}
}

// TestCounted: what there is one of is named so.
func TestCounted(t *testing.T) {
	for want, got := range map[string]string{
		"hung once, freed 2 times": That("hung %d times, freed %d times", 1, 2).English,
		"line lost 11 times":       That("line lost %d times", 11).English,
		"1 move (1 byte)":          Counted("%d moves (%d bytes)", 1, 1),
		"0 moves, 21 files":        Counted("%d moves, %d files", 0, 21),
		"1 of 1 part":              Counted("%d of %d parts", 1, 1),
		"100 % of 1 move":          Counted("%.0f %% of %d moves", 100.0, 1),
		"11 bytes, 1.1 seconds":    Counted("%d bytes, %v seconds", 11, 1.1),
		// an argument stays as it is: a name, a file, another program's words
		"White my 1 files, 1 move":   Counted("White %s, %d moves", "my 1 files", 1),
		"1 games of old: 1 moves.":   Counted("%s: %s.", "1 games of old", "1 moves"),
		"in 1 times, 2 games, once":  That("in %s, %d games, %d times", "1 times", 2, 1).English,
		"1 games says that it fails": That("%s says that it %v", "1 games", errors.New("fails")).English,
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
