// SPDX-License-Identifier: Apache-2.0

package uci

import (
	"io"
	"time"
)

// How much a program may say. Chosen: Stockfish says less than 0.1 MB in a second at the beginning of a search, and
// hardly anything later. What is above costs this program time that the sensors need.
const (
	burst    = 1 << 20 // bytes that may come at once
	flow     = 1 << 18 // bytes in a second after that
	mostRead = 1 << 14 // bytes in one piece
)

// throttle reads no faster than a program may talk. A program that says more than that waits until it is read.
type throttle struct {
	from  io.Reader
	now   func() time.Time
	pause func(time.Duration)
	left  int // bytes that may come at once, as of at
	at    time.Time
}

// Read reads a piece, after the pause that is due.
func (t *throttle) Read(b []byte) (int, error) {
	now := t.now()
	if t.at.IsZero() {
		t.left = burst
	} else {
		t.left = min(burst, t.left+int(min(now.Sub(t.at), time.Minute)*flow/time.Second))
	}
	t.at = now
	if t.left < 0 {
		t.pause(time.Duration(-t.left) * time.Second / flow)
	}
	n, err := t.from.Read(b[:min(len(b), mostRead)])
	t.left -= n
	return n, err
}
