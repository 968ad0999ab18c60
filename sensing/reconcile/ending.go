package reconcile

import (
	"strings"

	"boardd/rules"
	"boardd/sensing"
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

// appendEndings adds the wood in which both kings stand alone on two centre squares; what stood there was put aside.
// The kings stand on the deck on which they were.
func appendEndings(hs []hypothesis, now *Wood) []hypothesis {
	bare, deck := *now, sensing.Lower
	for p := range Place(Places) {
		if i := strings.IndexAny(string(bare[p]), "Kk"); i >= 0 {
			bare[p] = bare[p][:i] + bare[p][i+1:]
			deck = p.Deck()
		}
	}
	for i, a := range centre {
		for _, b := range centre[i+1:] {
			pa, pb := PlaceAt(deck, a), PlaceAt(deck, b)
			after := bare
			after[pa], after[pb] = "K", "k"
			h := newHypothesis(0, rules.NoMove, now, &after)
			h.ends = ending(a, b)
			hs = append(hs, h)
		}
	}
	return hs
}
