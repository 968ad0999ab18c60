// SPDX-License-Identifier: Apache-2.0

// Package referee plays the daemon's part around a decoder: it keeps the game, acts on what the decoder finds, and asks
// and answers. Traces are replayed through it, and the recognition report plays its games with it. It is as pure as
// the decoder: readings and times come in as values.
package referee

import (
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// Kind is what happened.
type Kind uint8

const (
	Moved     Kind = iota // a move was accepted
	TakenBack             // moves were taken back; a correction is this and then Moved
	Ended                 // kings in the centre
	Asked                 // a question was opened
)

// Happening is one thing that a daemon would tell the world.
type Happening struct {
	Kind    Kind
	At      time.Time
	Move    rules.Move         // Moved
	Plies   int                // TakenBack: how many
	Margin  float64            // Moved
	Waited  time.Duration      // Moved
	Choices []reconcile.Choice // Asked
}

// Referee keeps one game. It belongs to one goroutine.
type Referee struct {
	Decoder *reconcile.Decoder
	Tell    func(Happening) // what happens is told at once; nil: nobody listens
	Reach   int             // how many moves may be taken back by hand

	line  []rules.Position // the last one is the game
	moves []rules.Move     // how they were reached
	last  reconcile.Explanation
	goal  bool // the wood has still to be brought to the game
	asked bool // a question is open

	latest time.Time // when the wood was last looked at
}

// New begins a game at a position.
func New(g wood.Geometry, start rules.Position) *Referee {
	r := &Referee{Decoder: reconcile.New(g, reconcile.DefaultTiming()), Reach: 16, line: []rules.Position{start}}
	r.expect()
	return r
}

// Position is the game as it stands.
func (r *Referee) Position() *rules.Position { return &r.line[len(r.line)-1] }

// Before is the position before the last move.
func (r *Referee) Before() *rules.Position { return &r.line[max(0, len(r.line)-2)] }

// At is the position after so many moves.
func (r *Referee) At(plies int) *rules.Position { return &r.line[min(plies, len(r.line)-1)] }

// Moves is the moves accepted so far.
func (r *Referee) Moves() []rules.Move { return r.moves }

// Last is what the decoder said last.
func (r *Referee) Last() *reconcile.Explanation { return &r.last }

// bases is what the wood may be explained from, as the daemon has it when both sides sit at the board and takebacks are free.
func (r *Referee) bases(play bool) []reconcile.Base {
	p := *r.Position()
	list := []reconcile.Base{{Position: p, Moves: play && p.Result() == rules.Playing, Reply: true}}
	if !play {
		return list
	}
	for i := 1; i <= min(len(r.line)-1, r.Reach); i++ {
		list = append(list, reconcile.Base{Position: r.line[len(r.line)-1-i], Moves: i == 1, Back: true})
	}
	return list
}

func (r *Referee) expect() { r.Decoder.Expect(r.bases(true)) }

// Observe takes a reading in and looks at the wood.
func (r *Referee) Observe(s *sensing.Reading) {
	r.Decoder.Observe(s)
	r.Look(s.At)
}

// Look explains the wood and acts on what is found.
func (r *Referee) Look(at time.Time) {
	if at.Before(r.latest) {
		at = r.latest // a reading came late: the wood is not looked at as it was
	}
	r.latest = at
	for range 4 { // a reply may follow on the move at once
		r.last = r.Decoder.Explain(at)
		if !r.act(at) {
			return
		}
	}
}

// act tells whether the wood has to be looked at again.
func (r *Referee) act(at time.Time) bool {
	e := &r.last
	if e.State != reconcile.Asking && e.State != reconcile.Moving {
		r.asked = false
	}
	if r.goal {
		if e.State != reconcile.Synced {
			return false
		}
		r.goal = false
		r.expect()
		return true
	}
	switch e.State {
	case reconcile.Moved:
		margin, waited, move := e.Margin, e.Waited, e.Move
		r.back(at, e.Base)
		r.push(move)
		r.tell(Happening{Kind: Moved, At: at, Move: move, Margin: margin, Waited: waited})
		r.expect()
		return true
	case reconcile.TakenBack:
		r.back(at, e.Base)
		r.expect()
		return true
	case reconcile.Ended:
		r.tell(Happening{Kind: Ended, At: at})
	case reconcile.Asking:
		if !r.asked {
			r.asked = true
			r.tell(Happening{Kind: Asked, At: at, Choices: e.Choices})
		}
	}
	return false
}

func (r *Referee) push(m rules.Move) {
	p := *r.Position()
	p.Play(m)
	r.line, r.moves = append(r.line, p), append(r.moves, m)
}

func (r *Referee) back(at time.Time, plies int) {
	if plies == 0 {
		return
	}
	r.drop(plies)
	r.tell(Happening{Kind: TakenBack, At: at, Plies: plies})
}

func (r *Referee) drop(plies int) {
	n := max(0, len(r.moves)-plies)
	r.line, r.moves = r.line[:n+1], r.moves[:n]
}

func (r *Referee) tell(h Happening) {
	if r.Tell != nil {
		r.Tell(h)
	}
}

// Again is when to look again if nothing is read until then; zero: never.
func (r *Referee) Again() time.Time { return r.last.Again }

// Play makes a move that was made elsewhere, or that answers a question; the wood may show it already.
func (r *Referee) Play(at time.Time, m rules.Move) {
	before := *r.Position()
	r.push(m)
	r.follow(at, &before)
}

// Back takes moves back that were taken back elsewhere.
func (r *Referee) Back(at time.Time, plies int) {
	before := *r.Position()
	r.drop(plies)
	r.follow(at, &before)
}

// Answer makes the move that answers the open question, from the base that the question was about.
func (r *Referee) Answer(at time.Time, m rules.Move) {
	base := r.last.Base
	r.drop(base)
	r.push(m)
	r.expect()
	r.asked = false
	switch r.last = r.Decoder.Explain(at); r.last.State {
	case reconcile.Synced:
		return
	case reconcile.Moved: // the reply stands already
		r.act(at)
		r.Look(at)
		return
	}
	r.goal = true
	before := r.line[len(r.line)-2]
	r.Decoder.Follow(r.bases(false), &before)
	r.Look(at)
}

func (r *Referee) follow(at time.Time, before *rules.Position) {
	r.goal, r.asked = true, false
	r.Decoder.Follow(r.bases(false), before)
	r.Look(at)
}
