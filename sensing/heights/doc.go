// SPDX-License-Identifier: Apache-2.0

// Package heights measures the height of the wood on every square, with a VL6180X over each, behind eight
// multiplexers.
//
// # Neighbours
//
// The cones of neighbouring sensors overlap, and a sensor that measures while its neighbour shines is wrong. So the
// dark squares and the light ones take turns. A sensor is started only when its neighbours are known to have ended.
//
// The chip has a continuous mode, in which it starts itself every 10 ms or a multiple of that
// (SYSRANGE__INTERMEASUREMENT_PERIOD). It is not used. Each sensor times itself by an oscillator of its own. Its
// period may be a tenth shorter than asked for (datasheet, section 2.5.2 "Continuous mode limits"). Two neighbours
// that were started half a period apart come nearer by up to a fifth of a period in each. Beside a measurement of 13
// ms, half a period leaves some time. It is gone within the first period at 30 ms, and within the second at 100 ms.
// The sensors would have to be stopped and started again at least that often, which takes no fewer transfers than to
// start every measurement. A measurement that the host starts costs no more, needs no safety margin, and cannot
// overlap a neighbour's even when the host is late. TestFreeRunningSensorsDazzle shows the result of sensors that run
// by themselves: a quarter of the ranges and more are wrong.
//
// # Rounds
//
// A round is a wave over the ranks for each color. The sensors of one color are fetched rank by rank. As soon as a
// rank and those beside it are fetched, the other color is started there. One transfer over four open channels starts
// four sensors. So the board measures all the time. The bus carries the results of one color while the other measures,
// and rounds follow each other without a pause. A round of all 64 takes 32 ms at 400 kHz, 23.5 ms of it on the bus.
// This holds while something moves: for 2 s after the last change of a height or the last call of [Bank.NoteMotion].
// The reader of the reeds calls that when one of them changes. On a board at rest a round begins every 80 ms.
//
// Recognition names by [Bank.Await] the squares that it waits for, mostly those under a hand. Their sensors are
// started again as soon as they have ended, every 13 to 14 ms. Meanwhile the sensors beside them pause ([Focus]),
// and the wave passes over the rest as before. If one of the pausing squares is awaited as well, it is measured once
// in between, to see which of them the hand is over. After half a second, or one and a half when none is, all have a
// round.
//
// A reading is sent after every color, and after each measurement in focus. After a rank in which a height has changed
// by more than Opts.Step it is sent at once. The top of a piece that was set down is known 47 ms later at the latest
// and 30 ms on average. Squares that were not measured since the reading before are in Reading.Stale.
//
// # Trouble
//
// Every bad range makes its square unknown, with the reason in health. A sensor without a target takes up to 30 ms.
// While something moves it is left behind: its neighbours wait for it, and it sits out the next round. So it costs its
// neighbours every other round, and the rest of the board nothing. If more than a few are that slow, and on a board at
// rest, all wait for them. A sensor that fails is asked again after 100 ms, then after twice as long each time, up to
// 5 s. It is set up again before it counts again. A sensor that was reset is recognised because it never reports a
// new range: its interrupts are off. A result that is fetched late carries the time of its measurement.
package heights
