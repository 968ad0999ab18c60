// SPDX-License-Identifier: Apache-2.0

package club

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardd/rules/pgn"
	"boardd/sync/broadcast"
	"boardd/sync/wire"
)

// Options is what a round is made with.
type Options struct {
	Event  string // of the tournament, where the pairings do not say
	Site   string
	Number string // of the round, "" for none
	// Pairings is those of this round; none: every board that publishes a game is a table.
	Pairings []Pairing
	// Boards are the boards in the order of the tables, from 1; none: the number at the end of a board's name says its
	// table.
	Boards []string
}

// Round is one round. It belongs to one goroutine.
type Round struct {
	o      Options
	tables map[int]*table
	board  map[string]*table // by the name of the board
	spare  map[string]string // boards that are at no table, and why
}

// table is one table of a round.
type table struct {
	number  int
	board   string // "" while none is known
	pairing *Pairing

	online bool
	latest *wire.Game // as the board said it last
	game   *wire.Game // that counts; nil while there is none
	text   []byte     // it as a game file
	moves  []string   // it for people
	fault  string     // why the board's last message does not count, "" when it does

	asked   time.Time // when the board was asked last to show these names
	refused string    // why it does not
}

// New begins a round.
func New(o Options) *Round {
	r := &Round{o: o, tables: map[int]*table{}, board: map[string]*table{}, spare: map[string]string{}}
	for i := range o.Pairings {
		p := &o.Pairings[i]
		t := &table{number: p.Table, pairing: p, board: p.Board}
		r.tables[p.Table] = t
		if t.board == "" && p.Table <= len(o.Boards) {
			t.board = o.Boards[p.Table-1]
		}
		if t.board != "" {
			r.board[t.board] = t
		}
	}
	return r
}

// Number is the number of the round.
func (r *Round) Number() string { return r.o.Number }

// at is the table of a board, nil when it has none.
func (r *Round) at(board string) *table {
	if t := r.board[board]; t != nil {
		return t
	}
	n := r.place(board)
	t := r.tables[n]
	switch {
	case n == 0 && len(r.o.Pairings) == 0 && len(r.o.Boards) == 0:
		for n = 1; r.tables[n] != nil; n++ {
		}
		t = nil
	case n == 0:
		r.spare[board] = "it is at no table: its name ends in no number, and it is not named among the tables"
		return nil
	}
	switch {
	case t == nil && len(r.o.Pairings) > 0:
		r.spare[board] = fmt.Sprintf("nobody is paired at table %d", n)
		return nil
	case t == nil && len(r.tables) >= maxTables:
		r.spare[board] = "there are too many boards"
		return nil
	case t == nil:
		t = &table{number: n}
		r.tables[n] = t
	case t.board != "":
		r.spare[board] = fmt.Sprintf("board %s is at table %d already", t.board, n)
		return nil
	}
	t.board = board
	r.board[board] = t
	delete(r.spare, board)
	return t
}

// place is the number of the table of a board, 0 if it is not known.
func (r *Round) place(board string) int {
	if len(r.o.Boards) > 0 {
		return slices.Index(r.o.Boards, board) + 1
	}
	digits := board[len(strings.TrimRight(board, "0123456789")):]
	n, err := strconv.Atoi(digits)
	if err != nil || n > maxTables {
		return 0
	}
	return n
}

// Online takes in whether a board is online. It reports whether anything to be shown has changed.
func (r *Round) Online(board string, online bool) bool {
	t := r.at(board)
	if t == nil || t.online == online {
		return false
	}
	t.online = online
	return true
}

// Hear takes in a game message of a board. It reports whether anything to be shown has changed.
func (r *Round) Hear(board string, m *wire.Game) bool {
	t := r.at(board)
	if t == nil {
		return false
	}
	before := t.fault
	t.latest = m
	take, why := t.counts(m, r.o.Number)
	if t.fault = why; take {
		if err := r.take(t, m); err != nil {
			take, t.fault = false, "what it says is no game: "+err.Error()
		}
	}
	return take || t.fault != before
}

// take lets a game count, if it is one.
func (r *Round) take(t *table, m *wire.Game) error {
	named := *m
	names := r.names(t, m)
	named.Names = &names
	if t.pairing != nil && t.pairing.Result != "" {
		named.Outcome = t.pairing.Result
	}
	file, err := broadcast.Message(t.board, &named)
	if err != nil {
		return err
	}
	file.Tags = append(file.Tags, signatures(m.Seals)...)
	var text bytes.Buffer
	if err := pgn.Write(&text, file); err != nil {
		return err
	}
	t.game, t.text, t.moves = m, text.Bytes(), nil
	for _, ply := range file.Plies {
		t.moves = append(t.moves, ply.SAN)
	}
	return nil
}

// signatures are both sides' last ones as tags. A broker can show the club another game than the players. By these
// tags `boardd verify` finds that out.
func signatures(s *wire.Seals) (tags []pgn.Tag) {
	if s != nil && s.White != nil {
		tags = append(tags, pgn.Tag{Name: "WhiteSeal", Value: s.White.String()})
	}
	if s != nil && s.Black != nil {
		tags = append(tags, pgn.Tag{Name: "BlackSeal", Value: s.Black.String()})
	}
	return tags
}

// names is who plays at a table, from the pairings or else from the board.
func (r *Round) names(t *table, m *wire.Game) wire.Names {
	n := wire.Names{}
	switch {
	case t.pairing != nil:
		n = t.pairing.Names
	case m != nil && m.Names != nil:
		n = *m.Names
	}
	n.Event, n.Site = cmp.Or(n.Event, r.o.Event), cmp.Or(n.Site, r.o.Site)
	if m != nil && m.Names != nil { // the board may know from its owner what the pairings do not say
		n.Event, n.Site = cmp.Or(n.Event, m.Names.Event), cmp.Or(n.Site, m.Names.Site)
	}
	n.Round, n.Table = cmp.Or(r.o.Number, n.Round), fmt.Sprint(t.number)
	return n
}

// numbers lists the tables in order.
func (r *Round) numbers() []int { return slices.Sorted(maps.Keys(r.tables)) }

// Order holds the names that a board has to show.
type Order struct {
	Board string
	Names wire.Names
}

// nameAgain is how long a board may take to show the names that it was sent. refusedAgain is the time after a refusal
// before it is asked again.
const (
	nameAgain    = 20 * time.Second
	refusedAgain = 5 * time.Minute
)

// Orders lists what boards are to be told now. A game that is over keeps the names under which it was played.
func (r *Round) Orders(now time.Time) (orders []Order) {
	for _, n := range r.numbers() {
		t := r.tables[n]
		if t.pairing == nil || !t.online || t.latest == nil || t.latest.Outcome != "" || t.fault != "" {
			continue
		}
		want := r.names(t, t.latest)
		if t.latest.Names != nil && *t.latest.Names == want {
			t.refused = ""
			continue
		}
		wait := nameAgain
		if t.refused != "" {
			wait = refusedAgain
		}
		if t.asked.IsZero() || now.Sub(t.asked) >= wait {
			t.asked = now
			orders = append(orders, Order{t.board, want})
		}
	}
	return orders
}

// Refused takes in why a board does not show the names that it was sent; "": it does. It reports whether that is new.
func (r *Round) Refused(board, why string) bool {
	t := r.board[board]
	if t == nil || t.refused == why {
		return false
	}
	t.refused = why
	return true
}
