// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// screen is a terminal, or a file if mode is 0.
type screen struct {
	strings.Builder
	mode fs.FileMode
}

func (s *screen) Stat() (fs.FileInfo, error) { return info{mode: s.mode}, nil }

type info struct {
	fs.FileInfo
	mode fs.FileMode
}

func (i info) Mode() fs.FileMode { return i.mode }

// TestProgress: work that is soon done shows nothing. Longer work has a line on a terminal, renewed ten times a second
// at most and taken away at the end. Without a terminal it is silent.
func TestProgress(t *testing.T) {
	t.Setenv("TERM", "xterm")
	work := func(w *screen, steps int) string {
		synctest.Test(t, func(*testing.T) {
			p := NewProgress(w)
			for i := range steps {
				p.Say("%d of %d", i, steps)
				time.Sleep(20 * time.Millisecond)
			}
			p.Done()
		})
		return w.String()
	}
	terminal := fs.ModeDevice | fs.ModeCharDevice
	if got := work(&screen{mode: terminal}, 40); got != "" {
		t.Errorf("work of 0.8 s showed %q", got)
	}
	got := work(&screen{mode: terminal}, 120)
	lines := strings.Split(got, "\r")
	if len(lines) != 16 || lines[1] != "50 of 120, 1s\033[K" || lines[2] != "55 of 120, 1s\033[K" ||
		lines[15] != "\033[K" {
		t.Errorf("work of 2.4 s showed %d lines: %q", len(lines), lines)
	}
	if got := work(&screen{}, 120); got != "" {
		t.Errorf("a file has %q", got)
	}
	t.Setenv("TERM", "dumb")
	if got := work(&screen{mode: terminal}, 120); got != "" {
		t.Errorf("a dumb terminal has %q", got)
	}
}
