// SPDX-License-Identifier: Apache-2.0

// Package draw writes the schematics of the reference boards as KiCad 9 projects. It uses the symbols of KiCad's
// library and one of ours. Each sheet is laid out by a function of this package.
//
// Its files are committed, and builders open them. A test draws them again and compares. The tables of wires in this
// package are independent: the test that compares the netlist with drivers, configuration and firmware does not use
// them.
package draw

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Write draws all projects into a directory that has a folder for each, with symbols from KiCad's libraries in symbols
// and from ours.
func Write(dir, symbols, ours string) error {
	d := draw(newLibrary(symbols, ours))
	var errs []error
	for _, s := range d.sheets {
		errs = append(errs, s.problems...)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, s := range d.sheets {
		if err := s.write(dir); err != nil {
			return err
		}
	}
	for name := range d.roots {
		if err := writeProject(dir, name, d); err != nil {
			return err
		}
	}
	return nil
}

// boardRules holds the design rules of the layouts, which every board house can make.
const boardRules = `  "board": {
    "design_settings": {
      "rules": {
        "min_clearance": 0.2,
        "min_copper_edge_clearance": 0.4,
        "min_hole_clearance": 0.25,
        "min_hole_to_hole": 0.25,
        "min_through_hole_diameter": 0.3,
        "min_track_width": 0.2,
        "min_via_annular_width": 0.15,
        "min_via_diameter": 0.6
      }
    }
  },
`

const netRules = `  "net_settings": {
    "classes": [
      {
        "bus_width": 12,
        "clearance": 0.2,
        "line_style": 0,
        "name": "Default",
        "priority": 2147483647,
        "track_width": 0.2,
        "via_diameter": 0.6,
        "via_drill": 0.3,
        "wire_width": 6
      }
    ],
    "meta": {
      "version": 4
    }
  },
`

// LaidOut holds the projects that are one printed board each, with a layout.
var LaidOut = []string{"strip", "pi", "hub", "cells", "eyes", "nano"}

// writeProject writes what stands beside a root sheet: the project itself and its tables of libraries.
func writeProject(dir, name string, d *drawing) error {
	rules, nets := "", ""
	if slices.Contains(LaidOut, name) {
		rules, nets = boardRules, netRules
	}
	pro := fmt.Sprintf("{\n%s  \"erc\": {\n    \"erc_exclusions\": []\n  },\n  \"meta\": {\n"+
		"    \"filename\": \"%s.kicad_pro\",\n    \"version\": 3\n  },\n"+
		"%s  \"sheets\": [],\n  \"text_variables\": {}\n}\n", rules, name, nets)
	var syms, feet []string
	for _, s := range d.sheets {
		for _, p := range s.parts {
			syms = add(syms, p.symbol)
			feet = add(feet, p.footprint)
		}
	}
	files := map[string]string{
		"sym-lib-table": table("sym_lib_table", syms, func(lib string) string {
			if lib == "boardd" {
				return "${KIPRJMOD}/../lib/boardd.kicad_sym"
			}
			return "${KICAD9_SYMBOL_DIR}/" + lib + ".kicad_sym"
		}),
		"fp-lib-table": table("fp_lib_table", feet, func(lib string) string {
			if lib == "boardd" {
				return "${KIPRJMOD}/../lib/boardd.pretty"
			}
			return "${KICAD9_FOOTPRINT_DIR}/" + lib + ".pretty"
		}),
	}
	files[name+".kicad_pro"] = pro
	for f, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name, f), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// add puts the library of a thing into the list, once.
func add(list []string, thing string) []string {
	lib, _, ok := strings.Cut(thing, ":")
	if !ok || slices.Contains(list, lib) {
		return list
	}
	list = append(list, lib)
	slices.Sort(list)
	return list
}

func table(kind string, libs []string, uri func(string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "(%s\n  (version 7)\n", kind)
	for _, l := range libs {
		fmt.Fprintf(&b, "  (lib (name %q)(type \"KiCad\")(uri %q)(options \"\")(descr \"\"))\n", l, uri(l))
	}
	b.WriteString(")\n")
	return b.String()
}
