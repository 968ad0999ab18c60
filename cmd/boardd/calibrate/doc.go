// SPDX-License-Identifier: Apache-2.0

// Package calibrate walks a builder through wiring, tare, weights and heights, on a terminal and on the page, and
// writes the calibration file. What a calibration is, and how it is computed, is in sensing/calibration.
package calibrate
