// SPDX-License-Identifier: Apache-2.0

package wire

// Command is what a board is asked to do. Which fields count depends on Do.
type Command struct {
	ID   string `json:"id" is:"word"`    // repeated in the reply
	Do   string `json:"do" is:"command"` // one of CommandWords
	Move string `json:"move,omitempty" is:"said"`
	// "white" or "black", where one board holds both sides; "" is the side that is meant
	By      string     `json:"by,omitempty" is:"side?"`
	Variant string     `json:"variant,omitempty" is:"word"` // new: "" is the rule set that is being played
	Options Options    `json:"options,omitempty" is:"options"`
	Seats   *Seats     `json:"seats,omitempty"`
	Start   string     `json:"start,omitempty" is:"fen"`
	Clock   *ClockSpec `json:"clock,omitempty"`            // null or missing: no clock
	Plies   int        `json:"plies,omitempty" is:"ply"`   // takeback: how many; 0 is the last own move
	White   int64      `json:"white_ms,omitempty" is:"ms"` // adjust: what White's clock is to show
	Black   int64      `json:"black_ms,omitempty" is:"ms"` // adjust: what Black's clock is to show
	Names   *Names     `json:"names,omitempty"`            // name: who plays; new: the same
	// The step of the game message that whoever gives the command has seen. If what the command is about has changed
	// since, it is refused. 0: carried out in any case.
	To int64 `json:"to,omitempty" is:"step"`
	// Signed is the signer's name, a number higher than any before, and the signature in base64; "" if nobody signed.
	Signed string `json:"signed,omitempty" is:"text"`

	text string // of a signed command: the signed text
}

// What a board can be asked to do. The first eleven are from the contract.
const (
	DoNew             = "new"
	DoMove            = "move"
	DoResign          = "resign"
	DoOfferDraw       = "offer-draw"
	DoAcceptDraw      = "accept-draw"
	DoTakeback        = "takeback"
	DoAnswer          = "answer"
	DoFlip            = "flip"
	DoSetup           = "setup"
	DoPause           = "pause"
	DoResume          = "resume"
	DoDeclineDraw     = "decline-draw"
	DoClaimDraw       = "claim-draw"
	DoAcceptTakeback  = "accept-takeback"
	DoDeclineTakeback = "decline-takeback"
	DoAbort           = "abort"
	DoRematch         = "rematch"
	DoHint            = "hint"    // shows what the engine would play: by light, and as an event
	DoAdjust          = "adjust"  // sets both clocks; against another board, when it agrees
	DoAccept          = "accept"  // the other board's request for a new game, an end without result, or other times
	DoDecline         = "decline" // the same; where nothing is open, it withdraws what this board has asked
	DoName            = "name"    // says who plays, for people and game files
	DoSettle          = "settle"  // a conflict: this board gives way and takes over the other one's list
)

// CommandWords lists what Do may be, the contract's own first.
func CommandWords() []string {
	return []string{
		DoNew, DoMove, DoResign, DoOfferDraw, DoAcceptDraw, DoTakeback, DoAnswer, DoFlip, DoSetup, DoPause, DoResume,
		DoDeclineDraw, DoClaimDraw, DoAcceptTakeback, DoDeclineTakeback, DoAbort, DoRematch,
		DoHint, DoAdjust, DoAccept, DoDecline, DoName,
		DoSettle,
	}
}

// ClockSpec is the time control of a game. Times are in milliseconds.
type ClockSpec struct {
	Kind    string `json:"kind" is:"clock"`     // one of ClockKinds
	Initial int64  `json:"initial_ms" is:"ms+"` // what each side begins with
	// added (fischer, bronstein) or waited (delay) per move
	Increment int64      `json:"increment_ms,omitempty" is:"ms"`
	Moves     int        `json:"moves,omitempty" is:"ply"`         // moves that Initial is for; 0 is all of them
	Periods   []Period   `json:"periods,omitempty" most:"periods"` // the periods after those moves
	White     *Allowance `json:"white,omitempty"`                  // a handicap: other figures for one side
	Black     *Allowance `json:"black,omitempty"`
}

// Period is a further stretch of the game with time of its own.
type Period struct {
	Moves     int   `json:"moves,omitempty" is:"ply"` // 0: all that remain
	Initial   int64 `json:"initial_ms" is:"ms"`       // added when the period begins
	Increment int64 `json:"increment_ms,omitempty" is:"ms"`
}

// Allowance replaces the first period's figures for one side.
type Allowance struct {
	Initial   int64 `json:"initial_ms" is:"ms+"`
	Increment int64 `json:"increment_ms,omitempty" is:"ms"`
}

// ClockKinds lists what ClockSpec.Kind may be.
func ClockKinds() []string {
	return []string{"sudden-death", "fischer", "bronstein", "delay", "hourglass"}
}

// Reply answers one command.
type Reply struct {
	ID    string `json:"id" is:"word"`
	OK    bool   `json:"ok" is:"flag"`
	Error string `json:"error,omitempty" is:"reply"`
	// Said is the error for translation; missing if no catalogue has it.
	Said []Sentence `json:"said,omitempty" most:"said"`
	// Stored is false if the command was carried out but could not be stored. Otherwise the field is missing.
	Stored *bool `json:"stored,omitempty" is:"flag"`
}

// Text is the signed text of a command that was read with a signature (see Plain), "" for any other.
func (c *Command) Text() string { return c.text }
