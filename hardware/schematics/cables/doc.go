// SPDX-License-Identifier: Apache-2.0

// Package cables knows which physical board a part of the schematics is on and which cables join the boards, and says
// which wires of a netlist end in mid-air.
package cables
