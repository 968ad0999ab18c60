// SPDX-License-Identifier: Apache-2.0

// Package eval evaluates a position of any of the games for the search. It sums up what stands where, updates the sums
// move by move, and computes from them a score in hundredths of a pawn.
//
// A position is a set of features, one for each piece: its role in its stack, its side, its kind and its square
// (features.go). An Eval holds a row of 20 or 36 16-bit numbers for each feature. The Accumulator of a position is the
// sums of the rows of all pieces, seen from White and from Black. A move changes them only where it touches the board.
// Two forms read the sums: hand-made values (hand.go), and a small network trained by self-play (net.go).
package eval
