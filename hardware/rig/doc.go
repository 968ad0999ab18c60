// SPDX-License-Identifier: Apache-2.0

// Package rig opens the hardware of one board, real or virtual, by the names in its configuration: what senses, what
// shines, what shows and what is pressed; and applies the calibration to it.
package rig
