// SPDX-License-Identifier: Apache-2.0
#include "hx711.h"

#define US 16

static uint32_t chance(struct hx711 *c)
{
	c->noise = c->noise * 1664525u + 1013904223u;
	return c->noise >> 8;
}

void hx_wake(struct hx711 *c, uint64_t now)
{
	c->bit = -1;
	c->loading = c->pulses = c->asleep = 0;
	c->gain = 128;
	c->settling = 4; /* page 3: 50 ms at 80 a second */
	c->end = now + c->period;
}

/* conversion is what a conversion that has just ended shows. */
static int32_t conversion(struct hx711 *c)
{
	int64_t sum = 0;
	int i;
	for (i = 3; i > 0; i--)
		c->seen[i] = c->seen[i - 1];
	c->seen[0] = c->gain == 32 ? 0 : c->gain == 64 ? c->input / 2 : c->input;
	for (i = 0; i < 4; i++)
		sum += c->seen[i];
	sum /= 4;
	if (c->pulses != 0 && (c->pulses < 25 || c->pulses > 27)) {
		c->spoiled++;
		sum = (int32_t)(chance(c) & 0xffffff) - 0x800000;
	}
	return sum > 0x7fffff ? 0x7fffff : sum < -0x800000 ? -0x800000 : sum;
}

void hx_until(struct hx711 *c, uint64_t now)
{
	while (!c->asleep && hx_next(c) <= now) {
		if (c->loading && c->loaded <= c->end) {
			c->loading = 0;
			c->bit = 0;
			continue;
		}
		c->shown = conversion(c);
		if (c->pulses >= 25 && c->pulses <= 27)
			c->gain = c->pulses == 25 ? 128 : c->pulses == 26 ? 32 : 64;
		c->pulses = 0;
		if (c->settling > 0)
			c->settling--;
		if (c->settling == 0) {
			c->loading = 1;
			c->loaded = c->end + HX_LOAD_US * US;
		}
		c->end += c->period + chance(c) % (10 * US) - 5 * US; /* oscillators are not quite steady */
	}
}

uint64_t hx_next(const struct hx711 *c)
{
	if (c->asleep)
		return UINT64_MAX;
	return c->loading && c->loaded < c->end ? c->loaded : c->end;
}

void hx_clock(struct hx711 *c, int level, uint64_t now)
{
	hx_until(c, now);
	if (!level) {
		if (now - c->rose > 60 * US)
			hx_wake(c, now); /* it slept, and begins anew */
		return;
	}
	c->rose = now;
	c->pulses++;
	if (c->loading)
		c->straddles++;
	else if (c->bit >= 0)
		c->bit++;
}

int hx_out(const struct hx711 *c)
{
	if (c->loading || c->bit < 0 || c->bit > 24)
		return 1;
	if (c->bit == 0)
		return 0; /* ready */
	return c->shown >> (24 - c->bit) & 1;
}
