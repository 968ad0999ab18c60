// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"fmt"
	"slices"
	"testing"

	"boardd/config"
	"boardd/hardware/schematics/netlist"
)

const clocked = "LED:APA102"

// compareAPA102 follows data and clock from the plug on the Pi's sheet through all lights, and compares their order
// with that of the software.
func compareAPA102(n *netlist.Netlist, order []place) []error {
	c := &checker{Netlist: n}
	plug := c.jack("APA102 of the Pi")
	for pin, net := range map[string]string{"1": "+5VL", "4": "GND"} {
		c.expect(plug+": pin "+pin, c.Net(netlist.Pin{Ref: plug, Number: pin}), net)
	}
	data, clock := c.Net(netlist.Pin{Ref: plug, Number: "3"}), c.Net(netlist.Pin{Ref: plug, Number: "2"})
	for _, p := range order {
		d := fmt.Sprintf("D%d", number(p))
		c.expect(fmt.Sprintf("%v: data", p), c.at(d, "DI"), data)
		c.expect(fmt.Sprintf("%v: clock", p), c.at(d, "CI"), clock)
		c.expect(fmt.Sprintf("%v: ground", p), c.at(d, "GND"), "GND")
		v5 := c.at(d, "VCC")
		if !slices.Contains(c.Across(v5, "F"), "+5VL") || !slices.Contains(c.Across(v5, "C"), "GND") {
			c.fault("%v: its supply %s has no fuse to +5VL, or no capacitor", p, v5)
		}
		data, clock = c.at(d, "DO"), c.at(d, "CO")
	}
	for _, net := range []string{data, clock} {
		for _, q := range c.Pins(net) {
			if f := c.Function(q); f == "DI" || f == "CI" {
				c.fault("the chain goes on behind the last light, to %v", q)
			}
		}
	}
	return c.errs
}

func TestLightsWithAClock(t *testing.T) {
	t.Parallel()
	n := export(t, "apa102")
	settings, err := config.Load("../../config/samples/apa102.yaml")
	if err != nil {
		t.Fatal(err)
	}
	order := lightsTruth(t, 1, settings)
	for _, err := range compareAPA102(n, order) {
		t.Error(err)
	}
	wrong := slices.Clone(order)
	slices.Reverse(wrong[8:16])
	if len(compareAPA102(n, wrong)) == 0 {
		t.Error("a second rank that runs the other way is not found")
	}
	tried := 0
	for _, ref := range n.Refs(clocked) {
		for pin := 1; pin < 6; pin++ {
			a, b := netlist.Pin{Ref: ref, Number: fmt.Sprint(pin)}, netlist.Pin{Ref: ref, Number: fmt.Sprint(pin + 1)}
			n.Swap(a, b)
			// nothing is connected to the output of the last light
			if tried++; len(compareAPA102(n, order)) == 0 && ref != fmt.Sprintf("D%d", number(order[63])) {
				t.Errorf("%v exchanged with %v: not found", a, b)
			}
			n.Swap(a, b)
		}
	}
	t.Logf("%d exchanges of two wires tried", tried)
}
