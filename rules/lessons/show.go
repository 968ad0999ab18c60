// SPDX-License-Identifier: Apache-2.0

package lessons

import (
	"fmt"
	"strings"

	"boardd/rules"
)

// Frame is one picture of a moving diagram. It has a position, the move that led to it, and the next possible moves of
// the piece that is shown.
type Frame struct {
	FEN   string `json:"fen"`
	Move  string `json:"move,omitempty"` // that led here
	SAN   string `json:"san,omitempty"`
	From  string `json:"from,omitempty"` // of the piece that goes next
	Marks []Mark `json:"marks,omitempty"`
	Try   *Try   `json:"try,omitempty"`
}

// Mark is a square that a piece may go to, and the word of the light that it would have there.
type Mark struct {
	Square string `json:"square"`
	Means  string `json:"means"` // quiet, stack, capture or special
}

// Try is a move that is not legal, and why.
type Try struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Square string `json:"square,omitempty"` // what is to blame stands there
	Rule   string `json:"rule"`             // section of RULES.md
	Text   string `json:"text"`
	Code   string `json:"code"` // and Args: as in rules.Reason
	Args   string `json:"args,omitempty"`
}

// Show plays a lesson. Its error says which move the rules do not allow, or that what is tried is legal.
func Show(l *Lesson) ([]Frame, error) {
	v, err := rules.ByID(l.Game)
	if err != nil {
		return nil, err
	}
	p := v.Start()
	if l.FEN != "" {
		if p, err = v.ParseFEN(l.FEN); err != nil {
			return nil, fmt.Errorf("%s: %w", l.Key, err)
		}
	}
	frames := []Frame{{FEN: p.FEN()}}
	for _, text := range strings.Fields(l.Moves) {
		m, err := p.ParseMove(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.Key, err)
		}
		last := &frames[len(frames)-1]
		last.From, last.Marks = m.From().String(), marks(&p, m.From())
		next := Frame{Move: p.Coord(m), SAN: p.SAN(m)}
		p.Play(m)
		next.FEN = p.FEN()
		frames = append(frames, next)
	}
	if l.Try == "" {
		return frames, nil
	}
	from, errFrom := rules.ParseSquare(l.Try[:2])
	to, errTo := rules.ParseSquare(l.Try[2:])
	if errFrom != nil || errTo != nil {
		return nil, fmt.Errorf("%s: %q is not two squares", l.Key, l.Try)
	}
	why := p.Why(from, to)
	if why.Text == "" {
		return nil, fmt.Errorf("%s: %s is legal", l.Key, l.Try)
	}
	try := &Try{From: from.String(), To: to.String(), Rule: why.Rule, Text: why.Text, Code: why.Code, Args: why.Args}
	if why.At != rules.NoSquare {
		try.Square = why.At.String()
	}
	last := &frames[len(frames)-1]
	last.From, last.Marks, last.Try = try.From, marks(&p, from), try
	return frames, nil
}

// marks are the squares to which the piece of a square may go, each once.
func marks(p *rules.Position, from rules.Square) (out []Mark) {
	var seen rules.Bitboard
	for _, m := range p.AppendMoves(nil) {
		if m.From() != from || seen.Has(m.To()) {
			continue
		}
		seen |= m.To().Bit()
		means := "quiet"
		switch {
		case m.IsCapture():
			means = "capture"
		case m.IsCastling(), m.Promotion() != rules.NoKind:
			means = "special"
		case m.IsMarked():
			means = "stack"
		}
		out = append(out, Mark{m.To().String(), means})
	}
	return out
}
