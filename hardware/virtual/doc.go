// SPDX-License-Identifier: Apache-2.0

// Package virtual is a simulated board. Hands move its wood, chips answer with bytes on the wire, and the hub is on a
// pseudo-terminal. Its lights are decoded from the data on their line.
//
// A [Board] registers its buses and its pins with periph under its name, and opens them to any caller, exactly as on a
// Raspberry Pi. The drivers cannot tell the difference. What it models:
//
//   - the time a transfer takes on the wire, at the clock of the bus: a transaction blocks for it (wires);
//   - registers, address pointers and interrupts as the datasheets have them, chip by chip (chips);
//   - lights that need the pulses of their datasheets (strip);
//   - reeds that bounce for 0.5 to 1 ms, load cells that take 50 ms to settle and are never quite still, height
//     sensors with a cone of 25 degrees, a millimetre of noise and hands in the way;
//   - faults, put in from outside: see [Board.Faults].
//
// A board on which nothing happens costs only what is read from it. There is no clock tick inside except the hub's 80
// frames a second, and those only while somebody reads them.
package virtual
