// SPDX-License-Identifier: Apache-2.0

// Package club is the organiser's program. It follows the tables of a broker, and keeps the files of the round in a
// folder and serves them. It tells the boards who plays at them.
package club
