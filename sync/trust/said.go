// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sync/seal"
	"boardd/sync/wire"
)

// SignSaid returns the signature of this board over what a message of it asks and answers. It is "" if the board does
// not sign, and in a game without another board, which has nothing to ask.
func (k *Keys) SignSaid(m *table.Message) string {
	h := &m.Game
	if s := (game.Setup{Board: h.Board, White: h.White, Black: h.Black}); k.own == nil || s.Rival() == "" {
		return ""
	}
	g := heard(h)
	return seal.SignSaid(k.own, h.Board, &g, said(m))
}

// Said is the signature of a message over what it asks and answers, "" for none.
func Said(s *wire.Seals) string {
	if s == nil {
		return ""
	}
	return s.Said
}

// Vouches reports whether what a message asks and answers is its board's. good are its signatures that fit. A board
// of which no key is known, and which signs nothing, is taken at its word.
func (k *Keys) Vouches(m *table.Message, good table.Seals) bool {
	if len(good) == 0 {
		return k.words(m.Game.Board) == "" && k.lost == nil
	}
	g := heard(&m.Game)
	for _, text := range good {
		s, err := seal.Parse(text)
		if err != nil || !seal.CheckSaid(s.Key, m.Said, m.Game.Board, &g, said(m)) {
			return false
		}
	}
	return true
}

// said is what a message asks and answers, and the terms of its game, as the lines that are signed (package seal).
func said(m *table.Message) []string {
	h := &m.Game
	lines := []string{
		fmt.Sprintf("offer %s", h.Offer),
		fmt.Sprintf("no_draw %s", h.NoDraw),
		fmt.Sprintf("ask %s %d %d", h.AskBy, h.AskNumber, h.AskTo),
		fmt.Sprintf("declined %d", h.Declined),
		fmt.Sprintf("paused %t %d %t %s", h.Paused, h.Pauses, h.Running, h.PauseReason),
		fmt.Sprintf("answered %d %t", m.Answered.Number, m.Answered.Accepted),
	}
	lines = append(lines, terms(h.Timing, h.Options)...)
	r := m.Request
	if r == nil {
		return lines
	}
	lines = append(lines, fmt.Sprintf("request %s %s %d %d %d", r.What, r.By, r.Number, r.Left[0].Milliseconds(),
		r.Left[1].Milliseconds()))
	if r.What != table.NewGame {
		return lines
	}
	s := &r.Setup
	lines = append(lines, s.ID, s.Variant, s.White, s.Black, s.Start)
	return append(lines, terms(s.Clock, s.Options)...)
}

// terms is the time control and the options of a game, as the lines that are signed.
func terms(clock *game.Timing, options map[string]string) []string {
	timing, err := json.Marshal(clock)
	if err != nil {
		timing = []byte(err.Error()) // never: it is made of numbers and words
	}
	lines := []string{"timing " + string(timing)}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		lines = append(lines, fmt.Sprintf("option %q %q", name, options[name]))
	}
	return lines
}
