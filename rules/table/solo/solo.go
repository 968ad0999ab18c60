// SPDX-License-Identifier: Apache-2.0

// Package solo runs one table by itself, in virtual time. Both sides sit at it, takebacks are free, every append
// succeeds, and nothing is sent or lit. Traces are replayed through it, and the recognition report plays its games at
// it, so that what they measure is the table of the daemon.
package solo

import (
	"slices"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/reconcile/capability"
	"boardd/sensing/wood"
)

// Kind is what happened.
type Kind uint8

// The kinds, and which fields count.
const (
	Moved     Kind = iota // a move was made by hand: Move, Margin, Waited
	TakenBack             // moves were taken back by hand: Plies; a correction is this and then Moved
	Ended                 // kings in the centre
	Asked                 // a question was opened: From, Choices
)

// Event is one thing that a daemon would tell the world.
type Event struct {
	Kind    Kind
	At      time.Time
	From    rules.Position // before Move
	Move    rules.Move
	Plies   int
	Margin  float64
	Waited  time.Duration
	Choices []reconcile.Choice
}

// Table is a table that runs by itself. It belongs to one goroutine.
type Table struct {
	Decoder table.Decoder // takes readings in that nobody looks at yet
	Tell    func(Event)   // is told at once what happens; nil: nobody listens

	t     *table.Table
	game  *game.Game // the one that was begun; what follows when its array is set up again is not this table's
	over  bool       // another one has begun
	moves []rules.Move
	news  []reconcile.FaultChange
	now   time.Time
}

// overhears keeps what a decoder has found of its sensors for whoever else wants to know.
type overhears struct {
	table.Decoder
	t *Table
}

// News gives the news, and keeps them.
func (o overhears) News() []reconcile.FaultChange {
	n := o.Decoder.FaultChanges()
	o.t.news = append(o.t.news, n...)
	return n
}

// New begins a game at a position, whose wood stands.
func New(g wood.Geometry, start rules.Position) *Table {
	return NewTimed(g, start, reconcile.DefaultTiming())
}

// NewSending is New on a board whose moves are taken as if each went to another board, where it cannot be corrected.
func NewSending(g wood.Geometry, start rules.Position) *Table {
	return With(start, func() table.Decoder { return sends{reconcile.New(g, reconcile.DefaultTiming())} })
}

// sends is a decoder all of whose moves go to another board.
type sends struct{ table.Decoder }

func (s sends) Expect(bases []reconcile.Base) { s.Decoder.Expect(sent(bases)) }

func (s sends) Follow(bases []reconcile.Base, before *rules.Position) {
	s.Decoder.Follow(sent(bases), before)
}

func sent(bases []reconcile.Base) []reconcile.Base {
	bases = slices.Clone(bases)
	for i := range bases {
		bases[i].Irrevocable = true
	}
	return bases
}

// NewTimed is New with other times for the decoder.
func NewTimed(g wood.Geometry, start rules.Position, timing reconcile.Timing) *Table {
	return With(start, func() table.Decoder { return reconcile.New(g, timing) })
}

// With is New with another decoder, which may be made more than once.
func With(start rules.Position, make func() table.Decoder) *Table {
	s := &Table{}
	decode := func() table.Decoder { return overhears{make(), s} }
	s.t = table.New(table.Options{Board: "solo", Decode: decode})
	if err := s.t.StartAt(time.Unix(0, 0), &start); err != nil {
		panic("solo: " + err.Error()) // a position that rules has made is one that a game can begin with
	}
	s.t.WrapDecoder(func(d table.Decoder) table.Decoder { s.Decoder = d; return d })
	s.game = s.t.Game()
	return s
}

// Position is the game as it stands.
func (s *Table) Position() *rules.Position { return s.At(s.game.Plies()) }

// At is the position after this many moves.
func (s *Table) At(plies int) *rules.Position {
	p := s.game.PositionAt(min(plies, s.game.Plies()))
	return &p
}

// Moves is the moves accepted so far. It must not be written to.
func (s *Table) Moves() []rules.Move { return s.moves }

// Last is what the decoder said last.
func (s *Table) Last() *reconcile.Explanation { return s.t.Explanation() }

// News is what was found of the sensors since the last call.
func (s *Table) News() []reconcile.FaultChange {
	n := s.news
	s.news = nil
	return n
}

// State is how the wood stands to the game.
func (s *Table) State() table.State { return s.t.State() }

// CanFollow reports whether a board can follow a game at all; the error says what it lacks.
func CanFollow(g *wood.Geometry, v *rules.Variant) error { return capability.CanFollow(g, v) }

// Again is when to look again if nothing is read until then; zero: never.
func (s *Table) Again() time.Time { return s.t.Explanation().NextLook }

// Observe takes a reading in and looks at the wood.
func (s *Table) Observe(r *sensing.Reading) {
	if !s.over {
		s.carry(r.At, s.t.Sense(r.At, r))
	}
}

// Look looks at the wood.
func (s *Table) Look(at time.Time) {
	if !s.over {
		s.carry(at, s.t.Look(at))
	}
}

// Play makes a move that was made elsewhere; the wood may show it already.
func (s *Table) Play(at time.Time, m rules.Move) { s.replace(at, 0, m) }

// Back takes moves back that were taken back elsewhere.
func (s *Table) Back(at time.Time, plies int) { s.replace(at, plies) }

// Mend brings the game to the moves that were made, as people do on the page: it takes back wrong moves and adds
// missing ones. A reply that the wood shows already may be found as soon as the move before it has been said.
func (s *Table) Mend(at time.Time, made []rules.Move) {
	back := func(to int) {
		if n := len(s.moves) - to; n > 0 {
			s.Back(at, n)
		}
	}
	for i, m := range made {
		if i < len(s.moves) && s.moves[i] == m {
			continue
		}
		back(i)
		s.Play(at, m)
	}
	back(len(made))
}

func (s *Table) replace(at time.Time, back int, moves ...rules.Move) {
	if s.over {
		return
	}
	effects, err := s.t.Replace(at, back, moves)
	if err != nil {
		panic("solo: " + err.Error()) // a move that no position has is the caller's fault
	}
	s.carry(at, effects)
	s.moves = s.game.Moves()
}

// Answer makes the move that answers the open question, from the base that the question was about. Where no question
// is open, or the move is none of its choices, it is made as one made elsewhere.
func (s *Table) Answer(at time.Time, m rules.Move) {
	base := s.Last().Base
	name := s.At(s.game.Plies() - base).Coord(m)
	effects, err := s.t.Command(at, &table.Command{Action: game.Action{Do: table.Answer, Move: name}})
	if err != nil {
		s.replace(at, base, m)
		return
	}
	told := s.Tell
	s.Tell = func(h Event) {
		if told != nil && (h.Kind != Moved || h.Move != m) { // whoever answers knows
			told(h)
		}
	}
	s.carry(at, effects)
	s.Tell = told
}

// carry does what a daemon would do, as far as there is anything to do here.
func (s *Table) carry(at time.Time, effects []table.Effect) {
	s.now = at
	for len(effects) > 0 {
		e := effects[0]
		effects = effects[1:]
		switch e := e.(type) {
		case table.Append:
			effects = append(s.t.Stored(at, nil), effects...)
		case table.Begin:
			s.over = true
			return
		case table.Recorded:
			s.moves = s.game.Moves()
			if e.Back > 0 && e.Here {
				s.tell(Event{Kind: TakenBack, At: at, Plies: e.Back})
			}
		case table.Tell:
			s.hear(&e.Event)
		}
	}
}

// hear tells of an event as far as it is of interest here.
func (s *Table) hear(e *table.Event) {
	switch e.Kind {
	case table.Moved:
		s.tell(Event{Kind: Moved, At: e.At, From: e.From, Move: e.Move, Margin: e.Margin, Waited: e.Latency})
	case table.Question:
		s.tell(Event{Kind: Asked, At: e.At, From: e.From, Choices: e.Choices})
	case table.Ended:
		if s.game.Final() {
			s.tell(Event{Kind: Ended, At: e.At})
		}
	}
}

func (s *Table) tell(h Event) {
	if s.Tell != nil {
		s.Tell(h)
	}
}
