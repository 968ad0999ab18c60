// SPDX-License-Identifier: Apache-2.0

// Package calibration is how a builder's board differs from the reference board, and how that is found.
//
// The banks of sensors name squares as the reference boards are wired: the first input of the first expander is a1. A
// [Calibration] says which square that really is, what an empty square shows, what a gram is worth, and how heavy the
// pieces are. It is applied in two places only. These are every reading on its way in ([Calibration.Reading]), and
// every frame on its way to the lights ([Calibration.Frame]).
//
// A [Session] finds it. It asks a person to do one thing at a time, watches the readings, and says what it saw. It is
// pure, so terminal and page can both drive the same one.
//
// Height sensors have two figures. The light that a cover reflects is compensated by a register of the chip (boardd
// calibrate --cover). The offset is added here, in micrometres, because it depends on the mounting as much as on the
// chip. The chip's own register for the offset, in steps of a millimetre, keeps the value of the factory.
package calibration
