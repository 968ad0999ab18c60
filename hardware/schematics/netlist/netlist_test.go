// SPDX-License-Identifier: Apache-2.0

package netlist_test

import (
	"reflect"
	"strings"
	"testing"

	"boardd/hardware/schematics/netlist"
)

const source = `<export><components>
<comp ref="R2"><value>10k</value><footprint>R_0603</footprint><fields><field name="LCSC">C1</field></fields>
<libsource lib="Device" part="R"/><sheetpath tstamps="/s/"/><tstamps>r2</tstamps></comp>
<comp ref="R1"><value>1k</value><libsource lib="Device" part="R"/><sheetpath tstamps="/"/><tstamps>r1</tstamps></comp>
<comp ref="TP1"><value>TP</value><property name="exclude_from_bom"/><libsource lib="x" part="TP"/><sheetpath tstamps="/"/><tstamps>t</tstamps></comp>
<comp ref="U1"><value>chip</value><libsource lib="x" part="chip"/><sheetpath tstamps="/"/><tstamps>u</tstamps></comp>
</components><nets>
<net name="GND"><node ref="R1" pin="2"/><node ref="U1" pin="10" pinfunction="GND"/><node ref="U1" pin="1" pinfunction="GND"/></net>
<net name="IN"><node ref="R1" pin="1"/><node ref="R2" pin="1"/><node ref="U1" pin="2" pinfunction="IN"/></net>
</nets></export>`

// TestParse: what a netlist says is found by net, by symbol, and by a pin's name.
func TestParse(t *testing.T) {
	n, err := netlist.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Nets(); !reflect.DeepEqual(got, []string{"GND", "IN"}) {
		t.Errorf("nets %v", got)
	}
	if got := n.Refs("Device:R"); !reflect.DeepEqual(got, []string{"R1", "R2"}) {
		t.Errorf("resistors %v, want R1 and R2", got)
	}
	if got := n.Called("U1", "GND"); !reflect.DeepEqual(got, []netlist.Pin{{"U1", "1"}, {"U1", "10"}}) {
		t.Errorf("pins called GND %v", got)
	}
	if p, ok := n.Of("U1", "IN"); !ok || n.Net(p) != "IN" || n.Function(p) != "IN" || len(n.Pins("IN")) != 3 {
		t.Errorf("IN of U1: %v %v on %q with %v", p, ok, n.Net(p), n.Pins("IN"))
	}
	if _, ok := n.Of("U1", "OUT"); ok || n.Net(netlist.Pin{Ref: "R2", Number: "2"}) != "" {
		t.Error("a pin without a net was found")
	}
	if r := n.Parts["R2"]; r.Value != "10k" || r.Fields["LCSC"] != "C1" || r.Path != "/s/r2" || r.Bare ||
		!n.Parts["TP1"].Bare {
		t.Errorf("R2 is %+v", r)
	}
}

// TestParseRefuses: a text that is no netlist, or contradicts itself, is an error.
func TestParseRefuses(t *testing.T) {
	for name, c := range map[string][2]string{
		"no XML":          {"<export", "read a netlist"},
		"a part twice":    {strings.Replace(source, `ref="R2"`, `ref="R1"`, 1), "two parts are called R1"},
		"an unknown part": {strings.Replace(source, `<node ref="R2"`, `<node ref="R9"`, 1), "names R9"},
	} {
		if _, err := netlist.Parse([]byte(c[0])); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %q in it", name, err, c[1])
		}
	}
}
