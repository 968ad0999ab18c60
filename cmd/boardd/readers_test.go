// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// otherGame is a game as two libraries in JavaScript read it: chess.js plays it, pgn-parser reads the clocks.
type otherGame struct {
	Tags   map[string]*string `json:"tags"`
	Moves  []string           `json:"moves"`
	FEN    string             `json:"fen"`
	Parsed []string           `json:"parsed"`
	Clocks []string           `json:"clocks"`
}

func (g *otherGame) tag(name string) string {
	if v := g.Tags[name]; v != nil {
		return *v
	}
	return ""
}

// otherReaders reads a file of games as viewers in browsers do. ok is false if the libraries are missing; make check
// has them.
func otherReaders(t *testing.T, text string) (games []otherGame, ok bool) {
	t.Helper()
	const tools = "../../build/tools"
	for _, name := range []string{"chess.js", "pgn-parser.js"} {
		if _, err := os.Stat(tools + "/" + name); err != nil {
			if os.Getenv("AXE") == "required" {
				t.Fatal(err)
			}
			t.Logf("not read by %s: .ci/fetch-readers fetches it, and make check does", name)
			return nil, false
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "testdata/readers.js", dir+"/"+tools)
	cmd.Stdin = strings.NewReader(text)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s\nof\n%s", err, &errs, text)
	}
	if err := json.Unmarshal(out, &games); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return games, true
}
