// SPDX-License-Identifier: Apache-2.0

package game

import (
	"boardd/rules"
	"boardd/rules/say"
)

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
	Local   = "local"   // played by hand on this board
	Engine  = "engine"  // played by a program on this board
	Lichess = "lichess" // played at lichess.org
)

// Seat says who plays a side: a board's id, Local or Engine.
func (s Setup) Seat(side Side) string {
	if side == Black {
		return s.Black
	}
	return s.White
}

// Here reports whether a side is played on this board, by hand or by its engine.
func (s Setup) Here(side Side) bool {
	seat := s.Seat(side)
	return seat == s.Board || seat == Local || seat == Engine
}

// Rival is the seat that is not played on this board, "" if there is none.
func (s Setup) Rival() string {
	for _, side := range []Side{White, Black} {
		if !s.Here(side) {
			return s.Seat(side)
		}
	}
	return ""
}

// ByHand reports whether a side is played here by a person.
func (s Setup) ByHand(side Side) bool { return s.Here(side) && s.Seat(side) != Engine }

// engine reports whether a program on this board plays one of the sides.
func (s Setup) engine() bool { return s.White == Engine || s.Black == Engine }

// Judged reports whether a server judges the game: its clocks count, and how it says that the game ended.
func (s Setup) Judged() bool { return s.White == Lichess || s.Black == Lichess }

// Remote gives the id of the board that plays a side; "" when it is played here.
func (s Setup) Remote(side Side) string {
	if s.Here(side) {
		return ""
	}
	return s.Seat(side)
}

// sidesOf gives the sides that a board holds.
func (s Setup) sidesOf(board string) (sides []Side) {
	for _, side := range []Side{White, Black} {
		if s.Remote(side) == board && board != "" {
			sides = append(sides, side)
		}
	}
	return sides
}

// both reports whether both sides are played here.
func (s Setup) both() bool { return s.Here(White) && s.Here(Black) }

// neither reports whether this board only looks on.
func (s Setup) neither() bool { return !s.Here(White) && !s.Here(Black) }

// Names is who plays where, for people and for game files: it changes nothing of a game. "" and 0 are not known.
type Names struct {
	Event string `json:"event,omitempty"` // of the tournament or match
	Site  string `json:"site,omitempty"`
	Round string `json:"round,omitempty"`
	Table string `json:"table,omitempty"` // number of the game in its round
	White string `json:"white,omitempty"` // "Surname, First name"
	Black string `json:"black,omitempty"`

	WhiteTitle      string `json:"white_title,omitempty"` // GM, WFM ...
	BlackTitle      string `json:"black_title,omitempty"`
	WhiteFederation string `json:"white_federation,omitempty"` // three letters
	BlackFederation string `json:"black_federation,omitempty"`
	WhiteFIDE       int    `json:"white_fide,omitempty"` // id at FIDE
	BlackFIDE       int    `json:"black_fide,omitempty"`
}

// Swapped returns the names with the colors exchanged, of a game whose number is not known.
func (n Names) Swapped() Names {
	n.White, n.Black, n.Table = n.Black, n.White, ""
	n.WhiteTitle, n.BlackTitle = n.BlackTitle, n.WhiteTitle
	n.WhiteFederation, n.BlackFederation = n.BlackFederation, n.WhiteFederation
	n.WhiteFIDE, n.BlackFIDE = n.BlackFIDE, n.WhiteFIDE
	return n
}

// Names is who plays.
func (g *Game) Names() Names { return g.names }

// rename decides that others play, or that they are called otherwise; also after the end.
func (g *Game) rename(a Action) ([]Event, error) {
	switch {
	case a.Names == nil:
		return nil, say.Error(`"names" is missing: say who plays, such as {"white":"Surname, First name"}`)
	case *a.Names == g.names:
		return nil, nil
	}
	return []Event{{Kind: Named, Names: a.Names}}, nil
}

// ClockAt is what the mover's clock showed after the move that led to this ply, 1 to Plies; false when the game is
// played without.
func (g *Game) ClockAt(ply int) (leftMS int64, ok bool) {
	s := &g.line[ply-1]
	if s.clock.timing == nil {
		return 0, false
	}
	mover := SideOf(g.at(ply - 1).Turn())
	return inMS(max(0, s.clock.of(mover).left)), true
}
