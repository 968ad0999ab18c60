// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// part is one thing to print.
type part struct {
	name, source string
	set          []string   // what is set in the source
	size         [3]float64 // millimetres along x, y and z
	what         string     // how many a board needs
}

const longest = 200 // millimetres: what common printers print

// parts are all of them, with the sizes that they must have.
var parts = []part{
	{"king", "piece.scad", []string{`kind="king"`}, [3]float64{35, 35, 35}, "of each color 1"},
	{"queen", "piece.scad", []string{`kind="queen"`}, [3]float64{35, 35, 35}, "of each color 1, and one spare"},
	{"rook", "piece.scad", []string{`kind="rook"`}, [3]float64{35, 35, 35}, "of each color 2"},
	{"bishop", "piece.scad", []string{`kind="bishop"`}, [3]float64{35, 35, 35}, "of each color 2"},
	{"knight", "piece.scad", []string{`kind="knight"`}, [3]float64{35, 35, 35}, "of each color 2"},
	{"pawn", "piece.scad", []string{`kind="pawn"`}, [3]float64{35, 35, 35}, "of each color 8"},
	{"pedestal", "piece.scad", []string{`kind="none"`}, [3]float64{35, 35, 35}, "Flying Chess on one deck: 8"},
	{"flat-king", "piece.scad", []string{`kind="king"`, "height=6"}, [3]float64{35, 35, 6},
		"flat pieces: as above, never piled"},
	{"tile", "tile.scad", nil, [3]float64{48.5, 48.5, 4.2}, "stack board: 64"},
	{"post", "post.scad", nil, [3]float64{20, 20, 150}, "twin board: 8"},
	{"frame-side", "frame.scad", []string{`part="side"`}, [3]float64{185.75, 14, 45}, "8"},
	{"frame-corner", "frame.scad", []string{`part="corner"`}, [3]float64{29, 24, 45}, "4"},
	{"rail", "rail.scad", nil, [3]float64{200, 8, 6.6}, "twin board: 16"},
	{"clip", "rail.scad", []string{"length=20"}, [3]float64{20, 8, 6.6}, "twin board: 32"},
}

// build lets OpenSCAD make a part from the sources in a folder.
func (p *part) build(sources, dir string) (*mesh, error) {
	out := filepath.Join(dir, p.name+".stl")
	args := []string{"-o", out}
	for _, s := range p.set {
		args = append(args, "-D", s)
	}
	cmd := exec.Command("openscad", append(args, filepath.Join(sources, p.source))...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("make %s of %s: %w: %s; OpenSCAD is needed (Debian: openscad)", p.name, p.source, err, text)
	}
	src, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	m, err := parseSTL(string(src))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", out, err)
	}
	return m, nil
}
