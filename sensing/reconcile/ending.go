// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"strings"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// centre is the four squares on which kings announce a result (BOARD 2).
var centre = [4]rules.Square{27, 28, 35, 36} // d4 e4 d5 e5

// light tells whether a centre square is a light one: e4 and d5 are.
func light(s rules.Square) bool { return (s.File()+s.Rank())%2 == 1 }

// ending is the result of kings on two centre squares: both light, White won; both dark, Black won; else a draw.
func ending(a, b rules.Square) string {
	switch {
	case light(a) && light(b):
		return "1-0"
	case !light(a) && !light(b):
		return "0-1"
	}
	return "1/2-1/2"
}

// endings adds the wood in which both kings stand alone on two centre squares; what stood there was put aside.
// The kings stand on the deck on which they were.
func (l *lister) endings() {
	bare, deck := *l.now, sensing.Lower
	var where wood.Set
	for p := range wood.Place(wood.Places) {
		if i := strings.IndexAny(string(bare[p]), "Kk"); i >= 0 {
			bare[p] = bare[p][:i] + bare[p][i+1:]
			deck = p.Deck()
			where.Add(p)
		}
	}
	for i, a := range centre {
		for _, b := range centre[i+1:] {
			pa, pb := wood.PlaceAt(deck, a), wood.PlaceAt(deck, b)
			after, touched := bare, where
			after[pa], after[pb] = "K", "k"
			touched.Add(pa)
			touched.Add(pb)
			l.add(0, rules.NoMove, &after, touched).ends = ending(a, b)
		}
	}
}

// gathers tells whether both kings come to the centre. Where one stood there already, the other may have been put down beside it by mistake.
func (h *hypothesis) gathers() bool {
	kings := 0
	for i := range h.changes {
		if pile := h.changes[i].want.pile; pile == "K" || pile == "k" {
			kings++
		}
	}
	return kings == 2
}
