// SPDX-License-Identifier: Apache-2.0
/* One HX711 with all that makes the chip difficult: AVIA's datasheet, pages 3 to 5, and what others measured.
 *
 * Each has an oscillator of its own: "typically 80 a second" is all that the datasheet says of it. 10.7 ms a
 * conversion was measured. While the register is loaded with a new conversion, some 75 us, a reading must not be under
 * way. The output is high then. What was being read is lost, and reading begins anew with the new count. Fewer than 25
 * or more than 27 pulses within a conversion spoil the next one. 26 pulses choose channel B, which is grounded, 27
 * half the gain.
 */
#ifndef HX711_H
#define HX711_H

#include <stdint.h>

#define HX_LOAD_US 75

struct hx711 {
	int32_t input;      /* counts that the load cell asks for, at gain 128 */
	int32_t seen[4];    /* what the last four conversions saw: the filter is their mean */
	int32_t shown;      /* what the register holds */
	int bit;            /* bits clocked out of it; -1 when it was read */
	int loading;        /* the register is being loaded */
	int pulses;         /* clock pulses in this conversion */
	int gain;           /* 128, 64, or 32 for channel B */
	int settling;       /* conversions until it answers */
	int asleep;
	uint64_t end, loaded, rose; /* times, in us/16: processor clocks */
	uint32_t period;    /* of its oscillator, in clocks */
	uint32_t noise;
	int straddles, spoiled; /* pulses while it was loaded; conversions that pulses spoiled */
};

void hx_wake(struct hx711 *c, uint64_t now);
void hx_clock(struct hx711 *c, int level, uint64_t now);

/* hx_until brings the converter to a time. */
void hx_until(struct hx711 *c, uint64_t now);

/* hx_next is when it changes by itself. */
uint64_t hx_next(const struct hx711 *c);

/* hx_out is the level of DOUT. */
int hx_out(const struct hx711 *c);

#endif
