// SPDX-License-Identifier: Apache-2.0

// Package pgn reads and writes game files: PGN with the tags Variant, SetUp and FEN, and with the move notation of
// each game (RULES 2.3).
//
// A file may have any number of games, in the free forms that people use. Comments, variations, glyphs and move
// numbers are skipped, and coordinate moves are read as well as SAN. What cannot be read is an error that names the
// line and the move and loses nothing: the games before it are returned.
package pgn
