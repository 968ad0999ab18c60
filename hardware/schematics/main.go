// SPDX-License-Identifier: Apache-2.0

// Command schematics draws the reference boards, lays out the printed boards and writes the bills of materials. Run it
// from the root of the repository after a change of draw, layout, route or bill: all of it, or what is named.
//
//	go run ./hardware/schematics [draw] [layout] [bill]
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"boardd/hardware/schematics/bill"
	"boardd/hardware/schematics/draw"
	"boardd/hardware/schematics/layout"
	"boardd/hardware/schematics/netlist"
)

const (
	here    = "hardware/schematics"
	symbols = "/usr/share/kicad/symbols" // of KiCad itself, as Debian installs them
)

// libraries are the footprints of KiCad and ours.
var libraries = layout.Libraries{KiCad: "/usr/share/kicad/footprints", Ours: filepath.Join(here, "lib")}

// steps is what can be made, in an order in which each step needs only earlier ones.
var steps = []struct {
	name string
	run  func() error
}{
	{"draw", func() error { return draw.Write(here, symbols, filepath.Join(here, "lib")) }},
	{"layout", func() error {
		for _, name := range layout.Names() {
			n, err := of(name)
			if err != nil {
				return err
			}
			if err := layout.Write(name, filepath.Join(here, name), libraries, n); err != nil {
				return err
			}
		}
		return nil
	}},
	{"bill", func() error { return bill.Write(filepath.Join(here, "bom"), of) }},
}

// of is the netlist of a project.
func of(project string) (*netlist.Netlist, error) {
	return netlist.Export(filepath.Join(here, project, project+".kicad_sch"))
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "schematics:", err)
		os.Exit(1)
	}
}

func run(wanted []string) error {
	var names []string
	for _, s := range steps {
		names = append(names, s.name)
	}
	for _, w := range wanted {
		if !slices.Contains(names, w) {
			return fmt.Errorf("%q: want one of %s, or nothing for all", w, strings.Join(names, ", "))
		}
	}
	for _, s := range steps {
		if len(wanted) > 0 && !slices.Contains(wanted, s.name) {
			continue
		}
		if err := s.run(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}
