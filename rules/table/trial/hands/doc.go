// SPDX-License-Identifier: Apache-2.0

// Package hands moves pieces as people do: as ways of hands through the air, in millimetres and milliseconds.
//
// A [Crew] is the two people at a board. It is told how the wood has to stand and returns a [Script]. That says where
// every hand is at every time, what it holds then, and how it presses. [Habits] are what people do besides; each can
// be switched alone.
//
//	figures.go  every constant, with unit, range and source
//	person.go   what one person's hands are like
//	errand.go   which piece has to go where, and in which order
//	way.go      the ways of a hand: reach, lift, carry, put, push
//	habit.go    the habits
//	pair.go     captures with two pieces in the hands at once
//	think.go    the habits of people who think with a piece in the hand, or change their mind
//	around.go   what happens to the board besides
//	crew.go     whole moves
package hands
