// SPDX-License-Identifier: Apache-2.0

package game

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardd/rules/say"
)

// Timing says by which clock a game is played. Times are in milliseconds.
type Timing struct {
	Kind    string `json:"kind"`
	Initial int64  `json:"initial_ms"` // what each side begins with
	// per move: added (fischer), given back as far as used (bronstein), waited (delay)
	Increment int64 `json:"increment_ms,omitempty"`
	Moves     int   `json:"moves,omitempty"` // moves the first period is for; 0: the whole game
	// what follows, each begun when the moves of the one before are made
	Periods []Period   `json:"periods,omitempty"`
	White   *Allowance `json:"white,omitempty"` // a handicap: other figures for one side's first period
	Black   *Allowance `json:"black,omitempty"`
}

// Period is a further stretch of the game.
type Period struct {
	Moves     int   `json:"moves,omitempty"`        // 0: all that remain
	Initial   int64 `json:"initial_ms"`             // added to what is left
	Increment int64 `json:"increment_ms,omitempty"` // as in Timing, from here on
}

// Allowance replaces the first period's figures for one side.
type Allowance struct {
	Initial   int64 `json:"initial_ms"`
	Increment int64 `json:"increment_ms,omitempty"`
}

// The kinds of clocks.
const (
	SuddenDeath = "sudden-death" // the time is for the whole game or period
	Fischer     = "fischer"      // each move made adds the increment
	Bronstein   = "bronstein"    // each move made gives back what it took, at most the increment
	Delay       = "delay"        // the time begins to run after the increment
	Hourglass   = "hourglass"    // what one side uses the other gains
)

func (t *Timing) check() error {
	var faults []error
	kinds := []string{SuddenDeath, Fischer, Bronstein, Delay, Hourglass}
	if !slices.Contains(kinds, t.Kind) {
		faults = append(faults, say.Error("clock kind %q, want %s", t.Kind, strings.Join(kinds, ", ")))
	}
	for _, side := range []Side{White, Black} {
		if first := t.first(side); first.Initial <= 0 || first.Increment < 0 {
			faults = append(faults, say.Error("clock of %s: %d ms and %d ms a move, want more than 0 and not less than 0",
				side, first.Initial, first.Increment))
		}
	}
	for i, p := range t.periods(White) {
		last := i == len(t.Periods)
		if p.Moves < 0 || p.Initial < 0 || p.Increment < 0 || !last && p.Moves == 0 {
			faults = append(faults, say.Error("clock period %d: %d moves, %d ms, %d ms a move: want none negative and a "+
				"number of moves before a further period", i+1, p.Moves, p.Initial, p.Increment))
		}
	}
	if t.Kind == Hourglass && len(t.Periods) > 0 {
		faults = append(faults, say.Error("an hourglass has no periods"))
	}
	return errors.Join(faults...)
}

// first is a side's first period, its handicap included.
func (t *Timing) first(side Side) Period {
	p := Period{Moves: t.Moves, Initial: t.Initial, Increment: t.Increment}
	own := t.White
	if side == Black {
		own = t.Black
	}
	if own != nil {
		p.Initial, p.Increment = own.Initial, own.Increment
	}
	return p
}

// periods lists a side's periods, the first one included.
func (t *Timing) periods(side Side) []Period {
	return append([]Period{t.first(side)}, t.Periods...)
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

func inMS(d time.Duration) int64 { return d.Milliseconds() }

// Tag is the clock in the form of the tag TimeControl of a game file. It has moves and seconds of each period, with
// the increment; "-" for none.
func (t *Timing) Tag() string { return t.tag(Nobody) }

// SideTag is a side's own clock in a game with a handicap; "" in any other.
func (t *Timing) SideTag(side Side) string {
	if t == nil || t.White == nil && t.Black == nil {
		return ""
	}
	return t.tag(side)
}

func (t *Timing) tag(side Side) string {
	if t == nil {
		return "-"
	}
	periods := append([]Period{{t.Moves, t.Initial, t.Increment}}, t.Periods...)
	if side != Nobody {
		periods = t.periods(side)
	}
	var words []string
	for _, p := range periods {
		word := seconds(p.Initial)
		if p.Moves > 0 {
			word = fmt.Sprint(p.Moves, "/", word)
		}
		if p.Increment > 0 {
			word += "+" + seconds(p.Increment)
		}
		words = append(words, word)
	}
	if t.Kind == Hourglass {
		return "*" + words[0]
	}
	return strings.Join(words, ":")
}

// seconds is a time as a tag has it.
func seconds(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) }
