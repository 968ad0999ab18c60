// SPDX-License-Identifier: Apache-2.0

// Package table is one table: a game, the wood on the board, and the questions and offers of the players.
//
// A [Table] takes inputs, one at a time. They are readings of sensors, commands, another board's list of moves, ticks
// of a clock, and the result of an append to the journal. Each returns its effects as values. Whoever runs the table
// carries them out in their order: journal first, synced; then the broker and the page; then the lights. The daemon,
// `boardd replay` and the recognition report run this same code; they differ in what they do with the effects.
//
// The package is pure: times come in with the inputs, nothing is read, started or waited for.
//
// # Where to read
//
//	table.go     what a table is made of; inputs.go: every input; effects.go: every effect
//	look.go      the wood is explained (sensing/reconcile), and what was found is acted on
//	moves.go     a move is made, corrected, taken back, or held back
//	commit.go    events go to the journal, and then they count
//	question.go  what the sensors cannot tell is asked
//	rival.go     the other board's list, and whether it is believed
//	trouble.go   a board that takes no part, or that contradicts
//	engine.go    a program that plays one of the sides, or says what it would play
//	teach.go     problems to solve, and what was wrong with a move
//	light.go     what is to be seen
package table
