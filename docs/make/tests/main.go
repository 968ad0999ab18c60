// SPDX-License-Identifier: Apache-2.0

// Command tests runs the tests of all packages. Packages that start goroutines are tested under the race detector. All
// others are tested without it, because it makes pure functions seven times slower and finds nothing in them. What
// waits for daemons and browsers runs beside the rest, without the detector. Some of these tests run a second time
// under it, and all do in make soak-race. Lanes of the rest follow each other. A few tests that fail are run once
// more, each by itself, when all else is done. What passes then is named at the end and is no failure, because on a
// busy machine such a failure proves nothing. At the end the command lists what took longest, and which tests ran in
// no lane. With SKIPS=none, as in make check, such a test is a failure unless something else runs it.
//
// Usage: go run ./docs/make/tests [-slow N] [-plan|-waiting] [PACKAGES]
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	slow := flag.Int("slow", 20, "how many of the slowest suites and tests are listed")
	plan := flag.Bool("plan", false, "only say what would be tested how")
	waits := flag.Bool("waiting", false, "only list the packages whose tests wait")
	flag.Parse()
	if *waits {
		fmt.Println(strings.Join(waiting, "\n"))
		return
	}
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	tested, all, err := list(patterns)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tests:", err)
		os.Exit(1)
	}
	if *plan {
		for _, l := range sorted(tested, all) {
			fmt.Printf("%s: go test %s\n  %s\n", l.name, strings.Join(l.flags, " "), strings.Join(l.packages, "\n  "))
		}
		return
	}
	began := time.Now()
	r := newResults(os.Stdout)
	r.strict = os.Getenv("SKIPS") == "none"
	var lanes sync.WaitGroup
	var busy []lane
	for _, l := range sorted(tested, all) {
		if l.computes {
			busy = append(busy, l)
		} else {
			lanes.Go(func() { r.run(l) })
		}
	}
	for _, l := range busy {
		r.run(l)
	}
	lanes.Wait()
	r.again()
	r.skips()
	r.table(*slow, time.Since(began))
	if r.failed() {
		os.Exit(1)
	}
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64
}

// result is how long a suite or a test took.
type result struct {
	lane, name string
	seconds    float64
}

// failure is a test that failed: a top-level one, with the lane in which it ran.
type failure struct {
	lane      lane
	pkg, test string
}

// secondTries is how many failed tests are run once more: more than these are no matter of a busy machine.
const secondTries = 3

// results are those of all lanes.
type results struct {
	mu            sync.Mutex
	out           io.Writer
	suites, tests []result
	lanes         []string // what each took
	output        map[string][]string
	fell          []failure       // tests that failed, and still do
	fellIn        map[string]bool // packages in which tests failed
	broken        int             // what failed otherwise: builds, panics, times that were over, go test itself
	faults        []string        // what failed, told once more at the end
	doubtful      []string        // tests that passed only by themselves
	racing        map[string]bool // data races that are being reported, by test: whether code of ours has a part in them
	hanging       string          // package whose running tests are being listed after its time was over

	strict  bool              // nothing may be skipped that nothing else runs
	skipped map[string]string // tests that were skipped in a lane, and why
	passed  map[string]bool   // tests that passed in a lane
	missing []string          // tests that ran in no lane, and what runs them or why not
}

func newResults(out io.Writer) *results {
	return &results{out: out, output: map[string][]string{}, fellIn: map[string]bool{}, racing: map[string]bool{},
		skipped: map[string]string{}, passed: map[string]bool{}}
}

func (r *results) failed() bool { return len(r.fell) > 0 || r.broken > 0 }

// run tests a lane, and prints each package when it is done, what failed with all that it said.
func (r *results) run(l lane) {
	began := time.Now()
	c := exec.Command("go", append(append([]string{"test", "-json"}, l.flags...), l.packages...)...)
	c.Stderr = os.Stderr
	// A raced program waits a second at its end for races that other goroutines may still report; the tests start and
	// stop hundreds.
	c.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=100 "+os.Getenv("GORACE"))
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		r.fault(fmt.Sprintf("%s: %v\n", l.name, err))
		return
	}
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				r.fault(string(line))
			} else {
				r.take(&l, &e)
			}
		}
		if err != nil {
			break
		}
	}
	err = c.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil && r.broken == 0 &&
		!slices.ContainsFunc(r.fell, func(f failure) bool { return f.lane.name == l.name }) {
		r.broken++
	}
	// of the compiler, the tests, and what they started and waited for
	worked := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	r.lanes = append(r.lanes, fmt.Sprintf("%7.1f s  %7.1f s of a processor  %s", time.Since(began).Seconds(),
		worked.Seconds(), l.name))
}

// again runs the few tests that failed once more, one after the other with nothing beside them. A panic or a data race
// is no matter of a busy machine: after these nothing is.
func (r *results) again() {
	fell := r.fell
	if len(fell) > secondTries || r.broken > 0 {
		return
	}
	r.fell, r.faults, r.fellIn = nil, nil, map[string]bool{}
	for _, f := range fell {
		flags := slices.DeleteFunc(slices.Clone(f.lane.flags), func(s string) bool { return strings.HasPrefix(s, "-run=") })
		was := len(r.fell) + r.broken
		r.run(lane{f.lane.name + " again", false, append(flags, "-count=1", "-run=^"+f.test+"$"), []string{f.pkg}})
		if len(r.fell)+r.broken == was {
			r.doubtful = append(r.doubtful, f.pkg+" "+f.test)
		}
	}
}

func (r *results) fault(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprint(r.out, text)
	r.broken++
}

func (r *results) take(lane *lane, e *event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e.Action {
	case "output":
		r.hung(e)
		r.race(e)
		if strings.HasPrefix(e.Output, "panic: ") {
			r.broken++
		}
		r.output[e.Package+" "+e.Test] = append(r.output[e.Package+" "+e.Test], e.Output)
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "pass", "fail", "skip":
		r.done(lane, e)
	}
}

// race notes a data race. It is a failure at once, unless the detector's report names no function of ours.
// Then a library races with itself, which a second try may not show.
func (r *results) race(e *event) {
	key := e.Package + " " + e.Test
	ours, reported := r.racing[key]
	switch {
	case strings.HasPrefix(e.Output, "WARNING: DATA RACE"):
		r.racing[key] = false
		r.broken++
	case !reported:
	case strings.HasPrefix(e.Output, "  boardd/"), strings.Contains(e.Output, "[failed to restore the stack]"):
		r.racing[key] = true
	case strings.HasPrefix(e.Output, "=====") && !ours:
		r.broken--
		fallthrough
	case strings.HasPrefix(e.Output, "====="):
		delete(r.racing, key)
	}
}

// hung notes the tests that ran when the time of a package was over: go test lists them up to an empty line.
func (r *results) hung(e *event) {
	switch {
	case strings.HasPrefix(e.Output, "panic: test timed out"):
		r.hanging = e.Package
	case r.hanging != e.Package:
		return
	case strings.TrimSpace(e.Output) == "":
		r.hanging = ""
		return
	}
	r.faults = append(r.faults, e.Package+" "+strings.TrimSpace(e.Output))
}

// done notes the end of a test or of a package.
func (r *results) done(lane *lane, e *event) {
	key := e.Package + " " + e.Test
	if e.Action == "fail" {
		fmt.Fprint(r.out, strings.Join(r.output[key], ""))
		r.faults = append(r.faults, strings.TrimSpace(key))
	}
	said := r.output[key]
	delete(r.output, key)
	switch {
	case e.Test != "" && !strings.Contains(e.Test, "/"):
		switch e.Action {
		case "skip":
			r.skipped[key] = reason(said)
			if lane.name == raceAgain { // such tests are named because they do something there
				r.broken++
				r.faults = append(r.faults, key+" was skipped under the race detector: "+reason(said))
			}
		case "pass":
			r.passed[key] = true
		}
		if e.Action == "fail" {
			r.fell, r.fellIn[e.Package] = append(r.fell, failure{*lane, e.Package, e.Test}), true
		}
		r.tests = append(r.tests, result{lane.name, strings.TrimPrefix(e.Package, "boardd/") + " " + e.Test, e.Elapsed})
	case e.Test == "" && e.Action == "pass":
		r.suites = append(r.suites, result{lane.name, e.Package, e.Elapsed})
		fmt.Fprintf(r.out, "ok    %-45s %7.1f s  %s\n", e.Package, e.Elapsed, lane.name)
	case e.Test == "" && e.Action == "fail":
		r.suites = append(r.suites, result{lane.name, e.Package, e.Elapsed})
		if !r.fellIn[e.Package] {
			r.broken++
		}
		fmt.Fprintf(r.out, "FAIL  %-45s %7.1f s  %s\n", e.Package, e.Elapsed, lane.name)
	}
}
