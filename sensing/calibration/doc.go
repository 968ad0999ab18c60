// SPDX-License-Identifier: Apache-2.0

// Package calibration is what a builder's board differs in from the reference wiring, and how that is found.
//
// The banks of sensors speak of squares as the reference boards are wired: the first input of the first expander is
// a1. A [Calibration] says which square that really is, what an empty square shows, what a gram is worth, how heavy
// the pieces are. It is applied in two places, and nowhere else: to every reading on its way in
// ([Calibration.Reading]), and to every picture on its way to the lights ([Calibration.Frame]).
//
// A [Session] finds it: it asks a person to do one thing at a time, watches the readings, and says what it saw. It is
// pure: the terminal and the page both drive the same one.
//
// Height sensors have two figures. What a cover throws back is compensated by the chip itself, whose register is for
// that (boardd calibrate --cover). The offset is added here, in micrometres, because it belongs to how the sensor
// hangs as much as to the chip. The chip has a register for it in steps of a millimetre, which keeps the value of the
// factory.
package calibration
