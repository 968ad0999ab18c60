// SPDX-License-Identifier: Apache-2.0

package club

import (
	"strings"
	"time"
)

// The fields of index.json, round.json and game-N.json as the viewers of tournament broadcasts read them.
type (
	roundJSON struct {
		Date     string        `json:"date,omitempty"` // 2026-11-23
		Pairings []pairingJSON `json:"pairings"`
	}
	pairingJSON struct {
		White  playerJSON `json:"white"`
		Black  playerJSON `json:"black"`
		Result string     `json:"result"` // "*" while it is played
		Live   bool       `json:"live"`
	}
	playerJSON struct {
		First      *string `json:"fname"`
		Middle     *string `json:"mname"`
		Last       *string `json:"lname"`
		Title      *string `json:"title"`
		Federation *string `json:"federation"`
		FIDE       *int    `json:"fideid"`
	}
	gameJSON struct {
		Live     bool       `json:"live"`
		Serial   string     `json:"serialNr"`
		Moves    []string   `json:"moves"` // SAN, and the seconds left on the mover's clock: "e4 5399"
		Result   *string    `json:"result"`
		Clock    *clockJSON `json:"clock"`
		Chess960 int        `json:"chess960"`          // 518: the array of orthodox chess
		Variant  string     `json:"variant,omitempty"` // another game: its moves are in the game file alone
	}
	clockJSON struct {
		White int64 `json:"white"` // seconds left
		Black int64 `json:"black"`
		Time  int64 `json:"time"` // when they were, in milliseconds since 1970
	}
)

// array is the number of the orthodox array among those of Chess960.
const array = 518

func (r *Round) pairingJSON(t *table) pairingJSON {
	n := r.names(t, t.game)
	return pairingJSON{White: player(n.White, n.WhiteTitle, n.WhiteFederation, n.WhiteFIDE),
		Black:  player(n.Black, n.BlackTitle, n.BlackFederation, n.BlackFIDE),
		Result: t.result(), Live: t.live()}
}

// live reports whether moves can be expected.
func (t *table) live() bool {
	return t.online && t.game != nil && t.result() == "*" && t.game.Outcome == ""
}

// player parts a name into first and last name.
func player(name, title, federation string, fide int) playerJSON {
	maybe := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	last, first, comma := strings.Cut(name, ",")
	if words := strings.Fields(name); !comma && len(words) > 1 {
		last, first = words[len(words)-1], strings.Join(words[:len(words)-1], " ")
	}
	p := playerJSON{First: maybe(strings.TrimSpace(first)), Last: maybe(strings.TrimSpace(last)), Title: maybe(title),
		Federation: maybe(federation)}
	if fide > 0 {
		p.FIDE = &fide
	}
	return p
}

func (r *Round) gameJSON(t *table) gameJSON {
	g := gameJSON{Live: t.live(), Serial: t.board, Moves: []string{}, Chess960: array}
	if result := t.result(); result != "*" {
		g.Result = &result
	}
	m := t.game
	if m == nil {
		return g
	}
	if m.Variant != orthodox || !strings.HasPrefix(m.Start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq ") {
		g.Variant, g.Chess960 = m.Variant, 0
		return g
	}
	for i, san := range t.moves {
		if i < len(m.Clocks) {
			san += " " + seconds(m.Clocks[i])
		}
		g.Moves = append(g.Moves, san)
	}
	if c := m.Clock; c != nil {
		at, err := time.Parse(time.RFC3339, c.At)
		if err == nil {
			g.Clock = &clockJSON{c.White / 1000, c.Black / 1000, at.UnixMilli()}
		}
	}
	return g
}
