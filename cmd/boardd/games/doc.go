// SPDX-License-Identifier: Apache-2.0

// Package games holds the subcommands export, import and verify: games of the journal as PGN, and who signed what in
// them.
package games
