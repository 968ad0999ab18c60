// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"strings"
	"testing"
)

// TestPlotIsCurrent: the plot shows what history.tsv has.
func TestPlotIsCurrent(t *testing.T) {
	text, err := os.ReadFile("../nets/" + historyFile)
	if err != nil {
		t.Fatal(err)
	}
	list, err := readHistory(string(text))
	if err != nil || len(list) < 18 {
		t.Fatalf("%d generations, %v", len(list), err)
	}
	if got, err := os.ReadFile("../nets/" + plotFile); err != nil || string(got) != plot(list) {
		t.Errorf("%s is not what history.tsv has: run go run ./rules/search/report -plot (%v)", plotFile, err)
	}
}

func TestHistoryFaults(t *testing.T) {
	for text, want := range map[string]string{
		"chess\t1\taccepted":                    "line 1: 3 fields",
		"#\nchess\tone\taccepted\t-\t-\t56\t-":  "line 2: generation",
		"chess\t1\taccepted\t-\t-\tmany\t-":     "line 1: Elo",
		"chess\t1\taccepted\t0.1\tlittle\t1\t-": "line 1: loss",
	} {
		if _, err := readHistory(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
