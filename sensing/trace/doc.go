// SPDX-License-Identifier: Apache-2.0

// Package trace records what a board sensed and recognised, so that a game can be replayed. A misread move becomes a
// test by copying one file.
//
// A trace is text, a line an entry, times in microseconds since its beginning:
//
//	boardd-trace 1
//	game locking rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//	board 0 stack 150 250 2000 35000            kind of board and, in mg and micrometres, noise of a cell, spread
//	                                            of pieces, noise of a height, height of a piece; the line may be
//	                                            missing, as may those that follow:
//	mass 0 80:20000 112:20000                   mg of each piece by its letter in ASCII
//	cells 0 0:180 17:220                        noise of each load cell that has its own, mg
//	eyes 0 0:1500                               noise of each height sensor that has its own, micrometres
//	r 2105 0 ffffffffffffffff ffff00000000efff  reeds: deck, known squares, closed ones (bit 0 is a1)
//	w 9100 ffffffffffffffff 12:20043 28:-15     load cells: known squares, then milligrams of squares that changed
//	h 12000 ffffffffffffffff 12:35010           heights in micrometres, likewise
//	s 14000 8100000000000081 0:320000           load cells under the corners of the whole board, at a1, h1, a8 and
//	                                            h8, likewise
//	n 14000 s 0 1250000                         from 14,000 on nobody read these sensors of deck 0, for so long
//	m 231400 e2e4                               a move recognised on the board
//	x 431400 e7e5                               a move made elsewhere
//	q 531000 asked                              what was made could not be told, and was asked
//	u 531400 1                                  that many moves taken back on the board, or corrected
//	b 531400 1                                  that many moves taken back elsewhere; in older traces also on the
//	                                            board
//
// Only changes are written, and analog values only when they have changed by more than their noise, so that a quiet
// board costs nothing. What was not read for a quarter of a second is written too, else it would pass for quiet. A
// trace may be compressed by gzip. A trace simply ends when its limit is reached.
package trace
