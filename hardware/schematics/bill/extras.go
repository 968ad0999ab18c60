// SPDX-License-Identifier: Apache-2.0

package bill

import (
	"fmt"
	"slices"
	"strings"
)

// extra is bought and not drawn.
type extra struct {
	what, number, second string
	stack, twin          int     // how many
	euros                float64 // each
}

var extras = []extra{
	{"Raspberry Pi Zero 2 W, 3, 4 or 5", "SC0510 (Zero 2 W with header: SC1176)", "any Pi with a 40-pin header", 1, 1, 20},
	{"Arduino Mega 2560 Rev3, under the hub's shield", "Arduino A000067", "any copy with an ATmega2560 at 16 MHz and the maker's boot loader", 1, 0, 20},
	{"USB cable A to B, 0.3 m, from the Pi to the Arduino", "", "what fits the Arduino that was bought; on a Zero 2 W with an OTG adapter", 1, 0, 3},
	{"5 V 6 A adapter, class II", "Mean Well GST60A05-P1J", "XP Power VES60PS05 or the like with its own limit", 1, 1, 22},
	{"Load cell 500 g, 47 x 12 x 6 mm, 1 kohm", "HT Sensor TAL221", "any bar cell of 0.3 to 1 kg below 48 mm long", 64, 0, 6},
	{"Magnets 10 x 4 mm, N42, for 32 pieces and 4 spare", "supermagnete S-10-04-N", "any disc of that size", 36, 36, 0.9},
	{"Ribbon of 16 x 1.27 mm, 5 m, or of 10, 0.6 m; wire 0.14 and 0.5 mm2", "3M 3365/16, 3365/10", "any ribbon of 1.27 mm", 1, 1, 12},
	{"Printed board of the Pi: supply, bus, 8 or 16 ranks", "not laid out yet: perforated board and wire", "", 1, 1, 10},
	{"Printed board of a rank's eight cells", "not laid out yet: eight HX711 modules, RATE and XI as drawn", "", 8, 0, 5},
	{"Printed board of the hub's shield", "not laid out yet: an Arduino Mega prototype shield", "", 1, 0, 10},
	{"Printed board of a rank's height sensors", "not laid out yet: VL6180X modules on wires", "", 0, 8, 7},
	{"Printed boards of the strips, 400 x 22 mm, four layers", "strip/gerbers", "perforated board and wire", 8, 16, 7},
	{"Non-magnetic posts, spacers and screws M3, M4: nylon, brass or stainless A4", "Ettinger, Wurth WA-SPAII", "no zinc-plated steel near a magnet", 1, 1, 15},
	{"Squares, frame and spacers, plywood 6 mm or acrylic", "", "", 1, 2, 30},
}

// summary is what the boards cost, in Markdown.
func summary(boards []board) string {
	var s strings.Builder
	s.WriteString("# Bills of materials\n\nWritten by `go run ./hardware/schematics bill` from the fields of the parts in the schematics; do not edit.\n" +
		"`stack.csv` and `twin.csv` are whole boards, `strip.csv` is one strip with its expander, `reeds14.csv` eight strips\n" +
		"without and five MCP23017 for them, `apa102.csv` a deck's lights with APA102. Prices are estimates for one of a\n" +
		"hundred, without tax and shipping, made in November 2026 from memory of distributors' lists, not from offers.\n\n")
	s.WriteString("| board | parts | kinds | electronics |\n| --- | ---: | ---: | ---: |\n")
	for _, b := range boards {
		fmt.Fprintf(&s, "| %s | %d | %d | %.0f EUR |\n", b.name, b.parts(), len(b.lines), b.euros())
	}
	s.WriteString("\n## Bought, not drawn\n\n| what | number | instead | stack | twin | EUR each |\n| --- | --- | --- | ---: | ---: | ---: |\n")
	sums := map[string]float64{}
	for _, e := range extras {
		fmt.Fprintf(&s, "| %s | %s | %s | %d | %d | %g |\n", e.what, e.number, e.second, e.stack, e.twin, e.euros)
		sums["stack"] += float64(e.stack) * e.euros
		sums["twin"] += float64(e.twin) * e.euros
	}
	s.WriteString("\n## Together\n\n| board | electronics | the rest | sum |\n| --- | ---: | ---: | ---: |\n")
	for _, b := range boards {
		if rest, ok := sums[b.name]; ok {
			fmt.Fprintf(&s, "| %s | %.0f EUR | %.0f EUR | %.0f EUR |\n", b.name, b.euros(), rest, b.euros()+rest)
		}
	}
	s.WriteString("\n## The dearest parts\n\n| board | part | quantity | EUR |\n| --- | --- | ---: | ---: |\n")
	for _, b := range boards {
		dear := slices.Clone(b.lines)
		slices.SortStableFunc(dear, func(x, y line) int { return int(y.cents*float64(len(y.refs)) - x.cents*float64(len(x.refs))) })
		for _, l := range dear[:min(4, len(dear))] {
			fmt.Fprintf(&s, "| %s | %s %s | %d | %.0f |\n", b.name, l.maker, l.mpn, len(l.refs), l.cents*float64(len(l.refs))/100)
		}
	}
	return s.String()
}
