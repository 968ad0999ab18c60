// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../.."

// TestPicturesAreCurrent draws every picture again: one that differs was made from other positions, pieces or rules.
func TestPicturesAreCurrent(t *testing.T) {
	pictures, err := drawAll(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range pictures {
		got, err := os.ReadFile(filepath.Join(root, "docs/pictures", name+".svg"))
		if err != nil || string(got) != want {
			t.Errorf("docs/pictures/%s.svg is not what its inputs make: run go run ./docs/make/pictures (%v)", name, err)
		}
	}
	files, err := filepath.Glob(filepath.Join(root, "docs/pictures/*.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".svg"); pictures[name] == "" {
			t.Errorf("%s is drawn by no line of diagrams.tsv", file)
		}
	}
}

func TestScenesThatCannotBeDrawn(t *testing.T) {
	for line, want := range map[string]string{
		"a\tlocking\tstart\te4":                             "4 columns, want 6",
		"a\tdraughts\tstart\t\t\t":                          "draughts",
		"a\tlocking\t8/8/8/8/8/8/8/8 w - - 0 1\t\t\t":       "king",
		"a\tlocking\tstart\te5\t\t":                         "e5",
		"a\tlocking\tstart\t\tz9\t":                         "z9",
		"a\tlocking\t4k3/8/8/8/8/8/8/4K3 w - - 0 1\t\ta1\t": "no legal move from a1",
		"a\tlocking\tstart\t\t\ta1-i9":                      "i9",
	} {
		if _, _, err := parseScene(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an error about %s", line, err, want)
		}
	}
}

func TestStacksOf(t *testing.T) {
	got := stacksOf("[pRn]6k/8/8/8/8/8/8/K1[-N]5")
	if got[56] != "pRn" || got[63] != "k" || got[0] != "K" || got[2] != "-N" || got[1] != "" {
		t.Errorf("got %q", got)
	}
}

func TestShapesThatMoved(t *testing.T) {
	if _, err := shapesOf("const kinds = {};"); err == nil {
		t.Error("a page without drawings: got no error")
	}
}
