// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// command is one line of a client.
type command struct {
	word        string // the first word: uci, position, go ...
	name, value string // of setoption
	fen         string // of position; "" is the array
	moves       []string
	go_         limits
}

// limits is what a client says after "go". Zero means that it said nothing.
type limits struct {
	depth, movesToGo int
	mate             int // below 0: the side to move is to be mated
	nodes            uint64
	moveTime         time.Duration
	left, gain       [2]time.Duration // White's and Black's
	clock            bool             // the times left were given
	infinite, ponder bool
	only             []string
}

// words are the commands that take no argument, or whose arguments do not matter.
var words = []string{"uci", "isready", "ucinewgame", "stop", "ponderhit", "quit", "debug", "register"}

// known reports whether a word is a command.
func known(word string) bool {
	return slices.Contains(words, word) || word == "setoption" || word == "position" || word == "go"
}

// parse reads a line. An empty line is a command without a word. Unknown words before a command are passed over, as
// the protocol wants it.
func parse(line string) (command, error) {
	f := strings.Fields(line)
	if len(f) == 0 {
		return command{}, nil
	}
	c := command{word: f[0]}
	if i := slices.IndexFunc(f, known); i > 0 {
		c.word, f = f[i], f[i:]
	}
	switch {
	case slices.Contains(words, c.word):
		return c, nil
	case c.word == "setoption":
		return c, c.parseOption(f[1:])
	case c.word == "position":
		return c, c.parsePosition(f[1:])
	case c.word == "go":
		return c, c.go_.parse(f[1:])
	}
	return command{}, fmt.Errorf("there is no command %q: want uci, isready, setoption, ucinewgame, position, go, "+
		"stop, ponderhit or quit", c.word)
}

func (c *command) parseOption(f []string) error {
	if len(f) < 2 || f[0] != "name" {
		return fmt.Errorf("setoption: want setoption name NAME value VALUE")
	}
	name, value := f[1:], []string(nil)
	if i := slices.Index(name, "value"); i >= 0 {
		name, value = name[:i], name[i+1:]
	}
	c.name, c.value = strings.Join(name, " "), strings.Join(value, " ")
	return nil
}

func (c *command) parsePosition(f []string) error {
	where, moves := f, []string(nil)
	if i := slices.Index(f, "moves"); i >= 0 {
		where, moves = f[:i], f[i+1:]
	}
	c.moves = moves
	switch {
	case len(where) == 1 && where[0] == "startpos":
		return nil
	case len(where) > 1 && where[0] == "fen":
		c.fen = strings.Join(where[1:], " ")
		return nil
	}
	return fmt.Errorf("position: want position startpos or position fen STACK-FEN, then moves and coordinate " +
		"moves if any")
}

// arguments has the words that may follow "go", with the number of their arguments. searchmoves takes all words up to
// the next of these.
var arguments = map[string]int{"depth": 1, "nodes": 1, "mate": 1, "movetime": 1, "wtime": 1, "btime": 1, "winc": 1,
	"binc":      1,
	"movestogo": 1, "infinite": 0, "ponder": 0, "searchmoves": 0}

func (l *limits) parse(f []string) error {
	for len(f) > 0 {
		word := f[0]
		n, known := arguments[word]
		if !known {
			return fmt.Errorf("go: %q is no limit: want depth, nodes, mate, movetime, wtime, btime, winc, binc, movestogo, "+
				"searchmoves, infinite or ponder", word)
		}
		if f = f[1:]; len(f) < n {
			return fmt.Errorf("go: %s: want a number behind it", word)
		}
		if word == "searchmoves" {
			for len(f) > 0 {
				if _, next := arguments[f[0]]; next {
					break
				}
				l.only, f = append(l.only, f[0]), f[1:]
			}
			continue
		}
		value := ""
		if n == 1 {
			value = f[0]
		}
		if err := l.set(word, value); err != nil {
			return err
		}
		f = f[n:]
	}
	return nil
}

// most is the largest number that a limit may have: milliseconds of a year, and enough nodes for one.
const most = 1 << 45

func (l *limits) set(word, value string) error {
	switch word {
	case "infinite":
		l.infinite = true
		return nil
	case "ponder":
		l.ponder = true
		return nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	clock := word == "wtime" || word == "btime" // a client may send less than nothing when a flag has fallen
	if err != nil || n > most || n < 0 && !clock && word != "mate" {
		return fmt.Errorf("go: %s %q: want a whole number, 0 to %d", word, value, int64(most))
	}
	span := time.Duration(n) * time.Millisecond
	switch word {
	case "depth":
		l.depth = int(min(n, 1000))
	case "mate":
		l.mate = int(max(-1000, min(n, 1000)))
	case "movestogo":
		l.movesToGo = int(min(n, 1000))
	case "nodes":
		l.nodes = uint64(n)
	case "movetime":
		l.moveTime = max(span, time.Millisecond)
	case "wtime", "btime":
		l.left[side(word)], l.clock = max(span, 0), true
	case "winc", "binc":
		l.gain[side(word)] = span
	}
	return nil
}

// side is 0 for a word of White's clock and 1 for one of Black's.
func side(word string) int {
	if word[0] == 'w' {
		return 0
	}
	return 1
}
