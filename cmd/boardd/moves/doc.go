// SPDX-License-Identifier: Apache-2.0

// Package moves holds the subcommands that need rules alone: moves, perft, play, mate and problems.
package moves
