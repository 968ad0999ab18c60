// SPDX-License-Identifier: Apache-2.0

// Package club gathers the tables of a club into a round: from pairings and the messages of the boards it makes the
// files that broadcasts read, and the results for the pairing program.
package club
