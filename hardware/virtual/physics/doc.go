// SPDX-License-Identifier: Apache-2.0

// Package physics is how wood, magnets, load cells, light and hands behave, in time that comes in as a value.
//
// A [World] knows what stands where and how badly. It is asked what a reed, a load cell or a height sensor shows at a
// time, and it is told what hands do: set a pile down off centre, brush a neighbour, drag a piece over squares, hold
// a hand over the board. Two readers feel the same world: the chips of package virtual, transaction by transaction,
// and a [Sampler], which makes the readings that the drivers would make of it without any bus in between, a thousand
// times as fast.
//
// All that is random comes from the seed, and times never run backwards: who asks about the past gets the present.
//
// How bad things are is a [Level]: clean, club, or rough, which is ten times worse; and [Faults] break single parts.
package physics
