// SPDX-License-Identifier: Apache-2.0
/* Which pin is which, so that an Arduino Mega 2560 can be used as it is bought.
 *
 * ranks 1 to 6: ports A, B, C, F, K, L, the bit is the file
 * rank 7: PD0 PD1 PD2 PD3 PD7 PG0 PG1 PG2
 * rank 8: PH0 PH1 PH3 PH4 PH5 PH6 PJ0 PJ1
 * PE4, PG5, PE3: the rank that is clocked, 0 to 7, low bit first
 * PE5: its clock (PD_SCK); a 74HCT238 makes eight clocks of these four
 * PE0, PE1: serial line
 */
#ifndef PINS_H
#define PINS_H

#ifdef NANO
#include "nano.h"
#else

#include <stdint.h>

/* The ports that are read. */
enum { IN_A, IN_B, IN_C, IN_F, IN_K, IN_L, IN_D, IN_G, IN_H, IN_J, INPUTS };

#define CELLS 64
#define RANKS 8
#define FILES 8

/* Where the cell of a square is read: a port of the list above, and a bit. */
struct pin {
	uint8_t port, bit;
};

#define RANK(p) {p, 0}, {p, 1}, {p, 2}, {p, 3}, {p, 4}, {p, 5}, {p, 6}, {p, 7}

#define PIN_MAP { \
	RANK(IN_A), RANK(IN_B), RANK(IN_C), RANK(IN_F), RANK(IN_K), RANK(IN_L), \
	{IN_D, 0}, {IN_D, 1}, {IN_D, 2}, {IN_D, 3}, {IN_D, 7}, {IN_G, 0}, {IN_G, 1}, {IN_G, 2}, \
	{IN_H, 0}, {IN_H, 1}, {IN_H, 3}, {IN_H, 4}, {IN_H, 5}, {IN_H, 6}, {IN_J, 0}, {IN_J, 1} }

/* The bits of each port that are cells. */
#define PORT_MASKS {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x8f, 0x07, 0x7b, 0x03}

#define CLOCK_PORT PORTE
#define SCK_BIT 5
#define A0_BIT 4
#define A1_BIT 5
#define A2_BIT 3

/* Timer 3 tells the time in steps of 4 us. */
#define TIME TCNT3
#define START_TIME() (TCCR3B = _BV(CS31) | _BV(CS30))

#define LINE_OUT_vect USART0_UDRE_vect
#define LINE_IN_vect USART0_RX_vect

#endif
#endif
