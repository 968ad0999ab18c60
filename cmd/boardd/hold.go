// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"boardd/rules"
	"boardd/sensing/reconcile"
)

// castleWait is how long a rook move that may be the first half of castling is held back in a game against another board. A
// move that the other board knows cannot be replaced any more (BOARD 3: lists that contradict are refused), so that it must
// not be told as long as the king may follow. The alternative, a sender that may replace its last move until the other
// board has answered, would let two lists contradict on purpose and two signatures stand against each other.
const castleWait = 2 * time.Second

// hold is a move that is recognised and not made yet.
type hold struct {
	move    rules.Move // NoMove: none is held
	since   time.Time
	pressed bool // the clock was pressed: whatever is recognised is the move
}

// waits tells whether a move that was recognised has to be held back longer, and until when.
func (h *hold) waits(p *rules.Position, m rules.Move, now time.Time) (until time.Time, wait bool) {
	if h.pressed || !castlesOn(p, m) {
		return time.Time{}, false
	}
	if h.move != m {
		h.move, h.since = m, now
	}
	until = h.since.Add(castleWait)
	return until, now.Before(until)
}

// castlesOn tells whether a rook move is what castling looks like before the king follows (RULES: the king goes two squares
// towards the rook, the rook beside it on the other side).
func castlesOn(p *rules.Position, m rules.Move) bool {
	if m.IsCastling() {
		return false
	}
	rank := m.From() &^ 7
	for _, c := range p.AppendMoves(nil) {
		if !c.IsCastling() {
			continue
		}
		from, to := rank+7, rank+5 // the rook of the h-file and its place beside the king
		if c.To()&7 < c.From()&7 {
			from, to = rank, rank+3
		}
		if c.From()&^7 == rank && m.From() == from && m.To() == to {
			return true
		}
	}
	return false
}

// heldBack tells whether what was recognised is not to be made yet. Where both sides sit here a move can be corrected until the
// opponent has touched a piece, and nothing is held.
func (b *board) heldBack(e *reconcile.Explanation) bool {
	if b.rival() == "" || e.Base > 0 {
		return false
	}
	p := b.game.Position()
	until, wait := b.hold.waits(&p, e.Move, time.Now())
	if wait {
		e.Again = until
	}
	return wait
}
