// SPDX-License-Identifier: Apache-2.0

// Package reeds sweeps the reed switches of one or two decks, wired to 16-bit expanders.
//
// One [Bank] serves every expander on the board, because their interrupt lines share one pin. A sweep reads all
// chips and sends one reading per deck. The state of the reeds comes from polling; the interrupt only makes a sweep
// start earlier. A board whose interrupt line is broken, stuck or not wired works as well, at most [Opts.Idle]
// later.
//
// From the first change or interrupt until nothing has changed for [Opts.Linger] (150 ms), sweeps come every
// [Opts.Active] (2 ms). On a quiet board they come every [Opts.Idle]: 40 ms with an interrupt line, 10 ms without. The
// shortest touch of a hand takes some 200 ms, so no touch is missed even if an interrupt is lost. A sweep of a deck
// takes half a millisecond of bus time. A quiet board therefore uses 1 % of its bus and a busy one 24 %. Bounces of
// 0.5 to 1 ms are passed on unchanged; recognition decides when a piece has settled.
//
// A chip that fails is read once more at once. If that fails too, its squares are unknown. It is asked again after 50
// ms, then after twice as long each time up to 2 s. It is set up again before its inputs count.
package reeds
