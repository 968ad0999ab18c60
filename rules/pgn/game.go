// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"fmt"
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
	Comment string        // without the clock
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

func (e *Error) Error() string {
	if e.What == "" {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("line %d, %s: %v", e.Line, e.What, e.Err)
}

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }
