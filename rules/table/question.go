// SPDX-License-Identifier: Apache-2.0

package table

import (
	"slices"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// subject is what a command may be about. A command that names a step comes late if its subject has changed since.
type subject uint8

const (
	ofMoves    subject = iota // moves made and taken back
	ofBacks                   // requests to take back
	ofDraws                   // draw offers
	ofEnds                    // the end of the game
	ofPauses                  // pauses and resumptions
	ofFlips                   // the board turned round
	ofNames                   // who plays
	ofTimes                   // clocks set anew
	ofOurs                    // what this board asks of the other one
	ofTheirs                  // what the other board asks
	ofQuestion                // the question on the board
	ofAdvice                  // the coach's warning
	ofConflict                // with the other board's game
	subjects
)

// steps counts what happens at a table that commands may be about. The number rises over a restart too, because the
// first is the time, in milliseconds.
type steps struct {
	now  int64           // 0: no game has begun
	last [subjects]int64 // when each subject changed
	game int64           // when the game began
}

// step notes that something has changed that commands may be about, and has its number published.
func (t *Table) step(about ...subject) {
	t.steps.now++
	for _, s := range about {
		t.steps.last[s] = t.steps.now
	}
	t.store.changed = true
}

// stepGame notes that another game has begun: every command that was meant for the one before comes late.
func (t *Table) stepGame() {
	t.steps.now = max(t.steps.now+1, t.now.UnixMilli())
	t.steps.game = t.steps.now
}

// stepEvent notes what an event of the game changes.
func (t *Table) stepEvent(k game.Kind) {
	switch k {
	case game.Moved, game.Settled:
		t.step(ofMoves)
	case game.TakenBack:
		t.step(ofMoves, ofEnds)
	case game.Asked, game.AskDeclined:
		t.step(ofBacks)
	case game.Offered, game.Declined:
		t.step(ofDraws)
	case game.Ended:
		t.step(ofEnds)
	case game.Paused, game.Resumed:
		t.step(ofPauses)
	case game.Flipped:
		t.step(ofFlips)
	case game.Named:
		t.step(ofNames)
	case game.Timed:
		if t.rival() == "" { // the times of the other board come with each of its moves, and ofOurs is what was asked of it
			t.step(ofTimes)
		}
	}
}

// Step is the number of the last thing that happened here that commands may be about. Whoever gives a command names
// it, so that a command that is repeated, or comes late, changes nothing that he has not seen.
func (t *Table) Step() int64 { return t.steps.now }

// late reports whether a command was given before what it is about was changed.
func (t *Table) late(c *Command) bool {
	if c.To == 0 {
		return false
	}
	about := map[game.ActionKind][]subject{
		game.Move: {ofMoves}, Answer: {ofQuestion}, Hint: {ofMoves, ofOurs}, Settle: {ofConflict},
		game.Takeback: {ofMoves, ofBacks}, game.AcceptTakeback: {ofBacks, ofAdvice},
		game.DeclineTakeback: {ofBacks, ofAdvice},
		game.OfferDraw:       {ofDraws}, game.AcceptDraw: {ofDraws}, game.DeclineDraw: {ofDraws}, game.ClaimDraw: {ofMoves},
		game.Resign: {ofEnds}, game.Abort: {ofEnds, ofOurs}, game.Adjust: {ofTimes, ofOurs},
		NewGame: {ofOurs}, SetUp: {ofOurs}, Rematch: {ofOurs}, Accept: {ofTheirs}, Decline: {ofTheirs, ofOurs},
		game.Pause: {ofPauses}, game.Resume: {ofPauses}, game.Flip: {ofFlips}, game.Name: {ofNames},
	}
	for _, s := range about[c.Do] {
		if c.To < t.steps.last[s] {
			return true
		}
	}
	return c.To < t.steps.game || c.To > t.steps.now
}

// question opens a question, unless it is open already.
func (t *Table) question() {
	e := &t.explain
	if t.wood.state == Asking && slices.Equal(t.wood.choices, e.Choices) {
		return
	}
	t.setState(Asking)
	t.step(ofQuestion)
	t.wood.asked = t.now
	t.wood.choices, t.wood.base = slices.Clone(e.Choices), e.Base
	t.wood.stood = t.counts()
	t.tell(Event{Kind: Question, From: t.past(t.wood.base), Choices: t.wood.choices, Text: t.asks()})
}

// commandAnswer answers the open question.
func (t *Table) commandAnswer(name string) error {
	if t.wood.state != Asking {
		return say.Error("no question is open")
	}
	p := t.past(t.wood.base)
	var names []string
	for _, c := range t.wood.choices {
		names = append(names, p.Coord(c.Move))
	}
	i := slices.Index(names, name)
	if i < 0 {
		i = slices.Index(t.choicesSAN(), name)
	}
	if i < 0 {
		return say.Error("%q is not one of the choices %v", name, names)
	}
	t.answered(t.wood.choices[i].Move)
	t.look(t.seen())
	return nil
}

// asks is the open question in words: the moves in SAN, and the place on the board where each is answered.
func (t *Table) asks() say.Said {
	sans := t.choicesSAN()
	if c := t.wood.choices[0]; len(sans) == 1 && c.Place != wood.Nowhere {
		return say.That("was %s the move? The sensors cannot tell: lift and put back the piece on %s, "+
			"or confirm on the page", sans[0], answering(c.Place))
	}
	for i, c := range t.wood.choices {
		sans[i] += ": " + answering(c.Place)
	}
	return say.That("which move was it? Lift and put back the piece on the square that answers, or choose on "+
		"the page. %s", strings.Join(sans, "; "))
}

// answering names in words the place where a choice is answered.
func answering(at wood.Place) string {
	switch {
	case at == wood.Nowhere:
		return "only on the page"
	case at.Deck() == sensing.Upper:
		return at.Square().String() + " of the upper deck"
	}
	return at.Square().String()
}

// choicesSAN returns the moves of the open question in SAN.
func (t *Table) choicesSAN() []string {
	p := t.past(t.wood.base)
	var names []string
	for _, c := range t.wood.choices {
		names = append(names, p.SAN(c.Move))
	}
	return names
}

// answered plays the move that answers the open question. If the wood does not show it yet, as when a pawn still
// stands for its queen, the lights ask for the rest. If the question was about an earlier move, the wood may show the
// reply as well. The caller has to look at the wood then.
func (t *Table) answered(m rules.Move) {
	base, p := t.wood.base, t.past(t.wood.base)
	goal := Executing
	if base > 0 {
		goal = Wrong
	}
	moves := t.game.Moves()
	made := base == 1 && p.Coord(m) == p.Coord(moves[len(moves)-1])
	t.decoder.Answered()
	if made {
		t.wood.settled = t.game.Plies()
		t.expect()
	} else {
		t.moved(base, m, byWord)
		t.explain = t.decoder.Explain(t.inOrder(t.seen()))
	}
	if made || t.explain.State != reconcile.Synced && t.explain.State != reconcile.Moved { // the reply may stand as well
		t.aim(goal)
	}
}

// counts is the number of pieces that seem to stand on each place. On the squares of an open question that is what the
// sensors show, whether it contradicts or not. Else what does only now and then would seem to be lifted and put back.
func (t *Table) counts() (n [wood.Places]int) {
	for p, pile := range t.decoder.Wood() {
		n[p] = len(pile)
	}
	for _, x := range t.explain.Discrepancies {
		n[x.Place] = x.See
	}
	for _, c := range t.wood.choices {
		if t.wood.state == Asking && c.Place != wood.Nowhere {
			n[c.Place] = t.decoder.Count(c.Place)
		}
	}
	return n
}

// listen waits for an answer on the board. The piece on the square of a choice, or the top one of a pile, is lifted
// and put back. If the pieces of two choices are gone at once, none answers. What was asked about is in the hand
// again, or hands that were taken for pieces have gone. If something else was taken away meanwhile, it was a move: its
// piece came where that of the choice was lifted. Wood that shows no move, but rests as it did when it was asked,
// answers too. It reports whether the question is still open, and whether the wood has to be looked at again.
func (t *Table) listen(now time.Time) (open, again bool) {
	stands := t.counts()
	held := 0
	for _, c := range t.wood.choices {
		if c.Place == wood.Nowhere || stands[c.Place] >= t.wood.stood[c.Place] {
			continue
		}
		if held++; t.wood.answer != c.Move {
			t.wood.answer, t.wood.lifted = c.Move, now
		}
	}
	if held > 1 {
		t.wood.answer = rules.NoMove
		return false, false
	}
	m := t.wood.answer
	switch t.explain.State {
	case reconcile.Moving, reconcile.Wrong:
		if t.explain.State == reconcile.Wrong && m != rules.NoMove && stands == t.wood.stood { // put back, and it rests
			t.wood.answer = rules.NoMove
			t.answered(m)
			return true, true
		}
		return t.wood.answer != rules.NoMove || t.explain.State == reconcile.Moving, false
	case reconcile.Synced:
		return len(t.wood.choices) == 1 && t.wood.answer != rules.NoMove && now.Sub(t.wood.lifted) < longestAnswer, false
	case reconcile.Asking:
		if m == rules.NoMove {
			for _, c := range t.wood.choices { // a piece that was in a hand when it was asked stands again
				if c.Place != wood.Nowhere {
					t.wood.stood[c.Place] = max(t.wood.stood[c.Place], stands[c.Place])
				}
			}
			return true, false
		}
		if t.explain.Base != t.wood.base ||
			!slices.ContainsFunc(t.explain.Choices, func(c reconcile.Choice) bool { return c.Move == m }) {
			t.wood.answer = rules.NoMove
			return false, false // it was put down elsewhere: that is another question
		}
		if held > 0 {
			return true, false
		}
		t.wood.answer = rules.NoMove
		for p, n := range stands {
			if n < t.wood.stood[p] {
				t.wood.stood = stands
				return true, false
			}
		}
		t.answered(m)
		return true, true
	}
	return false, false
}

// queen promotes a pawn to a queen when the question of its promotion was not answered within Options.QueenAfter.
func (t *Table) queen(now time.Time) {
	after := t.o.QueenAfter
	if after == 0 || t.wood.state != Asking || now.Sub(t.wood.asked) < after {
		return
	}
	queen := rules.NoMove
	for _, c := range t.wood.choices {
		if c.Move.Promotion() == rules.NoKind || c.Move.From() != t.wood.choices[0].Move.From() ||
			c.Move.To() != t.wood.choices[0].Move.To() {
			return // the question is about more than what the pawn becomes
		}
		if c.Move.Promotion() == rules.Queen {
			queen = c.Move
		}
	}
	if queen != rules.NoMove {
		t.answered(queen)
		t.look(t.seen())
	}
}

// asksBack says that a side asks to take back what was made from a ply on.
func asksBack(by game.Side, to int, made []string) say.Said {
	first := ""
	if to < len(made) {
		first = made[to]
	}
	if n := len(made) - to; n > 1 {
		return say.That("%s asks to take back %d moves, from %s on", by, n, first)
	}
	return say.That("%s asks to take back %s", by, first)
}

// promotion is one of the choices if all that they leave open is what a pawn becomes, else no move.
func promotion(e *reconcile.Explanation) (m rules.Move) {
	if e.Base > 0 {
		return rules.NoMove
	}
	for i, c := range e.Choices {
		if i == 0 {
			m = c.Move
		}
		if c.Move.Promotion() == 0 || c.Move.From() != m.From() || c.Move.To() != m.To() {
			return rules.NoMove
		}
	}
	return m
}

// heldMove is the move that is seen, but not counted yet. It ends before what a pawn becomes if that is not known yet.
func (t *Table) heldMove() string {
	if t.wood.held == rules.NoMove {
		return ""
	}
	p := t.game.Position()
	san := p.SAN(t.wood.held)
	if t.wood.becomes {
		san, _, _ = strings.Cut(san, "=")
	}
	return san
}
