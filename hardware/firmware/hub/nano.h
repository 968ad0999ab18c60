// SPDX-License-Identifier: Apache-2.0
/* The four load cells of a scale board on an Arduino Nano (ATmega328P) as it is bought. They are sent as the cells of
 * a1 to d1.
 *
 * PC0 to PC3 (A0 to A3): DOUT of the corners at a1, h1, a8, h8
 * PD3 (D3): the clock of all four
 * PD0, PD1: serial line
 */
#ifndef NANO_H
#define NANO_H

#include <stdint.h>

enum { IN_C, INPUTS };

#define CELLS 4
#define RANKS 1
#define FILES 4

struct pin {
	uint8_t port, bit;
};

#define PIN_MAP { {IN_C, 0}, {IN_C, 1}, {IN_C, 2}, {IN_C, 3} }
#define PORT_MASKS {0x0f}
#define PIN_REGISTERS {&PINC}
#define WATCH_ALL WATCH(IN_C, PINC)

#define CLOCK_PORT PORTD
#define SCK_BIT 3

/* Timer 1 tells the time in steps of 4 us. */
#define TIME TCNT1
#define START_TIME() (TCCR1B = _BV(CS11) | _BV(CS10))

/* Inputs with pull-ups, outputs low. */
#define SET_UP_PORTS() (PORTC = 0x0f, PORTD = 0, DDRD = _BV(SCK_BIT))

#define choose(rank) ((void)(rank)) /* there is one */

#define LINE_OUT_vect USART_UDRE_vect
#define LINE_IN_vect USART_RX_vect

#endif
