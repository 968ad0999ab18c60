// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"boardd/hardware/schematics/cables"
	"boardd/hardware/schematics/netlist"
)

// TestNothingEndsInMidAir: every net that is on two physical boards goes through connectors of both, on the same pin.
// Its cable has plugs that fit both and are in the bill.
func TestNothingEndsInMidAir(t *testing.T) {
	t.Parallel()
	for _, b := range boards {
		t.Run(b.name, func(t *testing.T) {
			n := export(t, b.name)
			for _, err := range cables.Check(n) {
				t.Error(err)
			}
			bill, err := os.ReadFile("bom/" + b.name + ".csv")
			if err != nil {
				t.Fatal(err)
			}
			for ref, p := range n.Parts {
				mate := p.Fields["Mate"]
				if mate == "" && strings.HasPrefix(ref, "J") && !bareWire[p.Symbol] && !strings.HasPrefix(p.Value, "Mega ") {
					t.Errorf("%s (%s) has no plug", ref, p.Value)
				}
				if mate != "" && !strings.Contains(string(bill), mate) {
					t.Errorf("the plug %s of %s is not in bom/%s.csv", mate, ref, b.name)
				}
				if ways, ok := plugWays[mate]; mate != "" && (!ok || p.Value != "RATE" && ways != pinsOf(n, ref)) {
					t.Errorf("%s has %d pins, its plug %s %d", ref, pinsOf(n, ref), mate, ways)
				}
			}
		})
	}
}

// bareWire holds the connectors that need no plug: a screw terminal, and the socket for a Pi's own pins.
var bareWire = map[string]bool{"Connector:Screw_Terminal_01x02": true, piHeader: true}

// plugWays is how many contacts a plug has, from its maker's catalogue: Harwin M20-106, Wurth WR-BHD and the shunt of
// a jumper.
var plugWays = map[string]int{"M20-1060300": 3, "M20-1060400": 4, "M20-1061000": 10, "61201023021": 10,
	"61201623021": 16, "60900213421": 2}

func pinsOf(n *netlist.Netlist, ref string) (count int) { return len(n.Parts[ref].Functions) }

// TestEveryWrongPlugIsFound exchanges two neighbouring pins of each end of each cable, one at a time.
func TestEveryWrongPlugIsFound(t *testing.T) {
	t.Parallel()
	for _, b := range boards {
		n := export(t, b.name)
		tried := 0
		for _, c := range cables.All(n) {
			ref := c.Ends[len(c.Ends)-1]
			for pin := 1; pin < c.Wires; pin++ {
				x, y := netlist.Pin{Ref: ref, Number: fmt.Sprint(pin)}, netlist.Pin{Ref: ref, Number: fmt.Sprint(pin + 1)}
				if n.Net(x) == n.Net(y) {
					continue
				}
				n.Swap(x, y)
				if len(cables.Check(n)) == 0 {
					t.Errorf("%s: %v exchanged with %v: not found", b.name, x, y)
				}
				n.Swap(x, y)
				tried++
			}
		}
		t.Logf("%s: %d exchanges tried", b.name, tried)
		if tried < 90 {
			t.Errorf("%s: only %d exchanges were tried", b.name, tried)
		}
	}
}

// A board without its connector is found: what went over it ends in mid-air.
func TestMissingConnectorIsFound(t *testing.T) {
	t.Parallel()
	for board, ref := range map[string]string{"stack": "J5303", "twin": "J5411"} {
		n := export(t, board)
		delete(n.Parts, ref)
		errs := fmt.Sprint(cables.Check(n))
		if !strings.Contains(errs, "no cable joins them") {
			t.Errorf("%s without %s: %s", board, ref, errs)
		}
	}
}
