// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"boardd/rules"
	"boardd/sensing"
)

// Entry is one line of a trace: a reading, a time without one, a move, or moves taken back.
type Entry struct {
	At      time.Duration // since the beginning
	Reading *sensing.Reading
	Move    string // coordinate form, "" for none
	Here    bool   // the move, or the takeback, was recognised on the board
	Back    int    // plies taken back, 0 for none
	Asked   bool   // a question was open
	Unread  *Unread
}

// Unread is a time in which nobody read a bank: the board was too busy, or the bank did not answer.
type Unread struct {
	Kind sensing.Kind
	Deck sensing.Deck
	For  time.Duration
}

// Trace is a recorded game.
type Trace struct {
	Start   rules.Position
	Board   string  // stack, twin, scale or reeds; "" when the trace does not say
	Figures Figures // of the board; zero when the trace does not say
	Entries []Entry
	Torn    error // what is wrong with the last line, which is left out; nil when the trace is whole
}

// mostEntries is the largest number of entries of a trace written by this package, with lines of 18 bytes. A small
// file may unpack to far more, and each entry takes the memory of a reading.
const mostEntries = Limit / 18

// Read reads a trace. If the last line is cut off, as by a power cut, it is left out, and Torn says so. Any other
// fault is an error with its line. The trace may be compressed by gzip.
func Read(r io.Reader) (*Trace, error) {
	src := bufio.NewReader(r)
	r = src
	if head, _ := src.Peek(2); string(head) == "\x1f\x8b" {
		z, err := gzip.NewReader(src)
		if err != nil {
			return nil, err
		}
		r = z
	}
	lines := bufio.NewScanner(io.LimitReader(r, 2*Limit))
	lines.Buffer(nil, longestLine)
	if !lines.Scan() && lines.Err() != nil {
		return nil, unreadable(1, lines.Err())
	}
	if lines.Text() != "boardd-trace 1" {
		return nil, errors.New("line 1: a trace begins with \"boardd-trace 1\"")
	}
	t := &Trace{}
	var held [4]sensing.Reading
	n := 1
	var bad error
	for lines.Scan() {
		n++
		if bad != nil {
			return nil, bad
		}
		if len(t.Entries) > mostEntries {
			return nil, fmt.Errorf("line %d: more than %d entries: no trace of %d bytes has so many", n, mostEntries, Limit)
		}
		if err := t.line(lines.Text(), &held); err != nil {
			bad = fmt.Errorf("line %d: %w", n, err)
		}
	}
	if t.Start == (rules.Position{}) {
		return nil, errors.Join(errors.New("line 2: the game is missing: game VARIANT FEN"), bad)
	}
	t.Torn = bad
	return t, unreadable(n+1, lines.Err())
}

const longestLine = 1 << 16 // bytes, far more than any line of a trace has

// unreadable says which line cannot be read; nil for no error.
func unreadable(line int, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("line %d has more than %d bytes: no line of a trace is so long", line, longestLine)
	}
	return fmt.Errorf("line %d: %w", line, err)
}

func (t *Trace) line(text string, held *[4]sensing.Reading) error {
	w := strings.Fields(text)
	if len(w) < 3 {
		return fmt.Errorf("%q is cut off", text)
	}
	if w[0] == "game" {
		v, err := rules.ByID(w[1])
		if err != nil {
			return err
		}
		start, err := v.ParseFEN(strings.Join(w[2:], " "))
		if err == nil {
			t.Start = start
		}
		return err
	}
	switch w[0] {
	case "board":
		return t.board(w)
	case "mass":
		return figures(w[2:], t.Figures.Mass[:])
	case "cells":
		return figures(w[2:], t.Figures.CellNoises[:])
	case "eyes":
		return figures(w[2:], t.Figures.RangeNoises[:])
	}
	us, err := strconv.ParseInt(w[1], 10, 54) // no time.Duration is longer
	if err != nil || us < 0 {
		return fmt.Errorf("%q is no time in microseconds", w[1])
	}
	e := Entry{At: time.Duration(us) * time.Microsecond}
	switch w[0] {
	case "m", "x":
		e.Move, e.Here = w[2], w[0] == "m"
	case "q":
		e.Asked = true
	case "b", "u":
		e.Back, err = strconv.Atoi(w[2])
		e.Here = w[0] == "u"
	case "r":
		e.Reading, err = reeds(w[2:])
	case "w", "h", "s":
		e.Reading, err = values(w, held)
	case "n":
		e.Unread, err = notRead(w[2:])
	default:
		err = fmt.Errorf("%q is no kind of line: use board, mass, cells, eyes, r, w, h, s, m, x, u, b, q or n", w[0])
	}
	if err == nil {
		t.Entries = append(t.Entries, e)
	}
	return err
}

func (t *Trace) board(w []string) error {
	t.Board = w[2]
	f := [4]int32{}
	for i, text := range w[3:min(len(w), 7)] {
		v, err := strconv.ParseInt(text, 10, 32)
		if err != nil || v < 0 {
			return fmt.Errorf("%q is no figure of a board: use whole milligrams and micrometres", text)
		}
		f[i] = int32(v)
	}
	t.Figures.CellNoise, t.Figures.MassSpread, t.Figures.RangeNoise, t.Figures.CubeHeight = f[0], f[1], f[2], f[3]
	return nil
}

// figures reads a list of them, each written index:value.
func figures(w []string, list []int32) error {
	for _, pair := range w {
		i, v, err := indexed(pair, len(list))
		if err != nil || v < 0 {
			return fmt.Errorf("%q is no figure: write index:value, index 0 to %d", pair, len(list)-1)
		}
		list[i] = v
	}
	return nil
}

// indexed reads index:value.
func indexed(pair string, n int) (i int, v int32, err error) {
	left, right, _ := strings.Cut(pair, ":")
	at, err1 := strconv.ParseUint(left, 10, 7)
	value, err2 := strconv.ParseInt(right, 10, 32)
	if at >= uint64(n) {
		err1 = strconv.ErrRange
	}
	return int(at), int32(value), errors.Join(err1, err2)
}

func reeds(w []string) (*sensing.Reading, error) {
	if len(w) != 3 || w[0] != "0" && w[0] != "1" {
		return nil, errors.New("reeds are written: deck 0 or 1, known squares, closed squares")
	}
	known, err1 := strconv.ParseUint(w[1], 16, 64)
	closed, err2 := strconv.ParseUint(w[2], 16, 64)
	return &sensing.Reading{Kind: sensing.Reeds, Deck: sensing.Deck(w[0][0] - '0'), Known: rules.Bitboard(known),
		Closed: rules.Bitboard(closed & known)}, errors.Join(err1, err2)
}

// notRead reads of which bank a trace has nothing for a while.
func notRead(w []string) (*Unread, error) {
	if len(w) != 3 || len(w[0]) != 1 || !strings.Contains(letters, w[0]) || w[1] != "0" && w[1] != "1" {
		return nil, errors.New("a bank that was not read is written: r, w, h or s, deck 0 or 1, microseconds")
	}
	us, err := strconv.ParseUint(w[2], 10, 53)
	return &Unread{Kind: sensing.Kind(strings.Index(letters, w[0])), Deck: sensing.Deck(w[1][0] - '0'),
		For: time.Duration(us) * time.Microsecond}, err
}

// values reads analog values over the former ones. A height that is not in the line was not measured again, or has
// hardly changed. It counts as unchanged until it has not been written for a while. Load cells are read all at once.
func values(w []string, held *[4]sensing.Reading) (*sensing.Reading, error) {
	kind := sensing.Weights
	switch w[0] {
	case "h":
		kind = sensing.Heights
	case "s":
		kind = sensing.Scale
	}
	r := &held[kind]
	r.Kind = kind
	known, err := strconv.ParseUint(w[2], 16, 64)
	if err != nil {
		return nil, err
	}
	r.Known = rules.Bitboard(known)
	if kind == sensing.Heights {
		r.Stale = r.Known
	}
	for _, pair := range w[3:] {
		s, v, err := indexed(pair, len(r.Value))
		if err != nil {
			return nil, fmt.Errorf("%q is no value: write square:value, square 0 to 63", pair)
		}
		r.Value[s] = v
		r.Stale &^= 1 << s
	}
	out := *r
	return &out, nil
}
