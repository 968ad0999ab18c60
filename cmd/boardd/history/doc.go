// SPDX-License-Identifier: Apache-2.0

// Package history makes records of what happens to games, makes games of the records of a journal, and keeps apart
// what of them does not fit, so that damage costs at most the game that it hit.
package history
