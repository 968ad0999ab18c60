// SPDX-License-Identifier: Apache-2.0

// Package route finds the tracks of a printed board with two layers of tracks and planes between them. From pads and
// nets it computes where copper and vias go. It knows no parts, no files and no KiCad. The same board gives the same
// tracks.
//
// Every wire is a path through a grid, found by A*. Wires may cross at first. Where they do, the place costs more in
// each round. The wires that cross are laid again, until none does (McMurchie and Ebeling, PathFinder, 1995).
package route
