// SPDX-License-Identifier: Apache-2.0

// Package physics simulates wood, magnets, load cells, light and hands. Time comes in as a value.
//
// A [World] knows what stands where, and how far off centre. Callers ask it what a reed, a load cell or a height
// sensor shows at a time. They tell it what hands do. Hands set a pile down off centre, touch a neighbour, drag a
// piece over squares, or stay over the board. Two readers use the same world. The chips of package virtual read it
// transaction by transaction. A [Sampler] makes the readings that the drivers would make, without a bus in between and
// a thousand times as fast.
//
// All randomness comes from the seed. Time never runs backwards: a question about the past is answered for the
// present.
//
// A [Level] sets how bad sensors and hands are: clean, club, or rough, which is ten times worse. Faults, such as
// a [ReedFault] or a [CellFault], break single parts.
package physics
