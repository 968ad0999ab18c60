// SPDX-License-Identifier: Apache-2.0

package main

import (
	"boardd/cmd/boardd/cli"
	"bytes"
	"os"
	"strings"
	"testing"
)

// vectors reads a table of rules/testdata without its header.
func vectors(t *testing.T, name string) [][]string {
	t.Helper()
	data, err := os.ReadFile("../../rules/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		rows = append(rows, strings.Split(line, "\t"))
	}
	return rows
}

// TestVectors compares the commands with the tables of the specification, as the tests of package rules do with the
// package.
func TestVectors(t *testing.T) {
	command := func(args ...string) (string, string, int) {
		var out, errs bytes.Buffer
		status := run(t.Context(), args, cli.Std{In: strings.NewReader(""), Out: &out, Err: &errs})
		return strings.TrimSpace(out.String()), errs.String(), status
	}
	for _, row := range vectors(t, "moves.tsv") {
		if got, errs, _ := command("moves", "--variant", row[0], row[1]); strings.Join(strings.Fields(got), " ") != row[2] {
			t.Errorf("moves %s %s: got %s %s, want %s", row[0], row[1], got, errs, row[2])
		}
	}
	for _, row := range vectors(t, "results.tsv") {
		if got, errs, _ := command("play", "--variant", row[0], "--fen", row[1]); !strings.HasSuffix(got, "result: "+
			row[2]) {
			t.Errorf("play %s %s: got %s %s, want %s", row[0], row[1], got, errs, row[2])
		}
	}
	for _, row := range vectors(t, "badfen.tsv") {
		if got, errs, status := command("moves", "--variant", row[0], row[1]); status != 1 || errs == "" {
			t.Errorf("moves %s %s: status %d, %q; want 1 because of %s", row[0], row[1], status, got, row[2])
		}
	}
	for _, row := range vectors(t, "perft.tsv") {
		if got, errs, _ := command("perft", "--variant", row[0], "--depth", row[2], row[1]); got != row[3] {
			t.Errorf("perft %s %s %s: got %s %s, want %s", row[0], row[1], row[2], got, errs, row[3])
		}
	}
}
