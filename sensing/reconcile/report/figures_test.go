// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestPicturesAreCurrent: each picture is what its file of figures draws, and holds the hash of that file. Both come
// from the run that REPORT.md tells of.
func TestPicturesAreCurrent(t *testing.T) {
	made, err := pictures("..")
	if err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile("../REPORT.md")
	if err != nil {
		t.Fatal(err)
	}
	seed := regexp.MustCompile(`seed [0-9]+`)
	for name, want := range made {
		figures := strings.TrimSuffix(name, ".svg") + ".tsv"
		if got, err := os.ReadFile("../" + name); err != nil || string(got) != want {
			t.Errorf("%s was made from another %s: run go run ./sensing/reconcile/report -draw (%v)", name, figures, err)
		}
		text, err := os.ReadFile("../" + figures)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := seed.FindString(string(text)), seed.FindString(string(report)); got != want || want == "" {
			t.Errorf("%s is of %q, REPORT.md of %q: one run writes both", figures, got, want)
		}
	}
}

// TestFiguresReachThePictures: what a run keeps is drawn, and one changed figure makes another picture and another
// hash.
func TestFiguresReachThePictures(t *testing.T) {
	s, err := parseScene("chess/stack/club/none")
	if err != nil {
		t.Fatal(err)
	}
	one := &tally{}
	one.margins[3], one.margins[199] = 700, 1
	one.commits[byPresence].add(20 * time.Millisecond)
	one.commits[byPresence].add(time.Hour)
	o := &options{dir: t.TempDir(), seed: 5}
	draw := func() (string, string) {
		t.Helper()
		if err := o.keep([]result{{scene: s, tally: one}}); err != nil {
			t.Fatal(err)
		}
		made, err := pictures(o.dir)
		if err != nil {
			t.Fatal(err)
		}
		return made[marginPicture], made[latencyPicture]
	}
	margins, latencies := draw()
	if n := strings.Count(margins, "#3b6ea5"); n != 2 {
		t.Errorf("the margins have %d bars, want 2", n)
	}
	if !strings.Contains(latencies, "710.0,145.0") || strings.Contains(latencies, ">height<") {
		t.Errorf("half of the moves are not recognised within %v: want a line that ends half way up, and it alone:\n%s",
			mostLatency, latencies)
	}
	one.margins[3]++
	one.commits[byPresence].add(30 * time.Millisecond)
	changed, later := draw()
	from := regexp.MustCompile("<!-- made from .*, SHA-256 [0-9a-f]{64} -->")
	for _, two := range [][2]string{{margins, changed}, {latencies, later}} {
		if a, b := from.FindString(two[0]), from.FindString(two[1]); a == "" || a == b {
			t.Errorf("the hash of the figures stays %q though they changed", a)
		}
	}
	text, err := os.ReadFile(filepath.Join(o.dir, marginFile))
	if err != nil || !strings.Contains(string(text), "seed 5.") {
		t.Errorf("%s does not say its seed: %v", marginFile, err)
	}
}

func TestFiguresThatCannotBeDrawn(t *testing.T) {
	for text, want := range map[string]string{
		"nats\tmoves\n":             "no margins",
		"nats\tmoves\n0\n":          "1 fields, want 2",
		"nats\tmoves\n1\t4\n":       "want 0",
		"nats\tmoves\n0\tmany\n":    "want 0",
		"nats\tmoves\n# a\n0\t-1\n": "want 0",
	} {
		if _, err := readMargins(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an error about %s", text, err, want)
		}
	}
	whole := latencyText(&tally{})
	for old, with := range map[string]string{
		"\n400.0": "\n401.0", "\n0.5\t-": "\n0.5\tsoon", "\n1.0\t-": "\n1.0\t7", "\n2.0\t-\t-": "\n2.0\t-",
		"\n400.0\t-\t-\t-\t-\t-": "", "\n3.0\t-": "\n3.0\t101",
	} {
		text := strings.Replace(whole, old, with, 1)
		if _, err := readLatencies(text); err == nil || !strings.Contains(err.Error(), latencyFile) {
			t.Errorf("%q for %q: got %v, want an error that names %s", with, old, err, latencyFile)
		}
	}
	if _, err := readLatencies(whole); err != nil {
		t.Error(err)
	}
	if _, err := pictures(t.TempDir()); err == nil {
		t.Error("no figures are no error")
	}
}

// TestTellsHowFarItIs: it tells which part of the moves was made, at the beginning and then once a minute at most.
func TestTellsHowFarItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue([]job{{moves: 4 * expectedMoves}}, 0)
		var far strings.Builder
		q.far = &far
		for range 4 {
			if _, _, ok := q.next(); !ok {
				t.Fatal("no game is left")
			}
			time.Sleep(40 * time.Second)
		}
		if _, _, ok := q.next(); ok {
			t.Error("a fifth game is begun")
		}
		if got, want := far.String(), "0.0 % of all moves made\n50.0 % of all moves made\n"; got != want {
			t.Errorf("it told %q, want %q", got, want)
		}
	})
}
