// SPDX-License-Identifier: Apache-2.0

// Package livechess serves orthodox games to programs for electronic boards, in the words that DGT LiveChess speaks
// over a WebSocket. It only looks on: nothing that a program says changes a game.
package livechess
