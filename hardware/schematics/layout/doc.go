// SPDX-License-Identifier: Apache-2.0

// Package layout makes the printed boards from their netlists: parts placed by a table, tracks, and planes filled by
// KiCad.
//
// Every board has four layers: parts and tracks above, a plane of ground, planes of supplies, tracks below. The strip
// repeats one pattern eight times, so its tracks are constructed. Every net that runs along the strip has a lane of
// its own on the lower side. A straight track across the upper side and a via lead to it. On the other boards package
// route finds the tracks. Gerbers, drill files and places of parts are written as well. The same schematic gives the
// same files.
package layout

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"boardd/hardware/schematics/netlist"
)

// Names returns the boards that have a layout, each by the name of its project.
func Names() []string {
	names := []string{"strip"}
	for _, p := range plans {
		names = append(names, p.name)
	}
	return names
}

// Write lays out a board into a file of its name in a directory, beside its project. The files for a board house go
// into the folder gerbers.
func Write(name, dir string, lib Libraries, n *netlist.Netlist) error {
	out := filepath.Join(dir, name+".kicad_pcb")
	if err := Draw(name, out, lib, n); err != nil {
		return err
	}
	if err := fill(out); err != nil {
		return err
	}
	if err := export(out, filepath.Join(dir, "gerbers")); err != nil {
		return err
	}
	sums, err := Sums(name, dir)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "layout.sha256"), []byte(sums), 0o644)
}

// Draw lays out a board into a file, with its planes still empty.
func Draw(name, out string, lib Libraries, n *netlist.Netlist) error {
	var b *board
	if i := slices.IndexFunc(plans, func(p plan) bool { return p.name == name }); i >= 0 {
		b = newBoard(plans[i].title, plans[i].size, n, lib)
		b.lay(plans[i])
	} else {
		b = newBoard("Strip of one rank", mm{length, width}, n, lib)
		b.placeAll()
		b.route()
		b.planes()
		b.outline(b.rectangle())
		b.print()
	}
	if err := errors.Join(b.problems...); err != nil {
		return fmt.Errorf("board %s: %w", name, err)
	}
	var text strings.Builder
	b.file().Write(&text, 0)
	return os.WriteFile(out, []byte(text.String()+"\n"), 0o644)
}

// fill lets KiCad fill the planes through its scripting interface, because its command line cannot.
func fill(file string) error {
	const script = `
import sys, pcbnew
board = pcbnew.LoadBoard(sys.argv[1])
pcbnew.ZONE_FILLER(board).Fill(board.Zones())
pcbnew.SaveBoard(sys.argv[1], board, True)
`
	cmd := exec.Command("/usr/bin/python3", "-c", script, file)
	cmd.Env = netlist.Environment()
	if msg, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("fill the planes of %s: %w: %s; KiCad 9 with its Python module is needed", file, err, msg)
	}
	return nil
}
