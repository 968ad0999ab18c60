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

// Each layout passes KiCad's design rules with every severity and nothing excluded, has nothing unconnected, and has the parts and nets of
// its schematic.
func TestDesignRules(t *testing.T) {
	t.Parallel()
	for _, board := range layout.Names() {
		t.Run(board, func(t *testing.T) {
			t.Parallel()
			for _, err := range designRules(t, layoutOf(board)) {
				t.Error(err)
			}
		})
	}
}

// designRules is what KiCad finds wrong with a layout that lies beside its schematic.
func designRules(t *testing.T, file string) []error {
	t.Helper()
	kicad(t)
	out := filepath.Join(t.TempDir(), "drc.json")
	cmd := exec.Command("kicad-cli", "pcb", "drc", "--severity-all", "--severity-exclusions", "--schematic-parity", "--format", "json", "-o", out, file)
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

// The copper joins what the schematic joins, reckoned from the shapes alone.
func TestCopperIsTheSchematic(t *testing.T) {
	t.Parallel()
	for _, board := range layout.Names() {
		for _, err := range same(readCopper(t, layoutOf(board)).nets(), export(t, board)) {
			t.Errorf("%s: %v", board, err)
		}
	}
}

// Every track and every via, taken away one at a time, is missed.
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

// spare reports whether a piece may be missing: one of several vias from a plane to copper poured for a large current and, on the strip,
// to the fuse or the bulk capacitor. A track of less than 0.6 mm may be spare too: the round ends of its neighbours, or a pad, reach over it.
func spare(c *copper, board string, i int) bool {
	p := c.pieces[i]
	if board == "strip" {
		f, b := c.parts["F101"].at, c.parts["C129"].at
		return p.what == "via" && math.Abs(p.a[0]-f[0]) < 3 || math.Hypot(p.a[0]-b[0], p.a[1]-b[1]) < 6
	}
	return p.what == "segment" && math.Hypot(p.a[0]-p.b[0], p.a[1]-p.b[1]) < 0.6 || slices.ContainsFunc(c.pieces, func(z piece) bool {
		return z.what == "zone" && z.net == p.net && !strings.Contains(z.layers, " In") && inside(z.edge, p.a)
	})
}

// Every two neighbouring pins of a strip's chips exchanged are found by its copper.
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

// Layouts, Gerbers, drill files and places are what the program makes of the schematics.
func TestLayoutIsThatOfTheProgram(t *testing.T) {
	kicad(t)
	t.Parallel()
	for _, board := range layout.Names() {
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
			libraries := layout.Libraries{KiCad: "/usr/share/kicad/footprints", Ours: "lib"}
			if err := layout.Write(board, dir, libraries, export(t, board)); err != nil {
				t.Fatal(err)
			}
			made, err := filepath.Glob(filepath.Join(dir, "gerbers", "*"))
			if err != nil || len(made) != 14 {
				t.Fatalf("%d files for the board house, error %v, want 14", len(made), err)
			}
			for _, f := range append(made, filepath.Join(dir, board+".kicad_pcb")) {
				rel, _ := filepath.Rel(dir, f)
				want, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := os.ReadFile(filepath.Join(board, rel)); err != nil || string(got) != string(want) {
					t.Errorf("%s/%s is not what the program makes: run go run ./hardware/schematics layout", board, rel)
				}
			}
		})
	}
}
