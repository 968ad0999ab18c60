// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"fmt"
	"strings"

	"boardd/rules/say"
	"boardd/sensing/reconcile/capability"
	"boardd/sensing/wood"
)

// Abilities says which games a board can follow, what it will ask, and what else its players should know.
func Abilities(g *wood.Geometry) string {
	var b strings.Builder
	b.WriteString("What this board can follow:\n")
	for _, a := range capability.All(g, nil) {
		lines := []string{"yes, without asking"}
		switch {
		case a.Unsupported != "":
			lines = []string{"no"}
		case len(a.Asks) > 0:
			lines = []string{"yes; it asks for " + strings.Join(a.Asks, ", and for ")}
		}
		lines = append(lines, a.Limits...)
		fmt.Fprintf(&b, "  %-30s %s\n", a.Game, strings.Join(lines, "\n"+strings.Repeat(" ", 33)))
	}
	return b.String()
}

// games says in one sentence or two which games a board can follow; what it asks for is in abilities.
func games(g *wood.Geometry) say.Said {
	var well, asking, not []string
	for _, a := range capability.All(g, nil) {
		switch {
		case a.Unsupported != "":
			not = append(not, a.Game)
		case len(a.Asks) > 0:
			asking = append(asking, a.Game)
		default:
			well = append(well, a.Game)
		}
	}
	var all []say.Said
	for _, of := range []struct {
		games []string
		said  func(games string) say.Said
	}{
		{well, func(games string) say.Said { return say.That("It follows without asking: %s.", games) }},
		{asking, func(games string) say.Said { return say.That("It has to ask now and then in: %s.", games) }},
		{not, func(games string) say.Said { return say.That("It cannot follow: %s.", games) }},
	} {
		if of.games != nil {
			all = append(all, of.said(strings.Join(of.games, ", ")))
		}
	}
	return say.List(" ", all...)
}
