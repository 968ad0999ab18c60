// SPDX-License-Identifier: Apache-2.0

// Command train makes the networks of the engine by self-play: `go run ./rules/search/train`.
//
// A generation is three steps. The evaluation so far plays games against itself and its positions are kept with what
// the search thought of them and how the game ended. A network is fitted to them. It plays a match against the
// evaluation before it, and takes its place if it wins. Everything comes from the seed, and each finished part is a
// file. Started again with the same -dir, the command goes on where it was stopped.
package main
