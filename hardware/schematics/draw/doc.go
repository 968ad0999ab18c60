// SPDX-License-Identifier: Apache-2.0

// Package draw writes the schematics of the reference boards as KiCad 9 projects: from the symbols of KiCad's own library and
// one of ours, sheet by sheet as the functions of this package lay them out.
//
// What it writes is committed, and is what a builder opens; a test draws again and compares. The tables of wires in here stand for
// themselves: the test that holds the netlist against drivers, configuration and firmware shares nothing with them.
package draw

import "errors"

// Write draws all projects into a directory that has a folder for each, with symbols from KiCad's libraries in symbols and from ours.
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
