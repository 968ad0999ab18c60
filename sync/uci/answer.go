// SPDX-License-Identifier: Apache-2.0

package uci

import (
	"fmt"
	"slices"
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
	Holds bool   // it is proven that Question.Mate is no mate after Move
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

// heard is what a program has said while it thought. Moves are only looked at when it has named its own: a program
// that talks without end costs little.
type heard struct {
	depth int
	score Score
	pv    []string          // newest first line, as words
	lines [mostLines]spoken // by number of the line, from 0
	holds bool              // it has said that there is no mate
}

// spoken is the newest of one of several lines of play.
type spoken struct {
	score Score
	pv    []string // nil: nothing was said of it
}

// mostMoves is how many moves of a line are kept.
const mostMoves = 100

// take takes in an info line. It ignores what it does not know.
func (h *heard) take(line string) {
	f := strings.Fields(line)
	number, depth, told := 1, 0, spoken{}
	for i := 1; i+1 < len(f); i++ {
		switch f[i] {
		case "string":
			h.holds = h.holds || strings.HasPrefix(strings.Join(f[i+1:], " "), "no mate in ")
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
			told.score.take(f[i+1:])
		case "pv":
			told.pv = slices.Clone(f[i+1 : min(len(f), i+1+mostMoves)])
			i = len(f)
		}
	}
	if number == 1 {
		if depth > 0 {
			h.depth = depth
		}
		if told.score.Known {
			h.score = told.score
		}
		if told.pv != nil {
			h.pv = told.pv
		}
	}
	if told.pv != nil && told.score.Known && number >= 1 && number <= mostLines {
		h.lines[number-1] = told
	}
}

// answer is what was heard of a position, without the move. It has the lines up to the first one that cannot be
// played.
func (h *heard) answer(p *rules.Position) Answer {
	a := Answer{Depth: h.depth, Score: h.score, Line: playable(p, h.pv), Holds: h.holds}
	for i := range h.lines {
		told := Line{Score: h.lines[i].score, Moves: playable(p, h.lines[i].pv)}
		if told.Moves == nil {
			break
		}
		a.Lines = append(a.Lines, told)
	}
	return a
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
