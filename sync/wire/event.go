// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"

	"boardd/rules/say"
)

// Event is something that happened. It is published once and not retained.
type Event struct {
	Kind string `json:"kind" is:"id"` // one of the kinds below
	// RFC 3339 with milliseconds, the board's own clock
	At   string `json:"at,omitempty" is:"word"`
	Game string `json:"game,omitempty" is:"word"`  // game id
	Ply  int    `json:"ply,omitempty" is:"ply"`    // plies of the game after it
	Move string `json:"move,omitempty" is:"move?"` // coordinate move
	SAN  string `json:"san,omitempty" is:"san"`    // the same for people
	By   string `json:"by,omitempty" is:"side?"`   // "white" or "black"
	// last contact to recognition; 0 where it does not apply
	Latency float64 `json:"latency_ms" is:"real"`
	// distance to the runner-up, 0 to 1; 0 where it does not apply
	Margin  float64  `json:"margin" is:"real"`
	Squares []Touch  `json:"squares,omitempty" most:"squares"`         // squares concerned
	Choices []string `json:"choices,omitempty" is:"move" most:"legal"` // coordinate moves of a question
	Part    string   `json:"part,omitempty" is:"word"`                 // sensor, bus or chip of a fault
	Text    string   `json:"text,omitempty" is:"text"`                 // a sentence for people

	Said []Sentence `json:"said,omitempty" most:"said"` // the same, for catalogues of other languages
}

// Sentence is an English text of the same message, or a part of it, as a code with arguments. A catalogue can
// translate it so. A code is the English form, with %s or the like for an argument.
type Sentence struct {
	Code string   `json:"code" is:"text"`
	Args []string `json:"args,omitempty" is:"text" most:"said"`
}

// Sentences is what is said for catalogues of other languages; nil where it has no codes.
func Sentences(s say.Said) (list []Sentence) {
	for _, p := range s.Parts {
		list = append(list, Sentence(p))
	}
	return list
}

// The kinds of events.
const (
	EventMove         = "move"          // a move was recognised
	EventTakeback     = "takeback"      // moves were taken back
	EventIllegal      = "illegal"       // the wood shows no position of the game
	EventFault        = "fault"         // a sensor fault was found
	EventFaultCleared = "fault-cleared" // a sensor fault is gone
	EventQuestion     = "question"      // several moves are possible
	EventConflict     = "conflict"      // another board contradicts this game
	EventOffer        = "offer"         // a draw, a takeback or a new game was offered
	EventAbility      = "ability"       // what the board cannot tell apart in the game that begins, and will ask
	EventStarted      = "started"       // a game began
	EventEnded        = "ended"         // a game ended
	EventJournal      = "journal"       // the journal cannot be written, or can again
	EventHint         = "hint"          // what the engine would play
	EventBlunder      = "blunder"       // what answers the move of a person who plays against the engine
	EventWrongTry     = "wrong-try"     // what refutes a try at a problem
	EventYourMove     = "your-move"     // a move came from elsewhere, and a person at this board is to move
	EventLink         = "link"          // something about the link to the broker
)

// Health is the state of the board's parts. It is published at most every ten seconds.
type Health struct {
	Version string `json:"version" is:"word"`
	Uptime  int64  `json:"uptime_s" is:"count"` // seconds since the daemon began
	// of the controller, degrees Celsius; missing when unknown
	Temperature *float64 `json:"temperature_c,omitempty" is:"real"`
	// last complete look at all sensors, microseconds
	Sweep      int64         `json:"sweep_us" is:"ms"`
	SweepWorst int64         `json:"sweep_worst_us" is:"ms"`
	BusErrors  uint64        `json:"bus_errors" is:"count"` // since the daemon began
	Parts      []Part        `json:"parts" most:"parts"`    // chips, buses and links
	Faults     []SquareFault `json:"faults" most:"faults"`  // squares whose sensors are not to be trusted
	Journal    string        `json:"journal" is:"text"`     // "ok", or what is wrong
	// what is wrong with it, for catalogues of other languages
	JournalSaid []Sentence `json:"journal_said,omitempty" most:"said"`
	Dropped     uint64     `json:"dropped" is:"count"` // messages from outside that were not accepted
}

// Part is one chip, bus or link.
type Part struct {
	Name   string `json:"name" is:"word"`
	OK     bool   `json:"ok" is:"flag"`
	Errors uint64 `json:"errors" is:"count"`
	Sweep  int64  `json:"sweep_us,omitempty" is:"ms"`
	Worst  int64  `json:"worst_us,omitempty" is:"ms"`
	Detail string `json:"detail,omitempty" is:"text"`

	Said  []Sentence `json:"said,omitempty" most:"said"`  // the detail, for catalogues of other languages
	Named []Sentence `json:"named,omitempty" most:"said"` // the name, for the same
}

// SquareFault is one square whose sensor cannot be trusted.
type SquareFault struct {
	Square string `json:"square" is:"square"`
	Deck   string `json:"deck" is:"deck"`
	Text   string `json:"text" is:"text"`

	Said []Sentence `json:"said,omitempty" most:"said"` // the text, for catalogues of other languages
}

// MarshalJSON writes the lists as empty, never as null.
func (h Health) MarshalJSON() ([]byte, error) {
	type plain Health
	p := plain(h)
	p.Parts, p.Faults = filled(p.Parts), filled(p.Faults)
	return json.Marshal(p)
}
