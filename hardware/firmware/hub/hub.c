// SPDX-License-Identifier: Apache-2.0
/* Firmware of the hub: reads 64 HX711, or four on an Arduino Nano, and streams their counts as PROTOCOL.md says.
 *
 * ATmega2560 or ATmega328P at 16 MHz, avr-libc only. One loop reads each rank once, as soon as it may be (cells.c),
 * and sends a frame. Bytes go out and come in by interrupt. Interrupts are held off while a clock is high. An HX711
 * that sees it high for 60 us goes to sleep (datasheet, AVIA Semiconductor, page 5).
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <string.h>

#include "cells.h"
#include "pins.h"
#include "protocol.h"

#ifdef SIM
#include "avr_mcu_section.h"
#ifdef NANO
AVR_MCU(F_CPU, "atmega328p");
#else
AVR_MCU(F_CPU, "atmega2560");
#endif
#endif

/* Why the last start came about, saved before anything clears it. The watchdog is switched off first, since after its
 * reset it runs on at 16 ms. */
static uint8_t cause __attribute__((section(".noinit")));

void early(void) __attribute__((naked, used, section(".init3")));
void early(void)
{
	cause = MCUSR;
	MCUSR = 0;
	wdt_disable();
}

/* The line out: one frame is under way, the next waits until it is gone. */
static uint8_t out[FRAME_MAX];
static volatile uint8_t out_len, out_pos;

ISR(LINE_OUT_vect)
{
	UDR0 = out[out_pos++];
	if (out_pos == out_len)
		UCSR0B &= ~_BV(UDRIE0);
}

static uint8_t sending(void) { return UCSR0B & _BV(UDRIE0); }

/* send encodes a packet and starts it on its way, as soon as the one before is gone. */
static void send(uint8_t *packet, uint8_t len)
{
	while (sending())
		;
	out_len = frame(out, packet, len);
	out_pos = 0;
	UCSR0B |= _BV(UDRIE0);
}

/* The line in: what does not fit is lost, and the host asks again. */
static volatile uint8_t in[32], in_head, in_tail;

ISR(LINE_IN_vect)
{
	uint8_t c = UDR0, next = (in_head + 1) % sizeof in;
	if (next != in_tail) {
		in[in_head] = c;
		in_head = next;
	}
}

static uint8_t rate = 80;
static uint16_t seq;

/* say_hello tells the host who is there. */
static void say_hello(void)
{
	static uint8_t p[8 + sizeof NAME - 1 + 4] = {PROTOCOL, 'H', MAJOR, MINOR, SQUARES};
	p[5] = rate == 80 ? 2 : 1;
	p[6] = rate;
	p[7] = cause & 15;
	memcpy(p + 8, NAME, sizeof NAME - 1);
	send(p, 8 + sizeof NAME - 1);
}

/* obey takes one packet from the host. */
static void obey(const uint8_t *p, uint8_t len)
{
	if (p[0] != PROTOCOL)
		return;
	if (p[1] == 'A' && len == 2)
		say_hello();
	/* 'R' is not obeyed: the rate is that of the converters' RATE pins, which are strapped. */
}

/* listen takes what has come from the host, byte by byte. */
static void listen(void)
{
	static uint8_t buf[24], n, full;
	while (in_tail != in_head) {
		uint8_t c = in[in_tail];
		in_tail = (in_tail + 1) % sizeof in;
		if (c != 0) {
			if (n < sizeof buf)
				buf[n++] = c;
			else
				full = 1;
			continue;
		}
		uint8_t len = full ? 0 : unframe(buf, n);
		if (len)
			obey(buf, len);
		n = full = 0;
	}
}

static uint8_t packet[WEIGHTS + 4]; /* the frame of weights under way */

/* gather reads each rank once, when it may be. What is not known to be there is read along, and not waited for. */
static uint8_t gather(void)
{
	uint32_t since = now(), limit = rate == 80 ? TICKS(40) : TICKS(320);
	uint8_t left = (1 << RANKS) - 1, slow = 0, wait, r;
	memset(packet, 0, sizeof packet);
	memset(packet + 10, 0xff, SQUARES / 8);
	do {
		listen();
		wdt_reset();
		for (wait = r = 0; r < RANKS; r++) {
			if (!(left >> r & 1))
				continue;
			uint8_t state = rank_state(r);
			if (state == RANK_SAFE || state == RANK_NEW) {
				slow |= rank_read(r, packet + 10 + r, packet + 18 + 24 * r);
				left &= ~(1 << r);
			}
			wait |= state == RANK_BUSY;
		}
	} while (wait && now() - since < limit);
	return slow;
}

/* pace keeps frames apart when nobody is there to be waited for; converters that are there come slower. */
static void pace(void)
{
	static uint32_t last;
	uint32_t period = rate == 80 ? TICKS(10) : TICKS(80);
	while (now() - last < period) {
		listen();
		wdt_reset();
		sleep_mode();
	}
	last = now();
}

/* send_weights makes a frame of the last reading. */
static void send_weights(uint8_t slow)
{
	uint32_t ms = now() / TICKS(1);
	seq++;
	packet[0] = PROTOCOL;
	packet[1] = 'W';
	packet[2] = seq;
	packet[3] = seq >> 8;
	packet[4] = rate;
	packet[5] = slow;
	packet[6] = ms;
	packet[7] = ms >> 8;
	packet[8] = ms >> 16;
	packet[9] = ms >> 24;
	send(packet, WEIGHTS);
}

static void set_up(void)
{
	ACSR = _BV(ACD); /* the analog comparator is not used */
	EICRA = 0xaa; /* nor are the external interrupts; on edges, as the simulator is slow with levels */
#ifdef EICRB
	EICRB = 0xaa;
#endif
	/* The line: 8 bits, no parity, one stop bit; exact at 16 MHz. */
	UCSR0A = _BV(U2X0);
	UBRR0 = F_CPU / 8 / BAUD - 1;
	UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
	UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
	set_sleep_mode(SLEEP_MODE_IDLE);
	wdt_enable(WDTO_500MS);
	cells_set_up();
	sei();
}

int main(void)
{
	uint32_t hello = 0;
	set_up();
	say_hello();
	for (;;) {
		pace();
		send_weights(gather());
		if (cells_rate() != rate) {
			rate = cells_rate();
			say_hello();
		}
		if (now() - hello >= TICKS(10000)) {
			hello = now();
			say_hello();
		}
	}
}
