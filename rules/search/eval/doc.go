// SPDX-License-Identifier: Apache-2.0

// Package eval estimates a position of any of the games, for the search: what stands where, summed up move by move,
// and from the sums a score in hundredths of a pawn.
//
// A position is a set of inputs, one for each piece: its role in its stack, its side, its kind and its square
// (inputs.go). An Eval holds a row of twenty 16-bit numbers for each input. The sums of the rows of all pieces, seen
// from White and from Black, are the Sums of the position, and a move changes them only where it touches the board.
// Two forms read the sums: hand-made values (hand.go), and a small network trained by self-play (net.go).
package eval
