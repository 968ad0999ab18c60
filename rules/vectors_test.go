// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// vectors reads a table of testdata: tab separated, the first line names the columns.
func vectors(t testing.TB, name string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

func position(t testing.TB, id, fen string) Position {
	t.Helper()
	v, err := ByID(id)
	if err != nil {
		t.Fatal(err)
	}
	p, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// coords is the sorted coordinate forms of the legal moves.
func coords(p *Position) []string {
	var list []string
	for _, m := range p.AppendMoves(nil) {
		list = append(list, p.Coord(m))
	}
	slices.Sort(list)
	return list
}

func TestMoves(t *testing.T) {
	for _, row := range vectors(t, "moves.tsv") {
		p := position(t, row[0], row[1])
		want := strings.Fields(row[2])
		slices.Sort(want)
		if got := coords(&p); !slices.Equal(got, want) {
			t.Errorf("%s %s (%s):\n got only %v\nwant only %v", row[0], row[1], row[3], minus(got, want), minus(want, got))
		}
		if got := p.CountMoves(); got != len(want) {
			t.Errorf("%s %s (%s): counted %d moves, want %d", row[0], row[1], row[3], got, len(want))
		}
	}
}

func minus(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

func TestPerft(t *testing.T) {
	for _, row := range vectors(t, "perft.tsv") {
		p := position(t, row[0], row[1])
		depth, _ := strconv.Atoi(row[2])
		want, _ := strconv.ParseUint(row[3], 10, 64)
		if got := Perft(p, depth); got != want {
			t.Errorf("%s %s (%s): depth %d: got %d, want %d", row[0], row[1], row[4], depth, got, want)
		}
		if got := p.FEN(); got != row[1] {
			t.Errorf("%s: written back as %s", row[1], got)
		}
	}
}

func TestBadFEN(t *testing.T) {
	for _, row := range vectors(t, "badfen.tsv") {
		v, err := ByID(row[0])
		if err != nil {
			t.Fatal(err)
		}
		field, _, found := strings.Cut(row[2], ":")
		if !found {
			field, _, _ = strings.Cut(field, " ")
		}
		field, square, _ := strings.Cut(field, ", ")
		_, err = v.ParseFEN(row[1])
		if err == nil {
			t.Errorf("%s %s: accepted, want refused: %s", row[0], row[1], row[2])
		} else if !strings.Contains(err.Error(), field) || !strings.Contains(err.Error(), square) {
			t.Errorf("%s %s: got %v, want it to name %q, %q", row[0], row[1], err, field, square)
		}
	}
}

func TestResults(t *testing.T) {
	for _, row := range vectors(t, "results.tsv") {
		p := position(t, row[0], row[1])
		if got := p.Result(); string(got) != row[2] {
			t.Errorf("%s %s: got %s, want %s", row[0], row[1], got, row[2])
		}
	}
}
