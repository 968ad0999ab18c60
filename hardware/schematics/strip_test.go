// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"boardd/hardware/schematics/netlist"
	"boardd/rules"
	"boardd/sensing"
)

const stripFile = "strip/strip.kicad_pcb"

// TestDesignRulesFind: KiCad finds a net of another name, a missing track, and a part in another place. Otherwise its
// silence would prove nothing.
func TestDesignRulesFind(t *testing.T) {
	t.Parallel()
	inFull(t)
	src, err := os.ReadFile(stripFile)
	if err != nil {
		t.Fatal(err)
	}
	wrong := string(src)
	first := wrong[strings.Index(wrong, "\n\t(segment\n"):]
	first = first[:strings.Index(first, "\n\t)")+3]
	for _, edit := range [][2]string{{first, ""}, {`"/REED_C")`, `"/REED_D")`}, {"(at 35 72.5 90)", "(at 35 74.5 90)"}} {
		if !strings.Contains(wrong, edit[0]) {
			t.Fatalf("the layout has no %q", edit[0])
		}
		wrong = strings.Replace(wrong, edit[0], edit[1], 1)
	}
	dir := t.TempDir()
	for _, d := range []string{"sheets", "lib"} {
		whole, err := filepath.Abs(d)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(whole, filepath.Join(dir, d)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(dir, "strip"), os.DirFS("strip")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, stripFile)
	if err := os.WriteFile(file, []byte(wrong), 0o644); err != nil {
		t.Fatal(err)
	}
	found := fmt.Sprint(designRules(t, file))
	for _, kind := range []string{"unconnected_items", "net_conflict", "copper_edge_clearance"} {
		if !strings.Contains(found, kind) {
			t.Errorf("no %s is found: %s", kind, found)
		}
	}
}

// TestEveryLaneThatIsLeftIsFound: a track along the strip that lies on its neighbour's lane joins wrong nets, or
// reaches nothing.
func TestEveryLaneThatIsLeftIsFound(t *testing.T) {
	t.Parallel()
	c, n := readCopper(t, stripFile), export(t, "strip")
	const pitch = 0.65
	tried := 0
	for i, p := range c.pieces {
		if p.what != "segment" || p.a[1] != p.b[1] || math.Abs(p.a[0]-p.b[0]) < 5 {
			continue
		}
		for _, by := range []float64{-pitch, pitch} {
			c.shift(i, by)
			if tried++; len(same(c.nets(), n)) == 0 {
				t.Errorf("%s of %s from %v to %v shifted by %g: not found", p.what, p.net, p.a, p.b, by)
			}
			c.shift(i, -by)
		}
	}
	for _, err := range same(c.nets(), n) {
		t.Errorf("put back: %v", err)
	}
	t.Logf("%d tracks shifted, all found", tried)
	if tried < 40 {
		t.Errorf("only %d tracks were tried", tried)
	}
}

// TestStripsMate: two strips are joined by the bus, and by a ribbon. It leads from J102 of the upper one to J2004 of
// the lower one, pin for pin. Every reed reaches the input at which the driver looks for its square, and the lights
// are in the order that the software expects.
func TestStripsMate(t *testing.T) {
	t.Parallel()
	n := export(t, "strip")
	islands := readCopper(t, stripFile).nets()
	at := func(ref, number string) int { return islands[netlist.Pin{Ref: ref, Number: number}] }
	input := func(port string) int {
		p, ok := n.Of("U2001", port)
		if !ok {
			t.Fatalf("the expander has no pin %s", port)
		}
		return islands[p]
	}
	w := truthOf(t, 1)
	for file := range 8 {
		contact := fmt.Sprintf("R%d", 111+file)
		if at(contact, "2") != at(fmt.Sprintf("SW%d", 101+file), "2") {
			t.Errorf("%s does not lead to its reed", contact)
		}
		own := w.reeds[place{sensing.Lower, rules.Square(file)}]
		if at(contact, "1") != input(own.pin) {
			t.Errorf("the reed of file %c does not reach %s", 'a'+file, own.pin)
		}
		next := w.reeds[place{sensing.Lower, rules.Square(8 + file)}]
		pin := ""
		for k := 1; k <= 10; k++ {
			if at("J102", fmt.Sprint(k)) == at(contact, "1") {
				pin = fmt.Sprint(k)
			}
		}
		if pin == "" || at("J2004", pin) != input(next.pin) {
			t.Errorf("the reed of file %c leaves by pin %q of J102, which does not reach %s by J2004", 'a'+file, pin, next.pin)
		}
	}
	for i, p := range w.lights[:8] {
		if p.square.File() != i {
			t.Fatalf("the software has light %d over %v", i, p)
		}
		before := at("R121", "2")
		if i > 0 {
			before = at(fmt.Sprintf("D%d", 100+i), "2")
		}
		if at(fmt.Sprintf("D%d", 101+i), "4") != before {
			t.Errorf("the light of file %c does not follow the one before", 'a'+i)
		}
	}
	if at("J101", "9") != at("R121", "1") || at("J101", "10") != at("D108", "2") {
		t.Error("the lights' data does not come by pin 9 of J101 and leave by pin 10")
	}
}

// TestStripPlaces: reeds, lights, holes and connectors are where the building guide and the magnet need them.
func TestStripPlaces(t *testing.T) {
	t.Parallel()
	c := readCopper(t, stripFile)
	if c.width != 400 || c.height != 22 {
		t.Errorf("the strip is %g x %g mm, want 400 x 22", c.width, c.height)
	}
	near := func(what string, got body, x, y float64) {
		if math.Abs(got.at[0]-x) > 1e-6 || math.Abs(got.at[1]-y) > 1e-6 || got.below {
			t.Errorf("%s is at %v, below: %v, want %g %g above", what, got.at, got.below, x, y)
		}
	}
	const middle = 24.5 // of the rank, from the edge towards rank 8 (README.md, 4)
	for file := range 8 {
		x := 25 + 1e3*square*float64(file)
		sw := fmt.Sprintf("SW%d", 101+file)
		near(sw, c.parts[sw], x, middle-1e3*off)
		if turn := math.Mod(c.parts[sw].turn, 180); turn != 90 {
			t.Errorf("%s lies at %g degrees, want along the file", sw, turn)
		}
		d := fmt.Sprintf("D%d", 101+file)
		near(d, c.parts[d], x+18.5, middle-21)
	}
	for i, x := range []float64{8, 100, 250, 350} {
		near(fmt.Sprintf("H%d", i+1), c.parts[fmt.Sprintf("H%d", i+1)], x, 18.5)
	}
	for ref, p := range c.parts {
		if high := strings.HasPrefix(ref, "J") && !strings.HasPrefix(ref, "JP") || ref == "C129"; high != p.below {
			t.Errorf("%s is below: %v; what is higher than 5 mm must be, and nothing else", ref, p.below)
		}
		if !p.below && !strings.HasPrefix(ref, "H") {
			continue
		}
		for file := range 8 { // 6 mm to either side of a file's centre lies its load cell
			x := 25 + 1e3*square*float64(file)
			if p.pads[0][0] < x+6 && p.pads[1][0] > x-6 {
				t.Errorf("%s is over the load cell of file %c", ref, 'a'+file)
			}
		}
	}
	// A ribbon runs straight: both rows of pins on one line, with pin 1 at the same end.
	out, in := c.parts["J102"], c.parts["J2004"]
	if out.turn != in.turn || out.at[1] != in.at[1] {
		t.Errorf("J102 is turned by %g at %v, J2004 by %g at %v: want alike", out.turn, out.at, in.turn, in.at)
	}
}

// kicad skips a test if KiCad is missing.
func kicad(t *testing.T) { t.Helper(); needs(t, "kicad-cli") }

// needs skips a test if a program is missing, unless all must be there, as in make check.
func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err == nil {
		return
	}
	const what = "NOT TESTED: %s is not installed; make schematics-check installs it"
	if os.Getenv("SCHEMATICS") != "" {
		t.Fatalf(what, program)
	}
	t.Skipf(what, program)
}
