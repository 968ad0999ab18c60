// SPDX-License-Identifier: Apache-2.0

// Package engine is the engine as a program. It speaks UCI on standard input and output, for all the games. Positions
// are stack FEN without its spaces in the squares, and moves are in coordinate form, so UCI needs no change except the
// option UCI_Variant. The search is rules/search. This package has the protocol, the clock and the goroutine that
// thinks.
package engine
