// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"boardd/hardware/schematics/bill"
	"boardd/hardware/schematics/draw"
	"boardd/hardware/schematics/netlist"
	"boardd/rules"
	"boardd/sensing"
)

// projects holds the projects that are drawn and counted, a directory each.
var projects = bill.Projects

// whole is a project of a whole board.
type whole struct {
	name  string
	decks int
	scale bool // four load cells under all of it
	slips int  // the least number of exchanges of two wires
}

var boards = []whole{{"stack", 1, false, 250}, {"twin", 2, false, 250}, {"scale", 1, true, 200}}

func boardNamed(name string) whole {
	return boards[slices.IndexFunc(boards, func(b whole) bool { return b.name == name })]
}

// truth is the board's wiring as the software has it.
func (b whole) truth(t testing.TB) *truth {
	t.Helper()
	w := truthOf(t, b.decks)
	if b.scale {
		var err error
		if w.corners, w.clock, err = cornersTruth(nanoSource(t)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func schematic(board string) string { return filepath.Join(board, board+".kicad_sch") }

// export is a copy of a board's netlist that the test may change.
func export(t *testing.T, board string) *netlist.Netlist {
	t.Helper()
	kicad(t)
	n, err := exported[board]()
	if err != nil {
		t.Fatal(err)
	}
	return n.Clone()
}

// exported lets KiCad write a board's netlist, once for all tests.
var exported = func() map[string]func() (*netlist.Netlist, error) {
	once := map[string]func() (*netlist.Netlist, error){}
	for _, p := range projects {
		once[p] = sync.OnceValues(func() (*netlist.Netlist, error) { return netlist.Export(schematic(p)) })
	}
	return once
}()

func TestDrawingsAreThoseOfTheProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kicad(t)
	for _, b := range projects {
		if err := os.MkdirAll(filepath.Join(dir, b), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := draw.Write(dir, "/usr/share/kicad/symbols", "lib"); err != nil {
		t.Fatal(err)
	}
	drawn, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(drawn) < 15 {
		t.Fatalf("%d files were drawn, error %v", len(drawn), err)
	}
	for _, f := range drawn {
		rel, _ := filepath.Rel(dir, f)
		want, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(rel); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what the program draws: run go run ./hardware/schematics draw", rel)
		}
	}
}

func TestElectricalRules(t *testing.T) {
	t.Parallel()
	kicad(t)
	for _, board := range checked(projects, "stack") {
		t.Run(board, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "erc.json")
			cmd := exec.Command("kicad-cli", "sch", "erc", "--severity-all", "--severity-exclusions", "--format", "json", "-o",
				out, schematic(board))
			cmd.Env = netlist.Environment()
			if msg, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, msg)
			}
			src, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			var report struct {
				Sheets []struct {
					Path       string
					Violations []struct {
						Type, Description string
						Items             []struct{ Description string }
					}
				}
			}
			if err := json.Unmarshal(src, &report); err != nil {
				t.Fatal(err)
			}
			for _, s := range report.Sheets {
				for _, v := range s.Violations {
					t.Errorf("%s: %s: %s: %v", s.Path, v.Type, v.Description, v.Items)
				}
			}
		})
	}
}

func TestWiringIsThatOfTheSoftware(t *testing.T) {
	t.Parallel()
	for _, b := range boards {
		t.Run(b.name, func(t *testing.T) {
			for _, err := range compare(export(t, b.name), b.truth(t)) {
				t.Error(err)
			}
		})
	}
}

// TestEveryWrongWireIsFound exchanges every wire that the software knows of with its neighbour, one at a time. Each
// exchange must be found and named.
func TestEveryWrongWireIsFound(t *testing.T) {
	t.Parallel()
	for _, b := range boards {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			n, w := export(t, b.name), b.truth(t)
			tried := 0
			for _, pair := range slips(n) {
				if n.Net(pair[0]) == n.Net(pair[1]) {
					continue
				}
				n.Swap(pair[0], pair[1])
				errs := compare(n, w)
				n.Swap(pair[0], pair[1])
				tried++
				if len(errs) == 0 {
					t.Errorf("%v exchanged with %v: not found", pair[0], pair[1])
				}
			}
			if errs := compare(n, w); len(errs) != 0 {
				t.Errorf("put back, the wiring is wrong: %v", errs)
			}
			t.Logf("%d exchanges of two wires, all found", tried)
			if tried < b.slips {
				t.Errorf("only %d exchanges were tried", tried)
			}
		})
	}
}

// slips are pairs of neighbouring pins that a builder may exchange.
func slips(n *netlist.Netlist) [][2]netlist.Pin {
	var list [][2]netlist.Pin
	neighbours := func(ref string, skip ...string) {
		var numbers []string
		for number, f := range n.Parts[ref].Functions {
			if !slices.Contains(skip, f) && !strings.HasPrefix(n.Net(netlist.Pin{Ref: ref, Number: number}), "unconnected") {
				numbers = append(numbers, number)
			}
		}
		slices.SortFunc(numbers, func(a, b string) int {
			return len(a)*1000 + int(a[0])*10 - len(b)*1000 - int(b[0])*10 + strings.Compare(a, b)
		})
		for i := 1; i < len(numbers); i++ {
			list = append(list, [2]netlist.Pin{{Ref: ref, Number: numbers[i-1]}, {Ref: ref, Number: numbers[i]}})
		}
	}
	for _, s := range []string{expander, multiplexer, sensor, converter} {
		for _, ref := range n.Refs(s) {
			neighbours(ref, "NC", "AREF", "~{RESET}")
		}
	}
	for ref, p := range n.Parts {
		if strings.HasPrefix(p.Value, "Mega ") || strings.HasPrefix(p.Value, "Module ") || p.Symbol == arduinoNano {
			neighbours(ref)
		}
	}
	for _, ref := range n.Refs(demux) {
		neighbours(ref, "~{LE}", "~{E1}")
	}
	for _, ref := range n.Refs(piHeader) {
		neighbours(ref, "3V3")
	}
	lights := n.Refs(light)
	for i := 1; i < len(lights); i++ {
		list = append(list, [2]netlist.Pin{{Ref: lights[i-1], Number: "4"}, {Ref: lights[i], Number: "4"}},
			[2]netlist.Pin{{Ref: lights[i-1], Number: "2"}, {Ref: lights[i], Number: "2"}})
	}
	return list
}

// TestChangesOfTheSoftwareAreFound: a change of the software that the drawings do not follow is found as well.
func TestChangesOfTheSoftwareAreFound(t *testing.T) {
	t.Parallel()
	stack, twin := export(t, "stack"), export(t, "twin")
	src := firmware(t)
	for name, edit := range map[string][2]string{
		"two ranks exchanged":      {"RANK(IN_C), RANK(IN_F)", "RANK(IN_F), RANK(IN_C)"},
		"two cells exchanged":      {"{IN_D, 3}, {IN_D, 7}", "{IN_D, 7}, {IN_D, 3}"},
		"another clock pin":        {"#define SCK_BIT 5", "#define SCK_BIT 4"},
		"another pin that chooses": {"#define A2_BIT 3", "#define A2_BIT 4"},
		"two lines that choose exchanged": {"rank & 1 ? _BV(A0_BIT) : 0) | (rank & 4 ? _BV(A2_BIT)",
			"rank & 4 ? _BV(A0_BIT) : 0) | (rank & 1 ? _BV(A2_BIT)"},
		"a port watched for another": {"WATCH(IN_K, PINK)", "WATCH(IN_K, PINL)"},
		"a port read for another":    {"&PINF, &PINK", "&PINK, &PINF"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(src, edit[0], edit[1], 1)
			if changed == src {
				t.Fatalf("the firmware no longer has %q", edit[0])
			}
			w := truthOf(t, 1)
			var err error
			if w.cells, w.clock, w.choose, err = cellsTruth(changed); err == nil && len(compare(stack, w)) == 0 {
				t.Error("not found")
			}
		})
	}
	a, b := place{sensing.Lower, 3}, place{sensing.Lower, 12}
	for name, change := range map[string]func(w *truth){
		"two reeds":             func(w *truth) { w.reeds[a], w.reeds[b] = w.reeds[b], w.reeds[a] },
		"two lights":            func(w *truth) { w.lights[3], w.lights[12] = w.lights[12], w.lights[3] },
		"the serpentine":        func(w *truth) { slices.Reverse(w.lights[8:16]) },
		"two sensors":           func(w *truth) { w.eyes[3], w.eyes[12] = w.eyes[12], w.eyes[3] },
		"another interrupt pin": func(w *truth) { w.gpio["INT"] = "GPIO27" },
		"exchanged clock keys": func(w *truth) {
			w.gpio["white button"], w.gpio["black button"] = w.gpio["black button"], w.gpio["white button"]
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := truthOf(t, 2)
			change(w)
			errs := compare(twin, w)
			if len(errs) == 0 {
				t.Fatal("not found")
			}
			if name == "two reeds" && !strings.Contains(fmt.Sprint(errs), rules.Square(3).String()) {
				t.Errorf("the square is not named: %v", errs)
			}
		})
	}
}

func TestBillsAreThoseOfTheDrawings(t *testing.T) {
	t.Parallel()
	kicad(t)
	dir := t.TempDir()
	if err := bill.Write(dir,
		func(project string) (*netlist.Netlist, error) { return export(t, project), nil }); err != nil {
		t.Fatal(err)
	}
	files := []string{"README.md", "cables.md", "reeds.csv"}
	for _, p := range projects {
		files = append(files, p+".csv")
	}
	for _, f := range files {
		want, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join("bom", f)); err != nil || string(got) != string(want) {
			t.Errorf("bom/%s is not that of the schematics: run go run ./hardware/schematics bill", f)
		}
	}
}

// TestBillsCountTheSquares: the bill counts the 64 or 128 parts that a board with one or two decks needs.
func TestBillsCountTheSquares(t *testing.T) {
	t.Parallel()
	for _, b := range []struct {
		board string
		want  map[string]int
	}{
		{"stack", map[string]int{"CT10-1530-G1": 64, "WS2812B-V5": 64, "HX711": 64, "TCA9535PWR": 4, "74HCT238D": 1}},
		{"twin", map[string]int{"CT10-1530-G1": 128, "WS2812B-V5": 128, "VL6180V1NR/1": 64, "TCA9535PWR": 8,
			"TCA9548APWR": 8}},
		{"scale", map[string]int{"CT10-1530-G1": 64, "WS2812B-V5": 64, "HX711": 0, "TCA9535PWR": 4, "A000005": 1}},
		{"strip", map[string]int{"CT10-1530-G1": 8, "WS2812B-V5": 8, "TCA9535PWR": 1}},
		{"reeds14", map[string]int{"CT10-1530-G1": 64, "MCP23017-E/SO": 5, "TCA9535PWR": 0}},
		{"apa102", map[string]int{"APA102": 64, "MF-MSMF075-2": 8}},
	} {
		got := map[string]int{}
		for _, p := range export(t, b.board).Parts {
			got[p.Fields["MPN"]]++
		}
		for mpn, n := range b.want {
			if got[mpn] != n {
				t.Errorf("%s: %d of %s, want %d", b.board, got[mpn], mpn, n)
			}
		}
	}
}
