// SPDX-License-Identifier: Apache-2.0

// Package cables knows which physical board each part of the schematics is on, and which cables join the boards. It
// finds nets of a netlist that lead to another board without a cable.
package cables
