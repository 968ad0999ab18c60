// SPDX-License-Identifier: Apache-2.0

package virtual_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"boardd/hardware/virtual"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// table makes a board with nothing read from it.
func table(t *testing.T, kind virtual.Kind) *virtual.Board {
	t.Helper()
	b, err := virtual.New(virtual.Options{Name: t.Name(), Kind: kind, Untimed: true})
	must(t, err)
	t.Cleanup(func() { must(t, b.Close()) })
	return b
}

func TestHandsKeepTheOrderOfStacks(t *testing.T) {
	b := table(t, virtual.Reeds)
	var w wood.Wood
	w[8], w[9] = "PNB", "r"
	b.Put(w)
	must(t, b.Lift("right", sensing.Lower, 8, 2))
	must(t, b.Lift("right", sensing.Lower, 9, 1))
	if got := string(b.Hand("right")); got != "NBr" {
		t.Errorf("the hand holds %q, want NBr", got)
	}
	must(t, b.Place("right", sensing.Lower, 8))
	now := b.Wood()
	if got := now[8]; got != "PNBr" || now[9] != "" || len(b.Hand("right")) != 0 {
		t.Errorf("a2 holds %q, want PNBr, and nothing elsewhere", got)
	}
}

func TestImpossibleRequestsChangeNothing(t *testing.T) {
	b := table(t, virtual.Twin)
	var w wood.Wood
	w[0], w[64] = "PP", "k"
	b.Put(w)
	must(t, b.Take("left", []byte("QQQ")))
	flat := table2(t)
	for name, f := range map[string]func() error{
		"lift more than there is": func() error { return b.Lift("right", sensing.Lower, 0, 3) },
		"lift none":               func() error { return b.Lift("right", sensing.Lower, 0, 0) },
		"lift from nothing":       func() error { return b.Lift("right", sensing.Upper, 1, 1) },
		"place an empty hand":     func() error { return b.Place("right", sensing.Lower, 5) },
		"discard nothing":         func() error { return b.Discard("right") },
		"take no piece":           func() error { return b.Take("right", []byte("x")) },
		"take nothing":            func() error { return b.Take("right", nil) },
		"a stack too high":        func() error { return b.Place("left", sensing.Lower, 0) },
		"no such square":          func() error { return b.Lift("right", sensing.Lower, rules.NoSquare, 1) },
		"no such deck":            func() error { return flat.Place("right", sensing.Upper, 0) },
	} {
		err := f()
		var impossible *virtual.ImpossibleError
		if !errors.As(err, &impossible) || impossible.Error() == "" {
			t.Errorf("%s: got %v, want *Impossible", name, err)
		}
		if len(say.Of(err).Parts) != 1 {
			t.Errorf("%s: %v has no code", name, err)
		}
	}
	if now := b.Wood(); now[0] != "PP" || now[64] != "k" || string(b.Hand("left")) != "QQQ" {
		t.Errorf("the board changed: %q %q, hand %q", now[0], now[64], b.Hand("left"))
	}
}

// table2 is a second board, with one deck.
func table2(t *testing.T) *virtual.Board {
	b, err := virtual.New(virtual.Options{Name: t.Name() + "-flat", Kind: virtual.Reeds})
	must(t, err)
	t.Cleanup(func() { must(t, b.Close()) })
	return b
}

// Pieces are neither made nor lost by moving them.
func TestNoPieceIsLost(t *testing.T) {
	b := table(t, virtual.Twin)
	var w wood.Wood
	for sq := range 16 {
		w[sq], w[64+sq] = "P", "n"
	}
	b.Put(w)
	rnd := rand.New(rand.NewPCG(1, 9))
	for range 5000 {
		hand, d, sq := []string{"left", "right"}[rnd.IntN(2)], sensing.Deck(rnd.IntN(2)), rules.Square(rnd.IntN(64))
		if rnd.IntN(2) == 0 {
			_ = b.Lift(hand, d, sq, 1+rnd.IntN(2))
		} else {
			_ = b.Place(hand, d, sq)
		}
		count := map[byte]int{}
		for _, pile := range b.Wood() {
			for _, c := range []byte(pile) {
				count[c]++
			}
		}
		for _, c := range append(b.Hand("left"), b.Hand("right")...) {
			count[c]++
		}
		if count['P'] != 16 || count['n'] != 16 {
			t.Fatalf("got %v, want 16 of each", count)
		}
	}
}

func TestNamesAreFreeAgainAfterClose(t *testing.T) {
	for range 3 {
		b, err := virtual.New(virtual.Options{Name: t.Name()})
		must(t, err)
		if _, err := virtual.New(virtual.Options{Name: t.Name()}); err == nil || !strings.Contains(err.Error(), "twice") {
			t.Errorf("a second board of the same name: got %v", err)
		}
		must(t, b.Close())
	}
}

// TestExpanders: a chip that nobody knows, and one of which too few fit on the bus, are refused with what would be
// right.
func TestExpanders(t *testing.T) {
	for chip, want := range map[string]string{
		"pcf8574":  `no expanders are called "pcf8574": want one of [mcp23017 tca9535]`,
		"mcp23017": "mcp23017 are for one deck",
	} {
		if _, err := virtual.New(virtual.Options{Name: "chips", Kind: virtual.Twin, Expanders: chip}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s on a twin board: got %v, want %q", chip, err, want)
		}
	}
}
