// SPDX-License-Identifier: Apache-2.0

// Package wires is a virtual I2C bus with its pins: a transaction takes the time that its bits need on the wire, chips
// and multiplexers answer, lines can be held, and interrupts fall on pins.
package wires
