// SPDX-License-Identifier: Apache-2.0

// Package engine is the chess engine as a program: it speaks UCI on standard input and output, for all the games.
// Positions are stack FEN and moves are in coordinate form; neither has spaces in it, so UCI needs no other change
// than the option UCI_Variant. The search is rules/search; here are the words of the protocol, the clock and the
// goroutine that thinks.
package engine
