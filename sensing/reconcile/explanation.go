// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"fmt"
	"time"

	"boardd/rules"
	"boardd/sensing/wood"
)

// State says what kind of explanation was found.
type State uint8

const (
	Synced    State = iota // the wood stands as the game has it
	Moving                 // a hand is at work and nothing is wrong so far
	Moved                  // a legal move was made: Base and Move say which
	TakenBack              // the wood stands as in the earlier position Base: the moves since are taken back
	Ended                  // both kings stand on centre squares: Result says what that announces
	Asking                 // several legal moves explain the wood, Choices lists them
	Wrong                  // no legal move leads here: Touch says which places to mend
)

// String is the state's word.
func (s State) String() string {
	return [...]string{"synced", "moving", "moved", "taken back", "ended", "asking", "wrong"}[s]
}

// Explanation is the decoder's answer.
type Explanation struct {
	State   State
	Base    int           // Moved, TakenBack, Asking: index of the base that the moves start from
	Move    rules.Move    // Moved
	Result  string        // Ended: "1-0", "0-1" or "1/2-1/2"
	Choices []Choice      // Asking
	Margin  float64       // Moved: nats by which it is likelier than the runner-up
	Waited  time.Duration // Moved: from the last contact to now; 0 when none was seen, as the wood changed while nobody looked
	Touch   []Touch       // places that differ from the game as it stands, in the order a1 ... h8, lower deck first
	Lifts   []Lift        // places from which pieces were lifted and where nothing was added
	Again   time.Time     // when to explain again if nothing is read until then; zero: never
}

// Choice is one answer to a question, and the place whose piece a player lifts and puts back to give it.
type Choice struct {
	Move  rules.Move
	Place wood.Place // Nowhere: the board has too few pieces to answer with, and it is to be given elsewhere
}

// Touch is a place to mend.
type Touch struct {
	Place wood.Place
	Want  wood.Pile // what should stand there
	See   int       // how many pieces seem to stand there
}

// Lift is a place whose topmost pieces are in a hand.
type Lift struct {
	Place wood.Place
	Keep  int // how many pieces of the pile still stand there
}

// Timing is how long things must rest. They are times of hands and of contacts, not of taste.
type Timing struct {
	Bounce time.Duration // a reed's bounce (1 ms) and three equal sweeps of 2 ms
	Slide  time.Duration // a hand that pauses longer than this between two squares has let go
	Back   time.Duration // the same before a move is corrected or taken back
	Ask    time.Duration // rest before a question is asked
	Wrong  time.Duration // rest before the wood is called wrong
	Unseen time.Duration // rest before pieces that nothing shows to have landed are taken not to be in a hand any more
	Fault  time.Duration // rest before a sensor is called faulty that contradicts everything else
	Blind  time.Duration // the same where no other sensor vouches for it, only the rules: a person thinks with a piece in the hand
	Commit Policy        // what a move waits for before it counts
}

// Policy says what a move waits for, besides resting, before it counts.
type Policy uint8

// The policies.
const (
	AtRest  Policy = iota // nothing: a move counts when it can be no other
	ByTouch               // the opponent's first touch, or the clock
	ByClock               // the clock
)

// String is the policy's word in configurations.
func (p Policy) String() string { return [...]string{"rest", "touch", "clock"}[p] }

// ParsePolicy reads the words that String writes.
func ParsePolicy(s string) (Policy, error) {
	for p := AtRest; p <= ByClock; p++ {
		if p.String() == s {
			return p, nil
		}
	}
	return 0, fmt.Errorf("when a move counts: %q is unknown, use rest, touch or clock", s)
}

// DefaultTiming holds for reeds swept every 2 ms.
func DefaultTiming() Timing {
	const ms = time.Millisecond
	return Timing{Bounce: 7 * ms, Slide: 250 * ms, Back: 350 * ms, Ask: 300 * ms, Wrong: 150 * ms,
		Unseen: 2500 * ms, Fault: 2000 * ms, Blind: 6000 * ms}
}
