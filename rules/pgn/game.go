// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"boardd/rules"
)

// Tag is one header line: [Name "Value"].
type Tag struct{ Name, Value string }

// Ply is one move with what was written behind it.
type Ply struct {
	Move    rules.Move
	SAN     string        // as the rules write it: it is written as it stands here
	Clock   time.Duration // what was left on the mover's clock, from [%clk h:mm:ss]; negative when not given
	Eval    Eval          // of the position after it, from [%eval]
	Comment string        // without the clock and the evaluation
}

// Eval is how good a position is for White: hundredths of a pawn, or a mate.
type Eval struct {
	Known bool
	Cents int
	Mate  int // moves to the mate, negative if Black mates; 0 for none
	Depth int // plies looked ahead; 0 if it is not said
}

// String is what stands in [%eval]: "0.35", "-1.20,14" with its depth, "#3" or "#-2"; "" if it is not known.
func (e Eval) String() string {
	text := ""
	switch {
	case !e.Known:
		return ""
	case e.Mate != 0:
		text = fmt.Sprintf("#%d", e.Mate)
	default:
		text = fmt.Sprintf("%.2f", float64(e.Cents)/100)
	}
	if e.Depth > 0 {
		text += fmt.Sprintf(",%d", e.Depth)
	}
	return text
}

// mostEval is the largest evaluation that is believed, in pawns; mostMate the longest mate, and the greatest depth.
const mostEval, mostMate = 1000, 1000

// parseEval reads what String writes.
func parseEval(text string) (Eval, bool) {
	e := Eval{Known: true}
	score, depth, deep := strings.Cut(strings.TrimSpace(text), ",")
	if deep {
		n, err := strconv.Atoi(depth)
		if err != nil || n < 0 || n > mostMate {
			return Eval{}, false
		}
		e.Depth = n
	}
	if mate, ok := strings.CutPrefix(score, "#"); ok {
		n, err := strconv.Atoi(mate)
		e.Mate = n
		return e, err == nil && n != 0 && n >= -mostMate && n <= mostMate
	}
	pawns, err := strconv.ParseFloat(score, 64)
	if err != nil || !(math.Abs(pawns) <= mostEval) { // not a number is no evaluation either
		return Eval{}, false
	}
	e.Cents = int(math.Round(100 * pawns))
	return e, true
}

// Game is one game of a file.
type Game struct {
	Tags    []Tag // in the order of the file; without Variant, SetUp, FEN and Result, which the fields below say
	Variant *rules.Variant
	Start   rules.Position
	Plies   []Ply
	Result  string // "1-0", "0-1", "1/2-1/2" or "*"
}

// Tag is the value of a tag, "" when it is not there.
func (g *Game) Tag(name string) string {
	for _, t := range g.Tags {
		if strings.EqualFold(t.Name, name) {
			return t.Value
		}
	}
	return ""
}

// End is the position after the last move.
func (g *Game) End() rules.Position {
	p := g.Start
	for _, ply := range g.Plies {
		p.Play(ply.Move)
	}
	return p
}

// Error is a place in a file that cannot be read.
type Error struct {
	Line int    // from 1
	What string // which move or tag, "" when there is none
	Err  error
}

// Error says the line, the move or tag, and what is wrong.
func (e *Error) Error() string {
	if e.What == "" {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("line %d, %s: %v", e.Line, e.What, e.Err)
}

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }
