// SPDX-License-Identifier: Apache-2.0

// Package analysis lets an engine analyse the games that a board keeps. The engine looks at one position after the
// other, in the background, in a process of its own. The results of each game are kept in a file, its sheet, beside
// the games.
package analysis
