// SPDX-License-Identifier: Apache-2.0

package cables

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"boardd/hardware/schematics/netlist"
)

// Cable is one cable: every pin of one connector to the same pin of all others.
type Cable struct {
	Kind   string   // what it is for
	Ends   []string // connectors
	Wires  int
	Metres float64 // greatest length
	Of     string  // what it is made of
}

// Board is the physical board of a part, by the number of its reference. It is a strip, a rank's load cells, the hub's
// shield, a rank's height sensors, or the Pi's board. The Pi's board has the supply, the bus and the lights' data.
func Board(ref string) string {
	n, err := strconv.Atoi(strings.TrimLeft(ref, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	switch {
	case err != nil:
		return ""
	case n >= 100 && n < 1700: // a rank, the upper deck's from 9
		return fmt.Sprintf("strip %d", n/100)
	case n >= 2000 && n < 3000: // an expander, on the strip of its odd rank
		return fmt.Sprintf("strip %d", 1+(n-2000)/800*8+(n-2000)%800/20*2)
	case n > 3100 && n < 3900:
		return fmt.Sprintf("cells %d", n/100-30)
	case n > 4100 && n < 4900:
		return fmt.Sprintf("height strip %d", n/100-40)
	case n > 5300 && n < 5400:
		return "hub"
	}
	return "Pi's board"
}

// All returns the cables of a board with these parts.
func All(n *netlist.Netlist) []Cable {
	var list []Cable
	add := func(kind string, metres float64, of string, wires int, ends ...string) {
		for _, e := range ends {
			if n.Parts[e] == nil {
				return
			}
		}
		list = append(list, Cable{kind, ends, wires, metres, of})
	}
	for r := 1; r <= 16; r++ {
		// The Pi's board lies at the middle of the a side, 80 mm from the plugs; the upper deck is 150 mm above.
		pi, metres := 6000+r, 0.08+0.05*(math.Abs(float64(r)-4.5)+0.1)
		if r > 8 {
			pi, metres = 6800+r-8, 0.08+0.15+0.05*(math.Abs(float64(r)-12.5)+0.1)
		}
		add("rank", metres, "wires of 0.14 mm2", 10, fmt.Sprintf("J%d", pi), fmt.Sprintf("J%d01", r))
	}
	for r := 1; r <= 15; r += 2 {
		add("reeds", 0.1, "wires of 0.14 mm2", 10, fmt.Sprintf("J%d02", r+1),
			fmt.Sprintf("J%d", 2004+(r-1)%8/2*20+(r-1)/8*800))
	}
	for r := 1; r <= 8; r++ {
		add("cells", 0.5, "ribbon of 16 x 1.27 mm", 16, fmt.Sprintf("J530%d", r), fmt.Sprintf("J3%d09", r))
	}
	if n.Parts["J5310"] != nil {
		add("feed of the cells", 0.5, "wires of 0.5 mm2", 4, "J5103", "J5310")
	}
	eyes := []string{"J5411"}
	for r := 1; r <= 8; r++ {
		eyes = append(eyes, fmt.Sprintf("J4%d01", r))
	}
	add("height strips", 0.5, "ribbon of 10 x 1.27 mm with nine plugs", 10, eyes...)
	return list
}

// Check finds wrong cables: a wire that joins two nets, and a net on several boards that no cable joins.
func Check(n *netlist.Netlist) []error {
	var errs []error
	joined := map[string]map[string]string{} // by net: the board that stands for each board's group
	group := func(net, board string) string {
		for joined[net][board] != "" && joined[net][board] != board {
			board = joined[net][board]
		}
		return board
	}
	for _, c := range All(n) {
		if len(c.Ends) < 2 {
			errs = append(errs, fmt.Errorf("the cable %s has one end, %v", c.Kind, c.Ends))
		}
		first := c.Ends[0]
		for _, far := range c.Ends[1:] {
			if a, b := n.Parts[first].Fields["Mate"], n.Parts[far].Fields["Mate"]; a != b || a == "" {
				errs = append(errs, fmt.Errorf("cable %s: the plug of %s is %q, that of %s %q: want the same", c.Kind, first, a,
					far, b))
			}
			for pin := range c.Wires {
				number := strconv.Itoa(pin + 1)
				a, b := n.Net(netlist.Pin{Ref: first, Number: number}), n.Net(netlist.Pin{Ref: far, Number: number})
				if loose(a) && loose(b) {
					continue
				}
				if a != b {
					errs = append(errs, fmt.Errorf("cable %s: pin %s is %s at %s and %s at %s", c.Kind, number, a, first, b, far))
					continue
				}
				if joined[a] == nil {
					joined[a] = map[string]string{}
				}
				joined[a][group(a, Board(far))] = group(a, Board(first))
			}
		}
	}
	for _, net := range n.Nets() {
		boards := map[string]bool{}
		for _, p := range n.Pins(net) {
			boards[group(net, Board(p.Ref))] = true
		}
		if len(boards) > 1 {
			errs = append(errs, fmt.Errorf("net %s is on %s, and no cable joins them", net,
				strings.Join(slices.Sorted(maps.Keys(boards)), ", ")))
		}
	}
	return errs
}

func loose(net string) bool { return net == "" || strings.HasPrefix(net, "unconnected") }
