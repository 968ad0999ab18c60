// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"boardd/hardware/schematics/netlist"
)

// gerberLayers is what a board house needs to see.
const gerberLayers = "F.Cu,In1.Cu,In2.Cu,B.Cu,F.Mask,B.Mask,F.Paste,B.Paste,F.SilkS,B.SilkS,Edge.Cuts"

// export writes Gerbers, drill files and the places of parts, counted from the board's lower left corner, without
// dates.
func export(file, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(file), ".kicad_pcb")
	for _, args := range [][]string{
		{"gerbers", "--layers", gerberLayers, "--no-protel-ext", "--use-drill-file-origin", "-o", dir + "/"},
		{"drill", "--drill-origin", "plot", "--excellon-separate-th", "-o", dir + "/"},
		{"pos", "--format", "csv", "--units", "mm", "--use-drill-file-origin", "-o", filepath.Join(dir, name+"-places.csv")},
	} {
		cmd := exec.Command("kicad-cli", append(append([]string{"pcb", "export"}, args...), file)...)
		cmd.Env = netlist.Environment()
		if msg, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("export %s of %s: %w: %s", args[0], file, err, msg)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if filepath.Ext(f) == ".gbrjob" { // a list of the others, with a date
			err = os.Remove(f)
		} else {
			err = removeDates(f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Sums returns the SHA-256 of a board's layout and of all files made from it, in the form of sha256sum. It shows
// without KiCad whether one of them was changed by hand or not made again.
func Sums(name, dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "gerbers", "*"))
	if err != nil {
		return "", err
	}
	var s strings.Builder
	for _, f := range append([]string{filepath.Join(dir, name+".kicad_pcb")}, files...) {
		src, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		rel, err := filepath.Rel(dir, f)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&s, "%x  %s\n", sha256.Sum256(src), filepath.ToSlash(rel))
	}
	return s.String(), nil
}

// removeDates removes the lines that tell when, and by which patch level of KiCad, a file was made. So the same layout
// makes the same files.
func removeDates(file string) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var keep strings.Builder
	for line := range strings.Lines(string(src)) {
		if !strings.Contains(line, "CreationDate") && !strings.Contains(line, "GenerationSoftware") &&
			!strings.Contains(line, "KiCad") {
			keep.WriteString(line)
		}
	}
	return os.WriteFile(file, []byte(keep.String()), 0o644)
}
