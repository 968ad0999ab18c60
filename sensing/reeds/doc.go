// Package reeds sweeps the reed switches of one or two decks, wired to 16-bit expanders.
//
// One [Bank] serves every expander on the board, because their interrupt lines share one pin. A sweep reads all chips
// and sends one reading per deck. Polling is the truth; the interrupt only wakes the sweep early, and a board whose
// interrupt line is broken, stuck or not wired works all the same, up to [Opts.Idle] later.
//
// Sweeps come every [Opts.Idle] on a quiet board (10 ms by default) and every [Opts.Active] (2 ms) from the first
// change or interrupt until nothing has changed for [Opts.Linger] (150 ms). A hand takes some 200 ms for the shortest
// touch, so 10 ms miss nothing that 2 ms would see; and a deck takes half a millisecond of bus time per sweep, which
// is 5 % of the bus when quiet and 24 % when busy. Bounces of 0.5 to 1 ms are seen as they are: settling is recognition's.
//
// A chip that fails is tried once more at once, then its squares are unknown; it is asked again after 50 ms, then
// after twice as long each time up to 2 s, and set up afresh before its inputs count again.
package reeds
