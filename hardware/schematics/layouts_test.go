// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardd/hardware/schematics/layout"
	"boardd/hardware/schematics/netlist"
)

func layoutOf(board string) string { return filepath.Join(board, board+".kicad_pcb") }

// TestDesignRules: each layout passes KiCad's design rules with every severity and nothing excluded, has nothing
// unconnected, and has the parts and nets of its schematic.
func TestDesignRules(t *testing.T) {
	t.Parallel()
	for _, board := range checked(layout.Names(), "strip") {
		t.Run(board, func(t *testing.T) {
			t.Parallel()
			for _, err := range designRules(t, layoutOf(board)) {
				t.Error(err)
			}
		})
	}
}

// checked are the boards of which KiCad is asked: one, and all with SCHEMATICS=all. A question takes seconds, and what
// it is asked of is what the programs draw, which tests without KiCad compare.
func checked(all []string, one string) []string {
	if os.Getenv("SCHEMATICS") == "all" {
		return all
	}
	return []string{one}
}

// inFull skips a test that takes long, unless every board is asked for.
func inFull(t *testing.T) {
	t.Helper()
	if os.Getenv("SCHEMATICS") != "all" {
		t.Skip("make schematics-check")
	}
}

// designRules is what KiCad finds wrong with a layout that lies beside its schematic.
func designRules(t *testing.T, file string) []error {
	t.Helper()
	kicad(t)
	out := filepath.Join(t.TempDir(), "drc.json")
	cmd := exec.Command("kicad-cli", "pcb", "drc", "--severity-all", "--severity-exclusions", "--schematic-parity",
		"--format", "json", "-o", out, file)
	cmd.Env = netlist.Environment()
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	src, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	type finding struct {
		Type, Description string
		Items             []struct{ Description string }
	}
	var report struct {
		Violations  []finding `json:"violations"`
		Unconnected []finding `json:"unconnected_items"`
		Parity      []finding `json:"schematic_parity"`
	}
	if err := json.Unmarshal(src, &report); err != nil {
		t.Fatal(err)
	}
	var errs []error
	for _, list := range [][]finding{report.Violations, report.Unconnected, report.Parity} {
		for _, v := range list {
			errs = append(errs, fmt.Errorf("%s: %s: %v", v.Type, v.Description, v.Items))
		}
	}
	return errs
}

// TestCopperIsTheSchematic: the copper joins what the schematic joins, computed from the shapes alone.
func TestCopperIsTheSchematic(t *testing.T) {
	t.Parallel()
	for _, board := range layout.Names() {
		for _, err := range same(readCopper(t, layoutOf(board)).nets(), export(t, board)) {
			t.Errorf("%s: %v", board, err)
		}
	}
}

// TestEveryMissingTrackIsFound removes every track and every via, one at a time, and each is missed.
func TestEveryMissingTrackIsFound(t *testing.T) {
	t.Parallel()
	for board, least := range map[string]int{"strip": 250, "pi": 400, "hub": 700, "cells": 400, "eyes": 400, "nano": 40} {
		t.Run(board, func(t *testing.T) {
			t.Parallel()
			c, n := readCopper(t, layoutOf(board)), export(t, board)
			tried := 0
			for i, p := range c.pieces {
				if p.what != "segment" && p.what != "via" || spare(c, board, i) {
					continue
				}
				tried++
				if len(same(c.nets(i), n)) == 0 {
					t.Errorf("%s of %s from %v to %v taken away: not found", p.what, p.net, p.a, p.b)
				}
			}
			t.Logf("%d of %d pieces of copper taken away, all missed", tried, len(c.pieces))
			if tried < least {
				t.Errorf("only %d pieces were tried", tried)
			}
		})
	}
}

// spare reports whether a piece may be missing. It is one of several vias from a plane to copper poured for a large
// current. On the strip it may also lead to the fuse or the bulk capacitor. A track of less than 0.6 mm may be spare
// too: the round ends of its neighbours, or a pad, reach over it.
func spare(c *copper, board string, i int) bool {
	p := c.pieces[i]
	if board == "strip" {
		f, b := c.parts["F101"].at, c.parts["C129"].at
		return p.what == "via" && math.Abs(p.a[0]-f[0]) < 3 || math.Hypot(p.a[0]-b[0], p.a[1]-b[1]) < 6
	}
	return p.what == "segment" && math.Hypot(p.a[0]-p.b[0], p.a[1]-p.b[1]) < 0.6 || slices.ContainsFunc(c.pieces,
		func(z piece) bool {
			return z.what == "zone" && z.net == p.net && !strings.Contains(z.layers, " In") && inside(z.edge, p.a)
		})
}

// TestEverySlipOfTheStripIsFound exchanges every two neighbouring pins of a strip's chips. The copper shows each
// exchange.
func TestEverySlipOfTheStripIsFound(t *testing.T) {
	t.Parallel()
	n, islands := export(t, "strip"), readCopper(t, layoutOf("strip")).nets()
	slipped := 0
	for _, pair := range slips(n) {
		if n.Net(pair[0]) == n.Net(pair[1]) {
			continue
		}
		n.Swap(pair[0], pair[1])
		if len(same(islands, n)) == 0 {
			t.Errorf("%v exchanged with %v: not found", pair[0], pair[1])
		}
		n.Swap(pair[0], pair[1])
		slipped++
	}
	if slipped < 20 {
		t.Errorf("only %d slips were tried", slipped)
	}
}

var libraries = layout.Libraries{KiCad: "/usr/share/kicad/footprints", Ours: "lib"}

// slowLayouts take seconds to draw; they are drawn again with SCHEMATICS=all.
var slowLayouts = []string{"hub", "eyes"}

// TestLayoutIsThatOfTheProgram: the layouts have the parts, tracks, vias, planes and edges that the program makes. The
// files for a board house were made from them.
func TestLayoutIsThatOfTheProgram(t *testing.T) {
	kicad(t)
	t.Parallel()
	for _, board := range layout.Names() {
		t.Run(board, func(t *testing.T) {
			t.Parallel()
			const again = "run go run ./hardware/schematics layout"
			if os.Getenv("SCHEMATICS") == "all" || !slices.Contains(slowLayouts, board) {
				file := filepath.Join(t.TempDir(), board+".kicad_pcb")
				if err := layout.Draw(board, file, libraries, export(t, board)); err != nil {
					t.Fatal(err)
				}
				want, got := drawn(t, file), drawn(t, layoutOf(board))
				for i := range want {
					if i >= len(got) || got[i] != want[i] {
						t.Fatalf("the program draws %s; %s", want[i], again)
					}
				}
				if len(got) != len(want) {
					t.Errorf("%d more than the program draws; %s", len(got)-len(want), again)
				}
			}
			sums, err := layout.Sums(board, board)
			if err != nil || strings.Count(sums, "\n") != 15 {
				t.Fatalf("%d files with the layout, error %v, want 15", strings.Count(sums, "\n"), err)
			}
			if kept, err := os.ReadFile(filepath.Join(board, "layout.sha256")); err != nil || string(kept) != sums {
				t.Errorf("what is in %s was not made together; %s", board, again)
			}
		})
	}
}

// drawn is what is on a board, sorted, because KiCad writes files in another order.
func drawn(t *testing.T, file string) []string {
	c := readCopper(t, file)
	var list []string
	for _, p := range c.pieces {
		if p.what == "segment" && fmt.Sprint(p.b) < fmt.Sprint(p.a) {
			p.a, p.b = p.b, p.a
		}
		list = append(list, fmt.Sprintf("%s %v %s%s from %.3f to %.3f, %.3f wide, pad %.3f turned %g, corners %.3f",
			p.what, p.pin, p.net, p.layers, p.a, p.b, 2*p.r,
			p.half, math.Mod(p.turn+360, 360), p.edge))
	}
	for ref, b := range c.parts {
		list = append(list, fmt.Sprintf("%s at %.3f turned %g, below %v", ref, b.at, math.Mod(b.turn+360, 360), b.below))
	}
	slices.Sort(list)
	return append(list, fmt.Sprintf("a board of %.3f x %.3f", c.width, c.height))
}

// TestGerbersAreThoseOfTheProgram: Gerbers, drill files and places of the strip are, byte for byte, what the program
// makes from its schematic. With SCHEMATICS=all it checks every board.
func TestGerbersAreThoseOfTheProgram(t *testing.T) {
	kicad(t)
	t.Parallel()
	for _, board := range checked(layout.Names(), "strip") {
		t.Run(board, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			rules, err := os.ReadFile(filepath.Join(board, board+".kicad_pro"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, board+".kicad_pro"), rules, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := layout.Write(board, dir, libraries, export(t, board)); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(dir, "layout.sha256"))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(filepath.Join(board, "layout.sha256")); err != nil || string(got) != string(want) {
				t.Errorf("%s is not what the program makes: run go run ./hardware/schematics layout", board)
			}
		})
	}
}
