// SPDX-License-Identifier: Apache-2.0

// Package trial plays random games with simulated sensors and hands at a table, and counts what it got wrong.
//
// It is the second of two simulations by which recognition is judged. Its sensors (trial/physics) and hands
// (trial/hands) were written by somebody who had not read the code of the virtual board or of the decoder. TestApart
// keeps both out of its imports. The table is the daemon's ([boardd/rules/table/solo]).
//
// Each game draws parts, people and moves of its own. The world knows what was played and what its sensors can
// tell, so that every move is judged: see [Count].
//
// To measure:
//
//	go run ./rules/table/trial/report -moves 2000
//
// plays each game on each board with all habits, and each habit alone. It does so with parts as bought, twice as bad,
// and with one sensor that fails. With all habits it also does so on a computer that is busy at times, and with moves
// of another board that are copied. Less of it:
//
//	... -only chess/stack/all/1 -moves 5000     one game and board, all habits, parts as bought
//	... -only '*/scale/*/*' -pool               the scale board, which * does not mean: former reports had none
//	... -only '*/stack/push/*' -pool -seed 7    one habit alone on all games, drawn as in a former report
//	... -only chess/stack/all/1 -traces DIR     a trace for each failure (boardd replay --blind)
//
// A failure is printed with its row's name, its game and its ply. The flags -seed, -only and -game play that game
// again, with -pool where the row was pooled. The traces begin where the table and the wood were last brought into
// step by word, and end with the moves that were made.
package trial
