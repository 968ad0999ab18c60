// Package heights measures how high the wood stands on every square, with a VL6180X over each behind eight multiplexers.
//
// A sweep is two rounds, the squares of one color of the chessboard in each, so that no sensor measures beside another:
// start 32 measurements, and fetch them in the same order. A measurement takes some 12 ms, starting 32 of them 5 ms and fetching
// them 10 ms at 400 kHz, so that a sweep takes about 45 ms of which nearly 30 ms are on the bus. Sweeps begin every 80 ms, 12 a second.
//
// Every range that is not good is an unknown square with its reason in health. A sensor that fails is asked again
// after 100 ms, then after twice as long each time up to 5 s, and set up afresh before it counts again. Four sensors in
// every sweep are asked whether they were reset, so that a reset is noticed within 1.5 s.
package heights
