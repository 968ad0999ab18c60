// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"

	"boardd/rules"
)

// begin makes the position the one to think about, with nothing played before.
func (e *Engine) begin(p rules.Position) { e.pos, e.past = p, nil }

// setPosition takes a position and the moves from it. If anything is wrong the position stays as it was.
func (e *Engine) setPosition(fen string, moves []string) error {
	p := e.variant.Start()
	if fen != "" {
		var err error
		if p, err = e.variant.ParseFEN(fen); err != nil {
			return fmt.Errorf("position: %w", err)
		}
	}
	var past []uint64
	for i, text := range moves {
		m, err := coordinate(&p, text)
		if err != nil {
			return fmt.Errorf("position: move %d: %w", i+1, err)
		}
		past = append(past, p.Key())
		p.Play(m)
	}
	e.pos, e.past = p, past
	return nil
}

// coordinate is the legal move with that coordinate form. Unlike ParseMove it takes no other notation: a client that
// sends one means something else than it says.
func coordinate(p *rules.Position, text string) (rules.Move, error) {
	m, err := p.ParseMove(text)
	if err != nil {
		return rules.NoMove, err
	}
	if got := p.Coord(m); got != text {
		return rules.NoMove, fmt.Errorf("%q is not in coordinate form, want %s", text, got)
	}
	return m, nil
}
