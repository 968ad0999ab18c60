// SPDX-License-Identifier: Apache-2.0

// Package livechess serves games of chess to programs for electronic boards, with the WebSocket protocol of DGT
// LiveChess. It only shows games: no request of a program changes a game.
package livechess
