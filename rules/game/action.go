// SPDX-License-Identifier: Apache-2.0

package game

import (
	"time"

	"boardd/rules"
)

// Deed is what somebody wants to do.
type Deed string

// The deeds and the fields of Action that count.
const (
	Move            Deed = "move"             // Move; By where given must be the side to move
	Resign          Deed = "resign"           // By
	OfferDraw       Deed = "offer-draw"       // By
	AcceptDraw      Deed = "accept-draw"      // By
	DeclineDraw     Deed = "decline-draw"     // By
	ClaimDraw       Deed = "claim-draw"       // threefold repetition or fifty moves, by the side to move
	Takeback        Deed = "takeback"         // Plies, 0: the last own move; By
	AcceptTakeback  Deed = "accept-takeback"  // By
	DeclineTakeback Deed = "decline-takeback" // By
	Abort           Deed = "abort"            // Agreed
	Kings           Deed = "kings"            // Outcome: the kings were put on the centre squares
	Flag            Deed = "flag"             // the time of the side to move is up
	Pause           Deed = "pause"            // Reason, kept with the event
	Resume          Deed = "resume"           // also starts the clock before the first move
	Flip            Deed = "flip"             //
	Adjust          Deed = "adjust"           // Left, Agreed: the clocks are set
	EndOutage       Deed = "outage"           // the daemon is back; LastSeen
	Name            Deed = "name"             // Names: who plays
)

// By which ways a deed is asked for.
const (
	ByHand = "hand" // at the wood, or an answer to what it asked
	ByPage = "page" // the web listener
	ByMQTT = "mqtt" // the command topic
)

// Action asks for a deed. By is the side that does it; Nobody means the only side played here by a person, and where both are, the side
// to move (for answers to an offer: the side that can answer).
type Action struct {
	Do      Deed
	By      Side
	Move    string     // coordinate form or SAN
	Play    rules.Move // the move itself, where it is known; then Move does not count
	Plies   int
	Outcome string
	Reason  string
	Via     string           // by which way it was asked for: ByHand, ByPage, ByMQTT; kept with what follows from it
	Agreed  bool             // Abort: the other board has agreed
	Left    [2]time.Duration // Adjust: what the clocks of White and Black are to show
	Names   *Names           // Name
}
