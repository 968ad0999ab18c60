// SPDX-License-Identifier: Apache-2.0

// Package bill writes the bills of materials from the netlists of the schematics. It writes a table for each project,
// cables.md with every cable and its pins, and README.md with what a board costs.
//
// Makers, numbers and prices are fields of the parts, so what is drawn and what is bought cannot differ. Things that
// are bought and not drawn, such as cells, magnets, Pi and wood, are listed in extras.go.
package bill

import (
	"os"
	"path/filepath"
	"strings"

	"boardd/hardware/schematics/cables"
	"boardd/hardware/schematics/netlist"
)

// Projects holds the projects that have a bill, in the order of the summary.
var Projects = []string{"stack", "twin", "scale", "strip", "pi", "hub", "cells", "eyes", "nano", "reeds14", "apa102"}

// Write writes the bills of all projects into a directory. of returns the netlist of a project.
func Write(dir string, of func(project string) (*netlist.Netlist, error)) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var boards []board
	weighing := map[string]board{}
	joined := "# Cables\n\nWritten by `go run ./hardware/schematics bill` from the connectors of the schematics; do " +
		"not edit. Every cable joins\n" +
		"the same pin of both ends. Pin 1 has the square pad.\n\n"
	for _, name := range Projects {
		n, err := of(name)
		if err != nil {
			return err
		}
		b, err := count(name, n)
		if err != nil {
			return err
		}
		boards = append(boards, b)
		if weighs, without := split(n); name == "stack" || name == "scale" {
			if weighing[name], err = count(name, weighs); err != nil {
				return err
			}
			if name == "scale" { // without its scale it is the board with reeds only
				reeds, err := count("reeds", without)
				if err != nil {
					return err
				}
				boards = append(boards, reeds)
			}
		}
		if name == "stack" || name == "twin" || name == "scale" {
			joined += cables.Table(name, n)
		}
	}
	for _, b := range boards {
		if err := os.WriteFile(filepath.Join(dir, b.name+".csv"), []byte(b.csv()), 0o644); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "cables.md"), []byte(strings.TrimRight(joined, "\n")+"\n"),
		0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "README.md"), []byte(summary(boards, weighing)), 0o644)
}

// split divides a board into the parts for weighing, that is the hub and the cells, and the others.
func split(n *netlist.Netlist) (weighs, without *netlist.Netlist) {
	weighs, without = n.Clone(), n.Clone()
	for ref := range n.Parts {
		if b := cables.Board(ref); b == "hub" || strings.HasPrefix(b, "cells ") {
			delete(without.Parts, ref)
		} else {
			delete(weighs.Parts, ref)
		}
	}
	return weighs, without
}
