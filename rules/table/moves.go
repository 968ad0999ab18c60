// SPDX-License-Identifier: Apache-2.0

package table

import (
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/sensing/reconcile"
	"time"
)

// moved plays a move that was made by hand. A base above 0 is a correction: that many moves are taken back first. It
// reports whether the wood has to be looked at again.
func (t *Table) moved(base int, m rules.Move, h how) (again bool) {
	from := t.past(base)
	waited, margin := t.explain.Waited, t.explain.Margin
	// What is published with the move says at once that the wood shows it.
	t.wood.ply, t.explain.Discrepancies = t.game.Plies()-base+1, nil
	t.setState(Synced)
	t.hold = hold{}
	t.keepTime()
	if base > 0 {
		t.correct(base, h)
	}
	via := game.ByHand
	if h == byWord && t.via != "" && t.via != game.ByHand {
		via += "/" + t.via
	}
	if err := t.decide(game.Action{Do: game.Move, Play: m, Via: via}, h); err != nil {
		t.do(Warn{"a move that was recognised is refused", []any{"move", from.Coord(m), "error", err}})
		t.aim(Wrong)
		return true
	}
	t.tell(Event{Kind: Moved, From: from, Move: m, Latency: waited, Margin: margin, Via: via})
	t.wood.ply = t.game.Plies()
	if h == byWord {
		t.wood.settled = t.game.Plies() // it is not corrected by what made it doubtful
	}
	t.expect()
	return true
}

// takenBack takes the game back to the earlier position that the wood shows. If that is the array, it is not a
// takeback of all moves, but see arrayAgain.
func (t *Table) takenBack(base int) (again bool) {
	if t.array > 0 && base == t.array {
		return t.arrayAgain()
	}
	if t.rival() != "" || t.consents() {
		t.putBack(t.wood.backs[base])
		return false
	}
	t.wood.ply, t.explain.Discrepancies = t.game.Plies()-base, nil // as moved does
	t.correct(base, recognised)
	t.tell(Event{Kind: TakenBack, Plies: base})
	t.expect()
	return true
}

// unmade takes back a move that was taken too early: its piece only brushed a square, and is on its way elsewhere. In
// a pause this waits, as corrections do.
func (t *Table) unmade() (again bool) {
	if t.Stopped() {
		t.setState(Moving)
		return false
	}
	t.wood.ply, t.explain.Discrepancies = t.game.Plies()-1, nil // as moved does
	t.correct(1, recognised)
	t.tell(Event{Kind: TakenBack, Plies: 1})
	t.expect()
	return true
}

// correct takes back as many plies as the wood has, in a game whose sides both sit here. Moves just made may be
// corrected by hand whatever the policy of takebacks (docs/play.md). Others come here only if the policy is free,
// because expect offers them only then.
func (t *Table) correct(plies int, h how) {
	t.wood.settled = 0
	t.commit([]game.Event{{Kind: game.TakenBack, At: t.now, Ply: t.game.Plies() - plies, Count: t.game.Takebacks() + 1,
		Via: game.ByHand}}, h)
}

// unmakeHeld takes back the move that waits in a pause, which was made last and is no move of the game yet. The wood
// has to be put back. It reports whether a move of the side that asks waits.
func (t *Table) unmakeHeld(c *Command) bool {
	seen := t.wood.held != rules.NoMove || t.explain.State == reconcile.Asking
	mine := c.By == game.Nobody || c.By == t.game.Turn()
	if !seen || !mine || !t.Stopped() || t.wood.goal != "" || c.Plies > 0 {
		return false
	}
	t.wood.ply = t.game.Plies() + 1
	t.step(ofMoves)
	t.aim(Executing)
	t.look(t.seen())
	return true
}

// ended acts on kings in the centre, once for as long as they stand there. They end the game, or offer a draw to the
// other board. Then the wood is free for the next game, or until the kings are home again.
func (t *Table) ended(result string) {
	switch {
	case t.game.Over():
		return
	case t.wood.announced == result:
		if t.wood.kingsRefused {
			t.setState(Wrong) // also where a king was lifted and put back
		}
		return
	}
	t.wood.announced, t.wood.kingsRefused = result, false
	if err := t.decide(game.Action{Do: game.Kings, Outcome: result, Via: game.ByHand}, elsewhere); err != nil {
		t.wood.kingsRefused = true
		t.tell(Event{Kind: Illegal, Text: say.That("kings in the centre: %v", err)})
		t.setState(Wrong)
		return
	}
	t.expect()
	t.setState(Moving)
}

// past is the position of a number of plies ago.
func (t *Table) past(plies int) rules.Position {
	return t.game.PositionAt(max(0, t.game.Plies()-plies))
}

// reach is how many moves can be taken back by moving the wood back.
const reach = 16

// expect tells the decoder what may happen now.
func (t *Table) expect() { t.decoder.Expect(t.bases(true)) }

// playing reports whether the side to move makes its moves by hand here.
func (t *Table) playing() bool {
	p := t.game.Position()
	return !t.game.Over() && t.byHand(p.Turn())
}

// bases lists the positions from which the wood may be explained: the game as it stands, and the array set up again.
// During play it adds the moves of the side that sits here, another move instead of the last one, and takebacks. After
// an agreement, a resignation or a flag fall it adds none of these. Pieces are then moved for other reasons than to
// play on.
func (t *Table) bases(play bool) []reconcile.Base {
	over, p, n := t.game.Over(), t.game.Position(), t.game.Plies()
	list := []reconcile.Base{{Position: p, Moves: play && t.playing(), OpponentHere: t.rival() == "" && !t.seated(),
		Irrevocable: t.rival() != ""}}
	t.wood.backs = []int{0}
	array := t.game.Variant().Start()
	again := over || n > 2 // fewer moves are simply taken back
	if play && t.rival() == "" && !t.game.Final() {
		free := t.game.Setup().Takeback() == game.TakebackFree
		for i := 1; i <= min(n, reach); i++ {
			if q := t.past(i); !again || q != array {
				list = append(list, reconcile.Base{Position: q, Moves: i <= 2 && n-i >= t.wood.settled && t.byHand(q.Turn()),
					Takeback: free || t.consents() && i <= 2})
				t.wood.backs = append(t.wood.backs, i)
			}
		}
	}
	if play && t.rival() != "" && !over {
		for i := 1; i <= min(n, 2); i++ { // a move of this board, or that and the answer to it
			if q := t.past(i); t.holds(q.Turn()) && (!again || q != array) {
				list = append(list, reconcile.Base{Position: q, Takeback: true})
				t.wood.backs = append(t.wood.backs, i)
			}
		}
	}
	t.array = 0
	if again && (over || play) && p != array {
		t.array = len(list)
		list = append(list, reconcile.Base{Position: array, Takeback: true})
	}
	return list
}

// aim says that the wood has to be brought to the game as it stands, and why. The caller has to look at the wood then.
// After an interruption the wood may also be one legal move ahead.
func (t *Table) aim(goal State) {
	before := t.game.PositionAt(min(t.wood.ply, t.game.Plies()))
	if goal == Executing && t.game.Plies() < t.wood.ply && t.wood.lies.Variant() != nil {
		before = t.wood.lies // a move that was copied is taken back
	}
	t.wood.goal = goal
	t.keepStance()
	bases := t.bases(goal == Wrong)
	if bases[0].OpponentHere && goal == Executing && t.game.Plies() == t.wood.ply+1 {
		bases[0].Moves = t.playing() // a reply may stand there already
	}
	t.decoder.Follow(bases, &before)
}

// hold is a move that is recognised but not played yet.
type hold struct {
	move    rules.Move // NoMove: none is held
	since   time.Time
	pressed bool // the clock was pressed: whatever is recognised is the move
}

// waits reports whether a recognised move has to be held back longer, and until when.
func (h *hold) waits(p *rules.Position, m rules.Move, now time.Time) (until time.Time, wait bool) {
	if h.pressed || !castlesOn(p, m) {
		return time.Time{}, false
	}
	if h.move != m {
		h.move, h.since = m, now
	}
	until = h.since.Add(castleWait)
	return until, now.Before(until)
}

// castlesOn reports whether a rook move looks like castling before the king follows. In castling the king goes two
// squares towards the rook, and the rook next to it on the other side.
func castlesOn(p *rules.Position, m rules.Move) bool {
	if m.IsCastling() {
		return false
	}
	rank := m.From() &^ 7
	for _, c := range p.AppendMoves(nil) {
		if !c.IsCastling() {
			continue
		}
		from, to := rank+7, rank+5 // the rook of the h-file, and its square next to the king
		if c.To()&7 < c.From()&7 {
			from, to = rank, rank+3
		}
		if c.From()&^7 == rank && m.From() == from && m.To() == to {
			return true
		}
	}
	return false
}

// heldBack reports whether a recognised move must not be played yet. While the game is paused it counts when the game
// goes on. Where both sides sit here nothing else is held back: a move can be corrected until the opponent has touched
// a piece.
func (t *Table) heldBack(e *reconcile.Explanation) bool {
	if t.Stopped() {
		return true
	}
	if t.rival() == "" && !t.seated() || e.Base > 0 {
		return false
	}
	p := t.game.Position()
	until, wait := t.hold.waits(&p, e.Move, t.now)
	if wait {
		e.NextLook = until
	}
	return wait
}

// letResign lets the engine resign, if it may, when it has considered itself lost for lostMoves moves in succession.
// It reports whether the engine has resigned.
func (t *Table) letResign(o *EngineAnswer) bool {
	q := &t.thinking
	if q.lost++; !o.Known || o.worth() > -lostAt {
		q.lost = 0
	}
	if !t.o.Resigns || q.lost < lostMoves || t.exercise.number > 0 {
		return false
	}
	q.lost = 0
	return t.decideEngine(game.Resign, t.game.Turn())
}

// answerOffer lets the engine answer the person's offer of a draw. If it may accept draws, it accepts when its
// position is no better than equal, which it knows once it has thought (o). Otherwise it declines at once. It reports
// whether it has accepted.
func (t *Table) answerOffer(o *EngineAnswer) bool {
	by := t.game.Offer().Other()
	if by == game.Nobody || t.game.Setup().Seat(by) != game.Engine || t.game.Over() {
		return false
	}
	may := t.o.Draws && t.game.Plies() >= drawPlies
	switch {
	case may && o == nil:
		return false
	case may && o.Known && o.worth() <= drawAt:
		return t.decideEngine(game.AcceptDraw, by)
	case t.decideEngine(game.DeclineDraw, by):
		t.tell(Event{Kind: Offer, Text: say.That("%s declines the draw", by)})
	}
	return false
}

func (t *Table) decideEngine(do game.ActionKind, by game.Side) bool {
	err := t.decide(game.Action{Do: do, By: by, Via: game.ByEngine}, elsewhere)
	if err != nil {
		t.do(Warn{"the engine cannot do this", []any{"action", do, "error", err}})
	}
	return err == nil
}

// person sets the person as the side of a command, in a game against the engine. It refuses a command for the engine's
// side.
func (t *Table) person(c *Command) error {
	if !t.seated() {
		return nil
	}
	side := game.White
	if t.game.Setup().White == game.Engine {
		side = game.Black
	}
	if c.By == side.Other() {
		return say.Error("%s: %s is played by the engine, which decides for itself", c.Do, c.By)
	}
	c.By = side
	return nil
}

// consents reports whether both sides sit here, and one has to agree to what the other takes back.
func (t *Table) consents() bool {
	return t.rival() == "" && !t.game.Over() && t.game.Setup().Takeback() == game.TakebackConsent
}

// putBack acts on wood that shows an earlier position: a move was taken back by hand. The other side has to allow
// that. It is asked once, until the pieces stand again as the game has them.
func (t *Table) putBack(plies int) {
	q, n := &t.requests, t.game.Plies()
	by := t.game.Turn()
	if plies%2 == 1 {
		by = by.Other()
	}
	_, _, open := t.game.TakebackRequest(by)
	if !open && t.rival() == "" { // whoever has asked, the same two people will answer
		_, _, open = t.game.TakebackRequest(by.Other())
	}
	if !open && q.put != n {
		q.put = n
		err := t.decide(game.Action{Do: game.Takeback, By: by, Plies: plies}, elsewhere)
		if open = err == nil; err != nil {
			t.tell(Event{Kind: Offer, Text: say.That("the move is put back, but %v: put the pieces as the game has them", err)})
		} else if t.rival() != "" {
			t.tell(Event{Kind: Offer, Text: say.That("board %s is asked to take the move back; put it on the board again to "+
				"play on", t.rival())})
		}
	}
	if open {
		t.setState(Moving)
		return
	}
	t.setState(Wrong)
}
