// SPDX-License-Identifier: Apache-2.0

// Package problems holds the problems that come with the program: positions of each game in which White or Black mates
// in two or three moves and has exactly one first move that does. They were found in self-play, proven and stripped of
// every piece that can be spared (find), and are sorted by how hard they are.
package problems
