// SPDX-License-Identifier: Apache-2.0

package bill

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// priceFactor is the factor by which a part costs more when n are bought, compared with the estimate for one of a
// hundred. It is a rule of thumb for price breaks.
func priceFactor(n int) float64 {
	switch {
	case n >= 100:
		return 1
	case n >= 10:
		return 1.25
	}
	return 1.6
}

// euros is what all parts of one board cost when this many boards are built.
func (b board) euros(boards int) (sum float64) {
	for _, l := range b.lines {
		sum += l.cents * priceFactor(boards*len(l.refs)) * float64(len(l.refs)) / 100
	}
	return sum
}

// rest is the cost of what is bought and not drawn for a kind of board, and how much of it is for weighing.
func rest(kind int, ten bool) (sum, weighing float64) {
	for _, e := range extras {
		price := e.one
		if ten {
			price = e.ten
		}
		price *= float64(e.need[kind])
		sum += price
		if e.weighs {
			weighing += price
		}
	}
	return sum, weighing
}

const head = "# Bills of materials\n\n" +
	"Written by `go run ./hardware/schematics bill` from the fields of the parts in the schematics; do not edit.\n" +
	"`reeds.csv`, `scale.csv`, `stack.csv` and `twin.csv` are whole boards, and `strip.csv` is one strip with its\n" +
	"expander. `pi.csv`, `hub.csv`, `cells.csv`, `eyes.csv` and `nano.csv` are the other printed boards, one each.\n" +
	"`reeds14.csv` is eight strips without expanders and five MCP23017 for them, `apa102.csv` a deck's lights with\n" +
	"APA102.\n\n" +
	"No price here is an offer. Those of parts are what one costs when a hundred are bought, without tax and\n" +
	"shipping. They are remembered from distributors' lists in November 2026. Where fewer are bought at once they\n" +
	"count 1.25 times (10 and more) or 1.6 times, a rule of thumb. \"Each of ten\" is what a board costs when the\n" +
	"parts of ten are bought together.\n\n"

// summary is what the boards cost, in Markdown. weighing has, by kind, the parts of its own sheets that are for
// weighing.
func summary(boards []board, weighing map[string]board) string {
	var s strings.Builder
	s.WriteString(head)
	s.WriteString("| board | parts | kinds | electronics, one board | each of ten |\n" +
		"| --- | ---: | ---: | ---: | ---: |\n")
	for _, b := range boards {
		fmt.Fprintf(&s, "| %s | %d | %d | %.0f EUR | %.0f EUR |\n", b.name, b.parts(), len(b.lines), b.euros(1), b.euros(10))
	}
	s.WriteString("\n## Bought, not drawn\n\n| what | number | instead | " + strings.Join(kinds[:], " | ") +
		" | EUR each, one board | ten boards | basis of the price |\n| --- | --- | --- |" +
		strings.Repeat(" ---: |", len(kinds)+2) + " --- |\n")
	for _, e := range extras {
		fmt.Fprintf(&s, "| %s | %s | %s |", e.what, e.number, e.second)
		for _, n := range e.need {
			fmt.Fprintf(&s, " %d |", n)
		}
		fmt.Fprintf(&s, " %g | %g | %s |\n", e.one, e.ten, cmp.Or(e.basis, remembered))
	}
	s.WriteString("\n## Together\n\n| board | electronics | the rest | each of ten boards | one board |\n" +
		"| --- | ---: | ---: | ---: | ---: |\n")
	for i, kind := range kinds {
		b := boards[slices.IndexFunc(boards, func(b board) bool { return b.name == kind })]
		one, _ := rest(i, false)
		ten, _ := rest(i, true)
		fmt.Fprintf(&s, "| %s | %.0f EUR | %.0f EUR | %.0f EUR | %.0f EUR |\n", kind, b.euros(1), one, b.euros(10)+ten,
			b.euros(1)+one)
	}
	s.WriteString("\nOf that, for weighing: cells, converters, hub and what joins them.\n\n" +
		"| board | each of ten boards | one board |\n| --- | ---: | ---: |\n")
	for i, kind := range kinds {
		if b, ok := weighing[kind]; ok {
			_, one := rest(i, false)
			_, ten := rest(i, true)
			fmt.Fprintf(&s, "| %s | %.0f EUR | %.0f EUR |\n", kind, b.euros(10)+ten, b.euros(1)+one)
		}
	}
	s.WriteString("\n## The most expensive parts\n\n| board | part | quantity | EUR, of a hundred |\n" +
		"| --- | --- | ---: | ---: |\n")
	for _, b := range boards {
		dear := slices.Clone(b.lines)
		slices.SortStableFunc(dear, func(x,
			y line) int {
			return int(y.cents*float64(len(y.refs)) - x.cents*float64(len(x.refs)))
		})
		for _, l := range dear[:min(4, len(dear))] {
			fmt.Fprintf(&s, "| %s | %s %s | %d | %.0f |\n", b.name, l.maker, l.mpn, len(l.refs),
				l.cents*float64(len(l.refs))/100)
		}
	}
	return s.String()
}
