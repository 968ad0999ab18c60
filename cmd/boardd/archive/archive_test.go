// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/cmd/boardd/archive"
)

// TestStories: the samples come first, then the newest ten games of each folder. A file that cannot be read is named,
// and the others come.
func TestStories(t *testing.T) {
	var said bytes.Buffer
	log := slog.New(slog.NewTextHandler(&said, nil))
	samples := len(archive.Stories(nil, log))
	if samples < 2 || said.Len() > 0 {
		t.Fatalf("%d samples, %s", samples, &said)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 12 {
		write(fmt.Sprintf("2026-11-%02d.pgn", i+1), fmt.Sprintf("[Event \"?\"]\n[White \"p%d\"]\n[Result \"1-0\"]\n\n"+
			"1. e4 e5 1-0\n", i+1))
	}
	write("2026-11-12.pgn", "[Event \"?\"]\n\n1. e4 e9 *\n")
	write("2026-11-13.pgn", "")
	got := archive.Stories([]string{dir, filepath.Join(dir, "none")}, log)
	if len(got) != samples+8 {
		t.Errorf("%d games, want %d samples and 8: of the newest ten files one is broken and one empty", len(got), samples)
	}
	if !strings.Contains(said.String(), "2026-11-12.pgn") || strings.Contains(said.String(), "2026-11-11.pgn") {
		t.Errorf("said %s, want the one broken file named", &said)
	}
}
