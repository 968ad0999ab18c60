// SPDX-License-Identifier: Apache-2.0

package games

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/cli/clitest"
)

// slow is a file of games on a slow disk: a game comes every half second.
type slow struct{ games int }

func (s *slow) Read(b []byte) (int, error) {
	if s.games == 0 {
		return 0, io.EOF
	}
	time.Sleep(500 * time.Millisecond)
	s.games--
	return copy(b, "[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n"), nil
}

// TestImportTellsHowFarItIs: who reads in many games sees on a terminal how much is read, and at the end only how many
// games are kept. In a file there is nothing of it.
func TestImportTellsHowFarItIs(t *testing.T) {
	t.Setenv("TERM", "xterm")
	read := func(far io.Writer) string {
		var out strings.Builder
		synctest.Test(t, func(t *testing.T) {
			std := cli.Std{In: &slow{games: 6}, Out: &out, Err: far}
			if err := Import(t.Context(), std, []string{"--state", t.TempDir(), "-"}); err != nil {
				t.Error(err)
			}
		})
		return out.String()
	}
	var s clitest.Terminal
	if got := read(&s); !strings.Contains(got, "games kept in ") || !strings.HasSuffix(got, ": 6\n") {
		t.Errorf("at the end it says %q", got)
	}
	lines := strings.Split(s.String(), "\r")
	if len(lines) < 4 || !strings.HasPrefix(lines[1], "file 1 of 1, 0 kB read, 0 games before it, 1s") ||
		lines[len(lines)-1] != "\033[K" {
		t.Errorf("the terminal shows %q", lines)
	}
	var file strings.Builder
	if read(&file); file.String() != "" {
		t.Errorf("a file has %q", file.String())
	}
}
