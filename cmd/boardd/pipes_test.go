// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardd/cmd/boardd/cli"
)

// TestPipesKeepNobodyWaiting: no command waits for ever where a file of its is a named pipe to which nobody writes, or
// from which nobody reads.
func TestPipesKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	state := filepath.Join(dir, "state")
	must(t, os.MkdirAll(filepath.Join(state, "imported"), 0o750))
	pipe := filepath.Join(dir, "pipe")
	for _, name := range []string{pipe, filepath.Join(state, "board.pub"), filepath.Join(state, "imported", "a.pgn")} {
		must(t, unix.Mkfifo(name, 0o600))
	}
	config := filepath.Join(dir, "board.yaml")
	text := "board: t\nstate_dir: " + state + "\nhardware: {virtual: true, kind: stack}\n"
	must(t, os.WriteFile(config, []byte(text), 0o600))
	for _, c := range []struct {
		line string
		well bool // it needs nothing of the pipe
	}{
		{line: "restore --config " + filepath.Join(dir, "new.yaml") + " " + pipe},
		{line: "restore --config " + filepath.Join(dir, "new.yaml") + " --passphrase-file " + pipe + " " + config},
		{line: "demo --listen 127.0.0.1:0 --mqtt 127.0.0.1:0 --play " + pipe},
		{line: "replay " + pipe},
		{line: "verify " + pipe},
		{line: "import --state " + state + " " + pipe},
		{line: "export --state " + state, well: true},
		{line: "keys --config " + config},
		{line: "sign --name a --key " + pipe},
		{line: "check --config " + pipe},
		{line: "run --config " + pipe},
		{line: "bench --seconds 0.1 --out " + pipe + " --config " + config},
		{line: "backup --config " + config + " " + pipe},
	} {
		done := make(chan int, 1)
		go func() {
			std := cli.Std{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
			done <- run(t.Context(), strings.Fields(c.line), std)
		}()
		select {
		case status := <-done:
			if (status == 0) != c.well {
				t.Errorf("%s: status %d", c.line, status)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s waits for ever", c.line)
		}
	}
}
