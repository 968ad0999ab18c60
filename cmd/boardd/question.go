// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
	"boardd/sync/wire"
)

// question opens a question, once.
func (b *board) question() {
	e := &b.explain
	if b.wood.state == wire.Asking && slices.Equal(b.wood.choices, e.Choices) {
		return
	}
	b.setState(wire.Asking)
	b.wood.asked = time.Now()
	b.wood.choices, b.wood.base, b.wood.stood = slices.Clone(e.Choices), e.Base, nil
	for _, c := range e.Choices {
		b.wood.stood = append(b.wood.stood, b.stands(c.Place))
	}
	b.tell(wire.Event{Kind: wire.EventQuestion, Choices: b.choices(), Text: clip(b.asks(), 1000)})
}

// asks is the open question in words: the moves as people write them, and where each is answered on the board.
func (b *board) asks() string {
	sans := b.choicesSAN()
	if c := b.wood.choices[0]; len(sans) == 1 && c.Place != wood.Nowhere {
		return fmt.Sprintf("was %s the move? The sensors cannot tell: lift and put back the piece on %s, or confirm on the page", sans[0], answering(c.Place))
	}
	for i, c := range b.wood.choices {
		sans[i] += ": " + answering(c.Place)
	}
	return "which move was it? Lift and put back the piece on the square that answers, or choose on the page. " + strings.Join(sans, "; ")
}

// answering is where a choice is answered, in words.
func answering(at wood.Place) string {
	switch {
	case at == wood.Nowhere:
		return "only on the page"
	case at.Deck() == sensing.Upper:
		return at.Square().String() + " of the upper deck"
	}
	return at.Square().String()
}

// choices are the moves of the open question, as the messages have them.
func (b *board) choices() []string {
	p := b.past(b.wood.base)
	var names []string
	for _, c := range b.wood.choices {
		names = append(names, p.Coord(c.Move))
	}
	return names
}

// choicesSAN are the same for people.
func (b *board) choicesSAN() []string {
	p := b.past(b.wood.base)
	var names []string
	for _, c := range b.wood.choices {
		names = append(names, p.SAN(c.Move))
	}
	return names
}

// answers says which square answers for which choice, for those that can be answered on the board.
func (b *board) answers() []wire.Answer {
	names := b.choices()
	var list []wire.Answer
	for i, c := range b.wood.choices {
		if c.Place == wood.Nowhere {
			continue
		}
		list = append(list, wire.Answer{Move: names[i], Square: c.Place.Square().String(), Deck: c.Place.Deck().String()})
	}
	return list
}

// answered makes the move that answers the open question. Where the wood does not show it yet, as when a pawn still stands
// for its queen, the lights ask for the rest. Where the move before was asked for, the wood may show the reply as well.
func (b *board) answered(m rules.Move) {
	base, p := b.wood.base, b.past(b.wood.base)
	goal := wire.Executing
	if base > 0 {
		goal = wire.Wrong
	}
	made := base == 1 && p.Coord(m) == last(b.game.Coords())
	if !made {
		b.byWord = true
		b.moved(base, m)
		b.byWord = false
	}
	b.wood.settled = b.game.Plies()
	if made || b.explain.State != reconcile.Synced {
		b.aim(goal)
	}
}

// stands is how many pieces seem to stand on a place.
func (b *board) stands(at wood.Place) int {
	if at == wood.Nowhere {
		return 0
	}
	return b.counts()[at]
}

// counts is how many pieces seem to stand on each place.
func (b *board) counts() (n [wood.Places]int) {
	for p, pile := range b.decoder.Wood() {
		n[p] = len(pile)
	}
	for _, t := range b.explain.Touch {
		n[t.Place] = t.See
	}
	return n
}

// putsBack is how long what answers may be in the hand when without it the wood is as the game has it: for longer, and it was taken away.
const putsBack = 2 * time.Second

// listen waits for the answer that the board itself gives: the piece on the square of a choice, or the topmost of a pile, is lifted and
// put back. It tells whether the question is still open.
func (b *board) listen(now time.Time) bool {
	held := false
	for i, c := range b.wood.choices {
		if b.stands(c.Place) >= b.wood.stood[i] {
			continue
		}
		if held = true; b.wood.answer != c.Move {
			b.wood.answer, b.wood.lifted = c.Move, now
		}
	}
	switch b.explain.State {
	case reconcile.Moving, reconcile.Wrong:
		return b.wood.answer != rules.NoMove || b.explain.State == reconcile.Moving
	case reconcile.Synced:
		return len(b.wood.choices) == 1 && b.wood.answer != rules.NoMove && now.Sub(b.wood.lifted) < putsBack
	case reconcile.Asking:
		m := b.wood.answer
		if m == rules.NoMove {
			return true
		}
		if b.explain.Base != b.wood.base || !slices.ContainsFunc(b.explain.Choices, func(c reconcile.Choice) bool { return c.Move == m }) {
			b.wood.answer = rules.NoMove
			return false // it was put down elsewhere: that is another question
		}
		if !held {
			b.wood.answer = rules.NoMove
			b.answered(m)
		}
		return true
	}
	return false
}

// queen makes a pawn a queen whose promotion was asked for and not answered in the time that is set for it.
func (b *board) queen(now time.Time) {
	after := time.Duration(b.conf.QueenAfterS) * time.Second
	if after == 0 || b.wood.state != wire.Asking || now.Sub(b.wood.asked) < after {
		return
	}
	queen := rules.NoMove
	for _, c := range b.wood.choices {
		if c.Move.Promotion() == rules.NoKind || c.Move.From() != b.wood.choices[0].Move.From() || c.Move.To() != b.wood.choices[0].Move.To() {
			return // more is open than what the pawn becomes
		}
		if c.Move.Promotion() == rules.Queen {
			queen = c.Move
		}
	}
	if queen != rules.NoMove {
		b.answered(queen)
	}
}
