// SPDX-License-Identifier: Apache-2.0

package cables

import (
	"fmt"
	"strings"

	"boardd/hardware/schematics/netlist"
)

// Table returns the cables of a board and what is on their pins, in Markdown.
func Table(name string, n *netlist.Netlist) string {
	var s strings.Builder
	fmt.Fprintf(&s, "## %s\n\n| cable | from | to | wires | plug at each end |\n| --- | --- | --- | ---: | --- |\n", name)
	kinds := []Cable{}
	for _, c := range All(n) {
		end := func(ref string) string { return fmt.Sprintf("%s, %s (%s)", ref, n.Parts[ref].Value, Board(ref)) }
		var to []string
		for _, far := range c.Ends[1:] {
			to = append(to, end(far))
		}
		fmt.Fprintf(&s, "| %s, %.2f m, %s | %s | %s | %d | %s |\n", c.Kind, c.Metres, c.Of, end(c.Ends[0]),
			strings.Join(to, "; "), c.Wires, n.Parts[c.Ends[0]].Fields["Mate"])
		if len(kinds) == 0 || kinds[len(kinds)-1].Kind != c.Kind {
			kinds = append(kinds, c)
		}
	}
	for _, c := range kinds {
		fmt.Fprintf(&s, "\n### %s: what is on the pins, of %s\n\n| pin | net |\n| ---: | --- |\n", c.Kind, c.Ends[0])
		for pin := range c.Wires {
			net := n.Net(netlist.Pin{Ref: c.Ends[0], Number: fmt.Sprint(pin + 1)})
			if loose(net) {
				net = "open"
			}
			fmt.Fprintf(&s, "| %d | %s |\n", pin+1, net[strings.LastIndex(net, "/")+1:])
		}
	}
	return s.String() + "\n"
}
