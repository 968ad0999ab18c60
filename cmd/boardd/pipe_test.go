// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestLogReaderGone: if whoever reads the log has ended, the daemon writes on and the game goes on. It does not die of
// a broken pipe.
func TestLogReaderGone(t *testing.T) {
	t.Parallel()
	const token = "8WqLrzBLvMHw"
	dir := t.TempDir()
	tokens := filepath.Join(dir, "tokens")
	log, end, err := os.Pipe()
	if err = errors.Join(err, os.WriteFile(tokens, []byte("workshop "+token+"\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	cmd := program(t.Context(), "run", "--config", writeConfig(t, dir, "chess", "stack", "  token_file: "+tokens+"\n"))
	cmd.Stdout, cmd.Stderr = end, end
	if err := errors.Join(cmd.Start(), end.Close()); err != nil {
		t.Fatal(err)
	}
	var page string
	for lines := bufio.NewScanner(log); page == "" && lines.Scan(); {
		if m := pageLine.FindStringSubmatch(lines.Text()); m != nil {
			page = m[1]
		}
	}
	must(t, log.Close())
	get := func(token string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, page+"api/settings", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return 0
		}
		must(t, resp.Body.Close())
		return resp.StatusCode
	}
	get("wrong0wrong0") // the log says so before the answer comes
	if got := get(token); got != http.StatusOK {
		t.Errorf("the page answers with status %d", got)
	}
	if err := errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait()); err != nil {
		t.Error(err)
	}
}
