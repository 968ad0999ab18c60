// SPDX-License-Identifier: Apache-2.0

// Package physics is a small world of magnets, load cells, height sensors and hands, from which readings are made.
//
// It was written from datasheets and public measurements. Its author had not read the code of the virtual board or of
// the recognition that it judges. It shares no code with them. Lengths are in millimetres, forces and masses in grams,
// fields in millitesla, angles in degrees; times count from the beginning of the world.
//
//	figures.go  every constant, with unit, range and source, and what is drawn for each board
//	scene.go    the board, its pieces, and what of them stands still or moves
//	hand.go     hands: where they are at each time, what they hold, how they press
//	magnet.go   the field of a magnet, and the pull of one on another
//	reed.go     contacts that close in a field
//	cell.go     load cells and their converter
//	scale.go    the four cells under the corners of a whole board
//	eye.go      height sensors: bundles of rays
//	fault.go    a sensor that fails
//	sweep.go    when each bank is read, and its readings
package physics
