// SPDX-License-Identifier: Apache-2.0

// Command bill writes the bills of materials from the schematics: bom/stack.csv, bom/twin.csv, bom/strip.csv, bom/reeds14.csv, bom/apa102.csv, bom/cables.md with every cable and
// its pins, and bom/README.md with what a board costs. Run it from the root of the repository after a change:
//
//	go run ./hardware/schematics/bill
//
// Makers, numbers and prices are fields of the parts, so what is drawn and what is bought cannot differ. What is bought and not
// drawn, cells, magnets, Pi and wood, is the list in extras.go.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"boardd/hardware/schematics/cables"
	"boardd/hardware/schematics/netlist"
)

func main() {
	dir := flag.String("o", "hardware/schematics/bom", "where to write")
	from := flag.String("from", "hardware/schematics", "where the schematics are")
	flag.Parse()
	if err := run(*from, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "bill:", err)
		os.Exit(1)
	}
}

func run(from, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var boards []board
	joined := "# Cables\n\nWritten by `go run ./hardware/schematics/bill` from the connectors of the schematics; do not edit. Every cable joins\n" +
		"the same pin of both ends. Pin 1 has the square pad.\n\n"
	for _, name := range []string{"stack", "twin", "strip", "reeds14", "apa102"} {
		n, err := netlist.Export(filepath.Join(from, name, name+".kicad_sch"))
		if err != nil {
			return err
		}
		b, err := count(name, n)
		if err != nil {
			return err
		}
		boards = append(boards, b)
		if name == "stack" || name == "twin" {
			joined += cables.Table(name, n)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".csv"), []byte(b.csv()), 0o644); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "cables.md"), []byte(strings.TrimRight(joined, "\n")+"\n"), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "README.md"), []byte(summary(boards)), 0o644)
}
