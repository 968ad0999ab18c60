// SPDX-License-Identifier: Apache-2.0

package club

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"boardd/sync/wire"
)

// Report is the round for the organiser.
type Report struct {
	Event  string  `json:"event"`
	Round  string  `json:"round"`
	Tables []Line  `json:"tables"`
	Spare  []Spare `json:"spare"` // boards that are at no table
	Simul  *Simul  `json:"simul"` // null unless one plays against all others
}

// Line is one table.
type Line struct {
	Table  int    `json:"table"`
	Board  string `json:"board"`
	Online bool   `json:"online"`
	White  string `json:"white"`
	Black  string `json:"black"`
	Result string `json:"result"`
	Moves  int    `json:"moves"` // plies
	Last   string `json:"last"`  // SAN of the last one
	Turn   string `json:"turn"`  // white or black; "" when the game is over or has not begun
	Fault  string `json:"fault"` // what the organiser should know
}

// Spare is a board that is at no table.
type Spare struct {
	Board string `json:"board"`
	Why   string `json:"why"`
}

// Simul is one against all: how many games are won, drawn, lost, and not over.
type Simul struct {
	Player string `json:"player"`
	Won    int    `json:"won"`
	Drawn  int    `json:"drawn"`
	Lost   int    `json:"lost"`
	Plays  int    `json:"plays"`
}

// Report tells how the round stands.
func (r *Round) Report() Report {
	rep := Report{Event: r.o.Event, Round: r.o.Number, Tables: []Line{}, Spare: []Spare{}}
	for _, n := range r.numbers() {
		t := r.tables[n]
		names := r.names(t, t.game)
		l := Line{Table: n, Board: t.board, Online: t.online, White: names.White, Black: names.Black, Result: t.result(),
			Moves: len(t.moves), Fault: t.fault}
		if len(t.moves) > 0 {
			l.Last = t.moves[len(t.moves)-1]
		}
		if t.game != nil && l.Result == "*" {
			l.Turn = t.game.Turn
		}
		switch {
		case l.Fault != "":
		case t.board == "":
			l.Fault = "no board is known for it"
		case !t.online && t.latest == nil:
			l.Fault = "nothing was heard of its board"
		case !t.online:
			l.Fault = "its board is not connected: what it said last stands"
		case t.refused != "":
			l.Fault = "it does not show the names: " + t.refused
		}
		rep.Tables = append(rep.Tables, l)
	}
	for _, board := range slices.Sorted(maps.Keys(r.spare)) {
		rep.Spare = append(rep.Spare, Spare{board, r.spare[board]})
	}
	rep.Simul = simul(rep.Tables)
	return rep
}

// simul finds the one who plays at every table, where there are three or more.
func simul(lines []Line) *Simul {
	if len(lines) < 3 {
		return nil
	}
	for _, name := range []string{lines[0].White, lines[0].Black} {
		s := Simul{Player: name}
		for _, l := range lines {
			white := l.White == name
			switch {
			case name == "" || white == (l.Black == name):
				s.Player = ""
			case l.Result == "1/2-1/2":
				s.Drawn++
			case l.Result == "*":
				s.Plays++
			case (l.Result == "1-0") == white:
				s.Won++
			default:
				s.Lost++
			}
		}
		if s.Player != "" {
			return &s
		}
	}
	return nil
}

// Save returns what a restarted program needs of the round: which games count, and their state.
func (r *Round) Save() []byte {
	games := map[string]*wire.Game{}
	for _, t := range r.tables {
		if t.game != nil {
			games[t.board] = t.game
		}
	}
	return encode(games)
}

// Restore takes in what Save returned.
func (r *Round) Restore(saved []byte) error {
	var games map[string]json.RawMessage
	if err := json.Unmarshal(saved, &games); err != nil {
		return fmt.Errorf("the games of the round are not readable: %w", err)
	}
	for _, board := range slices.Sorted(maps.Keys(games)) {
		g, err := wire.DecodeGame(games[board])
		if err != nil {
			return fmt.Errorf("the game of board %s: %w", board, err)
		}
		t := r.at(board)
		if t == nil || t.pairing != nil && t.pairing.Game != "" && t.pairing.Game != g.Game {
			continue
		}
		if err := r.take(t, &g); err != nil {
			return fmt.Errorf("the game of board %s: %w", board, err)
		}
	}
	return nil
}

// seconds is a time in whole seconds, as text.
func seconds(ms int64) string { return strconv.FormatInt(ms/1000, 10) }
