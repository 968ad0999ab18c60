// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"boardd/rules"
)

// first plays the first move that there is.
type first struct{}

func (first) Choose(p rules.Position, _ []uint64) (m rules.Move, score int) {
	return p.AppendMoves(nil)[0], 0
}

// TestMatchTellsHowItStands: a match says after each pair of games how it stands, and takes the line away at its end.
func TestMatchTellsHowItStands(t *testing.T) {
	var far strings.Builder
	s := settings{games: 4, seed: 1, far: &far}
	stands := s.match(rules.Variants()[0], "first against first", first{}, first{})
	if stands.Games() != 4 {
		t.Fatalf("%d games", stands.Games())
	}
	lines := strings.Split(far.String(), "\r")
	if len(lines) != 4 || !strings.Contains(lines[1], "first against first: ") ||
		!strings.HasSuffix(lines[2], "\033[K") || !strings.Contains(lines[2], stands.String()) || lines[3] != "\033[K" {
		t.Errorf("told by %q", lines)
	}
}
