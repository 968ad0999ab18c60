// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// elsewhere are the tests that make check may skip, and what runs them.
var elsewhere = map[string]string{
	"boardd/cmd/boardd TestClockJumps":               "make soak-clock",
	"boardd/cmd/boardd TestCredentialsOfSystemd":     "make soak-net",
	"boardd/cmd/boardd TestFrameTime":                "make page-report",
	"boardd/cmd/boardd TestLatency":                  "make mirror-report",
	"boardd/cmd/boardd TestLatencyBesideEngine":      "go test ./cmd/boardd -run LatencyBesideEngine -latency 60",
	"boardd/cmd/boardd TestLatencyOfBroadcast":       "make mirror-report",
	"boardd/cmd/boardd TestTwoNamespaces":            "make soak-net",
	"boardd/cmd/boardd TestWallLoad":                 "make page-report",
	"boardd/hardware/firmware TestHexIsOfTheSources": "a machine whose avr-gcc is that of hub.hex",
	"boardd/hardware/mechanics TestParts":            "make mechanics",
	"boardd/sync/broker TestCommandsOnACluster":      "make soak-cluster",
}

// inParts are parts of make that run many tests of a package, which skip themselves with these words.
var inParts = map[string]string{
	"make schematics-check": "boardd/hardware/schematics",
	"make soak-page":        "boardd/cmd/boardd",
}

// skips lists the tests that ran in no lane. If none may be skipped, it fails those that nothing else runs.
func (r *results) skips() {
	moved := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(r.skipped)) {
		where, why := elsewhere[name], r.skipped[name]
		if r.passed[name] {
			continue
		}
		if pkg, _, _ := strings.Cut(name, " "); inParts[why] == pkg {
			moved[pkg+": "+why]++
			continue
		}
		if where == "" && r.strict {
			r.broken++
			r.faults = append(r.faults, name+" was skipped: "+why)
		}
		r.missing = append(r.missing, name+": "+cmp.Or(where, why))
	}
	for _, where := range slices.Sorted(maps.Keys(moved)) {
		r.missing = append(r.missing, fmt.Sprintf("%d tests of %s", moved[where], where))
	}
}

// place is the file and the line that go test prints before what a test says.
var place = regexp.MustCompile(`^\s+\w+\.go:\d+: `)

// reason is what a test said when it skipped itself.
func reason(said []string) string {
	for _, line := range said {
		if place.MatchString(line) {
			return strings.TrimSpace(place.ReplaceAllString(line, ""))
		}
	}
	return "it says no reason"
}

// table lists what took longest, and what did not run.
func (r *results) table(n int, took time.Duration) {
	for _, t := range []struct {
		what string
		list []result
	}{{"slowest suites", r.suites}, {"slowest tests", r.tests}} {
		slices.SortFunc(t.list, func(a, b result) int { return int(1000 * (b.seconds - a.seconds)) })
		fmt.Fprintf(r.out, "\n%s\n", t.what)
		for _, s := range t.list[:min(n, len(t.list))] {
			fmt.Fprintf(r.out, "  %7.1f s  %-12s  %s\n", s.seconds, s.lane, s.name)
		}
	}
	fmt.Fprintf(r.out, "\nlanes\n")
	for _, l := range r.lanes {
		fmt.Fprintf(r.out, "  %s\n", l)
	}
	if len(r.missing) > 0 {
		fmt.Fprintf(r.out, "\nskipped, and what runs it, or why\n")
	}
	for _, m := range r.missing {
		fmt.Fprintf(r.out, "  %s\n", m)
	}
	if len(r.faults) > 0 {
		fmt.Fprintf(r.out, "\nwhat failed (its output is above)\n")
	}
	for _, f := range r.faults {
		fmt.Fprintf(r.out, "  %s\n", f)
	}
	if len(r.doubtful) > 0 {
		fmt.Fprintf(r.out, "\nfailed beside others, passed alone: look for the cause, in the test or in what it tests "+
			"(its output is above)\n")
	}
	for _, d := range r.doubtful {
		fmt.Fprintf(r.out, "  %s\n", d)
	}
	fmt.Fprintf(r.out, "\n%d suites, %d failures, %d passed only alone, %v\n", len(r.suites), len(r.fell)+r.broken,
		len(r.doubtful), took.Round(time.Second))
}
