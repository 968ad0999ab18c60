// SPDX-License-Identifier: Apache-2.0

package main

/*
A map of the program. Three tests keep it true. imports_test.go has the table of what may import what. map_test.go
compares the graph below with the real imports. walks_test.go follows the two ways through the code.

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
	17 rules/table: Stored           the table takes that in, and lets the rest go
	18 cmd/boardd: publish           the game is made into JSON, for page and broker
	19 hardware/rig: Show           the frame goes to the goroutine of the lights (leds)

A move of another board, from the broker to the light:

	 1 sync/mirror: Incoming         a message has come and is well-formed (sync/wire)
	 2 cmd/boardd: loop              the one loop of a board takes it
	 3 cmd/boardd: receive           whatever it is
	 4 cmd/boardd: tableMessage      its words become those of the table
	 5 rules/table: Receive          the table takes it as an input
	 6 rules/table: hear             is it believed (sync/trust), and does it extend this game (rules/game)?
	 7 rules/table: commit           events become records, and count in the game
	 8 rules/table: refresh          the wood has to follow
	 9 rules/table: aim              the decoder is told so
	10 rules/table: finish           the effects: an append first
	11 cmd/boardd: carry             carries the effects out, in order
	12 cmd/boardd: append            the journal keeps them, synced
	13 rules/table: Stored           the table takes that in, and lets the rest go
	14 cmd/boardd: publish           the game is made into JSON, for page and broker
	15 hardware/rig: Show           the frame goes to the goroutine of the lights

Where things are: rules/table/question.go asks a question, rules/table/commit.go commits a move, and
rules/table/light.go chooses a light. hardware/rig opens the hardware. Each large subcommand has a folder here.

The imports of the daemon, from the rules to the program. A folder stands for all packages below it that have no line
of their own.

	cmd/boardd/live
	config/depth
	config/names
	config/size
	hardware/firmware
	hardware/mechanics
	rules/openings
	rules/say
	sensing/reconcile/logprob
	sensing/reconcile/world
	sync/crowd
	sync/journal
	sync/web/lean
	systemd/owner
	systemd/release
	systemd/scratch
	systemd/steady
	systemd/watchdog
	config/edit: rules/say
	rules: rules/say
	sync/broker/gate: sync/crowd
	sync/seal: config/size rules/say
	sync/tongue: rules/say
	sync/wire: rules/say
	systemd/network: rules/say
	rules/game: rules rules/say
	rules/lessons: rules
	rules/pgn: rules
	rules/search: rules
	sensing: rules rules/say
	sync/asyncapi: sync/wire
	sync/broker: sync/broker/gate sync/crowd
	sync/livechess: rules sync/crowd sync/wire
	sync/mirror: rules/say sync/wire
	cmd/boardd/beside: rules/say sensing
	cmd/boardd/engine: rules rules/search
	sensing/bus: rules/say sensing
	sensing/mcp23017: rules/say sensing
	sensing/pca9548: rules/say sensing
	sensing/scale: rules rules/say sensing
	sensing/sweep: sensing
	sensing/tca9535: rules/say sensing
	sensing/trace: rules sensing
	sensing/vl6180x: rules/say sensing
	sensing/wood: rules sensing
	sync/lichess: rules rules/game sync/wire
	sync/words: rules/game sync/wire
	leds: sensing/wood
	rules/table/solving: rules rules/game sensing/wood
	sensing/button: sensing sensing/sweep
	sensing/heights: rules rules/say sensing sensing/pca9548 sensing/sweep sensing/vl6180x
	sensing/hub: rules rules/say sensing sensing/scale sensing/sweep
	sensing/reconcile/evidence: rules sensing sensing/reconcile/logprob sensing/reconcile/world sensing/scale
	    sensing/wood
	sensing/reeds: rules rules/say sensing sensing/sweep sensing/tca9535
	sensing/trace/replay: sensing sensing/sweep sensing/trace
	sync/broadcast: rules rules/game rules/pgn sync/wire sync/words
	sync/web: config/size rules rules/lessons rules/openings rules/pgn rules/say sensing sensing/wood
	    sync/asyncapi sync/crowd sync/tongue sync/web/lean sync/wire
	cmd/boardd/archive: rules rules/pgn sync/web
	hardware/virtual/physics: rules sensing sensing/heights sensing/scale
	sensing/calibration: config/depth leds rules rules/say sensing sensing/scale
	sensing/reconcile/hypotheses: rules sensing sensing/reconcile/evidence sensing/reconcile/world sensing/wood
	sync/club: rules/pgn sync/broadcast sync/wire
	hardware/virtual/hands: hardware/virtual/physics rules sensing sensing/wood
	hardware/virtual/wires: hardware/virtual/physics
	sensing/reconcile: rules rules/say sensing sensing/reconcile/evidence sensing/reconcile/hypotheses
	    sensing/reconcile/logprob sensing/reconcile/world sensing/scale sensing/wood
	hardware/virtual/chips: hardware/virtual/wires
	hardware/virtual/strip: hardware/virtual/wires leds
	sensing/reconcile/capability: rules sensing sensing/reconcile sensing/reconcile/evidence
	    sensing/reconcile/world sensing/wood
	config: config/depth config/names config/size rules rules/say sensing sensing/reconcile/capability
	    sensing/wood sync/wire
	hardware/virtual: hardware/virtual/chips hardware/virtual/physics hardware/virtual/strip
	    hardware/virtual/wires leds rules rules/say sensing sensing/hub sensing/scale sensing/wood systemd/scratch
	rules/table: leds rules rules/game rules/say rules/table/solving sensing sensing/reconcile
	    sensing/reconcile/capability sensing/wood
	cmd/boardd/analysis: config/size rules rules/pgn rules/say rules/table sync/web
	cmd/boardd/cli: config rules rules/say
	cmd/boardd/link: config config/size rules/game sync/broker sync/mirror sync/wire systemd/scratch
	cmd/boardd/page: config/size hardware/virtual hardware/virtual/hands leds rules rules/say sensing sensing/wood
	    sync/crowd sync/livechess sync/web sync/wire
	cmd/boardd/screen: leds rules rules/game rules/say rules/table sensing/reconcile
	hardware/figures: config
	hardware/rig: config config/names config/size hardware/virtual hardware/virtual/physics leds rules rules/say
	    sensing sensing/bus sensing/button sensing/calibration sensing/heights sensing/hub sensing/mcp23017
	    sensing/reeds sensing/sweep sensing/tca9535 sensing/wood
	hardware/virtual/play: hardware/virtual hardware/virtual/hands rules rules/pgn sensing/wood sync/wire
	rules/table/solo: rules rules/game rules/table sensing sensing/reconcile sensing/reconcile/capability
	    sensing/wood
	sync/trust: config/size rules/game rules/say rules/table sync/seal sync/wire
	cmd/boardd/backup: config config/size sync/journal sync/seal sync/trust systemd/owner
	cmd/boardd/bench: cmd/boardd/cli config config/size hardware/rig hardware/virtual rules sensing
	cmd/boardd/calibrate: cmd/boardd/page config hardware/rig hardware/virtual leds rules rules/say sensing
	    sensing/calibration sensing/reconcile/capability sensing/wood sync/web sync/wire systemd/owner
	cmd/boardd/club: cmd/boardd/cli cmd/boardd/link cmd/boardd/live cmd/boardd/page config config/size sync/club
	    sync/lichess sync/mirror sync/trust sync/web sync/wire systemd/steady
	cmd/boardd/flash: cmd/boardd/cli hardware/firmware sensing sensing/hub
	cmd/boardd/history: rules/game rules/say rules/table rules/table/solving sync/journal sync/trust
	cmd/boardd/manual: cmd/boardd/cli
	cmd/boardd/moves: cmd/boardd/cli rules rules/pgn
	cmd/boardd/pairing: cmd/boardd/cli config config/size rules/say sync/journal sync/seal sync/trust sync/wire
	    systemd/owner
	cmd/boardd/seat: cmd/boardd/link config rules rules/say rules/table sync/lichess
	cmd/boardd/senses: config/size hardware/rig leds rules rules/say sensing sync/web
	rules/table/trial: rules rules/table rules/table/solo sensing sensing/trace sensing/wood
	sensing/reconcile/rerun: rules rules/table rules/table/solo sensing sensing/reconcile sensing/trace
	    sensing/wood
	cmd/boardd/doctor: cmd/boardd/history cmd/boardd/link config config/names config/size hardware/rig leds rules
	    rules/say sensing sensing/bus sensing/scale sync/broker sync/journal sync/seal sync/trust sync/web
	cmd/boardd/games: cmd/boardd/analysis cmd/boardd/cli cmd/boardd/history config config/size rules rules/game
	    rules/pgn rules/say sync/broadcast sync/journal sync/seal sync/web systemd/owner
	cmd/boardd/recorder: rules/table sensing sensing/reconcile/rerun sensing/trace sensing/wood
	cmd/boardd/salvage: cmd/boardd/cli cmd/boardd/history config rules/say sync/journal
	rules/table/trial/report: rules rules/table/solo rules/table/trial sensing/wood
	cmd/boardd/setup: cmd/boardd/doctor cmd/boardd/page config config/edit config/size hardware/rig leds rules
	    rules/say sensing sync/web sync/wire systemd/network systemd/watchdog
	cmd/boardd: cmd/boardd/analysis cmd/boardd/archive cmd/boardd/backup cmd/boardd/bench cmd/boardd/beside
	    cmd/boardd/calibrate cmd/boardd/cli cmd/boardd/club cmd/boardd/doctor cmd/boardd/engine cmd/boardd/flash
	    cmd/boardd/games cmd/boardd/history cmd/boardd/link cmd/boardd/live cmd/boardd/manual cmd/boardd/moves
	    cmd/boardd/page cmd/boardd/pairing cmd/boardd/recorder cmd/boardd/salvage cmd/boardd/screen
	    cmd/boardd/seat cmd/boardd/senses cmd/boardd/setup config config/size hardware/rig hardware/virtual/play
	    leds rules rules/game rules/pgn rules/say rules/search rules/table sensing sensing/button
	    sensing/reconcile sensing/reconcile/rerun sensing/sweep sensing/trace sensing/wood sync/broker
	    sync/journal sync/lichess sync/mirror sync/seal sync/tongue sync/trust sync/web sync/wire sync/words
	    systemd/steady systemd/watchdog
*/
