// SPDX-License-Identifier: Apache-2.0

package main

/*
The map of the house. What may import what is the table in imports_test.go; walks_test.go walks the two ways below through the code and
fails when a step is not where it is said to be.

One reading, from the reed to the light (package: function):

	 1 sensing/reeds: Run            a bank reads its chips and sends a reading
	 2 cmd/boardd: loop              the one loop of a board takes it
	 3 cmd/boardd: observe           the workshop keeps a copy
	 4 rules/table: Sense            the table takes it as an input
	 5 rules/table: observe          turned, if the game lies the other way round
	 6 sensing/reconcile: Observe    the decoder takes it in
	 7 rules/table: look             until nothing changes any more:
	 8 sensing/reconcile: Explain    what does the wood mean?
	 9 rules/table: act              bring the wood to the game, hear an answer, or
	10 rules/table: judge            act on what was found
	11 rules/table: moved            a move was made by hand
	12 rules/table: decide           the game decides what follows from it (rules/game)
	13 rules/table: commit           events become records, and count in the game
	14 rules/table: finish           the effects: an append first
	15 cmd/boardd: carry             carries the effects out, in order
	16 cmd/boardd: append            the journal keeps them, synced (sync/journal)
	17 rules/table: Stored           the table hears that, and lets the rest go
	18 cmd/boardd: publish           the game is made into JSON, for page and broker
	19 cmd/boardd: show              the frame goes to the goroutine of the lights (leds)

A move of another board, from the broker to the light:

	 1 sync/mirror: Incoming         a message has come and is well-formed (sync/wire)
	 2 cmd/boardd: loop              the one loop of a board takes it
	 3 cmd/boardd: receive           whatever it is
	 4 cmd/boardd: heard             its words become those of the table
	 5 rules/table: Rival            the table takes it as an input
	 6 rules/table: hear             is it believed (sync/trust), and does it extend this game (rules/game)?
	 7 rules/table: commit           events become records, and count in the game
	 8 rules/table: refresh          the wood has to follow
	 9 rules/table: aim              the decoder is told so
	10 rules/table: finish           the effects: an append first
	11 cmd/boardd: carry             carries the effects out, in order
	12 cmd/boardd: append            the journal keeps them, synced
	13 rules/table: Stored           the table hears that, and lets the rest go
	14 cmd/boardd: publish           the game is made into JSON, for page and broker
	15 cmd/boardd: show              the frame goes to the goroutine of the lights

Where things are: a question is asked in rules/table/question.go, a move is committed in rules/table/commit.go, a light is chosen in
rules/table/light.go; the hardware is opened in hardware/rig; each large subcommand has a folder here.
*/
