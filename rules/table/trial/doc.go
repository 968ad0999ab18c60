// SPDX-License-Identifier: Apache-2.0

// Package trial plays random games with simulated sensors and hands at a table, and counts what it got wrong.
//
// It is the second of two worlds by which recognition is judged: its sensors (trial/physics) and hands (trial/hands)
// were written by somebody who had not read the code of the virtual board or of the decoder, and TestApart keeps
// both out of its imports. The table is the daemon's ([boardd/rules/table/solo]).
//
// Each game draws its parts, its people and its moves anew. The world knows what was played and what its sensors can
// tell, so that every move is judged: see [Count].
//
// To measure:
//
//	go run ./rules/table/trial/report                                     every game, board and habit: hours
//	go run ./rules/table/trial/report -only chess/stack/all -moves 5000   one game and board, all habits
//	go run ./rules/table/trial/report -only '*/stack/push' -seed 7        one habit alone, drawn as in a former report
//	go run ./rules/table/trial/report -only chess/stack/all -traces DIR   writes a trace for each failure (boardd replay --blind)
package trial
