// SPDX-License-Identifier: Apache-2.0

// Package layout makes the printed board of a rank's strip from its netlist: parts by a table, tracks by construction, planes filled by
// KiCad.
//
// Nothing is searched for: every net that runs along the strip has a lane of its own on the lower side, and reaches it from above by
// a track straight across and a via. Ground and supplies are planes between. Gerbers, drill files and places of parts come with it. The same
// schematic gives the same files.
package layout

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"boardd/hardware/schematics/netlist"
)

// Write lays the strip out into a file beside strip.kicad_pro, with what a board house wants in gerbers.
func Write(out, footprints string, n *netlist.Netlist) error {
	b := newBoard(n, footprints)
	b.placeAll()
	b.route()
	b.planes()
	b.outline()
	b.print()
	if err := errors.Join(b.problems...); err != nil {
		return err
	}
	var text strings.Builder
	b.file().Write(&text, 0)
	if err := os.WriteFile(out, []byte(text.String()+"\n"), 0o644); err != nil {
		return err
	}
	if err := fill(out); err != nil {
		return err
	}
	return export(out, filepath.Join(filepath.Dir(out), "gerbers"))
}

// fill lets KiCad's own filler pour the planes, which its command line cannot do.
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
