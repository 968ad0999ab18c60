// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"fmt"
	"strings"

	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// Abilities says which games a board can follow, what it will ask, and what else its players should know.
func Abilities(g *wood.Geometry) string {
	var b strings.Builder
	b.WriteString("What this board can follow:\n")
	for _, a := range reconcile.Abilities(g, nil) {
		lines := []string{"yes, without asking"}
		switch {
		case a.Lacks != "":
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
func games(g *wood.Geometry) string {
	var well, asking, not []string
	for _, a := range reconcile.Abilities(g, nil) {
		switch {
		case a.Lacks != "":
			not = append(not, a.Game)
		case len(a.Asks) > 0:
			asking = append(asking, a.Game)
		default:
			well = append(well, a.Game)
		}
	}
	var say []string
	for _, k := range []struct {
		what string
		list []string
	}{{"It follows without asking: ", well}, {"It has to ask now and then in: ", asking}, {"It cannot follow: ", not}} {
		if k.list != nil {
			say = append(say, k.what+strings.Join(k.list, ", ")+".")
		}
	}
	return strings.Join(say, " ")
}
