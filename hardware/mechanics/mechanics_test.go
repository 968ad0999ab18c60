// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"boardd/sensing/scale"
	"boardd/sensing/wood"
)

// dimensions returns the constants of dimensions.scad.
func dimensions(t *testing.T) map[string]float64 {
	t.Helper()
	src, err := os.ReadFile("dimensions.scad")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]float64{}
	for _, m := range regexp.MustCompile(`(?m)^(\w+) = ([0-9.]+);`).FindAllStringSubmatch(string(src), -1) {
		v, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		found[m[1]] = v
	}
	return found
}

// constant is a number that another source of the repository has, by the words before it.
func constant(t *testing.T, file, form string) float64 {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(form).FindStringSubmatch(string(src))
	if m == nil {
		t.Fatalf("%s has nothing of the form %s", file, form)
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestDimensions: what is printed has the dimensions that sensors, magnets and printed boards count on.
func TestDimensions(t *testing.T) {
	got := dimensions(t)
	set := wood.Reference()
	above := constant(t, "sensing/heights/bank.go", `\{&o\.Above, (\d+) \* physic\.MilliMetre\}`)
	for name, want := range map[string]float64{
		"square": scale.Cell,
		"cube":   float64(set.CubeHeight) / 1000,
		"decks":  float64(set.Gap) / 1000,
		"magnet_width": 2000 * constant(t, "hardware/schematics/magnet_test.go",
			`math\.Pi \* (0\.005) \* 0\.005 \* 0\.004`),
		"magnet_height": 1000 * constant(t, "hardware/schematics/magnet_test.go", `0\.005 \* 0\.005 \* (0\.004)`),
		"wander":        1000 * constant(t, "hardware/schematics/magnet_test.go", `wander += (5e-3)`),
		"strip_width":   constant(t, "hardware/schematics/layout/strip.go", `width += (\d+)`),
		"longest":       longest,
	} {
		if math.Abs(got[name]-want) > 1e-9 {
			t.Errorf("dimensions.scad: %s is %g, want %g", name, got[name], want)
		}
	}
	if 1000*got["flat"] >= wood.Piled {
		t.Errorf("flat pieces of %g mm could be piled", got["flat"])
	}
	if inner, outer := got["cube"]+2*got["wander"], got["square"]-2*got["air"]; inner >= outer {
		t.Errorf("a tile of %g mm has no room for a rim round %g", outer, inner)
	}
	if above >= got["decks"] {
		t.Errorf("the sensors at %g mm are not below the upper deck at %g", above, got["decks"])
	}
	if 4*got["cube"] >= above {
		t.Errorf("four cubes of %g mm do not fit under sensors at %g mm", got["cube"], above)
	}
}

// TestParts: every part compiles to a closed surface of the right size, not longer than printers print. Its magnet's
// pocket and its face are cut out.
func TestParts(t *testing.T) {
	if os.Getenv("MECHANICS") != "required" {
		t.Skip("NOT TESTED: compiling takes OpenSCAD and some seconds; make mechanics does it")
	}
	dir := t.TempDir()
	volume := map[string]float64{}
	for i := range parts {
		p := &parts[i]
		m, err := p.build(".", dir)
		if err != nil {
			t.Fatal(err)
		}
		low, high := m.bounds()
		for k := range 3 {
			size := high[k] - low[k]
			if math.Abs(size-p.size[k]) > 0.01 || size > longest {
				t.Errorf("%s is %g mm along %c, want %g and at most %d", p.name, size, "xyz"[k], p.size[k], longest)
			}
		}
		if !m.closed() {
			t.Errorf("%s has a hole in its surface", p.name)
		}
		volume[p.name] = m.volume()
	}
	d := dimensions(t)
	pocket := math.Pi / 4 * math.Pow(d["magnet_width"]+d["play"], 2) * (d["magnet_height"] + d["play"])
	solid := math.Pow(d["cube"], 3)
	chamfer := solid - pocket - volume["pedestal"]
	// the bevel of four edges takes 4 * 35 * 1.5 * 1.5 / 2 = 158 mm3 at most, and what the hull leaves
	if chamfer < 50 || chamfer > 300 {
		t.Errorf("the pedestal has %g mm3: %g are missing beside the pocket of %g", volume["pedestal"], chamfer, pocket)
	}
	for _, kind := range []string{"king", "queen", "rook", "bishop", "knight", "pawn"} {
		if cut := volume["pedestal"] - volume[kind]; cut < 5*50 || cut > 5*250 {
			t.Errorf("the five faces of a %s take %g mm3, want 50 to 250 each", kind, cut)
		}
	}
}

func TestParseSTL(t *testing.T) {
	const one = "facet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
	m, err := parseSTL("solid x\n" + one + "endsolid x\n")
	if err != nil || len(*m) != 1 || m.closed() {
		t.Errorf("one facet: got %v, error %v, want one that is not closed", m, err)
	}
	for text, says := range map[string]string{
		"":                                  "no facet",
		"vertex 1 2":                        `line 1: "vertex 1 2", want a vertex of three numbers`,
		"vertex 1 2 x":                      `line 1: "x" is no number`,
		"vertex 1 2 NaN":                    `"NaN" is no number`,
		"vertex 1 2 3\nendfacet":            "line 2: a facet of 1 corners, want 3",
		strings.Repeat("vertex 1 2 3\n", 4): "line 4",
	} {
		if _, err := parseSTL(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want it to say %q", text, err, says)
		}
	}
}

func FuzzParseSTL(f *testing.F) {
	f.Add("vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendfacet\n")
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := parseSTL(text); err == nil {
			if low, high := m.bounds(); low[0] > high[0] {
				t.Errorf("bounds %v to %v", low, high)
			}
		}
	})
}
