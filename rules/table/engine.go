// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"fmt"
	"time"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/game"
)

// Copying is the reason of a pause while the wood has to follow a move of the engine: its clock stopped when its move was shown, the
// person's starts when the wood shows it, or after copyTime.
const Copying = "copying"

// Think asks the engine for a move. Its answer goes back to the table ([Table.Thought]) with the number.
type Think struct {
	Number int
	Start  rules.Position // where the game began
	Moves  []rules.Move   // what was played since
	Timed  bool           // a clock runs
	Left   [2]time.Duration
	Gain   [2]time.Duration // with each move
	Hint   bool             // it is asked for a person: shortly, and as well as it can
}

// Rest takes the question back that was asked last.
type Rest struct{}

func (Think) effect() {}
func (Rest) effect()  {}

// thinking is what the engine is asked.
type thinking struct {
	number int // of the question asked last
	open   bool
	hint   bool   // for a person
	game   string // that it is about
	plies  int
	key    uint64
	move   rules.Move // the answer, NoMove while there is none
	again  time.Time  // after a failure: not asked before then
	shown  time.Time  // when its last move was shown
}

// Thought takes in the engine's answer to a question, or why there is none.
func (t *Table) Thought(now time.Time, number int, m rules.Move, err error) []Effect {
	t.take(now)
	q := &t.thinking
	if !q.open || number != q.number {
		return t.finish() // it was taken back
	}
	q.open = false
	if t.unhelped() {
		q.move = rules.NoMove // asked before that game began
		return t.finish()
	}
	if q.hint {
		t.hinted(m, err)
		return t.finish()
	}
	if q.move = m; err != nil {
		q.move, q.again = rules.NoMove, now.Add(askAgain)
		t.trouble("the engine gives no move: %v; it is asked again", err)
	}
	t.playThought()
	return t.finish()
}

// Trouble tells people what is wrong with the engine.
func (t *Table) Trouble(now time.Time, text string) []Effect {
	t.take(now)
	t.trouble("the engine: %s", text)
	return t.finish()
}

// Notice tells people what comes from outside the board, with the corners lit where it is urgent.
func (t *Table) Notice(now time.Time, text string, urgent bool) []Effect {
	t.take(now)
	t.alarm = t.alarm || urgent
	t.trouble("%s", text)
	return t.finish()
}

func (t *Table) trouble(format string, args ...any) {
	t.tell(Event{Kind: LinkTrouble, Text: fmt.Sprintf(format, args...)})
}

// engines reports whether it is the turn of the engine, in a game that goes on.
func (t *Table) engines() bool {
	return t.game != nil && !t.game.Over() && !t.game.Paused() && t.game.Setup().Seat(t.game.Turn()) == game.Engine
}

// byHand reports whether people play a side at this board.
func (t *Table) byHand(c rules.Color) bool { return t.game.Setup().ByHand(game.SideOf(c)) }

// seated reports whether the engine plays one of the sides.
func (t *Table) seated() bool {
	s := t.game.Setup()
	return s.White == game.Engine || s.Black == game.Engine
}

// about reports whether the question, or the answer to it, is about the game as it stands.
func (q *thinking) about(g *game.Game) bool {
	p := g.Position()
	return q.game == g.ID() && q.plies == g.Plies() && q.key == p.Key()
}

// consult asks the engine when it is to move and the wood shows the position, and takes back what it was asked when that counts no more.
func (t *Table) consult() {
	q := &t.thinking
	if t.game == nil {
		return
	}
	if (q.open || q.move != rules.NoMove) && (t.engines() == q.hint || !q.about(t.game)) {
		if q.open {
			t.do(Rest{})
		}
		q.open, q.move = false, rules.NoMove
	}
	if t.unhelped() || q.open || q.move != rules.NoMove || !t.engines() || !t.still() || t.now.Before(q.again) {
		return
	}
	think := t.inquire()
	if c, timed := t.game.Clocks(t.now); timed {
		s := t.game.Setup()
		think.Timed, think.Left = true, [2]time.Duration{c.White, c.Black}
		gain := time.Duration(s.Clock.Increment) * time.Millisecond
		think.Gain = [2]time.Duration{gain, gain}
	}
	t.do(think)
}

// inquire opens a question about the position.
func (t *Table) inquire() Think {
	q, p := &t.thinking, t.game.Position()
	*q = thinking{number: q.number + 1, open: true, game: t.game.ID(), plies: t.game.Plies(), key: p.Key(), shown: q.shown}
	return Think{Number: q.number, Start: t.game.Start(), Moves: t.game.Moves()}
}

// still reports whether the wood shows the position, and nothing has to be done.
func (t *Table) still() bool { return t.wood.state == Synced && t.wood.goal == "" }

// playThought plays the engine's move: the wood has to follow. It waits for the wood, and for the person who may still slide on the
// piece just put down.
func (t *Table) playThought() {
	q := &t.thinking
	if q.move == rules.NoMove || !t.engines() || !q.about(t.game) || !t.still() {
		return
	}
	if n := t.game.Plies(); n > 0 {
		if at, _ := t.game.MovedAt(n); t.now.Before(at.Add(slideTime)) {
			return
		}
	}
	m := q.move
	q.move = rules.NoMove
	if err := t.decide(game.Action{Do: game.Move, Play: m}, elsewhere); err != nil {
		q.again = t.now.Add(askAgain)
		t.trouble("the engine's move is refused: %v", err)
		return
	}
	q.shown = t.now
	t.aim(Executing)
	if c, timed := t.game.Clocks(t.now); timed && c.Running != game.Nobody {
		t.clockDo(game.Action{Do: game.Pause, Reason: Copying})
	}
	t.look(t.seen())
}

// startClock lets the person's clock run when the engine's move has not been copied for long.
func (t *Table) startClock() {
	if t.game.WhyPaused() == Copying && t.now.Sub(t.thinking.shown) >= copyTime {
		t.clockDo(game.Action{Do: game.Resume})
	}
}

// seats checks who would play with the engine.
func (t *Table) seats(s *game.Setup) error {
	switch lichess := s.White == game.Lichess || s.Black == game.Lichess; {
	case lichess && !t.o.Lichess:
		return errors.New("this board has no account at Lichess: set lichess.token_file")
	case lichess && s.Variant != orthodox:
		return errors.New("at Lichess a board plays orthodox chess alone")
	}
	engine := 0
	for _, side := range []game.Side{game.White, game.Black} {
		if s.Seat(side) == game.Engine {
			engine++
		}
	}
	switch {
	case engine == 0:
		return nil
	case !t.o.Engine:
		return errors.New("no engine can be asked here: seats are local or a board's name")
	case engine == 2:
		return errors.New("both seats are the engine: one of them must be local")
	case !s.Here(game.White) || !s.Here(game.Black):
		return errors.New("the engine plays at this board alone: the other seat must be local")
	}
	return nil
}

// orthodox is the game that is played at Lichess.
const orthodox = "chess"

// unhelped reports whether a game at Lichess goes on, on this board or beside it: then no program helps anybody here, nor plays.
func (t *Table) unhelped() bool {
	return t.game != nil && t.game.Setup().Judged() && !t.game.Over() || t.o.Fair != nil && t.o.Fair()
}

// Why no engine may look at games: the words of the page.
const (
	AgainstRemote  = "remote"
	AgainstLichess = "lichess"
	EngineThinks   = "engine"
)

// Unanalysed is why no engine may look at games now, "" if it may: nobody who plays somebody far away is helped, and an engine that
// plays has the computer to itself.
func (t *Table) Unanalysed() string {
	switch {
	case t.game == nil:
		return ""
	case t.unhelped():
		return AgainstLichess
	case t.rival() != "" && !t.game.Over():
		return AgainstRemote
	case t.thinking.open:
		return EngineThinks
	}
	return ""
}

// hint is what the engine would play in a person's place. It is lit until a move is made.
type hint struct {
	about thinking // the position that it is for
	move  rules.Move
	at    time.Time
}

// commandHint asks the engine what it would play. Never in a game against another board: nobody there has agreed.
func (t *Table) commandHint() error {
	p := t.game.Position()
	switch {
	case t.unhelped():
		return errors.New("hint: a game at Lichess goes on, in which no program may help")
	case !t.o.Engine:
		return errors.New("hint: no engine can be asked here")
	case t.rival() != "":
		return errors.New("hint: not in a game against another board")
	case t.game.Over():
		return errors.New("hint: the game has ended")
	case t.stopped():
		return errors.New("hint: the game is paused")
	case !t.byHand(p.Turn()):
		return errors.New("hint: it is the engine's turn")
	}
	q := t.inquire()
	t.thinking.hint = true
	q.Hint = true
	t.do(q)
	return nil
}

// hinted takes in the answer to a question for a hint.
func (t *Table) hinted(m rules.Move, err error) {
	if err != nil {
		t.trouble("the engine gives no hint: %v", err)
		return
	}
	t.hint = hint{t.thinking, m, t.now}
	t.tell(Event{Kind: Hinted, From: t.game.Position(), Move: m})
}

// paintHint shows which piece the hint moves, and after a while where to.
func (t *Table) paintHint(v *leds.View) {
	h := &t.hint
	if h.move == rules.NoMove || t.game.Over() || !h.about.about(t.game) {
		return
	}
	p := t.game.Position()
	after := p
	after.Play(h.move)
	g := t.decoder.Geometry()
	before, then := g.Lay(&p), g.Lay(&after)
	for place := range before.Diff(&then).Places() {
		switch {
		case place.Square() == h.move.From() && len(then[place]) < len(before[place]):
			v.From.Add(place)
		case t.now.Sub(h.at) >= hintStep:
			v.To.Add(place)
		}
	}
}
