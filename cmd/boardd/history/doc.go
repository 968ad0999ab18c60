// SPDX-License-Identifier: Apache-2.0

// Package history writes the events of games as records, and makes games of the records of a journal. Records that do
// not fit are set aside, so that damage costs at most the game that it hit.
package history
