// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardd/rules"
)

// orthodox is the game that a file without a Variant tag holds.
const orthodox = "chess"

// roster holds the seven tags that PGN asks for, in its order.
var roster = [...]string{"Event", "Site", "Date", "Round", "White", "Black"}

// Write writes one game, followed by an empty line. Read gives the same game back.
func Write(w io.Writer, g *Game) error {
	var b strings.Builder
	g.writeTags(&b)
	b.WriteByte('\n')
	g.writeMoves(&b)
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// Tags is a header without moves: the roster, whatever of it is known, and then the other tags. Result is that of the
// game.
func Tags(tags []Tag, result string) string {
	var b strings.Builder
	g := &Game{Tags: tags, Result: result}
	g.writeRoster(&b)
	g.writeRest(&b)
	return b.String()
}

func (g *Game) writeTags(b *strings.Builder) {
	g.writeRoster(b)
	if g.Variant.ID() != orthodox { // other programs stumble over it
		line(b, "Variant", g.Variant.ID())
	}
	start := g.Variant.Start()
	if fen := g.Start.FEN(); fen != start.FEN() {
		line(b, "SetUp", "1")
		line(b, "FEN", fen)
	}
	g.writeRest(b)
}

// line writes one tag.
func line(b *strings.Builder, name, value string) {
	value = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, value)
	fmt.Fprintf(b, "[%s \"%s\"]\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value))
}

// writeRoster writes the seven tags that every game has.
func (g *Game) writeRoster(b *strings.Builder) {
	for _, name := range roster {
		value := g.Tag(name)
		switch {
		case value != "":
		case name == "Date":
			value = "????.??.??"
		default:
			value = "?"
		}
		line(b, name, value)
	}
	line(b, "Result", g.Result)
}

// writeRest writes the tags that are not in the roster.
func (g *Game) writeRest(b *strings.Builder) {
	for _, t := range g.Tags {
		if !slices.ContainsFunc(roster[:], func(name string) bool { return strings.EqualFold(name, t.Name) }) {
			line(b, t.Name, t.Value)
		}
	}
}

// writeMoves writes the moves in lines of at most 80 letters.
func (g *Game) writeMoves(b *strings.Builder) {
	width := 0
	word := func(s string) {
		if width > 0 && width+1+len(s) > 80 {
			b.WriteByte('\n')
			width = 0
		} else if width > 0 {
			b.WriteByte(' ')
			width++
		}
		b.WriteString(s)
		width += len(s)
	}
	white, n := g.Start.Turn() == rules.White, g.Start.MoveNumber()
	broken := true
	for i := range g.Plies {
		ply := &g.Plies[i]
		number := ""
		if white || broken {
			number = numbered(white, n)
		}
		word(number + ply.SAN)
		broken = false
		for _, s := range strings.Fields(ply.note()) {
			word(strings.ReplaceAll(s, joint, " "))
			broken = true
		}
		if white = !white; white {
			n++
		}
	}
	word(g.Result)
	b.WriteByte('\n')
}

// joint stands for a blank at which no line ends: readers look for the clock as it is written.
const joint = "\x00"

// note is the comment behind a move, with the evaluation and the clock, "" when there is none of them.
func (p *Ply) note() string {
	text := strings.NewReplacer("{", "(", "}", ")", joint, "").Replace(p.Comment)
	if p.Clock >= 0 {
		text = strings.TrimSpace("[%clk" + joint + clock(p.Clock) + "] " + text)
	}
	if p.Eval.Known {
		text = strings.TrimSpace("[%eval" + joint + p.Eval.String() + "] " + text)
	}
	if text == "" {
		return ""
	}
	return "{" + text + "}"
}

func clock(d time.Duration) string {
	sec := strconv.FormatFloat(float64(d%time.Minute/time.Millisecond)/1000, 'f', -1, 64)
	if d%time.Minute < 10*time.Second {
		sec = "0" + sec
	}
	return fmt.Sprintf("%d:%02d:%s", d/time.Hour, d%time.Hour/time.Minute, sec)
}
