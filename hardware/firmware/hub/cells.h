// SPDX-License-Identifier: Apache-2.0
/* The converters: when each of them ends a conversion, and how a rank of them is read between two. */
#ifndef CELLS_H
#define CELLS_H

#include <stdint.h>

/* cells_set_up makes the pins inputs and outputs, and the converters begin anew. */
void cells_set_up(void);

/* now is the time since the start, in steps of 50 us: between two the outputs are watched. */
uint32_t now(void);

#define TICKS(ms) ((uint32_t)(ms) * 20)

/* cells_learn takes what the watch has seen; it is called at least every few milliseconds. */
void cells_learn(void);

/* The states of a rank. */
enum {
	RANK_GONE, /* no converter is known, and none is ready */
	RANK_NEW,  /* some are ready of which nothing is known yet */
	RANK_BUSY, /* one that is known is not ready, or about to end a conversion */
	RANK_SAFE, /* it may be read now */
};

uint8_t rank_state(uint8_t rank);

/* rank_read clocks the counts out of a rank. There are three bytes for each of its eight cells, low byte first, and a
 * bit for each that is absent. It returns 1 if that took too long. */
uint8_t rank_read(uint8_t rank, uint8_t *absent, uint8_t *counts);

/* cells_rate is how many conversions a second the converters make by their own clocks: 10 or 80, and 80 until one is
 * known. */
uint8_t cells_rate(void);

#endif
