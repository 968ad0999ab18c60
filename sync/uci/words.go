// SPDX-License-Identifier: Apache-2.0

package uci

import (
	"fmt"
	"strings"
	"time"

	"boardd/rules"
)

// cut is the first word of a line and the rest.
func cut(line string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimSpace(line), " ")
	return word, strings.TrimSpace(rest)
}

// position is the command that tells the program the position: the start and all moves, so that it knows about
// repetitions.
func (q *Question) position() string {
	p := q.Start
	text := "position fen " + p.FEN()
	if array := p.Variant().Start(); p == array {
		text = "position startpos"
	}
	for i, m := range q.Moves {
		if i == 0 {
			text += " moves"
		}
		text += " " + p.Coord(m)
		p.Play(m)
	}
	return text
}

// limit is the command that makes the program think about a position, and how long it may take at most.
func (q *Question) limit(think time.Duration, p *rules.Position) (line string, most time.Duration) {
	switch {
	case q.Mate > 0:
		return fmt.Sprintf("go movetime %d mate -%d", max(q.Time.Milliseconds(), 1), q.Mate), q.Time
	case q.Time > 0:
		return fmt.Sprintf("go movetime %d", max(q.Time.Milliseconds(), 1)), q.Time
	case q.Nodes > 0:
		return fmt.Sprintf("go nodes %d", q.Nodes), 10 * think
	case q.Clock != nil:
		c := q.Clock
		return fmt.Sprintf("go wtime %d btime %d winc %d binc %d", c.Left[0].Milliseconds(), c.Left[1].Milliseconds(),
			c.Gain[0].Milliseconds(), c.Gain[1].Milliseconds()), max(c.Left[p.Turn()], 0)
	}
	if p.CountMoves() == 1 {
		think = min(think, forced)
	}
	return fmt.Sprintf("go movetime %d", think.Milliseconds()), think
}
