// SPDX-License-Identifier: Apache-2.0

// Package openings names the openings of orthodox chess, from a list that is in the public domain.
package openings

import (
	_ "embed"
	"strings"
)

//go:embed openings.tsv
var list string

// Opening is one that has a name.
type Opening struct {
	ECO  string // class in the Encyclopaedia of Chess Openings: "B90"
	Name string // in English
}

// Book finds openings by their moves.
type Book struct {
	byMoves map[string]Opening // SAN without numbers, with spaces between them
	longest int                // plies
}

// Open reads the list.
func Open() *Book {
	b := &Book{byMoves: map[string]Opening{}}
	for line := range strings.Lines(list) {
		eco, rest, ok := strings.Cut(strings.TrimSpace(line), "\t")
		name, moves, named := strings.Cut(rest, "\t")
		if !ok || !named || strings.HasPrefix(line, "#") {
			continue
		}
		var played []string
		for _, word := range strings.Fields(moves) {
			if !strings.HasSuffix(word, ".") {
				played = append(played, word)
			}
		}
		b.byMoves[strings.Join(played, " ")] = Opening{eco, name}
		b.longest = max(b.longest, len(played))
	}
	return b
}

// Name is the opening of a game from the array, given in SAN: that of the most moves that have a name.
func (b *Book) Name(san []string) (o Opening, ok bool) {
	for n := min(len(san), b.longest); n > 0 && !ok; n-- {
		o, ok = b.byMoves[strings.Join(san[:n], " ")]
	}
	return o, ok
}
