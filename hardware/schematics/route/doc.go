// SPDX-License-Identifier: Apache-2.0

// Package route finds the tracks of a printed board with two layers of tracks and planes between them: it is given
// pads and nets, and says where copper and vias go. It knows no part, no file and no KiCad; the same board gives the
// same tracks.
//
// Every wire is a way through a grid, found by A*. Wires may cross at first; where they do, the place becomes dearer
// for all of them in each round, and those that cross are laid again, until none does (McMurchie and Ebeling,
// PathFinder, 1995).
package route
