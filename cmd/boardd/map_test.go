// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// mapped reports whether the map shows a row. Reports, schematics and documents are not part of it.
func mapped(row string) bool {
	for _, other := range []string{"docs", "hardware/report", "hardware/schematics", "hardware/box",
		"sensing/reconcile/report", "rules/search/", "sync/uci"} {
		if strings.HasPrefix(row, other) {
			return false
		}
	}
	return !strings.HasSuffix(row, "test")
}

// TestMap: the graph in doc.go is that of the real imports.
func TestMap(t *testing.T) {
	graph := map[string]map[string]bool{}
	for dir, files := range packages(t) {
		row, ok := rowOf(dir)
		if !ok || !mapped(row) {
			continue
		}
		if graph[row] == nil {
			graph[row] = map[string]bool{}
		}
		for _, f := range files {
			for _, spec := range f.ast.Imports {
				own, ok := strings.CutPrefix(unquote(spec), "boardd/")
				if target, _ := rowOf(own); ok && target != row && mapped(target) {
					graph[row][target] = true
				}
			}
		}
	}
	var lines []string
	for _, row := range slices.SortedFunc(maps.Keys(graph), func(a, b string) int {
		if x, y := depth(t, graph, a), depth(t, graph, b); x != y {
			return x - y
		}
		return strings.Compare(a, b)
	}) {
		lines = append(lines, wrapped(row, slices.Sorted(maps.Keys(graph[row])))...)
	}
	want := strings.Join(lines, "\n")
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\n\n"+want+"\n*/") {
		t.Errorf("the map is not what the imports are; this is:\n%s", want)
	}
}

// depth is the length of the longest chain of imports below a row. upon is the chain above it; a cycle fails the test.
func depth(t *testing.T, graph map[string]map[string]bool, row string, upon ...string) (n int) {
	t.Helper()
	if slices.Contains(upon, row) {
		t.Fatalf("these import each other: %s", strings.Join(append(upon, row), " -> "))
	}
	for below := range graph[row] {
		n = max(n, 1+depth(t, graph, below, append(upon, row)...))
	}
	return n
}

// wrapped writes a package and its imports, in lines that are not too long.
func wrapped(row string, imports []string) (lines []string) {
	line := "\t" + row
	if len(imports) > 0 {
		line += ":"
	}
	for _, i := range imports {
		if len(line)+len(i) > 110 {
			lines = append(lines, line)
			line = "\t   "
		}
		line += " " + i
	}
	return append(lines, line)
}
