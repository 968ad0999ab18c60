// SPDX-License-Identifier: Apache-2.0

// Package scale computes which load came or went on a board that stands on four load cells, one under each corner.
//
// Together the cells measure the whole board. Their sum is the weight on it, and their differences say where its
// centre is. A [Load] is that sum with its two moments. Loads add up, so the difference of two loads at rest is what
// came or went between them, and its centre is the square. Two things that happen at once add up as well, and cannot
// be told apart by the scale alone.
//
// [Plate] turns what bought cells show into a load; [Fit] finds it from one piece that stood on several squares.
// [Meter] keeps what the scale shows at rest. The package is pure.
package scale
