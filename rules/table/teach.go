// SPDX-License-Identifier: Apache-2.0

package table

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/rules/search/problems"
	"boardd/rules/table/solving"
)

// OptionProblem is the option of a game that is a problem. Its value is the number in the list of the rule set, from
// 1. A command may say "next", or which problems come from now on: "any", "mate-in-2" or "mate-in-3".
const OptionProblem = "problem"

// exercise is the problem that stands on the table. The person plays the side to move, the engine the other one.
type exercise struct {
	number  int // from 1; 0: no problem is shown
	of      int
	problem problems.Problem
	key     rules.Move
	refuted thinking   // the position after a wrong try, until it is taken back
	move    rules.Move // what refutes the try; NoMove: nothing is known to
	at      time.Time  // when move or the key was first shown
	begun   time.Time  // when its position stood on the board
	over    time.Time  // when the problem was solved or given up; zero before
	solving.Progress
}

// ProblemState is how far the solving of a problem is.
type ProblemState string

// The states of a problem.
const (
	ToFind  ProblemState = "find"    // the key, or the next move of the mate, has to be found
	Refuted ProblemState = "refuted" // a wrong try stands on the board
	Solved  ProblemState = "solved"
	GivenUp ProblemState = "given-up"
)

// Problem is the problem that stands on the table, for people.
type Problem struct {
	Number, Of int
	In         int // moves to the mate
	Only       int // problems of this many moves alone come; 0: all
	State      ProblemState
	Tries      int
	Solved     int // problems since somebody began to solve them here
	Shown      int
	From       rules.Position // before Refutation
	Refutation rules.Move     // NoMove: no wrong try stands on the board, or nothing is known that refutes it
	Start      rules.Position // of the problem
	Key        rules.Move     // NoMove while it is not told
}

// Problem returns the problem that stands on the table, and reports whether one does. The key is told when the
// problem is over or after keyAfter, but never beside a game at Lichess.
func (t *Table) Problem() (Problem, bool) {
	x := &t.exercise
	if x.number == 0 {
		return Problem{}, false
	}
	e := Problem{Number: x.number, Of: x.of, In: x.problem.In, Only: x.In, State: t.problemState(), Tries: x.Tries,
		Solved: x.Solved, Shown: x.Shown, Start: t.game.Start()}
	if e.State == Refuted {
		e.From, e.Refutation = t.game.Position(), x.move
	}
	over := e.State == Solved || e.State == GivenUp
	if !t.helpForbidden() && (over || t.now.Sub(x.begun) >= keyAfter) {
		e.Key = x.key
	}
	return e, true
}

func (t *Table) problemState() ProblemState {
	p := t.game.Start()
	switch won := map[rules.Color]string{rules.White: game.WhiteWins, rules.Black: game.BlackWins}[p.Turn()]; {
	case t.game.Final(): // people have ended it
		return GivenUp
	case t.game.Over() && t.game.Outcome() == won:
		return Solved
	case t.game.Over(), t.exercise.refuted.isAbout(t.game):
		return Refuted
	}
	return ToFind
}

// takeProblem looks whether the game that begins or is resumed is a problem.
func (t *Table) takeProblem() {
	x, s := &t.exercise, t.game.Setup()
	n, err := strconv.Atoi(s.Options[OptionProblem])
	list, failed := problems.Of(t.game.Variant())
	if err != nil || failed != nil || n < 1 || n > len(list) || list[n-1].FEN != s.Start || !t.seated() {
		*x = exercise{begun: t.now}
		return
	}
	p := t.game.Start()
	key, err := p.ParseMove(list[n-1].Key)
	if err != nil {
		*x = exercise{begun: t.now}
		return
	}
	*x = exercise{number: n, of: len(list), problem: list[n-1], key: key, begun: t.now, Progress: x.Progress.Clone()}
	x.Show(t.game.Variant().ID(), n)
}

// commandProblem begins a problem: the next one, or one by its number.
func (t *Table) commandProblem(id, word string) error {
	if id == "" {
		id = t.game.Setup().Variant
	}
	v, err := rules.ByID(id)
	if err != nil {
		return err
	}
	list, err := problems.Of(v)
	switch {
	case err != nil:
		return err
	case t.helpForbidden():
		return say.Error("problem: a game at Lichess goes on, in which no program may help")
	case len(list) == 0:
		return say.Error("there are no problems of %s", v.Name())
	case !t.o.Engine:
		return say.Error("problems need an engine, and none can be asked here")
	}
	next := t.exercise.Clone()
	n := 0
	if next.Choose(word, list) || word == "next" {
		n = next.Next(v, list, t.decoder.Wood(), t.decoder.Geometry())
	} else if n, err = strconv.Atoi(word); err != nil || n < 1 || n > len(list) {
		return say.Error("option problem is %q, want next, any, mate-in-2, mate-in-3 or a number from 1 to %d", word,
			len(list))
	}
	p, err := v.ParseFEN(list[n-1].FEN)
	if err != nil {
		return err
	}
	before := t.game.Setup()
	s := game.Setup{ID: t.NextID(t.now), Board: t.o.Board, Variant: v.ID(), Start: list[n-1].FEN, White: game.Local,
		Black:   game.Engine,
		Options: map[string]string{OptionProblem: strconv.Itoa(n), game.OptionTakeback: game.TakebackFree},
		Names:   &game.Names{}}
	if p.Turn() == rules.Black {
		s.White, s.Black = s.Black, s.White
	}
	if err := t.playable(&s); err != nil {
		return err
	}
	x := &t.exercise
	former := x.Progress
	if next.Turn(); x.number == 0 {
		next.Remember(before)
	}
	x.Progress = next
	if err := t.wantGame(s); err != nil {
		x.Progress = former
		return err
	}
	return nil
}

// another is the set-up of a game that follows this one, from a position; "" is the array. After a problem it has the
// seats, the options and the clock from before the problems.
func (t *Table) another(fen string) game.Setup {
	s := t.game.Setup().From(t.NextID(t.now), fen)
	if t.exercise.number > 0 {
		t.exercise.Restore(&s)
	}
	return s
}

// movesLeft is how many moves the person has left for the mate.
func (t *Table) movesLeft() int { return t.exercise.problem.In - (t.game.Plies()+1)/2 }

// tried takes in the engine's answer to a try. If the mate still works, that answer is played as the defence; if not,
// it is shown as the refutation. What could not be proven in time is taken for right: then the last move shows it. Of
// a first move it is known, as only the key is right.
func (t *Table) tried(o *EngineAnswer) {
	x, left := &t.exercise, t.movesLeft()
	right := left > 0 && !o.Holds
	if t.game.Plies() == 1 {
		right = t.game.Moves()[0] == x.key
	}
	switch {
	case right:
		t.thinking.answer = *o
	case left > 0 && !o.Holds:
		t.refute(rules.NoMove)
	default:
		t.refute(o.Move)
	}
}

// refute says that the try on the board is wrong, and shows what refutes it. NoMove: nothing is proven to, or the try
// has ended the game.
func (t *Table) refute(m rules.Move) {
	x, p := &t.exercise, t.game.Position()
	x.refuted, x.move, x.at = thinking{game: t.game.ID(), plies: t.game.Plies(), key: p.Key()}, m, t.now
	if x.Try(t.game.Takebacks()) { // not the try that stood here before a restart
		t.keepProgress()
	}
	t.store.changed = true
	text := say.That("this does not solve it: take the move back and try another one")
	switch {
	case t.game.Over():
		text = say.That("%s: take the move back and try another one", t.game.Reason())
	case m != rules.NoMove:
		text = say.That("%s refutes it: take the move back and try another one", p.SAN(m))
	}
	t.tell(Event{Kind: WrongTry, From: p, Move: m, Text: text})
}

// drill goes on to the next problem when one is over. On a table that always shows problems, it also begins the first
// one.
func (t *Table) drill() {
	x := &t.exercise
	if x.number > 0 && t.wood.goal == Setup {
		x.begun = t.now // nobody can try before the position stands
	}
	switch over := t.game != nil && t.game.Over(); {
	case t.game == nil || t.helpForbidden() || t.rival() != "":
	case x.number == 0:
		wait := drillAfter
		if !over && !strings.HasPrefix(t.game.ID(), Automatic) {
			wait = freshAfter
		}
		if t.o.Problems && (over || t.game.Plies() == 0) && t.now.Sub(x.begun) >= wait {
			t.nextProblem()
		}
	case !over:
		if !x.over.IsZero() { // its end was taken back
			x.over = time.Time{}
		}
	case t.problemState() == Refuted: // the try has ended the game, which is no mate
		if !x.refuted.isAbout(t.game) {
			t.refute(rules.NoMove)
		}
	case x.over.IsZero():
		x.over, x.at = t.now, t.now
		x.Count(t.problemState() == Solved)
		t.keepProgress()
		t.store.changed = true
	case t.game.Reason() == rules.Aborted && !t.o.Problems:
		*x = exercise{begun: t.now}
		t.store.changed = true
	case t.now.Sub(x.over) >= nextAfter:
		t.nextProblem()
	}
	if x.number > 0 && t.now.Sub(x.begun) >= keyAfter && t.now.Sub(x.begun) < keyAfter+time.Second {
		t.store.changed = true // because the key is told now
	}
}

func (t *Table) nextProblem() {
	if err := t.commandProblem(t.game.Setup().Variant, "next"); err != nil {
		t.exercise = exercise{begun: t.now}
		t.trouble("no problem is shown: %v", err)
	}
}

// paintKey lights the key of a problem that was given up: first the piece, then its destination, as in the position at
// the beginning.
func (t *Table) paintKey(v *leds.View) {
	x := &t.exercise
	if x.number == 0 || t.problemState() != GivenUp || x.over.IsZero() {
		return
	}
	start := t.game.Start()
	t.paintMove(v, &start, x.key, x.at)
}

// coach tells a person who plays against the engine what was wrong with a move.
type coach struct {
	weighed thinking     // the position before the person's move
	before  EngineAnswer // of it
	judged  thinking     // the position after the move
	refuted thinking     // the same, if the move was a blunder
	move    rules.Move
	at      time.Time
}

// coached is the highest level of the engine whose opponents are told of blunders. Others know. Chosen, not measured.
const coached = 4

// worth is the evaluation for the side to move in hundredths of a pawn, in which a mate counts as a large number.
func (o *EngineAnswer) worth() int {
	const mate = 10000
	switch {
	case o.Mate > 0:
		return mate
	case o.Mate < 0:
		return -mate
	}
	return max(-mate, min(o.Cents, mate))
}

// coaching reports whether moves of the person are judged.
func (t *Table) coaching() bool {
	return t.o.Coach && t.seated() && t.exercise.number == 0 &&
		cmp.Or(t.game.Setup().Level(), t.o.Level) <= coached
}

// takeEvaluation takes in the engine's evaluation of the position after a person's move. If the move was a blunder,
// the person is told, and the engine waits before it answers.
func (t *Table) takeEvaluation(o *EngineAnswer) {
	c := &t.coach
	c.judged = t.thinking
	before, after := c.before.worth(), -o.worth()
	if !c.before.Known || !o.Known || before-after < blunderAt || before < -hopelessAt || after > wonAt {
		return
	}
	c.refuted, c.move, c.at = t.thinking, o.Move, t.now
	t.step(ofAdvice)
	if c, timed := t.game.Clocks(t.now); timed && c.Running != game.Nobody {
		t.clockDo(game.Action{Do: game.Pause, Reason: Advising})
	}
	p := t.game.Position()
	text := say.That("%s would answer it: take the move back, or wait", p.SAN(o.Move))
	if t.game.Setup().Takeback() == game.TakebackNever {
		text = say.That("%s would answer it", p.SAN(o.Move))
	}
	t.tell(Event{Kind: Blunder, From: p, Move: o.Move, Text: text})
}

// Coach returns the move that refutes the person's last move, and the position before the refutation; NoMove if there
// is nothing to tell.
func (t *Table) Coach() (from rules.Position, m rules.Move) {
	if c := &t.coach; c.refuted.isAbout(t.game) && t.now.Sub(c.at) < coachTime {
		return t.game.Position(), c.move
	}
	return rules.Position{}, rules.NoMove
}

// playOn lets the engine answer a blunder at once, and reports whether there was one.
func (t *Table) playOn() bool {
	if _, m := t.Coach(); m == rules.NoMove {
		return false
	}
	t.coach.refuted = thinking{}
	t.store.changed = true
	return true
}
