// SPDX-License-Identifier: Apache-2.0

// Package reeds sweeps the reed switches of one or two decks, wired to 16-bit expanders.
//
// One [Bank] serves every expander on the board, because their interrupt lines share one pin. A sweep reads all chips
// and sends one reading per deck. Polling is the truth; the interrupt only wakes the sweep early, and a board whose
// interrupt line is broken, stuck or not wired works all the same, at most [Opts.Idle] later.
//
// Sweeps come every [Opts.Active] (2 ms) from the first change or interrupt until nothing has changed for
// [Opts.Linger] (150 ms), and every [Opts.Idle] on a quiet board: 40 ms with an interrupt line, 10 ms without. A hand
// takes some 200 ms for the shortest touch, so even a lost interrupt misses none; and as a deck takes half a
// millisecond of bus time per sweep, a quiet board uses 1 % of its bus and a busy one 24 %. Bounces of 0.5 to 1 ms are
// passed on as they are: settling is recognition's.
//
// A chip that fails is tried once more at once, then its squares are unknown; it is asked again after 50 ms, then
// after twice as long each time up to 2 s, and set up afresh before its inputs count again.
package reeds
