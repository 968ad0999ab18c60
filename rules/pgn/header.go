// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"strconv"
	"strings"
)

// Header is what is known of a game beside its moves; "" and 0 are not known.
type Header struct {
	Event, Site, Date, Round         string // Date as 2026.11.23
	White, Black                     string
	WhiteTitle, BlackTitle           string
	WhiteFederation, BlackFederation string
	WhiteFIDE, BlackFIDE             int
	TimeControl                      string
	WhiteTime, BlackTime             string // where the clocks of the sides differ
	Table                            string // number of the game in its round
	ID                               string // of the game
	WhiteSeat, BlackSeat             string // who holds the seats, in the words of the messages
	Reason                           string // why it ended
}

// Tags are the tags of a header, without those that are not known.
func (h *Header) Tags() (tags []Tag) {
	// an escaped quote is good PGN, and yet there are readers that end the value at it
	plain := strings.NewReplacer(`"`, "'", `\`, "/")
	fide := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	for _, t := range []Tag{
		{"Event", h.Event}, {"Site", h.Site}, {"Date", h.Date}, {"Round", h.Round}, {"White", h.White}, {"Black", h.Black},
		{"WhiteTitle", h.WhiteTitle}, {"BlackTitle", h.BlackTitle},
		{"WhiteFederation", h.WhiteFederation}, {"BlackFederation", h.BlackFederation},
		{"WhiteFideId", fide(h.WhiteFIDE)}, {"BlackFideId", fide(h.BlackFIDE)},
		{"TimeControl", h.TimeControl}, {"WhiteTimeControl", h.WhiteTime}, {"BlackTimeControl", h.BlackTime},
		{"Board", h.Table},
		{"GameId", h.ID}, {"WhiteSeat", h.WhiteSeat}, {"BlackSeat", h.BlackSeat}, {"Termination", h.Reason},
	} {
		if t.Value != "" {
			t.Value = plain.Replace(t.Value)
			tags = append(tags, t)
		}
	}
	return tags
}
