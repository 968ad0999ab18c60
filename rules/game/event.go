// SPDX-License-Identifier: Apache-2.0

package game

import (
	"strings"
	"time"

	"boardd/rules"
)

// Kind is what an event is.
type Kind string

// The kinds of events and the fields that count beside At.
const (
	Started     Kind = "started"      // Setup
	Moved       Kind = "moved"        // Move; here Spent; from elsewhere Remote and, where the message told it, Left
	Offered     Kind = "offered"      // By
	Declined    Kind = "declined"     // By: the side that declines the other's draw offer
	Asked       Kind = "asked"        // By, Number, Ply: the side wants to go back to that many plies
	AskDeclined Kind = "ask-declined" // By: the side that declines, Number: of the other's request
	TakenBack   Kind = "taken-back"   // Ply: how many remain; Count: takebacks carried out so far
	Ended       Kind = "ended"        // Outcome, Reason; Remote when another board said so
	Paused      Kind = "paused"       // Spent: time used on this move so far; Count; Reason, kept as it is given
	// Count: pauses and resumptions so far, of both boards; 0 when the clock was only started
	Resumed     Kind = "resumed"
	Flipped     Kind = "flipped" //
	OutageEnded Kind = "outage"  // the daemon is back; Spent as for Paused
	Settled     Kind = "settled" // Ply, Count: people decided to take over another board's list from there on
	Sealed      Kind = "sealed"  // By, Seal: a side's signature; Ply: how many moves it covers
	Timed       Kind = "timed"   // By, Left: a side's time as its own board tells it
	Named       Kind = "named"   // Names
)

// Known reports whether this version knows what an event of the kind does.
func (k Kind) Known() bool {
	switch k {
	case Started, Moved, Offered, Declined, Asked, AskDeclined, TakenBack, Ended, Paused, Resumed, Flipped, OutageEnded,
		Settled, Sealed, Timed, Named:
		return true
	}
	return false
}

// Event is one thing that happened to a game. It is written to the journal as JSON and never changed.
type Event struct {
	Kind    Kind      `json:"kind"`
	At      time.Time `json:"at"`
	By      Side      `json:"by,omitempty"`
	Setup   *Setup    `json:"setup,omitempty"`
	Names   *Names    `json:"names,omitempty"`
	Move    string    `json:"move,omitempty"` // coordinate move
	Remote  bool      `json:"remote,omitempty"`
	Spent   int64     `json:"spent_ms,omitempty"` // time used on this move, milliseconds
	Left    *int64    `json:"left_ms,omitempty"`  // time that By has left, milliseconds
	Ply     int       `json:"ply,omitempty"`
	Number  int       `json:"number,omitempty"`
	Count   int       `json:"count,omitempty"`
	Outcome string    `json:"outcome,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	Via     string    `json:"via,omitempty"`  // how it came here, see [Action]; "" where nobody said
	Seal    string    `json:"seal,omitempty"` // as it is kept with the game; not looked into here

	made rules.Move // Moved, where it was just decided: Move need not be read again
	ply  int        // of made, from 1
}

// ActionKind is what somebody wants to do.
type ActionKind string

// The kinds of actions, and the fields of Action that count.
const (
	Move            ActionKind = "move"             // Move; By where given must be the side to move
	Resign          ActionKind = "resign"           // By
	OfferDraw       ActionKind = "offer-draw"       // By
	AcceptDraw      ActionKind = "accept-draw"      // By
	DeclineDraw     ActionKind = "decline-draw"     // By
	ClaimDraw       ActionKind = "claim-draw"       // threefold repetition or fifty moves, by the side to move
	Takeback        ActionKind = "takeback"         // Plies, 0: the last own move; By
	AcceptTakeback  ActionKind = "accept-takeback"  // By
	DeclineTakeback ActionKind = "decline-takeback" // By
	Abort           ActionKind = "abort"            // Agreed
	Kings           ActionKind = "kings"            // Outcome: the kings were put on the centre squares
	Flag            ActionKind = "flag"             // the time of the side to move is up
	Pause           ActionKind = "pause"            // Reason, kept with the event
	Resume          ActionKind = "resume"           // also starts the clock before the first move
	Flip            ActionKind = "flip"             //
	Adjust          ActionKind = "adjust"           // Left, Agreed: the clocks are set
	EndOutage       ActionKind = "outage"           // the daemon is back
	Name            ActionKind = "name"             // Names: who plays
)

// The ways by which an action is asked for. Where a name is known, " by " and the name follow. A move that was made by
// hand, and told apart from others by an answer that came another way, has both: "hand/" and that way.
const (
	ByHand       = "hand"         // at the wood, or an answer to what it asked
	ByPage       = "page"         // the page; in records of before 0.2.0, which say no more
	ByPageHere   = "page-here"    // the page, asked over the loopback address, without a token
	ByPageToken  = "page-token"   // the page in a browser with a token, by the token's name
	ByPageOthers = "page-visitor" // the page in a browser elsewhere, without a token
	ByPerson     = "virtual"      // a virtual person, who plays in the demo
	ByMQTT       = "mqtt"         // the command topic; without a name the command was not signed
	ByEngine     = "engine"       // the engine that plays here
	ByBoard      = "board"        // a message of the other board, or of Lichess; never an event's Via
)

// OnPage is the way of a command from the page. token is the name of the token of whoever gave it, "" for none. here
// says that it was asked over the loopback address.
func OnPage(token string, here bool) string {
	switch {
	case token != "":
		return ByPageToken + by + token
	case here:
		return ByPageHere
	}
	return ByPageOthers
}

// OverMQTT is the way of a command over MQTT, with the name of whoever signed it, "" for nobody.
func OverMQTT(signer string) string {
	if signer == "" {
		return ByMQTT
	}
	return ByMQTT + by + signer
}

const by = " by "

// Given says a way to people, "" where none is noted.
func Given(via string) string {
	if answer, ok := strings.CutPrefix(via, ByHand+"/"); ok {
		return "by hand, told apart from others " + Given(answer)
	}
	way, name, named := strings.Cut(via, by)
	switch {
	case way == ByHand:
		return "by hand"
	case way == ByPage:
		return "on the page"
	case way == ByPageHere:
		return "on the page, asked over the loopback address"
	case way == ByPerson:
		return "by a virtual person"
	case way == ByPageToken && named:
		return "on the page, with the token of " + name
	case way == ByPageOthers:
		return "on the page, without a token"
	case way == ByMQTT && named:
		return "by MQTT, signed by " + name
	case way == ByMQTT:
		return "by MQTT, not signed"
	case way == ByEngine:
		return "by the engine"
	case way == ByBoard:
		return "by the other board, or at Lichess"
	}
	return via
}

// Action asks for something to be done. By is the side that does it. Nobody means the only side that a person plays
// here. If there are two, it means the side to move, or for answers to an offer the side that can answer.
type Action struct {
	Do      ActionKind
	By      Side
	Move    string     // coordinate form or SAN
	Play    rules.Move // the move itself, where it is known; then Move does not count
	Plies   int
	Outcome string
	Reason  string
	Via     string           // by which way it was asked for, as above; kept with what follows from it
	Agreed  bool             // Abort: the other board has agreed
	Left    [2]time.Duration // Adjust: what the clocks of White and Black are to show
	Names   *Names           // Name
}
