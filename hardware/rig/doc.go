// SPDX-License-Identifier: Apache-2.0

// Package rig opens the hardware of one board, real or virtual, by the names in its configuration: sensors, lights,
// display and buttons. It applies the calibration to it.
package rig
