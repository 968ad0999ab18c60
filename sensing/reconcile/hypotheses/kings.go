// SPDX-License-Identifier: Apache-2.0

package hypotheses

import (
	"strings"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// centre holds the four squares on which kings announce a result (docs/play.md).
var centre = [4]rules.Square{27, 28, 35, 36} // d4 e4 d5 e5

// isLightSquare reports whether a centre square is a light one: e4 and d5 are.
func isLightSquare(s rules.Square) bool { return (s.File()+s.Rank())%2 == 1 }

// kingsResult is the result of kings on two centre squares: both light, White won; both dark, Black won; else a draw.
func kingsResult(a, b rules.Square) string {
	switch {
	case isLightSquare(a) && isLightSquare(b):
		return "1-0"
	case !isLightSquare(a) && !isLightSquare(b):
		return "0-1"
	}
	return "1/2-1/2"
}

// addKingResults adds the woods in which both kings stand alone on two centre squares, and what stood there was put
// aside. The kings stand on the deck on which they were. Who stands on one of the squares already stays there. Sensors
// do not tell which king is which.
func (l *List) addKingResults() {
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
			if after[pa], after[pb] = "K", "k"; l.now[pa] == "k" || l.now[pb] == "K" {
				after[pa], after[pb] = "k", "K"
			}
			touched.Add(pa)
			touched.Add(pb)
			mark := l.Mark()
			h := l.Add(0, rules.NoMove, &after, touched)
			if h.Result, h.Prior = kingsResult(a, b), world.PriorKings; !l.kingsGather(h, pa, pb) {
				l.Reset(mark)
			}
		}
	}
}

// kingsGather reports whether both kings come to the centre, or one has just come and the other follows. If one has
// stood there for longer, the other was put down beside it by mistake.
func (l *List) kingsGather(h *Hypothesis, a, b wood.Place) bool {
	for _, p := range [2]wood.Place{a, b} {
		if !h.Places.Has(p) && (l.Made == rules.NoMove || p%64 != wood.Place(l.Made.To())) {
			return false
		}
	}
	return true
}
