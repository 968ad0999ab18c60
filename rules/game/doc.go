// SPDX-License-Identifier: Apache-2.0

// Package game is one game: its moves, clock, draws, takebacks and result, driven by events and free of I/O.
//
// What happens to a game is a list of events. Decide turns an action of this board into events, and Merge turns
// another board's message into events. Both change nothing. Apply is the only writer. A daemon journals the events
// first, applies them then, and gets exactly the same game by applying the journal again.
//
//	events, err := g.Decide(game.Action{Do: game.Move, Move: "e2e4"}, now)
//	... journal the events, synced ...
//	for _, e := range events { g.Apply(e) }
//
// The package reads no clock: times come in as values. It knows boards by their ids only; which seat is played here
// follows from the id of the own board in Setup.
//
// Two boards that hear each other late, twice, in any order or not for days converge. Lists of moves only grow, by
// moves of the seat that the speaker has. Agreed takebacks are numbered. If two results arise independently, both
// boards keep the same one (see End).
package game
