// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"boardd/rules"
)

// Limit is the size of the largest file that is read, in bytes.
const Limit = 16 << 20

// What one game may have, since its memory is many times its text. The longest game of chess has 11,797 half-moves.
const (
	mostPlies = 20_000
	mostTags  = 1_000
	mostText  = 100 // letters of a move that are said in an error
)

// Read reads all games of a file. A game without a Variant tag is of the variant given. On an error the games before
// the one in error are returned with it.
func Read(r io.Reader, v *rules.Variant) (games []Game, err error) {
	err = Each(r, v, func(g *Game) bool {
		games = append(games, *g)
		return true
	})
	return games, err
}

// Each gives all games of a file one by one until take wants none. A whole file of games is fifty times as large in
// memory.
func Each(r io.Reader, v *rules.Variant, take func(g *Game) bool) error {
	src, err := io.ReadAll(io.LimitReader(r, Limit+1))
	if err != nil {
		return err
	}
	if len(src) > Limit {
		return fmt.Errorf("the game file is larger than %d bytes: split it", Limit)
	}
	l := &lexer{src: string(src), line: 1}
	for {
		t, err := l.next()
		if err != nil || t.kind == end {
			return err
		}
		if t.kind == comment {
			continue // before a game, it belongs to none
		}
		l.peek = &t
		g, err := readGame(l, v)
		if err != nil || !take(&g) {
			return err
		}
	}
}

func readGame(l *lexer, v *rules.Variant) (Game, error) {
	g := Game{Variant: v, Result: "*"}
	if err := g.readTags(l); err != nil {
		return g, err
	}
	return g, g.readMoves(l)
}

// readTags reads the header and sets the game up.
func (g *Game) readTags(l *lexer) error {
	fen, fenLine := "", 0
	for {
		t, err := l.next()
		if err != nil {
			return err
		}
		if t.kind == comment {
			continue
		}
		if t.kind != tag {
			l.peek = &t
			break
		}
		switch strings.ToLower(t.text) {
		case "variant":
			if g.Variant, err = variant(t.value); err != nil {
				return &Error{Line: t.line, What: "tag Variant", Err: err}
			}
		case "fen":
			fen, fenLine = t.value, t.line
		case "result":
			g.Result = t.value
		case "setup":
		default:
			if len(g.Tags) == mostTags {
				err = fmt.Errorf("a game has more than %d tags", mostTags)
				return &Error{Line: t.line, What: "tag " + cut(t.text), Err: err}
			}
			g.Tags = append(g.Tags, Tag{t.text, t.value})
		}
	}
	g.Start = g.Variant.Start()
	if fen == "" {
		return nil
	}
	var err error
	if g.Start, err = g.Variant.ParseFEN(fen); err != nil {
		return &Error{Line: fenLine, What: "tag FEN", Err: err}
	}
	return nil
}

// variant accepts the ids, the names in any case, and what other programs call the orthodox game.
func variant(s string) (*rules.Variant, error) {
	for _, v := range rules.Variants() {
		if strings.EqualFold(v.ID(), s) || strings.EqualFold(v.Name(), s) {
			return v, nil
		}
	}
	if strings.EqualFold(s, "standard") {
		s = "chess"
	}
	return rules.ByID(s)
}

// readMoves reads up to the result, the next game's header or the end of the file.
func (g *Game) readMoves(l *lexer) error {
	p := g.Start
	for {
		t, err := l.next()
		if err != nil {
			return err
		}
		switch t.kind {
		case end:
			return nil
		case tag:
			l.peek = &t
			return nil
		case comment:
			g.note(t.text)
			continue
		}
		if result(t.text) {
			g.Result = t.text
			return nil
		}
		text := strings.TrimLeft(t.text, "0123456789")
		if text == "" && strings.Trim(t.text, "0123456789") == "" {
			continue
		}
		if strings.HasPrefix(text, ".") {
			t.text = strings.TrimLeft(text, ".")
		}
		if t.text == "" {
			continue
		}
		here := "move " + numbered(p.Turn() == rules.White, p.MoveNumber()) + cut(t.text)
		if len(t.text) > mostText {
			return &Error{Line: t.line, What: here, Err: errors.New("this is no move")}
		}
		m, err := p.ParseMove(t.text)
		if err == nil && len(g.Plies) == mostPlies {
			err = fmt.Errorf("a game has more than %d half-moves", mostPlies)
		}
		if err != nil {
			return &Error{Line: t.line, What: here, Err: err}
		}
		g.Plies = append(g.Plies, Ply{Move: m, SAN: p.SAN(m), Clock: -1})
		p.Play(m)
	}
}

// cut is as much of a text as is said in an error.
func cut(text string) string {
	if len(text) > mostText {
		return strings.ToValidUTF8(text[:mostText], "") + "..."
	}
	return text
}

// numbered is the number before a move.
func numbered(white bool, n int) string {
	if white {
		return strconv.Itoa(n) + "."
	}
	return strconv.Itoa(n) + "..."
}

func result(s string) bool { return s == "1-0" || s == "0-1" || s == "1/2-1/2" || s == "*" }

// note files a comment with the move before it.
func (g *Game) note(text string) {
	if len(g.Plies) == 0 {
		return
	}
	ply := &g.Plies[len(g.Plies)-1]
	text = command(text, "clk", func(value string) bool {
		d, err := parseClock(value)
		if err == nil {
			ply.Clock = d
		}
		return err == nil
	})
	text = command(text, "eval", func(value string) bool {
		e, ok := parseEval(value)
		if ok {
			ply.Eval = e
		}
		return ok
	})
	ply.Comment = strings.TrimSpace(ply.Comment + " " + text)
}

// command takes [%name value] out of a comment, if take understands the value.
func command(text, name string, take func(value string) bool) string {
	before, rest, ok := strings.Cut(text, "[%"+name+" ")
	if !ok {
		return text
	}
	value, after, ok := strings.Cut(rest, "]")
	if !ok || !take(value) {
		return text
	}
	return strings.TrimSpace(before + after)
}

// parseClock reads h:mm:ss, with tenths where given.
func parseClock(s string) (time.Duration, error) {
	parts := strings.Split(strings.TrimSpace(s), ":")
	if len(parts) != 3 {
		return 0, errors.New("a clock is written h:mm:ss")
	}
	h, err1 := strconv.ParseUint(parts[0], 10, 16)
	m, err2 := strconv.ParseUint(parts[1], 10, 8)
	sec, err3 := strconv.ParseFloat(parts[2], 64)
	if err := errors.Join(err1, err2, err3); err != nil || !(sec >= 0 && sec < 60) || m > 59 {
		return 0, errors.New("a clock is written h:mm:ss")
	}
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(sec*1000)*time.Millisecond, nil
}

// ReadMoves reads the moves of one game that starts from a position: move numbers, comments and a result may stand
// between them, tags may not. It takes everything up to the end.
func ReadMoves(r io.Reader, start rules.Position) (Game, error) {
	src, err := io.ReadAll(io.LimitReader(r, Limit))
	g := Game{Variant: start.Variant(), Start: start, Result: "*"}
	if err != nil {
		return g, err
	}
	l := &lexer{src: string(src), line: 1}
	for {
		if err := g.readMoves(l); err != nil {
			return g, err
		}
		t, err := l.next()
		if err != nil || t.kind == end {
			return g, err
		}
		if t.kind == tag {
			return g, &Error{Line: t.line, What: "tag " + cut(t.text), Err: errors.New("moves are wanted here, without tags")}
		}
		l.peek = &t
	}
}
