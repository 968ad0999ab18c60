// SPDX-License-Identifier: Apache-2.0

// Package wires is a virtual I2C bus with its pins. A transaction takes the time of its bits on the wire. Chips and
// multiplexers answer, lines can be held, and interrupts fall on pins.
package wires
