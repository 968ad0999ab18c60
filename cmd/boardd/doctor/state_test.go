// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"boardd/config"
	"boardd/sync/journal"
)

// TestNoState: whoever cannot use the state folder is told where it is and what to do, each fault by its own words.
func TestNoState(t *testing.T) {
	for want, err := range map[string]error{"sudo chown -R " + CurrentUser() + " /var/lib/boardd": fs.ErrPermission,
		"remount,rw": unix.EROFS, "may write to": errors.New("anything")} {
		got := NoState("/var/lib/boardd", fmt.Errorf("open journal /var/lib/boardd/journal: %w", err))
		if !errors.Is(got, err) || !strings.Contains(got.Error(), want) || !strings.Contains(got.Error(), "journal: ") {
			t.Errorf("%v: %v, want %q", err, got, want)
		}
	}
}

// TestDoctorJournal: the doctor reads the journal, and says what is damaged or gone.
func TestDoctorJournal(t *testing.T) {
	dir := t.TempDir()
	at, c := filepath.Join(dir, "journal"), config.Default()
	c.StateDir = dir
	if err := journal.Create(at, journal.Options{}, journal.Version, [][]byte{{1}, {2}, {3}}); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "live.pgn", "", 0o600)
	segment := filepath.Join(at, "00000001.journal")
	text, err := os.ReadFile(segment)
	if err != nil {
		t.Fatal(err)
	}
	text[20] ^= 1
	full := c
	full.BudgetMB = 0
	var out bytes.Buffer
	(&examination{out: &out}).journal(&full)
	says(t, &out, "its oldest games go when a new one begins", "raise journal.budget_mb")
	for _, want := range []string{"ok    its records", "a damaged record cannot be read", "the journal is empty"} {
		var out bytes.Buffer
		(&examination{out: &out}).journal(&c)
		says(t, &out, want)
		if err := os.WriteFile(segment, text, 0o600); err != nil {
			t.Fatal(err)
		}
		text = nil
	}
}
