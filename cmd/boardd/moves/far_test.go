// SPDX-License-Identifier: Apache-2.0

package moves

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/cli/clitest"
)

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
	var far clitest.Terminal
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

// waits is a context in which half a second passes between one question of the prover and the next.
type waits struct{ context.Context }

func (w waits) Err() error {
	time.Sleep(500 * time.Millisecond)
	return w.Context.Err()
}

// TestMateTellsHowFarItIs: long proving shows on a terminal what is looked for and for how long. At the end only the
// answer is left. In a file there is nothing of it.
func TestMateTellsHowFarItIs(t *testing.T) {
	t.Setenv("TERM", "xterm")
	prove := func(far io.Writer) string {
		var out strings.Builder
		synctest.Test(t, func(t *testing.T) {
			if err := ProveMate(waits{t.Context()}, cli.Std{In: strings.NewReader(""), Out: &out, Err: far},
				[]string{"--variant", "chess", "--in", "4", "8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1"}); err != nil {
				t.Error(err)
			}
		})
		return out.String()
	}
	var far clitest.Terminal
	if got := prove(&far); got != "no mate in 4\n" {
		t.Errorf("it proved %q", got)
	}
	lines := strings.Split(far.String(), "\r")
	if len(lines) < 4 || lines[1] != "looking for mates in 4 moves, 1s\033[K" || lines[len(lines)-1] != "\033[K" {
		t.Errorf("the terminal shows %q", lines)
	}
	var file strings.Builder
	if prove(&file); file.String() != "" {
		t.Errorf("a file has %q", file.String())
	}
}

// ends is a context that is canceled when it has been asked so often.
type ends struct {
	context.Context
	left int
}

func (e *ends) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestPerftEndsAtASignal: however deep it counts, it asks whether to end after each part of a second.
func TestPerftEndsAtASignal(t *testing.T) {
	err := Perft(&ends{t.Context(), 100}, cli.Std{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard},
		[]string{"--variant", "chess", "--depth", "30"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}
