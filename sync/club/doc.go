// SPDX-License-Identifier: Apache-2.0

// Package club makes a round of the tables of a club. From pairings and the messages of the boards it makes the files
// for broadcasts, and the results for the pairing program.
package club
