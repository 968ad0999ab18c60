// SPDX-License-Identifier: Apache-2.0

// Package virtual is a board that is not there: wood that hands move, chips that answer with bytes on the wire, a hub
// on a pseudo-terminal, lights that are decoded from what went down their line.
//
// A [Board] registers its buses and its pins with periph under its name and opens them to whoever asks for them,
// exactly as a Raspberry Pi does; the drivers cannot tell. What it models:
//
//   - the time a transfer takes on the wire, at the clock of the bus: a transaction blocks for it (wires);
//   - registers, address pointers and interrupts as the datasheets have them, chip by chip (chips);
//   - lights that need the pulses of their datasheets (strip);
//   - reeds that bounce for 0.5 to 1 ms, load cells that take 50 ms to settle and are never quite still, height
//     sensors with a cone of 25 degrees, a millimetre of noise and hands in the way;
//   - faults, put in from outside: see [Board.Faults].
//
// A board on which nothing happens costs only what is asked of it: there is no clock tick inside but the hub's 80
// frames a second, and those only while somebody listens.
package virtual
