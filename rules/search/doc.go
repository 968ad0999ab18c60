// SPDX-License-Identifier: Apache-2.0

// Package search finds good moves in all the games: iterative deepening, principal variation search over a
// transposition table, late move reductions, null moves and a bounded quiescence search. It does no I/O, starts no
// goroutine and reads no clock; whoever calls it says when to stop. The same position, evaluation and node limit give
// the same move.
//
// What differs from an orthodox engine, and why, stands in tuning.go and quiet.go.
package search
