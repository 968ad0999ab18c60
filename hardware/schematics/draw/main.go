// SPDX-License-Identifier: Apache-2.0

// Command draw writes the schematics of the reference boards as KiCad 9 projects: from the symbols of KiCad's own library and
// one of ours, sheet by sheet as the functions of this package lay them out. Run it from the root of the repository after a change:
//
//	go run ./hardware/schematics/draw
//
// What it writes is committed, and is what a builder opens; a test draws again and compares. The tables of wires in here stand for
// themselves: the test that holds the netlist against drivers, configuration and firmware shares nothing with them.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	dir := flag.String("o", "hardware/schematics", "where to write")
	symbols := flag.String("symbols", "/usr/share/kicad/symbols", "KiCad's symbol libraries")
	flag.Parse()
	if err := run(*dir, *symbols); err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

func run(dir, symbols string) error {
	d := draw(newLibrary(symbols, "hardware/schematics/lib", "../lib"))
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
