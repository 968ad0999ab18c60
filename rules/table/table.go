// SPDX-License-Identifier: Apache-2.0

package table

import (
	"slices"
	"time"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// Decoder explains the wood. It is a [reconcile.Decoder], whose comments say what the methods do.
type Decoder interface {
	Geometry() *wood.Geometry
	Expect(bases []reconcile.Base)
	Follow(bases []reconcile.Base, before *rules.Position)
	Observe(r *sensing.Reading)
	PressClock()
	Answered()
	Explain(at time.Time) reconcile.Explanation
	Destinations(l reconcile.Lift) reconcile.Destinations
	Wood() *wood.Wood
	Count(p wood.Place) int
	HeightsNeeded() rules.Bitboard
	Faults() []reconcile.Fault
	FaultChanges() []reconcile.FaultChange
}

// Options are what a table is made with.
type Options struct {
	Board      string         // the name of this board among others
	Decode     func() Decoder // makes a decoder with the current settings
	Trust      Trust          // nil: nothing is signed, and everybody is believed
	QueenAfter time.Duration  // how long a promotion is asked for before it becomes a queen; 0: for ever
	Random     func() uint64  // for ids of games; nil: 0
	Engine     bool           // there is an engine that can be asked
	Unsaved    error          // why the journal cannot write, nil while it can
	Resigns    bool           // the engine resigns lost games
	Draws      bool           // the engine may accept draws, and claim them
	Ponder     bool           // the engine thinks while a person does
	Coach      bool           // a person who plays against the engine, at a low level, is told of blunders
	Level      int            // from 1 to 8, at which the engine plays games that say nothing of it
	Problems   bool           // while nobody plays, problems are shown
	Lichess    bool           // there is a seat at lichess.org
	// reports whether a game is played at Lichess, in which no program may help; nil: none ever is
	Fair  func() bool
	Names game.Names // of those who sit here, for games that have no others
	// the other board whose invitations are heard until this one has played against another, "" for none
	Partner string
}

// Table is one table. It belongs to one goroutine.
type Table struct {
	o          Options
	now        time.Time // of the input that is being taken
	via        string    // by which way it was given, see [game.Action]; "" where nobody gave it
	game       *game.Game
	decoder    Decoder
	renew      bool      // the decoder's settings have changed
	latest     time.Time // newest time that the decoder was told of or asked about
	wood       standing
	explain    reconcile.Explanation
	array      int // index of the base that is the array set up again, 0 when there is none
	hold       hold
	kept       Stance // the stance of the wood in the journal
	view       leds.View
	alarm      bool           // a part of the game was lost
	alarmedFor thinking       // the position in which somebody is about to end the game
	lit        bool           // view was shown
	awaited    rules.Bitboard // as last announced
	told       Wood           // as last published
	toldAt     time.Time

	store    store
	steps    steps
	rivals   map[string]Message // the newest message of each followed board that is believed
	partner  string             // the last other board of a game, "" for none: its invitations are heard in other games
	clash    clash
	stated   map[speech]game.Statement // what other boards have signed, in this game and in newer ones
	requests requests
	link     Connection
	broker   bool // other boards can be reached
	away     absence

	thinking         thinking
	helpWasForbidden bool // the last result of helpForbidden
	hint             hint
	coach            coach
	exercise         exercise

	out []Effect // of the input that is being taken
}

// standing is how the wood stands to the game.
type standing struct {
	ply     int            // the ply that the wood shows
	lies    rules.Position // that position, also when the game no longer has that ply
	state   State          //
	goal    State          // why the wood has to be brought to the game: Executing, Setup or Wrong; "" in play
	asked   time.Time      // when the open question was asked
	choices []reconcile.Choice
	stood   [wood.Places]int // number of pieces on each place when the question was asked
	base    int              // from which the choices start
	answer  rules.Move       // the choice whose piece is lifted; NoMove: none is
	lifted  time.Time        // when
	settled int              // plies of the game when an answer settled what the last move was; 0: none has
	left    bool             // the wood has left the position since the game ended
	// the result that kings in the centre announced; "": none since the wood was right
	announced    string
	kingsRefused bool // it was refused, and the wood is wrong
	// while the array stands in the middle of the game: the places of its kings. If one is lifted and put back, a new
	// game begins
	kings      []wood.Place
	kingLifted bool                    // one of kings was lifted
	backs      []int                   // by base of the decoder: how many plies it lies back
	held       rules.Move              // a move seen, but not counted yet; NoMove: none
	becomes    bool                    // what its pawn becomes is not known yet
	goes       []reconcile.Discrepancy // pieces that still have to leave the board to complete a capture
}

// State is how the wood stands to the game, in the words of the messages.
type State string

// The states.
const (
	Synced    State = "synced"    // the wood shows the position
	Moving    State = "moving"    // a piece is lifted, or the wood does not rest
	Executing State = "executing" // the wood has to follow a move made elsewhere
	Asking    State = "asking"    // several moves are possible
	Wrong     State = "wrong"     // the wood shows no position of the game
	Setup     State = "setup"     // the wood has to be set up
)

// Wood is how the wood stands, for people.
type Wood struct {
	Ply     int
	State   State
	Touch   []reconcile.Discrepancy // what to touch, in the order in which hands do it best
	From    rules.Position          // before the choices
	Choices []reconcile.Choice      // of the open question
	Kings   []wood.Place            // that begin a new game when one is lifted and put back
	Held    string                  // the move that is seen, but not counted yet, see heldBack; "": none is
}

// The times of a table. They are chosen for people; none is measured.
const (
	// absenceGrace is how long the other board may be away before people are told.
	absenceGrace = 10 * time.Second

	// castleWait is how long a rook move that may be the first half of castling is held back in a game against another
	// board. A move that the other board knows cannot be replaced any more (docs/contract.md: lists that contradict are
	// refused). So the move must not be sent while the king may still follow. The alternative is a sender that may
	// replace its last move until the other board has answered. It would let two lists contradict on purpose, and two
	// signatures stand against each other.
	castleWait = 2 * time.Second

	// longestAnswer is how long the piece that answers a question may be in the hand, if the wood without it is what the
	// game has. After that it counts as taken away.
	longestAnswer = 2 * time.Second

	// slideTime is how long the engine's answer is held back after a person's move, because the piece may still slide on.
	slideTime = time.Second

	// askAgain is the time after which an engine that failed is asked again.
	askAgain = 10 * time.Second

	// copyTime is how long the person's clock waits for the engine's move to be copied (docs/contract.md: the wood
	// follows).
	copyTime = 30 * time.Second

	// hintThink is how long the engine thinks about a hint, which must be visible within 300 ms. proveThink is how long
	// it may take to prove what a try at a problem is worth. Most proofs take some milliseconds.
	hintThink  = 200 * time.Millisecond
	proveThink = 5 * time.Second

	// coachTime is how long the engine waits for a person to take back a blunder.
	coachTime = 15 * time.Second

	// nextAfter is how long a problem that is over stands before the next one comes. keyAfter is how long a problem
	// stands on the board before its key is told to spectators. A table that always shows problems shows the next one
	// drillAfter its game has ended, or freshAfter somebody has begun a game and not moved.
	nextAfter  = 20 * time.Second
	keyAfter   = 2 * time.Minute
	drillAfter = 5 * time.Second
	freshAfter = 2 * time.Minute

	// hintStep is how long a hint shows which piece to move before it shows where.
	hintStep = 2 * time.Second

	// retryEvery is how often the table tries again to write what could not be written.
	retryEvery = time.Second

	// republish is how often a game with a running clock is published again although nothing has happened. A spectator
	// who joins sees from clock.at how old the clocks are. If its own clock is wrong, its error is never more than this.
	// A shorter time would write every board's game to the broker's disk more often.
	republish = time.Minute

	// drift is how far the computer's clock may run off while it is kept right. If it moves by more, it was set.
	drift = time.Second
)

// What the engine goes by, in hundredths of a pawn for the side that is judged, moves or plies. Chosen, not measured.
const (
	lostAt     = 900 // if it is as bad as that lostMoves times in succession, it resigns
	lostMoves  = 3
	drawAt     = 0 // if it is no better than that, and not before drawPlies, it accepts a draw
	drawPlies  = 30
	blunderAt  = 200 // a move that loses so much is a blunder,
	hopelessAt = 600 // but not if the person was lost before,
	wonAt      = 400 // nor if the person still wins
)

// New returns a table without a game. Resume or Start gives it one.
func New(o Options) *Table {
	if o.Trust == nil {
		o.Trust = nobody{}
	}
	if o.Random == nil {
		o.Random = func() uint64 { return 0 }
	}
	return &Table{o: o, decoder: o.Decode(), rivals: map[string]Message{}, stated: map[speech]game.Statement{},
		store: store{broken: o.Unsaved}}
}

// Alarm lights the board's corners until a move is made by hand. It tells people that a part of the game was lost.
func (t *Table) Alarm() { t.alarm = true }

// Game is the game. It must only be read.
func (t *Table) Game() *game.Game { return t.game }

// Opponent is the name of the board that plays against this one, "" when both sides sit here.
func (t *Table) Opponent() string { return t.rival() }

// WrapDecoder puts something between the table and its decoder, until the decoder is made again.
func (t *Table) WrapDecoder(wrap func(Decoder) Decoder) { t.decoder = wrap(t.decoder) }

// Seen is the time up to which the wood has been looked at.
func (t *Table) Seen() time.Time { return t.latest }

// Geometry is the board.
func (t *Table) Geometry() *wood.Geometry { return t.decoder.Geometry() }

// Expected is the wood as the game has it.
func (t *Table) Expected() *wood.Wood { return t.decoder.Wood() }

// Explanation is what the decoder said last.
func (t *Table) Explanation() *reconcile.Explanation { return &t.explain }

// Faults lists the sensors that are at fault.
func (t *Table) Faults() []reconcile.Fault { return t.decoder.Faults() }

// Conflict is what contradicts this game; empty when nothing does.
func (t *Table) Conflict() say.Said { return t.clash.text }

// Unsaved is why the newest part of the game is not stored, nil when it is.
func (t *Table) Unsaved() error { return t.store.broken }

// Link is the link to the broker, as last heard of.
func (t *Table) Link() Connection { return t.link }

// NextLook is how long after now the wood has to be looked at if nothing is read until then; 0: no look is due.
func (t *Table) NextLook(now time.Time) time.Duration {
	if t.explain.NextLook.IsZero() {
		return 0
	}
	return max(time.Millisecond, t.explain.NextLook.Sub(now))
}

// Wood is how the wood stands, and what is to be done there.
func (t *Table) Wood() Wood {
	touch := t.explain.Discrepancies
	if t.wood.goes != nil {
		touch = t.wood.goes
	}
	return Wood{Ply: t.wood.ply, State: t.State(), Touch: reconcile.Guide(touch), From: t.past(t.wood.base),
		Choices: t.wood.choices, Kings: t.wood.kings, Held: t.heldMove()}
}

// clone returns a copy that shares nothing.
func (w Wood) clone() Wood {
	w.Touch, w.Choices, w.Kings = slices.Clone(w.Touch), slices.Clone(w.Choices), slices.Clone(w.Kings)
	return w
}

// same reports whether a and b look the same to people.
func same(a, b *Wood) bool {
	return a.Ply == b.Ply && a.State == b.State && slices.Equal(a.Touch, b.Touch) && slices.Equal(a.Choices, b.Choices) &&
		slices.Equal(a.Kings, b.Kings) && a.Held == b.Held
}

// State is the state of the wood, which the lights and the display show. Before the sensors were read, and while they
// settle, it is not known whether anything has to be done.
func (t *Table) State() State {
	if t.wood.goal != "" && t.explain.State == reconcile.Moving && len(t.explain.Discrepancies) == 0 {
		return Moving
	}
	return t.wood.state
}

func (t *Table) do(e Effect) { t.out = append(t.out, e) }

// tell says that something happened, with time, game and ply filled in.
func (t *Table) tell(e Event) {
	e.At, e.Game, e.Ply = t.now, t.game.ID(), t.game.Plies()
	t.do(Tell{e})
}

// rival is the name of the board that plays against this one, "" when both sides sit here.
func (t *Table) rival() string { return t.game.Setup().Rival() }

// holds reports whether this board plays a side.
func (t *Table) holds(c rules.Color) bool { return t.game.Setup().Here(game.SideOf(c)) }

// seats checks who would play, where the engine does.
func (t *Table) seats(s *game.Setup) error {
	switch lichess := s.White == game.Lichess || s.Black == game.Lichess; {
	case lichess && !t.o.Lichess:
		return say.Error("this board has no account at Lichess: set lichess.token_file")
	case lichess && s.Variant != orthodox:
		return say.Error("at Lichess a board plays orthodox chess alone")
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
		return say.Error("no engine can be asked here: seats are local or a board's name")
	case engine == 2:
		return say.Error("both seats are the engine: one of them must be local")
	case !s.Here(game.White) || !s.Here(game.Black):
		return say.Error("the engine plays at this board alone: the other seat must be local")
	}
	return nil
}

// orthodox is the game that is played at Lichess.
const orthodox = "chess"
