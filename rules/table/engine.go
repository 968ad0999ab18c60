// SPDX-License-Identifier: Apache-2.0

package table

import (
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
)

// Copying is the reason of a pause while the engine's move is known and the wood does not show it. The engine's clock
// stops when its answer has come, because only its thinking counts. The person's clock starts when the wood shows the
// move, or after copyTime.
const Copying = "copying"

// EngineAnswer is what the engine answers.
type EngineAnswer struct {
	Move  rules.Move
	Known bool // how the side to move stands
	Cents int  // hundredths of a pawn
	Mate  int  // moves to the mate, negative if the side to move is mated; 0 for none
	Holds bool // it is proven that after Move there is no mate in Think.Mate moves
}

// purpose is what the engine is asked for.
type purpose uint8

const (
	toPlay  purpose = iota // its own move
	toProve                // what answers a try at a problem
	toJudge                // what answers a person's move, to tell a blunder
	toWeigh                // what the person's next move will be compared with
	toHint                 // what a person asked for
)

// ofEngine reports whether this is asked when the engine is to move, rather than a person.
func (p purpose) ofEngine() bool { return p < toWeigh }

// thinking is the question that the engine is asked, and its answer.
type thinking struct {
	number  int // of the question asked last
	open    bool
	purpose purpose
	game    string // that it is about
	plies   int
	key     uint64
	answer  EngineAnswer // its move is to be played; NoMove while there is none
	again   time.Time    // after a failure: not asked before then
	shown   time.Time    // when its last move was known
	lost    int          // how often in succession it thought that it is lost
	ponders bool         // it may ponder on what follows its last move
	played  int          // plies of the game after that move
}

// Thought takes in the engine's answer to the question of a number, or the error that came in its place.
func (t *Table) Thought(now time.Time, number int, o EngineAnswer, err error) []Effect {
	t.take(now)
	q := &t.thinking
	if !q.open || number != q.number {
		return t.finish() // it was taken back
	}
	q.open = false
	switch {
	case t.helpForbidden(): // asked before that game began
	case q.purpose == toHint:
		t.hinted(o.Move, err)
	case err != nil:
		q.again = now.Add(askAgain)
		t.trouble("the engine gives no move: %v; it is asked again", err)
	case q.purpose == toWeigh:
		t.coach.weighed, t.coach.before = *q, o
	case q.purpose == toJudge:
		t.takeEvaluation(&o)
	case q.purpose == toProve:
		t.tried(&o)
	default:
		q.answer, q.shown = o, now
	}
	t.playThought()
	return t.finish()
}

// engines reports whether the engine is to move, in a game that goes on. A pause that the wood makes keeps what the
// engine has thought: else a person could have it think twice on its clock.
func (t *Table) engines() bool {
	why := t.game.WhyPaused()
	return !t.game.Over() && (!t.game.Paused() || why == Copying || why == Desync) &&
		t.game.Setup().Seat(t.game.Turn()) == game.Engine
}

// hasMove reports whether the engine's move is known, and waits to be played.
func (t *Table) hasMove() bool {
	q := &t.thinking
	return q.answer.Move != rules.NoMove && t.engines() && q.isAbout(t.game)
}

// byHand reports whether people play a side at this board.
func (t *Table) byHand(c rules.Color) bool { return t.game.Setup().ByHand(game.SideOf(c)) }

// seated reports whether the engine plays one of the sides.
func (t *Table) seated() bool {
	s := t.game.Setup()
	return s.White == game.Engine || s.Black == game.Engine
}

// isAbout reports whether the question, or the answer to it, is about the game as it stands.
func (q *thinking) isAbout(g *game.Game) bool {
	p := g.Position()
	return q.game == g.ID() && q.plies == g.Plies() && q.key == p.Key()
}

// follows reports whether the game is one move further than the question.
func (q *thinking) follows(g *game.Game) bool { return q.game == g.ID() && q.plies == g.Plies()-1 }

// consult asks the engine when there is something to ask. It waits for wood that shows the position, but not while the
// engine's clock runs. It withdraws a question that no longer counts.
func (t *Table) consult() {
	q := &t.thinking
	if t.game == nil {
		return
	}
	t.answerOffer(nil)
	if (q.open || q.answer.Move != rules.NoMove) && (t.engines() != q.purpose.ofEngine() || !q.isAbout(t.game)) {
		if q.open {
			t.do(StopThinking{})
		}
		q.open, q.answer = false, EngineAnswer{}
	}
	forbidden := t.checkHelp()
	if n := t.game.Plies(); q.ponders && (forbidden || t.game.Over() || q.game != t.game.ID() || n < q.played ||
		n > q.played+1) {
		q.ponders = false
		t.do(StopThinking{})
	}
	if forbidden {
		return
	}
	what, due := t.due()
	c, timed := t.game.Clocks(t.now)
	hurry := what.ofEngine() && c.Running != game.Nobody
	if !due || q.open || q.answer.Move != rules.NoMove || !hurry && !t.atRest() || t.now.Before(q.again) {
		return
	}
	think := t.inquire(what)
	if timed {
		s := t.game.Setup()
		think.Timed, think.Left = true, [2]time.Duration{c.White, c.Black}
		gain := time.Duration(s.Clock.Increment) * time.Millisecond
		think.Gain = [2]time.Duration{gain, gain}
	}
	t.do(think)
}

// due is what the engine is to be asked in the position.
func (t *Table) due() (what purpose, ok bool) {
	switch c := &t.coach; {
	case t.engines() && t.exercise.number > 0:
		return toProve, !t.exercise.refuted.isAbout(t.game)
	case t.engines() && t.coaching() && c.weighed.follows(t.game) && !c.judged.isAbout(t.game):
		return toJudge, true
	case t.engines():
		return toPlay, !c.refuted.isAbout(t.game) || t.now.Sub(c.at) >= coachTime
	case t.coaching() && !t.game.Over() && !t.game.Paused():
		return toWeigh, !c.weighed.isAbout(t.game)
	}
	return toPlay, false
}

// inquire opens a question about the position.
func (t *Table) inquire(what purpose) Think {
	q, p := &t.thinking, t.game.Position()
	*q = thinking{number: q.number + 1, open: true, purpose: what, game: t.game.ID(), plies: t.game.Plies(), key: p.Key(),
		shown: q.shown, lost: q.lost, ponders: q.ponders && what != toPlay, played: q.played}
	best := map[purpose]time.Duration{toHint: hintThink, toWeigh: hintThink, toJudge: hintThink}
	think := Think{Number: q.number, Game: q.game, Start: t.game.Start(), Moves: t.game.Moves(), Best: best[what]}
	switch what {
	case toPlay:
		think.Level, think.Think = t.game.Setup().Level(), t.game.Setup().Think()
	case toProve:
		think.Mate, think.Best = t.movesLeft(), hintThink
		if think.Mate > 0 {
			think.Best = proveThink
		}
	}
	return think
}

// atRest reports whether the wood shows the position, and nothing has to be done.
func (t *Table) atRest() bool { return t.wood.state == Synced && t.wood.goal == "" }

// playThought plays the engine's move, which the wood then has to follow. Before that it waits for the wood to be
// still, and for the person, who may yet slide the piece just put down further. The clocks stand meanwhile. So nobody
// may wait for longer than copyTime: then the move is played although a piece is held.
func (t *Table) playThought() {
	q := &t.thinking
	if !t.hasMove() {
		return
	}
	c, timed := t.game.Clocks(t.now)
	if c.Running != game.Nobody {
		t.clockDo(game.Action{Do: game.Pause, Reason: Copying})
	}
	late := timed && t.wood.state != Wrong && t.wood.goal != Setup && t.now.Sub(q.shown) >= copyTime
	if !t.atRest() && !late {
		return
	}
	if n := t.game.Plies(); n > 0 && !late {
		at, _ := t.game.MovedAt(n)
		if past := t.now.Sub(at); past >= 0 && past < slideTime { // in a game resumed with the clock set back it is less
			return
		}
	}
	o := q.answer
	q.answer = EngineAnswer{}
	if t.letResign(&o) || t.claimDraw(&o) || t.answerOffer(&o) {
		return
	}
	if err := t.decide(game.Action{Do: game.Move, Play: o.Move, Via: game.ByEngine}, elsewhere); err != nil {
		q.again = t.now.Add(askAgain)
		t.trouble("the engine's move is refused: %v", err)
		return
	}
	q.ponders, q.played = t.o.Ponder, t.game.Plies()
	t.aim(Executing)
	if timed && !t.game.Over() {
		t.clockDo(game.Action{Do: game.Pause, Reason: Copying})
	}
	t.look(t.seen())
}

// claimDraw lets the engine claim a draw by threefold repetition or fifty moves (RULES 8). It does so if it may take
// draws and its position is no better than equal. It reports whether it has.
func (t *Table) claimDraw(o *EngineAnswer) bool {
	if !t.o.Draws || t.exercise.number > 0 || !o.Known || o.worth() > drawAt || t.game.Claimable() == rules.Playing {
		return false
	}
	return t.decideEngine(game.ClaimDraw, t.game.Turn())
}

// helpForbidden reports whether a game at Lichess goes on, on this board or beside it. Then no program helps anybody
// here, and none plays.
func (t *Table) helpForbidden() bool {
	return t.game != nil && t.game.Setup().Judged() && !t.game.Over() || t.o.Fair != nil && t.o.Fair()
}

// checkHelp reports whether help is forbidden, and then also removes what a program has said and is still shown. That
// is a hint, or what refutes a blunder or a try at a problem. When the result changes, the game is shown again, with
// or without what programs have found out.
func (t *Table) checkHelp() bool {
	now := t.helpForbidden()
	t.store.changed = t.store.changed || now != t.helpWasForbidden
	t.helpWasForbidden = now
	if now {
		t.hint.about, t.coach.refuted, t.exercise.refuted = thinking{}, thinking{}, thinking{}
	}
	return now
}

// The reasons why no engine may look at games, as the page knows them.
const (
	AgainstRemote  = "remote"
	AgainstLichess = "lichess"
	EngineThinks   = "engine"
)

// WhyNoAnalysis is why no engine may look at games now, "" if it may. Nobody who plays somebody far away is helped,
// and an engine that plays has the computer to itself.
func (t *Table) WhyNoAnalysis() string {
	switch {
	case t.helpForbidden():
		return AgainstLichess
	case t.game == nil:
		return ""
	case t.rival() != "" && !t.game.Over():
		return AgainstRemote
	case t.thinking.open:
		return EngineThinks
	}
	return ""
}

// hint is the move that the engine would play in a person's place. It is lit until a move is made.
type hint struct {
	about  thinking // the position that it is for
	move   rules.Move
	at     time.Time
	said   bool   // where it goes was told
	agreed string // the game against another board in which both boards have agreed to hints
	// the side whose button asked last without success, and when
	refused   game.Side
	refusedAt time.Time
}

// commandHint asks the engine what it would play. In a game against another board it first asks that board, once a
// game, whether both may have hints.
func (t *Table) commandHint() error {
	p := t.game.Position()
	switch {
	case t.helpForbidden():
		return say.Error("hint: a game at Lichess goes on, in which no program may help")
	case !t.o.Engine:
		return say.Error("hint: no engine can be asked here")
	case t.game.Over():
		return say.Error("hint: the game has ended")
	case t.rival() != "" && t.hint.agreed != t.game.ID():
		return t.request(Request{What: Hint})
	case t.Stopped():
		return say.Error("hint: the game is paused")
	case t.exercise.number > 0:
		return say.Error("hint: this is a problem: give it up (resign), and its key is shown")
	case !t.byHand(p.Turn()):
		return say.Error("hint: it is not the turn of a person here")
	}
	t.do(t.inquire(toHint))
	return nil
}

// hinted takes in the answer to a question for a hint.
func (t *Table) hinted(m rules.Move, err error) {
	if err != nil {
		t.trouble("the engine gives no hint: %v", err)
		return
	}
	t.hint.about, t.hint.move, t.hint.at, t.hint.said = t.thinking, m, t.now, false
	t.tell(Event{Kind: Hinted, From: t.game.Position(), Move: m, Text: say.That("hint: look at %s", m.From())})
}
