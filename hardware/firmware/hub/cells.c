// SPDX-License-Identifier: Apache-2.0
/* Each HX711 has an oscillator of its own, and must not be read while it ends a conversion. Within one it needs at
 * least 25 pulses, at most 27 (AVIA's datasheet, page 4). 64 of them on one clock leave no moment when none of them
 * ends one; eight do. So each rank has a clock of its own. The firmware watches when each output falls, and reads a
 * rank when none of its converters is about to end a conversion.
 */
#include "cells.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <util/delay.h>

#include "pins.h"

static const struct pin map[CELLS] PROGMEM = PIN_MAP;
static const uint8_t masks[INPUTS] PROGMEM = PORT_MASKS;

/* Times are those of a timer: 4 us each; they run over after 262 ms. */
#define TIME_US(us) ((us) / 4U)
#define TIME_MS(ms) ((ms) * 250U)

/* Periods that a converter may have: 80 a second from 8 to 18 ms, 10 a second from 64 to 144 ms. */
static uint8_t plausible(uint16_t d)
{
	return (d >= TIME_MS(8) && d <= TIME_MS(18)) || (d >= TIME_MS(64) && d <= TIME_MS(144));
}

/* How long before the end of a conversion no reading may begin. From here to the first pulse it takes 50 us, and
 * reading 45 us. The register is loaded for 75 us, whose beginning may have been seen 100 us late. The period may be
 * wrong by 40 us. The rest is for oscillators that are not steady. */
#define GUARD TIME_US(350)

/* And how long after it none may begin, where the end was not seen but computed. */
#define AFTER TIME_US(60)

/* A rank: one port or two, and its bits in each; one port twice where it is in one alone. */
static struct rank {
	volatile uint8_t *pin_a, *pin_b;
	uint8_t a, b, mask_a, mask_b;
} ranks[RANKS];

#ifdef NANO
static volatile uint8_t *const pins[] PROGMEM = PIN_REGISTERS;
#else
static volatile uint8_t *const pins[INPUTS] PROGMEM = {&PINA, &PINB, &PINC, &PINF, &PINK,
						       &PINL, &PIND, &PING, &PINH, &PINJ};
#endif

/* What the watch has seen and the loop has not taken: up to 127 times at which outputs of a port fell. */
static struct fall {
	uint16_t at;
	uint8_t port, bits;
} falls[128];
static volatile uint8_t falls_in, falls_out;

static volatile uint8_t before[INPUTS]; /* the levels at the last watch */

#define WATCH(i, pin) do { \
	uint8_t level = (pin), bits = before[i] & ~level; \
	before[i] = level; \
	if (bits) { \
		uint8_t in = falls_in; \
		falls[in].at = now, falls[in].port = i, falls[in].bits = bits; \
		falls_in = (in + 1) % 128; \
	} } while (0)

/* The watch, every 50 us. */
static volatile uint32_t ticks;

ISR(TIMER0_COMPA_vect)
{
	uint16_t now = TIME;
	ticks++;
#ifdef NANO
	WATCH_ALL;
#else
	WATCH(IN_A, PINA);
	WATCH(IN_B, PINB);
	WATCH(IN_C, PINC);
	WATCH(IN_F, PINF);
	WATCH(IN_K, PINK);
	WATCH(IN_L, PINL);
	WATCH(IN_D, PIND);
	WATCH(IN_G, PING);
	WATCH(IN_H, PINH);
	WATCH(IN_J, PINJ);
#endif
}

uint32_t now(void)
{
	uint8_t s = SREG;
	cli();
	uint32_t t = ticks;
	SREG = s;
	return t;
}

static uint16_t fell[INPUTS * 8], period[INPUTS * 8];
static uint8_t known[INPUTS]; /* whose period is known: two in a row were alike */

/* alike reports whether two periods differ by less than 3 %. */
static uint8_t alike(uint16_t a, uint16_t b)
{
	uint16_t d = a > b ? a - b : b - a;
	return d < b >> 5;
}

/* fallen notes that an output fell: a conversion has ended, and the time since the last one is the converter's period.
 * One that was not read falls again after a high of 75 us; if that was missed, two periods have gone. */
static void fallen(uint8_t port, uint8_t bit, uint16_t at)
{
	uint8_t i = port * 8 + bit, mask = 1 << bit;
	uint16_t d = at - fell[i];
	fell[i] = at;
	if ((known[port] & mask) && (int16_t)d < (int16_t)TIME_MS(1) && (int16_t)d > -(int16_t)TIME_MS(1))
		return; /* it had been computed a little too early */
	if (alike(d, period[i]) && plausible(d)) {
		known[port] |= mask;
		d = period[i] + ((int16_t)(d - period[i]) >> 2); /* each is seen up to 60 us late: on the mean less */
	} else if ((known[port] & mask) && period[i] < TIME_MS(40) && (alike(d, 2 * period[i]) || alike(d, 3 * period[i])))
		return;
	else
		known[port] &= ~mask;
	period[i] = plausible(d) ? d : 0;
}

void cells_learn(void)
{
	while (falls_out != falls_in) {
		struct fall *f = &falls[falls_out];
		uint8_t bits = f->bits & pgm_read_byte(&masks[f->port]), bit;
		for (bit = 0; bits; bit++, bits >>= 1)
			if (bits & 1)
				fallen(f->port, bit, f->at);
		falls_out = (falls_out + 1) % 128;
	}
}

/* clear reports whether none of the converters whose period is known is in the way of a reading now. Each is then
 * ready, and ends no conversion while it would be read. One that has not been ready for two periods is gone, and its
 * period is forgotten. */
static uint8_t clear(uint8_t port, uint8_t mask, uint8_t level)
{
	uint8_t bits = known[port] & mask, i = port * 8, bit, free = 1;
	for (bit = 1; bits; bit <<= 1, i++) {
		if (!(bits & bit))
			continue;
		bits &= ~bit;
		uint8_t s = SREG;
		cli();
		uint16_t age = TIME - fell[i];
		SREG = s;
		uint16_t p = period[i];
		if (level & bit) {
			if (age > p + p / 2) /* late for a second conversion */
				known[port] &= ~bit;
			free = 0;
			continue;
		}
		if (age >= p) { /* its end was missed, or is being seen just now */
			uint16_t at = fell[i];
			for (; age >= p; age -= p)
				at += p;
			if (age < AFTER)
				free = 0;
			else
				fell[i] = at;
		}
		if (age + GUARD > p)
			free = 0;
	}
	return free;
}

uint8_t rank_state(uint8_t rank)
{
	const struct rank *r = &ranks[rank];
	cells_learn();
	uint8_t a = *r->pin_a, b = *r->pin_b;
	uint8_t free = clear(r->a, r->mask_a, a) & clear(r->b, r->mask_b, b);
	if (!(known[r->a] & r->mask_a) && !(known[r->b] & r->mask_b))
		return (~a & r->mask_a) | (~b & r->mask_b) ? RANK_NEW : RANK_GONE;
	return free ? RANK_SAFE : RANK_BUSY;
}

#ifndef NANO
/* choose sets the lines of the 74HCT238; the clock is low. */
static void choose(uint8_t rank)
{
	uint8_t s = SREG;
	cli();
	PORTE = (PORTE & ~(_BV(A0_BIT) | _BV(A2_BIT))) | (rank & 1 ? _BV(A0_BIT) : 0) | (rank & 4 ? _BV(A2_BIT) : 0);
	PORTG = (PORTG & ~_BV(A1_BIT)) | (rank & 2 ? _BV(A1_BIT) : 0);
	SREG = s;
}
#endif

/* pulse is one clock: high for a microsecond, while two ports are read. */
static inline __attribute__((always_inline)) void pulse(volatile uint8_t *pin_a, volatile uint8_t *pin_b, uint8_t *row)
{
	CLOCK_PORT |= _BV(SCK_BIT);
	_delay_us(0.3);
	row[0] = *pin_a;
	row[1] = *pin_b;
	CLOCK_PORT &= ~_BV(SCK_BIT);
}

/* count turns the bits of one cell round. */
static void count(uint8_t rows[24][2], uint8_t column, uint8_t mask, uint8_t *out)
{
	const uint8_t *row = &rows[0][column];
	for (uint8_t b = 3; b-- > 0;) {
		uint8_t v = 0;
		for (uint8_t n = 0; n < 8; n++, row += 2) {
			v <<= 1;
			if (*row & mask)
				v |= 1;
		}
		out[b] = v;
	}
}

uint8_t rank_read(uint8_t rank, uint8_t *absent, uint8_t *counts)
{
	const struct rank *r = &ranks[rank];
	uint8_t rows[24][2], last[2], slow, i;
	volatile uint8_t *pin_a = r->pin_a, *pin_b = r->pin_b;
	choose(rank);
	uint8_t s = SREG;
	cli(); /* for 45 us: the line in has room for 60 */
	uint16_t began = TIME;
	uint8_t ready_a = (uint8_t)~*pin_a, ready_b = (uint8_t)~*pin_b, *row = rows[0];
	for (i = 0; i < 24; i++, row += 2)
		pulse(pin_a, pin_b, row);
	pulse(pin_a, pin_b, last); /* the 25th asks for channel A at gain 128 next time (page 4) */
	slow = TIME - began > TIME_US(60);
	before[r->a] |= r->mask_a; /* a rise that the watch need not see */
	before[r->b] |= r->mask_b;
	SREG = s;
	*absent = (uint8_t)(0xff << FILES);
	for (i = 0; i < FILES; i++, counts += 3) {
		uint8_t port = pgm_read_byte(&map[FILES * rank + i].port), mask = 1 << pgm_read_byte(&map[FILES * rank + i].bit);
		uint8_t ready = port == r->a ? ready_a : ready_b;
		count(rows, port == r->a ? 0 : 1, mask, counts);
		/* Absent as well: one whose period is not known, and one whose output the extra pulse did not put high, a shorted
		 * line. */
		if (!(ready & mask) || !(known[port] & mask) || !(last[port == r->a ? 0 : 1] & mask)) {
			*absent |= 1 << i;
			counts[0] = counts[1] = counts[2] = 0;
		}
	}
	return slow;
}

uint8_t cells_rate(void)
{
	for (uint8_t i = 0; i < CELLS; i++) {
		uint8_t port = pgm_read_byte(&map[i].port), bit = pgm_read_byte(&map[i].bit);
		if (known[port] >> bit & 1)
			return period[port * 8 + bit] > TIME_MS(40) ? 10 : 80;
	}
	return 80;
}

void cells_set_up(void)
{
	uint8_t i;
#ifdef NANO
	SET_UP_PORTS();
#else
	MCUCR = _BV(JTD); /* twice within four clocks: port F is ours, not the debugger's */
	MCUCR = _BV(JTD);
	/* Pull-ups, so that a converter that is unplugged reads as never ready. */
	PORTA = PORTB = PORTC = PORTF = PORTK = PORTL = 0xff;
	PORTD = 0x8f;
	PORTG = 0x07;
	PORTH = 0x7b;
	PORTJ = 0x03;
	PORTE = 0;
	DDRE = _BV(SCK_BIT) | _BV(A0_BIT) | _BV(A2_BIT);
	DDRG = _BV(A1_BIT);
#endif
	for (i = 0; i < RANKS; i++) {
		struct rank *r = &ranks[i];
		r->a = pgm_read_byte(&map[FILES * i].port);
		r->b = pgm_read_byte(&map[FILES * i + FILES - 1].port);
		r->pin_a = (volatile uint8_t *)pgm_read_word(&pins[r->a]);
		r->pin_b = (volatile uint8_t *)pgm_read_word(&pins[r->b]);
		r->mask_a = pgm_read_byte(&masks[r->a]);
		r->mask_b = r->a == r->b ? 0 : pgm_read_byte(&masks[r->b]);
	}
	START_TIME();
	TCCR0A = _BV(WGM01); /* timer 0: the watch */
	OCR0A = F_CPU / 8 / 20000 - 1;
	TIMSK0 = _BV(OCIE0A);
	TCCR0B = _BV(CS01);
	/* A clock that is high for 60 us sends a converter to sleep, and it begins anew (page 5). */
	for (i = 0; i < RANKS; i++) {
		choose(i);
		CLOCK_PORT |= _BV(SCK_BIT);
		_delay_us(200);
		CLOCK_PORT &= ~_BV(SCK_BIT);
	}
}
