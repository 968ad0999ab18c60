// SPDX-License-Identifier: Apache-2.0

package main

/*
What happens to a reading on its way to the light:

	hardware/rig opens the board; its sources (sensing/...) read chips and send readings
	board.go    the one loop of a board takes them, and commands, remote games and ticks, one at a time
	wood.go     the decoder (sensing/reconcile) explains the wood; what it found is acted on
	question.go what it cannot tell is asked, and answered on the board, the page or the broker
	act.go      the game (rules/game) decides, the journal (sync/journal) keeps and syncs, the game applies
	publish.go  the mirror (sync/mirror) and the page (sync/web) get the whole game
	view.go     what is to be seen becomes a frame of colors (leds)
	lamp.go     which goes down the line

A command enters by command.go at the same loop, a remote board's game by remote.go.
*/
