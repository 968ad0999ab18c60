// SPDX-License-Identifier: Apache-2.0

// Package netlist asks KiCad which pins a schematic joins, and answers questions about it.
package netlist

import (
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Pin is one pin of one part.
type Pin struct{ Ref, Number string }

// Part is a part of the schematic.
type Part struct {
	Ref, Value, Footprint, Symbol string
	Fields                        map[string]string
	Functions                     map[string]string // name of a pin by its number
	Path                          string            // sheet and symbol, as a layout refers to them
	Bare                          bool              // copper only: nothing to buy
}

// Netlist holds the parts and nets of a whole schematic.
type Netlist struct {
	Parts map[string]*Part
	nets  map[Pin]string
	pins  map[string][]Pin

	bySymbol map[string][]string // references in order
	byName   map[[2]string][]Pin // in order, by reference and function
}

// Environment is the environment in which kicad-cli finds the libraries that Debian installs.
func Environment() []string {
	env := os.Environ()
	for name, dir := range map[string]string{"KICAD9_SYMBOL_DIR": "/usr/share/kicad/symbols",
		"KICAD9_FOOTPRINT_DIR": "/usr/share/kicad/footprints"} {
		if os.Getenv(name) == "" {
			env = append(env, name+"="+dir)
		}
	}
	return env
}

// Export lets kicad-cli write the netlist of a schematic, and reads it.
func Export(schematic string) (*Netlist, error) {
	src, err := Write(schematic)
	if err != nil {
		return nil, err
	}
	return Parse(src)
}

// Write lets kicad-cli write the netlist of a schematic as XML.
func Write(schematic string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "netlist")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "net.xml")
	cmd := exec.Command("kicad-cli", "sch", "export", "netlist", "--format", "kicadxml", "-o", out, schematic)
	cmd.Env = Environment()
	if msg, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("export the netlist of %s: %w: %s; kicad-cli 9 is needed", schematic, err, msg)
	}
	return os.ReadFile(out)
}

// document is KiCad's XML.
type document struct {
	Components []struct {
		Ref       string `xml:"ref,attr"`
		Value     string `xml:"value"`
		Footprint string `xml:"footprint"`
		Fields    []struct {
			Name string `xml:"name,attr"`
			Text string `xml:",chardata"`
		} `xml:"fields>field"`
		Sheet struct {
			Stamps string `xml:"tstamps,attr"`
		} `xml:"sheetpath"`
		Stamp      string `xml:"tstamps"`
		Properties []struct {
			Name string `xml:"name,attr"`
		} `xml:"property"`
		Lib struct {
			Lib  string `xml:"lib,attr"`
			Part string `xml:"part,attr"`
		} `xml:"libsource"`
	} `xml:"components>comp"`
	Nets []struct {
		Name  string `xml:"name,attr"`
		Nodes []struct {
			Ref      string `xml:"ref,attr"`
			Pin      string `xml:"pin,attr"`
			Function string `xml:"pinfunction,attr"`
		} `xml:"node"`
	} `xml:"nets>net"`
}

// Parse reads KiCad's XML.
func Parse(src []byte) (*Netlist, error) {
	var d document
	if err := xml.Unmarshal(src, &d); err != nil {
		return nil, fmt.Errorf("read a netlist: %w", err)
	}
	n := &Netlist{Parts: map[string]*Part{}, nets: map[Pin]string{}, pins: map[string][]Pin{}}
	for _, c := range d.Components {
		p := &Part{Ref: c.Ref, Value: c.Value, Footprint: c.Footprint, Symbol: c.Lib.Lib + ":" + c.Lib.Part,
			Path: c.Sheet.Stamps + c.Stamp, Fields: map[string]string{}, Functions: map[string]string{}}
		for _, f := range c.Properties {
			p.Bare = p.Bare || f.Name == "exclude_from_bom"
		}
		for _, f := range c.Fields {
			p.Fields[f.Name] = f.Text
		}
		if n.Parts[c.Ref] != nil {
			return nil, fmt.Errorf("netlist: two parts are called %s", c.Ref)
		}
		n.Parts[c.Ref] = p
	}
	for _, t := range d.Nets {
		for _, node := range t.Nodes {
			p := n.Parts[node.Ref]
			if p == nil {
				return nil, fmt.Errorf("netlist: net %s names %s, which is no part", t.Name, node.Ref)
			}
			p.Functions[node.Pin] = node.Function
			n.join(Pin{node.Ref, node.Pin}, t.Name)
		}
	}
	n.index()
	return n, nil
}

// Clone returns a copy whose wires can be exchanged and whose parts can be removed. The parts themselves are shared.
func (n *Netlist) Clone() *Netlist {
	c := *n
	c.Parts, c.nets, c.pins = maps.Clone(n.Parts), maps.Clone(n.nets), maps.Clone(n.pins)
	for net, list := range c.pins {
		c.pins[net] = slices.Clip(list) // an append copies
	}
	return &c
}

func (n *Netlist) join(p Pin, net string) {
	n.nets[p] = net
	n.pins[net] = append(n.pins[net], p)
}

// Net is the net of a pin, "" when it has none.
func (n *Netlist) Net(p Pin) string { return n.nets[p] }

// Nets returns the names of all nets, in order.
func (n *Netlist) Nets() []string { return slices.Sorted(maps.Keys(n.pins)) }

// Pins returns all pins of a net.
func (n *Netlist) Pins(net string) []Pin { return n.pins[net] }

// Function is the name of a pin in the symbol.
func (n *Netlist) Function(p Pin) string {
	if part := n.Parts[p.Ref]; part != nil {
		return part.Functions[p.Number]
	}
	return ""
}

// Called returns the pins of a part that have a name, in order.
func (n *Netlist) Called(ref, function string) []Pin { return n.byName[[2]string{ref, function}] }

// Of is the pin of a part by its name, the first of several. A pin without a net is not found.
func (n *Netlist) Of(ref, function string) (Pin, bool) {
	if list := n.Called(ref, function); len(list) > 0 {
		return list[0], true
	}
	return Pin{}, false
}

// Refs returns the references of all parts with this symbol, in order.
func (n *Netlist) Refs(symbol string) []string { return n.bySymbol[symbol] }

// index sorts parts and pins for Of and Refs, which a test calls about a hundred thousand times.
func (n *Netlist) index() {
	n.bySymbol, n.byName = map[string][]string{}, map[[2]string][]Pin{}
	for ref, p := range n.Parts {
		n.bySymbol[p.Symbol] = append(n.bySymbol[p.Symbol], ref)
		for number, f := range p.Functions {
			n.byName[[2]string{ref, f}] = append(n.byName[[2]string{ref, f}], Pin{ref, number})
		}
	}
	for _, list := range n.bySymbol {
		slices.Sort(list)
	}
	for _, list := range n.byName {
		slices.SortFunc(list, func(a, b Pin) int { return strings.Compare(a.Number, b.Number) })
	}
}

// Across returns the nets at the other ends of the parts on a net that have two pins and a reference with this prefix.
// For "R" these are the nets behind its resistors.
func (n *Netlist) Across(net, prefix string) []string {
	var list []string
	for _, p := range n.pins[net] {
		if rest, ok := strings.CutPrefix(p.Ref, prefix); !ok || rest == "" || rest[0] < '0' || rest[0] > '9' {
			continue
		}
		for _, other := range []string{"1", "2"} {
			if far := n.nets[Pin{p.Ref, other}]; other != p.Number && far != "" {
				list = append(list, far)
			}
		}
	}
	return list
}

// Swap exchanges the nets of two pins, as a mistake in the wiring does.
func (n *Netlist) Swap(a, b Pin) {
	x, y := n.nets[a], n.nets[b]
	n.drop(a, x)
	n.drop(b, y)
	n.join(a, y)
	n.join(b, x)
}

func (n *Netlist) drop(p Pin, net string) {
	n.pins[net] = slices.DeleteFunc(slices.Clone(n.pins[net]), func(q Pin) bool { return p == q })
	delete(n.nets, p)
}
