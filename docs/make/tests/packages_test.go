// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLanes: what starts goroutines, itself or by what it needs, is raced; what starts none is not.
func TestLanes(t *testing.T) {
	files := map[string]string{
		"quiet":   "package p\n\nfunc F() int { return 1 }\n",
		"goes":    "package p\n\nfunc F() { go func() {}() }\n",
		"shares":  "package p\n\nimport \"sync\"\n\nvar _ sync.Mutex\n",
		"group":   "package p\n\nfunc F(g interface{ Go(func()) }) { g.Go(func() {}) }\n",
		"virtual": "package p\n\nimport _ \"testing/synctest\"\n",
	}
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name+".go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]*pkg{}
	add := func(name, code, test string, imports ...string) {
		p := &pkg{ImportPath: name, Dir: dir, GoFiles: []string{code + ".go"}, TestGoFiles: []string{test + ".go"},
			Imports: imports}
		if err := p.look(); err != nil {
			t.Fatal(err)
		}
		all[name] = p
	}
	add("boardd/pure", "quiet", "quiet")
	add("boardd/worker", "goes", "quiet")
	add("boardd/lock", "shares", "quiet")
	add("boardd/above", "quiet", "quiet", "fmt", "boardd/middle")
	add("boardd/middle", "quiet", "quiet", "boardd/worker")
	add("boardd/tested", "quiet", "group")
	add("boardd/timed", "quiet", "virtual")
	add("boardd/sync/mirror", "quiet", "quiet")
	want := map[string]string{"boardd/pure": "pure", "boardd/worker": "race", "boardd/lock": "race",
		"boardd/above": "race", "boardd/middle": "race",
		"boardd/tested": "race", "boardd/timed": "virtual time", "boardd/sync/mirror": "waits"}
	for _, l := range sorted(all, all) {
		if l.name == raceAgain {
			if !slices.Equal(l.packages, []string{"boardd/sync/mirror"}) || !slices.Contains(l.flags, "-race") {
				t.Errorf("race again: %v of %v, want boardd/sync/mirror under the detector", l.flags, l.packages)
			}
			continue
		}
		if raced := slices.Contains(l.flags, "-race"); raced != (l.name == "race" || l.name == "virtual time") {
			t.Errorf("%s: under the detector is %v", l.name, raced)
		}
		for _, p := range l.packages {
			if want[p] != l.name {
				t.Errorf("%s is tested in the lane %q, want %q", p, l.name, want[p])
			}
			delete(want, p)
		}
	}
	for p := range want {
		t.Errorf("%s is not tested", p)
	}
}

// TestRacedTestsExist: each test that is to run under the detector as well is one of a waiting package, and each of
// these packages has some.
func TestRacedTestsExist(t *testing.T) {
	t.Chdir("../../..")
	count := map[string]int{} // by test or package
	for _, name := range waiting {
		dir := strings.TrimPrefix(name, "boardd/")
		files, err := filepath.Glob(dir + "/*_test.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, test := range raced {
				if strings.Contains(string(text), "\nfunc "+test+"(") {
					count[test]++
					count[name]++
				}
			}
		}
	}
	for _, name := range slices.Concat(raced, waiting) {
		if count[name] == 0 {
			t.Errorf("%s: no such test runs under the detector", name)
		}
	}
}

// TestTable: what failed is printed with what it said, and what took longest stands first.
func TestTable(t *testing.T) {
	var out bytes.Buffer
	r := newResults(&out)
	for _, e := range []event{
		{Action: "output", Package: "boardd/a", Test: "TestOne", Output: "it burns\n"},
		{Action: "fail", Package: "boardd/a", Test: "TestOne", Elapsed: 1},
		{Action: "fail", Package: "boardd/a", Elapsed: 2},
		{Action: "output", Package: "boardd/b", Test: "TestTwo", Output: "silence\n"},
		{Action: "pass", Package: "boardd/b", Test: "TestTwo", Elapsed: 7},
		{Action: "pass", Package: "boardd/b", Elapsed: 8},
		{Action: "output", Package: "boardd/c", Test: "TestLong", Output: "panic: test timed out after 13m0s\n"},
		{Action: "output", Package: "boardd/c", Test: "TestLong", Output: "\trunning tests:\n"},
		{Action: "output", Package: "boardd/c", Test: "TestLong", Output: "\t\tTestLong (12m50s)\n"},
		{Action: "output", Package: "boardd/c", Test: "TestLong", Output: "\n"},
		{Action: "output", Package: "boardd/c", Test: "TestLong", Output: "goroutine 1 [running]:\n"},
	} {
		r.take(&lane{name: "race"}, &e)
	}
	r.table(10, 0)
	got := out.String()
	if len(r.fell) != 1 || r.broken != 1 || !strings.Contains(got, "it burns") || strings.Contains(got, "silence") {
		t.Errorf("%d tests and %d other things failed:\n%s", len(r.fell), r.broken, got)
	}
	if end := got[strings.Index(got, "what failed"):]; !strings.Contains(end, "boardd/a TestOne\n") ||
		!strings.Contains(end, "boardd/c TestLong (12m50s)\n") || strings.Contains(end, "goroutine 1") {
		t.Errorf("the end is\n%s", end)
	}
	if strings.Index(got, "8.0 s  race          boardd/b") > strings.Index(got, "2.0 s  race          boardd/a") ||
		!strings.Contains(got, "7.0 s  race          b TestTwo") {
		t.Errorf("the table is\n%s", got)
	}
}

// TestSkips: a test that is skipped in each of its lanes is named with what runs it. Where nothing may be skipped, one
// that nothing else runs is a failure. One that passes in another lane is not named.
func TestSkips(t *testing.T) {
	for _, strict := range []bool{false, true} {
		var out bytes.Buffer
		r := newResults(&out)
		r.strict = strict
		for _, e := range []event{
			{Action: "output", Package: "boardd/cmd/boardd", Test: "TestAxe", Output: "=== RUN   TestAxe\n"},
			{Action: "output", Package: "boardd/cmd/boardd", Test: "TestAxe",
				Output: "    a_test.go:22: axe-core is not there\n"},
			{Action: "output", Package: "boardd/cmd/boardd", Test: "TestAxe", Output: "--- SKIP: TestAxe (0.00s)\n"},
			{Action: "skip", Package: "boardd/cmd/boardd", Test: "TestAxe"},
			{Action: "skip", Package: "boardd/cmd/boardd", Test: "TestFrameTime"},
			{Action: "output", Package: "boardd/cmd/boardd", Test: "TestView", Output: "    a_test.go:22: make soak-page\n"},
			{Action: "skip", Package: "boardd/cmd/boardd", Test: "TestView"},
			{Action: "skip", Package: "boardd/cmd/boardd", Test: "TestLooks"},
			{Action: "skip", Package: "boardd/cmd/boardd", Test: "TestWall/one"},
			{Action: "pass", Package: "boardd/cmd/boardd", Test: "TestLooks"},
			{Action: "pass", Package: "boardd/cmd/boardd"},
		} {
			r.take(&lane{name: "waits"}, &e)
		}
		r.skips()
		r.table(10, 0)
		got := out.String()
		if r.failed() != strict || strings.Contains(got, "TestAxe was skipped") != strict {
			t.Errorf("strict %v: failed %v:\n%s", strict, r.failed(), got)
		}
		for _, want := range []string{"  boardd/cmd/boardd TestAxe: axe-core is not there\n",
			"  boardd/cmd/boardd TestFrameTime: make page-report\n", "  1 tests of boardd/cmd/boardd: make soak-page\n"} {
			if !strings.Contains(got, want) {
				t.Errorf("strict %v: %q is not said:\n%s", strict, want, got)
			}
		}
		if _, list, _ := strings.Cut(got, "skipped, and"); strings.Contains(list, "TestLooks") {
			t.Errorf("strict %v: what passed is listed:\n%s", strict, list)
		}
	}
}

// TestPartsExist: what is to run the tests that skip themselves is a part of make soak, and runs that package with
// nothing left out.
func TestPartsExist(t *testing.T) {
	text, err := os.ReadFile("../../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "\nSOAK ?=")
	list, _, _ = strings.Cut(list, "\nsoak:")
	for part, pkg := range inParts {
		target := strings.TrimPrefix(part, "make ")
		_, recipe, _ := strings.Cut(string(text[strings.LastIndex(string(text), "\n"+target+":"):]), "\n\t")
		recipe, _, _ = strings.Cut(recipe, "\n")
		whole := strings.Contains(recipe, " -whole") ||
			strings.Contains(string(text), "\n"+target+": export SCHEMATICS = all\n")
		if !slices.Contains(strings.Fields(list), target) || !whole ||
			!strings.Contains(recipe, "./"+strings.TrimPrefix(pkg, "boardd/")) {
			t.Errorf("%s does not run all tests of %s, or is no part of make soak: %q", part, pkg, recipe)
		}
	}
}

// TestSkippedUnderTheDetector: a test that is to run under the detector as well and is skipped there is a failure.
func TestSkippedUnderTheDetector(t *testing.T) {
	r := newResults(io.Discard)
	r.take(&lane{name: raceAgain}, &event{Action: "skip", Package: "boardd/cmd/boardd", Test: "TestClub"})
	if !r.failed() {
		t.Error("it was no failure")
	}
}

// TestSecondTry: a test that fails beside others and passes alone is named and is no failure. One that fails twice or
// panics is a failure, and so are more than a few.
func TestSecondTry(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module toy\n", "toy_test.go": `package toy

import ("os"; "strings"; "testing")

var alone = strings.Contains(strings.Join(os.Args, " "), "-test.run=")

func busy(t *testing.T, asked string) { if !alone && os.Getenv(asked) != "" { t.Fatal("beside others") } }

func TestBusy(t *testing.T) { busy(t, "PATH") }
func TestWrong(t *testing.T) { if os.Getenv("WRONG") != "" { t.Fatal("always") } }
func TestPanics(t *testing.T) { if os.Getenv("PANICS") != "" && !alone { panic("once") } }
func TestOne(t *testing.T) { busy(t, "MANY") }
func TestTwo(t *testing.T) { busy(t, "MANY") }
func TestThree(t *testing.T) { busy(t, "MANY") }
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, c := range []struct {
		env, says       string
		fails, doubtful int
	}{
		{"", "passed alone", 0, 1}, {"WRONG", "toy TestWrong", 1, 1}, {"PANICS", "panic: once", 2, 0},
		{"MANY", "TestThree", 4, 0},
	} {
		if c.env != "" {
			t.Setenv(c.env, "1")
		}
		var out bytes.Buffer
		r := newResults(&out)
		r.run(lane{"pure", true, []string{"-p=1"}, []string{"."}})
		r.again()
		r.table(10, 0)
		got := len(r.fell) + r.broken
		if r.failed() != (c.fails > 0) || got < c.fails || len(r.doubtful) != c.doubtful ||
			!strings.Contains(out.String(), c.says) {
			t.Errorf("%q: %d failures, doubtful %v:\n%s", c.env, got, r.doubtful, out.String())
		}
		if c.env != "" {
			os.Unsetenv(c.env)
		}
	}
}

// TestRaceOfALibrary: a data race that names no function of ours gets a second try, any other is a failure at once.
func TestRaceOfALibrary(t *testing.T) {
	for _, c := range []struct {
		frame  string
		broken int
	}{{"example.com/server.(*client).fill()", 0}, {"boardd/sync/broker.(*Broker).Close()", 1}} {
		r := newResults(io.Discard)
		for _, line := range []string{"==================", "WARNING: DATA RACE", "Read at 0x00c0 by goroutine 7:",
			"  " + c.frame, "      /src/file.go:12 +0x3c", "==================", "    testing.go:1: race detected"} {
			r.take(&lane{}, &event{Action: "output", Package: "boardd/sync/broker", Test: "TestX", Output: line + "\n"})
		}
		r.take(&lane{}, &event{Action: "fail", Package: "boardd/sync/broker", Test: "TestX"})
		if r.broken != c.broken || len(r.fell) != 1 {
			t.Errorf("a race in %s: %d failures at once and %d to try again, want %d and 1", c.frame, r.broken, len(r.fell),
				c.broken)
		}
	}
}

// TestEverySuiteIsListed: README.md says what every suite proves, and in which lane, and nothing that does not exist.
func TestEverySuiteIsListed(t *testing.T) {
	t.Chdir("../../..")
	tested, all, err := list([]string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("docs/make/tests/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, suites, found := strings.Cut(string(text), "## What each suite proves")
	rows := map[string]string{} // a suite, or all below it, to its lanes
	for line := range strings.Lines(suites) {
		if f := strings.Split(line, "|"); len(f) == 5 && strings.Contains(f[1], "`") {
			rows[strings.TrimSuffix(strings.Trim(f[1], " `"), "/...")] += f[3]
		}
	}
	if !found || len(rows) < 20 {
		t.Fatalf("README.md has %d rows: the search finds too few", len(rows))
	}
	used := map[string]bool{}
	for _, l := range sorted(tested, all) {
		if l.name == raceAgain {
			continue // "waits" names the same packages
		}
		for _, p := range l.packages {
			row := strings.TrimPrefix(p, "boardd/")
			for rows[row] == "" && strings.Contains(row, "/") {
				row = row[:strings.LastIndex(row, "/")]
			}
			if used[row] = true; !strings.Contains(rows[row], l.name) {
				t.Errorf("README.md does not say that %s is tested in the lane %q", p, l.name)
			}
		}
	}
	for row := range rows {
		if !used[row] {
			t.Errorf("README.md lists %s, which has no tests", row)
		}
	}
}
