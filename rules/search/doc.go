// SPDX-License-Identifier: Apache-2.0

// Package search finds good moves in all the games. It uses iterative deepening with aspiration windows, and principal
// variation search over a transposition table. It has late move reductions and pruning, null moves, singular
// extensions and a bounded quiescence search. It does no I/O, starts no goroutine and reads no clock. The caller says
// when to stop. The same position, evaluation and node limit give the same move.
//
// A position is searched in node.go, its moves in moves.go, its captures alone in quiet.go. order.go has the order in
// which moves are searched, and learn.go what the search learns on its way. What differs from an orthodox engine, and
// why, stands in tuning.go and quiet.go.
package search
