// SPDX-License-Identifier: Apache-2.0

// Package analysis has an engine look at the games that a board keeps: one position after the other, in the
// background, in a process of its own. What it found out is kept in a file beside the games, a sheet a game.
package analysis
