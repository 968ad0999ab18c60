// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"periph.io/x/conn/v3/physic"

	"boardd/hardware/schematics/netlist"
	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/wires"
	"boardd/rules"
	"boardd/sensing/mcp23017"
	"boardd/sensing/reeds"
)

const fourteen = "Interface_Expansion:MCP23017_SO"

// reeds14Truth pulls each input of five MCP23017 low, one at a time, and lets the driver say which square it is.
func reeds14Truth(t *testing.T) map[rules.Square]input {
	t.Helper()
	bus := wires.New("reeds", 400*physic.KiloHertz).Untimed()
	var low input
	var list []reeds.Chip
	for k := range 5 {
		a := 0x20 + uint16(k)
		bus.Attach(a, chips.NewMCP23017(func() uint16 {
			if low.address != a {
				return 0xffff
			}
			bit := int(low.pin[3] - '0')
			if strings.HasPrefix(low.pin, "GPB") {
				bit += 8
			}
			return ^(uint16(1) << bit)
		}, wires.NewPin("int")))
		dev, err := mcp23017.New(bus, a)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, reeds.Chip{Expander: dev, Squares: reeds.Wiring14(k)})
	}
	bank, err := reeds.New(list, reeds.Opts{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[rules.Square]input{}
	for k := range 5 {
		for i := range 16 {
			low = input{0x20 + uint16(k), fmt.Sprintf("GP%c%d", 'A'+i/8, i%8)}
			bus.Changed()
			for _, r := range bank.Sweep() {
				for sq := range rules.Square(64) {
					if r.Closed.Has(sq) {
						found[sq] = low
					}
				}
			}
		}
	}
	if len(found) != 64 {
		t.Fatalf("the driver tells %d squares apart, want 64", len(found))
	}
	return found
}

// compare14 compares the drawing of a deck on MCP23017 with the driver.
func compare14(n *netlist.Netlist, want map[rules.Square]input) []error {
	c := &checker{Netlist: n}
	chips := map[uint16]string{}
	bus := map[string]string{"13": "/SDA", "12": "/SCL", "20": "/~{INT}", "18": "+3V3", "9": "+3V3", "10": "GND"}
	for _, ref := range c.Refs(fourteen) {
		a, _ := c.address(ref, 0x20)
		if chips[a] != "" {
			c.fault("%s and %s both have address 0x%02x", chips[a], ref, a)
		}
		chips[a] = ref
		for pin, net := range bus {
			c.expect(ref+": pin "+pin, c.Net(netlist.Pin{Ref: ref, Number: pin}), net)
		}
		for _, output := range []string{"GPA7", "GPB7"} {
			if net := c.at(ref, output); !strings.HasPrefix(net, "unconnected") {
				c.fault("%s: %s is an output and is on net %q", ref, output, net)
			}
		}
	}
	for sq, in := range want {
		net := ""
		if ref := chips[in.address]; ref != "" {
			net = c.at(ref, in.pin)
		}
		if got, reed := c.switchBehind(net), fmt.Sprintf("SW%d", number(place{square: sq})); got != reed {
			c.fault("%v: input %s of the expander 0x%02x leads to %q, want %s", sq, in.pin, in.address, got, reed)
		}
		ribbon := netlist.Pin{Ref: fmt.Sprintf("J%d", 6001+sq.Rank()), Number: fmt.Sprint(2 + sq.File())}
		strip := netlist.Pin{Ref: fmt.Sprintf("J%d02", sq.Rank()+1), Number: ribbon.Number}
		if !slices.Contains(c.Pins(net), ribbon) || !slices.Contains(c.Pins(net), strip) {
			c.fault("%v: its ribbon does not join %v with %v", sq, strip, ribbon)
		}
	}
	return c.errs
}

func TestFourteenInputs(t *testing.T) {
	t.Parallel()
	n, want := export(t, "reeds14"), reeds14Truth(t)
	for _, err := range compare14(n, want) {
		t.Error(err)
	}
	tried := 0
	for _, ref := range n.Refs(fourteen) {
		for pin := 1; pin < 28; pin++ {
			a, b := netlist.Pin{Ref: ref, Number: fmt.Sprint(pin)}, netlist.Pin{Ref: ref, Number: fmt.Sprint(pin + 1)}
			open := func(p netlist.Pin) bool { return strings.HasPrefix(n.Net(p), "unconnected") || n.Net(p) == "" }
			if n.Net(a) == n.Net(b) || open(a) && open(b) || n.Function(a) == "NC" || n.Function(b) == "NC" ||
				n.Function(a) == "INTB" || n.Function(b) == "INTB" {
				continue
			}
			n.Swap(a, b)
			if tried++; len(compare14(n, want)) == 0 {
				t.Errorf("%v exchanged with %v: not found", a, b)
			}
			n.Swap(a, b)
		}
	}
	t.Logf("%d exchanges of two wires, all found", tried)
	if tried < 80 {
		t.Errorf("only %d exchanges were tried", tried)
	}
}
