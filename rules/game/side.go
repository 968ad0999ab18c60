// SPDX-License-Identifier: Apache-2.0

package game

import "boardd/rules"

// Side is "white" or "black", as events and messages write it; "" is nobody in particular.
type Side string

// The two sides.
const (
	Nobody Side = ""
	White  Side = "white"
	Black  Side = "black"
)

// SideOf is the side of a color.
func SideOf(c rules.Color) Side {
	if c == rules.White {
		return White
	}
	return Black
}

// Other is the opponent; nobody has none.
func (s Side) Other() Side {
	switch s {
	case White:
		return Black
	case Black:
		return White
	}
	return Nobody
}

// Color is the side's color. Nobody is taken for White; ask only where a side is known.
func (s Side) Color() rules.Color {
	if s == Black {
		return rules.Black
	}
	return rules.White
}

// The seats that are no board's id.
const (
	Local  = "local"  // played by hand on this board
	Engine = "engine" // played by a program on this board
)

// Seat says who plays a side: a board's id, Local or Engine.
func (s Setup) Seat(side Side) string {
	if side == Black {
		return s.Black
	}
	return s.White
}

// Here says whether a side is played on this board, by hand or by its engine.
func (s Setup) Here(side Side) bool {
	seat := s.Seat(side)
	return seat == s.Board || seat == Local || seat == Engine
}

// ByHand reports whether a side is played here by a person.
func (s Setup) ByHand(side Side) bool { return s.Here(side) && s.Seat(side) != Engine }

// engine reports whether a program on this board plays one of the sides.
func (s Setup) engine() bool { return s.White == Engine || s.Black == Engine }

// Remote gives the id of the board that plays a side; "" when it is played here.
func (s Setup) Remote(side Side) string {
	if s.Here(side) {
		return ""
	}
	return s.Seat(side)
}

// held gives the sides that a board holds.
func (s Setup) held(board string) (sides []Side) {
	for _, side := range []Side{White, Black} {
		if s.Remote(side) == board && board != "" {
			sides = append(sides, side)
		}
	}
	return sides
}

// both says that both sides are played here.
func (s Setup) both() bool { return s.Here(White) && s.Here(Black) }

// neither says that this board only looks on.
func (s Setup) neither() bool { return !s.Here(White) && !s.Here(Black) }
