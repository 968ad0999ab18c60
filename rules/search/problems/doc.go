// SPDX-License-Identifier: Apache-2.0

// Package problems holds the problems that come with the program. They are positions of each game in which the side to
// move mates in two or three moves, by exactly one first move. They were found in self-play, proven and stripped of
// every piece that can be spared (find), and are sorted by how hard they are.
package problems
