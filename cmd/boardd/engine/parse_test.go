// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"boardd/rules"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		line string
		want command
	}{
		{"", command{}},
		{"  uci \r", command{word: "uci"}},
		{"setoption name UCI_Variant value locking", command{word: "setoption", name: "UCI_Variant", value: "locking"}},
		{"setoption name Clear Hash", command{word: "setoption", name: "Clear Hash"}},
		{"position startpos moves e2e4 e7e5", command{word: "position", moves: []string{"e2e4", "e7e5"}}},
		{"position fen 4k3/8/8/8/8/8/8/[PN]3K3 w - - 0 1",
			command{word: "position", fen: "4k3/8/8/8/8/8/8/[PN]3K3 w - - 0 1"}},
		{"go infinite", command{word: "go", go_: limits{infinite: true}}},
		{"go wtime -5 btime 2000 winc 10 binc 20 movestogo 7", command{word: "go", go_: limits{clock: true, movesToGo: 7,
			left: [2]time.Duration{0, 2 * time.Second}, gain: [2]time.Duration{10 * time.Millisecond, 20 * time.Millisecond}}}},
		{"go searchmoves a2a3 b2b3 depth 3", command{word: "go", go_: limits{only: []string{"a2a3", "b2b3"}, depth: 3}}},
		{"go nodes 123456 mate 3 movetime 0 ponder",
			command{word: "go", go_: limits{nodes: 123456, mate: 3, moveTime: time.Millisecond, ponder: true}}},
	} {
		got, err := parse(c.line)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: got %+v, %v; want %+v", c.line, got, err, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"xyzzy":                    "xyzzy",
		"setoption Hash 3":         "setoption name NAME",
		"position":                 "startpos",
		"position somewhere":       "startpos",
		"go depth":                 "number",
		"go depth x":               "whole number",
		"go nodes -1":              "whole number",
		"go movetime 1e3":          "whole number",
		"go deep":                  "deep",
		"go nodes 999999999999999": "whole number",
	} {
		if _, err := parse(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an error that says %q", line, err, want)
		}
	}
}

// FuzzParse: no line makes the parser or the setting of a position panic, and a refused position leaves the old one.
func FuzzParse(f *testing.F) {
	for _, line := range []string{"uci", "go wtime 1 btime 2", "position startpos moves e2e4",
		"setoption name Hash value 1",
		"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 *",
		"go searchmoves a2a3 depth 2"} {
		f.Add(line, uint8(1))
	}
	f.Fuzz(func(t *testing.T, line string, game uint8) {
		c, err := parse(line)
		if err != nil {
			return
		}
		all := rules.Variants()
		v := all[int(game)%len(all)]
		e := &Engine{variant: v, pos: v.Start(), numbers: numbers(), out: io.Discard}
		before := e.pos
		if c.word == "position" {
			if err := e.setPosition(c.fen, c.moves); err != nil && e.pos != before {
				t.Errorf("%q: refused, and the position changed", line)
			}
		}
		if c.word == "setoption" {
			_ = e.setOption(c.name, c.value)
		}
		if soft, hard := c.go_.budget(e.pos.Turn()); soft < 0 || hard < 0 {
			t.Errorf("%q: thinks for %v to %v", line, soft, hard)
		}
	})
}

// TestBudget: the engine never uses more than its clock, and keeps to the times that the client gives.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		line       string
		soft, hard time.Duration // at most
	}{
		{"go movetime 500", 0, 500 * time.Millisecond},
		{"go wtime 60000 btime 60000", 2 * time.Second, 6 * time.Second},
		{"go wtime 100 btime 100", 50 * time.Millisecond, 50 * time.Millisecond},
		{"go wtime 0 btime 0", time.Millisecond, time.Millisecond},
		{"go wtime 1000 btime 1000 winc 5000", 333 * time.Millisecond, 500 * time.Millisecond},
		{"go wtime 10000 btime 10000 movestogo 1", 4 * time.Second, 5 * time.Second},
	} {
		command, err := parse(c.line)
		if err != nil {
			t.Fatal(err)
		}
		soft, hard := command.go_.budget(rules.White)
		if soft > c.soft || hard > c.hard || hard == 0 || soft > hard {
			t.Errorf("%q: got %v and %v, want at most %v and %v", c.line, soft, hard, c.soft, c.hard)
		}
	}
}
