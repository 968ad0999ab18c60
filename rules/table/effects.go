// SPDX-License-Identifier: Apache-2.0

package table

import (
	"time"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/rules/table/solving"
	"boardd/sensing"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// Effect is one thing that has to be done outside, in the order given.
type Effect interface{ effect() }

// Append writes records to the journal and syncs it, before anything that follows is done. The result goes back to the
// table ([Table.Stored]), which returns the effects that depend on it.
type Append struct{ Records []Record }

// Retry tries again to write what could not be written. Its result goes back like that of an Append.
type Retry struct{}

// Publish shows everybody the whole game. If Stored is false, only the players at this board see it; it must not be
// sent.
type Publish struct{ Stored bool }

// Tell says that something happened.
type Tell struct{ Event Event }

// Show lights the board.
type Show struct{ View leds.View }

// Await names the squares that the game needs sensed next.
type Await struct{ Squares rules.Bitboard }

// Sensed is a reading as the game has its squares, for the trace.
type Sensed struct{ Reading sensing.Reading }

// Recorded is how the game went on, for the trace: this many plies back, then these moves. It went on at a time that
// is over when the trace hears of it, because the records are stored first.
type Recorded struct {
	At    time.Time
	Back  int
	Moves []string // coordinate moves
	Here  bool     // recognised on the board, rather than commanded
}

// Begin starts a trace at a position.
type Begin struct {
	Position rules.Position
	Plies    int
}

// Follow names the board whose games are to be heard, "" for none. In a game at one board it is the one that was last
// played against.
type Follow struct{ Board string }

// File writes the game that has ended into a file of its own for people. With Remove it removes that file, because the
// end was taken back.
type File struct {
	Game   *game.Game
	Remove bool
}

// Link says that the other board's part in the game has changed.
type Link struct{}

// Warn is a line for the log about something that went wrong, on which nobody has to act.
type Warn struct {
	Text string
	Args []any // pairs of name and value
}

// Note is a line for the log about something good to know.
type Note struct {
	Text string
	Args []any
}

// Think asks the engine for a move. Its answer goes back to the table ([Table.Thought]) with the number.
type Think struct {
	Number int
	Game   string         // its id
	Start  rules.Position // where the game began
	Moves  []rules.Move   // what was played since
	Timed  bool           // a clock runs
	Left   [2]time.Duration
	Gain   [2]time.Duration // with each move
	Best   time.Duration    // think so long, and as well as possible; 0: as it plays
	Level  int              // from 1, at which it plays this game; 0: as it usually does
	Think  time.Duration    // how long it takes, when no clock runs; 0: as it usually does
	Mate   int              // prove whether the side to move is mated in this many moves, whatever it plays; 0: no proof
}

// StopThinking withdraws the last question to the engine.
type StopThinking struct{}

func (Append) effect()       {}
func (Retry) effect()        {}
func (Publish) effect()      {}
func (Tell) effect()         {}
func (Show) effect()         {}
func (Await) effect()        {}
func (Sensed) effect()       {}
func (Recorded) effect()     {}
func (Begin) effect()        {}
func (Follow) effect()       {}
func (File) effect()         {}
func (Link) effect()         {}
func (Warn) effect()         {}
func (Note) effect()         {}
func (Think) effect()        {}
func (StopThinking) effect() {}

// Kind is what happened.
type Kind string

// The kinds of events, and which fields count.
const (
	Moved        Kind = "move"          // Move, From, Latency, Margin
	TakenBack    Kind = "takeback"      // Plies
	Illegal      Kind = "illegal"       // Touch
	Fault        Kind = "fault"         // Part, Places
	FaultCleared Kind = "fault-cleared" // Part, Places
	Question     Kind = "question"      // Choices, From
	Conflict     Kind = "conflict"      //
	Offer        Kind = "offer"         //
	Ability      Kind = "ability"       //
	Started      Kind = "started"       //
	Ended        Kind = "ended"         //
	Journal      Kind = "journal"       //
	Hinted       Kind = "hint"          // Move, From
	Blunder      Kind = "blunder"       // Move, From: what answers the person's move
	WrongTry     Kind = "wrong-try"     // Move, From: what refutes a try at a problem
	YourMove     Kind = "your-move"     // a move came from elsewhere, and a person here is to move
	LinkTrouble  Kind = "link"          //
)

// Event is something that happened. Text says it to people, where words are needed.
type Event struct {
	Kind    Kind
	At      time.Time
	Game    string
	Ply     int
	Text    say.Said
	From    rules.Position // before Move or Choices
	Move    rules.Move
	Latency time.Duration
	Margin  float64
	Plies   int
	Choices []reconcile.Choice
	Touch   []reconcile.Discrepancy
	Places  []wood.Place
	Part    string
	Via     string // of Moved, as in game.Action
	Private bool   // not to be sent to other boards: what it tells is not stored
}

// Record is one record of the journal. All of a record is kept or lost together.
type Record struct {
	Boundary bool              // what follows belongs to another game
	Event    *game.Event       // what happened
	Wood     *Stance           // how the wood stands after it, or how it stands now where there is no event
	Solving  *solving.Progress // how the solving of problems stands
	Asked    *Request          // the open request of this board; without What: none, and Number is that of its last one
	Keys     map[string]string // all keys that are known, in the form of package trust
}

// Request is what one side asks of the other.
type Request struct {
	What game.ActionKind `json:"what,omitempty"` // Takeback, OfferDraw, NewGame, Abort, Adjust or Hint
	By   game.Side       `json:"by,omitempty"`
	// NewGame, Abort, Adjust, Hint: from 1, counted by the board that asks; 0: it began a game without asking
	Number int              `json:"number"`
	To     int              `json:"to,omitempty"`     // Takeback: the number of plies that would remain
	Setup  game.Setup       `json:"setup,omitzero"`   // NewGame
	Left   [2]time.Duration `json:"left_ns,omitzero"` // Adjust: what the clocks of White and Black would show
	Via    string           `json:"via,omitempty"`    // by which way it was asked here, see game.Action
}

// Reply is the answer to a request that has a number.
type Reply struct {
	Number   int
	Accepted bool
}
