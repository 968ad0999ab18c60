// SPDX-License-Identifier: Apache-2.0

// Package club is the organiser's program. It follows the tables of a broker, keeps the files of the round in a
// folder, serves them, and tells the boards who plays at them.
package club
