// SPDX-License-Identifier: Apache-2.0
// Reads a file of games with two readers that are not ours, and prints what they have read as JSON. Run by readers_test.go.
"use strict";
const { readFileSync } = require("node:fs");
const { Chess } = require(process.argv[2] + "/chess.js");
const { parse } = require(process.argv[2] + "/pgn-parser.js");

const text = readFileSync(0, "utf8");
const out = [];
const games = text.split(/\n\n(?=\[)/);
parse(text, { startRule: "games" }).forEach((g, n) => {
	const board = new Chess();
	board.loadPgn(games[n]);
	out.push({
		tags: board.getHeaders(),
		moves: board.history({ verbose: true }).map((m) => m.lan),
		fen: board.fen(),
		parsed: g.moves.map((m) => m.notation.notation),
		clocks: g.moves.map((m) => m.commentDiag?.clk ?? ""),
	});
});
console.log(JSON.stringify(out));
