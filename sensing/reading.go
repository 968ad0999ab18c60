// SPDX-License-Identifier: Apache-2.0

package sensing

import (
	"context"
	"time"

	"boardd/rules"
)

// Reading is one sweep of one kind of sensor over one deck. It is a value: whoever has one may keep it.
type Reading struct {
	// when the sweep ended; of a value that a busy machine takes in late, when it was measured
	At     time.Time
	Kind   Kind           // which of the fields below count
	Deck   Deck           // the deck under the sensors
	Known  rules.Bitboard // squares whose sensor answered; the others are unknown, never "empty"
	Closed rules.Bitboard // Reeds: squares whose switch is closed, always a subset of Known
	// squares whose value is repeated from the reading before, a subset of Known
	Stale rules.Bitboard
	// Weights: milligrams after tare and gain; Heights: micrometres above the lower deck; 0 where not Known.
	Value [64]int32
	// Scale: milligrams on the corners of the whole board, at the squares a1, h1, a8 and h8
}

// Source is a bank of sensors.
//
// Run sweeps until ctx ends and sends every reading to out. It returns ctx's error and no other. A fault of a sensor
// never ends it, but leads to readings with fewer Known squares, and shows in Health. Run blocks while out is full: a
// slow receiver gets older readings, not fewer. Run is called once. Health may be called from any goroutine at any
// time.
type Source interface {
	Run(ctx context.Context, out chan<- Reading) error
	Health() []Part
}
