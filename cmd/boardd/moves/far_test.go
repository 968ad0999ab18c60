// SPDX-License-Identifier: Apache-2.0

package moves

import (
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/cmd/boardd/cli"
)

// screen is a terminal.
type screen struct{ strings.Builder }

func (*screen) Stat() (fs.FileInfo, error) { return terminal{}, nil }

type terminal struct{ fs.FileInfo }

func (terminal) Mode() fs.FileMode { return fs.ModeDevice | fs.ModeCharDevice }

// slow takes half a second for each line.
type slow struct{ strings.Builder }

func (s *slow) Write(b []byte) (int, error) {
	time.Sleep(500 * time.Millisecond)
	return s.Builder.Write(b)
}

// TestPerftTellsHowFarItIs: long counting shows on a terminal how many first moves are counted. At the end only the
// counts are left.
func TestPerftTellsHowFarItIs(t *testing.T) {
	t.Setenv("TERM", "xterm")
	var far screen
	var out slow
	synctest.Test(t, func(t *testing.T) {
		if err := Perft(t.Context(), cli.Std{In: strings.NewReader(""), Out: &out, Err: &far},
			[]string{"--variant", "chess", "--depth", "2", "--divide"}); err != nil {
			t.Error(err)
		}
	})
	if !strings.HasSuffix(out.String(), "h2h4: 20\n400\n") {
		t.Errorf("it counted %q", out.String())
	}
	lines := strings.Split(far.String(), "\r")
	if len(lines) < 4 || !strings.HasPrefix(lines[1], "2 of 20 first moves, 40 positions, 1s") ||
		lines[len(lines)-1] != "\033[K" {
		t.Errorf("the terminal shows %q", lines)
	}
}
