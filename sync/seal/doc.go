// SPDX-License-Identifier: Apache-2.0

// Package seal signs the chain of moves of a game. So neither the broker nor a third party can forge, drop or reorder
// a move unnoticed, and an exported game can be verified later.
//
// A board has its own Ed25519 key. After each of its moves it signs for the side that it plays. It signs the beginning
// of the game and all moves until then, including the opponent's. At the end of the game it also signs the outcome and
// its reason. What is signed is text in this exact form, line by line, each ended by a line feed:
//
//	boardd seal 1
//	<white or black>
//	<number of moves>
//	<number of takebacks carried out>
//	<chain>
//	<outcome, or ->
//	<reason, or ->
//
// where chain is a SHA-256 digest in 64 hex digits. The first digest is over six lines, each with a line feed after
// it. They are "boardd game 1", the game's id, the variant, White's seat, Black's seat, and the first position in
// stack FEN. For each move a new digest is computed over the digest before it and the move in coordinate form with a
// line feed. Numbers are decimal. The number of takebacks keeps a signature from before a takeback from passing for
// one of the list that the takeback left.
//
// With each message a board also signs what it asks and answers in it. Names are those of the message. What is missing
// there is empty, or 0 for a number:
//
//	boardd said 1
//	<board>
//	<number of moves>
//	<number of takebacks carried out>
//	<chain>
//	offer <offer>
//	no_draw <no_draw>
//	ask <ask: by> <number> <to>
//	declined <declined>
//	paused <paused: true or false> <pauses> <whether a clock runs: true or false> <pause_reason>
//	answered <answered: number> <accepted: true or false>
//
// Then come the terms of the game. They are a line "timing", with its value as JSON without spaces, or "null". A line
// for each option follows, sorted by name: "option", name and value, both in quotes.
//
// If a request of the board has a number, one more line follows: "request", then what, by, number, white_ms and
// black_ms. If it is for a new game, there are lines for game, variant, White's seat, Black's seat and start. The
// terms of that game come last.
//
// What the clocks show is not signed. The broker can forge it, but that gives nobody a move or a result.
//
// The package does no I/O except to keep the key, and knows no rules.
package seal
