// SPDX-License-Identifier: Apache-2.0

package uci

import (
	"fmt"
	"strconv"
	"strings"

	"boardd/rules"
)

// Answer is a program's answer to a position.
type Answer struct {
	Move  rules.Move
	Line  []rules.Move // the play it expects, Move first
	Depth int
	Score Score
	Lines []Line // the best lines, the best first, if the program was asked for several
	next  string // the reply that it expects, as it said it
}

// Line is one of several lines of play.
type Line struct {
	Score Score
	Moves []rules.Move
}

// Score is the evaluation for the side to move: hundredths of a pawn, or a mate.
type Score struct {
	Known bool
	Cents int
	Mate  int // moves to the mate, negative if the side to move is mated; 0 for none
}

// String is the score as in "+0.35", "#3" or "#-2"; "?" if it is not known.
func (s Score) String() string {
	switch {
	case !s.Known:
		return "?"
	case s.Mate != 0:
		return fmt.Sprintf("#%d", s.Mate)
	}
	return fmt.Sprintf("%+.2f", float64(s.Cents)/100)
}

// mostLines is how many lines of a program are kept.
const mostLines = 16

// take takes in an info line. It ignores what it does not know.
func (a *Answer) take(p *rules.Position, line string) {
	f := strings.Fields(line)
	number, depth, told := 1, 0, Line{}
	for i := 1; i+1 < len(f); i++ {
		switch f[i] {
		case "string":
			return
		case "multipv":
			if n, err := strconv.Atoi(f[i+1]); err == nil {
				number = n
			}
		case "depth":
			if n, err := strconv.Atoi(f[i+1]); err == nil {
				depth = n
			}
		case "score":
			told.Score.take(f[i+1:])
		case "pv":
			told.Moves = playable(p, f[i+1:])
			i = len(f)
		}
	}
	if number == 1 {
		if depth > 0 {
			a.Depth = depth
		}
		if told.Score.Known {
			a.Score = told.Score
		}
		if told.Moves != nil {
			a.Line = told.Moves
		}
	}
	if n := len(a.Lines); len(told.Moves) > 0 && told.Score.Known && number >= 1 && number <= min(n+1, mostLines) {
		if number > n {
			a.Lines = append(a.Lines, Line{})
		}
		a.Lines[number-1] = told
	}
}

func (s *Score) take(f []string) {
	if len(f) < 2 {
		return
	}
	n, err := strconv.Atoi(f[1])
	switch {
	case err != nil:
	case f[0] == "cp":
		*s = Score{Known: true, Cents: n}
	case f[0] == "mate":
		*s = Score{Known: true, Mate: n}
	}
}

// playable is the moves, in coordinate form, up to the first illegal one.
func playable(p *rules.Position, words []string) (line []rules.Move) {
	q := *p
	for _, w := range words {
		m, ok := legal(&q, w)
		if !ok {
			return line
		}
		line = append(line, m)
		q.Play(m)
	}
	return line
}

// legal is the legal move with that coordinate form.
func legal(p *rules.Position, word string) (rules.Move, bool) {
	for _, m := range p.AppendMoves(nil) {
		if p.Coord(m) == word {
			return m, true
		}
	}
	return rules.NoMove, false
}
