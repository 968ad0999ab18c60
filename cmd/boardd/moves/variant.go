// SPDX-License-Identifier: Apache-2.0

package moves

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"boardd/cmd/boardd/cli"
	"boardd/rules"
)

// variantFlag adds --variant to the flags. The function reads a position after parsing, given as one FEN or as its
// fields, none for the opening position. Without --variant it is of the game that has such positions, and on w stands
// which that is.
func variantFlag(f *flag.FlagSet) func(w io.Writer, fen []string) (rules.Position, error) {
	id := f.String("variant", "", "the rule set: "+cli.VariantIDs()+
		"; without it, the one that the position tells, or chess")
	return func(w io.Writer, fen []string) (rules.Position, error) {
		text := strings.Join(fen, " ")
		if *id != "" {
			v, err := rules.ByID(*id)
			if err != nil {
				return rules.Position{}, cli.Misuse("--%w", err)
			}
			return positionOf(v, text)
		}
		v, err := gameOf(text)
		if err != nil {
			return rules.Position{}, err
		}
		p, err := positionOf(v, text)
		if err == nil {
			fmt.Fprintf(w, "%s: %s; name another game with --variant\n", f.Name(), v)
		}
		return p, err
	}
}

func positionOf(v *rules.Variant, fen string) (rules.Position, error) {
	if fen == "" || fen == "startpos" {
		return v.Start(), nil
	}
	return v.ParseFEN(fen)
}

// gameOf is the game that a position can be of: chess if it can, and otherwise the only one.
func gameOf(fen string) (*rules.Variant, error) {
	var can []*rules.Variant
	var names []string
	var why error
	for _, v := range rules.Variants() {
		switch _, err := positionOf(v, fen); {
		case err == nil && len(can) == 0 && why == nil:
			return v, nil // chess, the first
		case err == nil:
			can = append(can, v)
			names = append(names, v.ID())
		case why == nil:
			why = err // of chess, which most people mean
		}
	}
	// The two rule sets of Pillar Chess have the same positions: the main one is meant.
	if len(can) == 2 && slices.Equal(names, []string{"pillar", "pillar-liberal"}) {
		can = can[:1]
	}
	switch {
	case len(can) == 1:
		return can[0], nil
	case len(can) > 1:
		return nil, cli.Misuse("--variant is missing, and this position can be of %s: name one of them",
			strings.Join(names, ", "))
	case strings.Contains(fen, "["):
		return nil, fmt.Errorf("no game has this position; the nearest says: %w", leastWrong(fen))
	}
	return nil, why
}

// leastWrong is the error of the game in which a position has the fewest faults.
func leastWrong(fen string) (least error) {
	for _, v := range rules.Variants() {
		_, err := positionOf(v, fen)
		if least == nil || strings.Count(err.Error(), "\n") < strings.Count(least.Error(), "\n") {
			least = err
		}
	}
	return least
}
