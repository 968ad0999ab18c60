// SPDX-License-Identifier: Apache-2.0

package pgn_test

import (
	"strings"
	"testing"

	"boardd/rules"
	"boardd/rules/pgn"
)

// TestRemarkIsNoGame: a remark behind the last game, or in a file of its own, is no game.
func TestRemarkIsNoGame(t *testing.T) {
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"; nothing\n": 0, "{a} {b}": 0, "{a} 1. e4 * {b}": 1, "1. e4 *\n; b\n1. d4 *": 2} {
		n := 0
		if err := pgn.Each(strings.NewReader(text), v, func(*pgn.Game) bool { n++; return true }); err != nil || n != want {
			t.Errorf("%q: %d games, %v, want %d", text, n, err, want)
		}
	}
}
