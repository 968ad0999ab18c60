// SPDX-License-Identifier: Apache-2.0
/* Firmware of the hub: reads 64 HX711 at once and streams their counts as PROTOCOL.md says.
 *
 * ATmega2560 at 16 MHz, avr-libc only. One loop: wait until the converters are ready, clock 25 bits out of all of them
 * together, turn the bits round, send a frame. Bytes go out and come in by interrupt; interrupts are held off while
 * the clock is high, because an HX711 that sees it high for 60 us goes to sleep (datasheet, AVIA Semiconductor, page 5).
 */
#define F_CPU 16000000UL

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <string.h>
#include <util/delay.h>

#include "pins.h"
#include "protocol.h"

#ifdef SIM
#include "avr_mcu_section.h"
AVR_MCU(F_CPU, "atmega2560");
#endif

static const struct pin map[CELLS] PROGMEM = PIN_MAP;
static const uint8_t masks[INPUTS] PROGMEM = PORT_MASKS;

/* Why the last start came about, saved before anything clears it; the watchdog is switched off first, since after its
 * reset it runs on at 16 ms. */
static uint8_t cause __attribute__((section(".noinit")));

void early(void) __attribute__((naked, used, section(".init3")));
void early(void)
{
	cause = MCUSR;
	MCUSR = 0;
	wdt_disable();
}

/* Time: quarters of a millisecond since the start. */
static volatile uint32_t ticks;

ISR(TIMER0_COMPA_vect) { ticks++; }

static uint32_t now(void)
{
	uint8_t s = SREG;
	cli();
	uint32_t t = ticks;
	SREG = s;
	return t;
}

#define TICKS(ms) ((uint32_t)(ms) * 4)

/* The line out: one frame is under way, the next waits until it is gone. */
static uint8_t out[FRAME_MAX];
static volatile uint8_t out_len, out_pos;

ISR(USART0_UDRE_vect)
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

ISR(USART0_RX_vect)
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
	static uint8_t p[8 + sizeof NAME - 1 + 4] = {PROTOCOL, 'H', MAJOR, MINOR, CELLS, 3};
	p[6] = rate;
	p[7] = cause & 15;
	memcpy(p + 8, NAME, sizeof NAME - 1);
	send(p, 8 + sizeof NAME - 1);
}

/* sck_sleep sends all converters to sleep and wakes them, which makes them settle at the present rate. */
static void sck_sleep(void)
{
	PORTE |= _BV(SCK_BIT);
	_delay_us(200);
	PORTE &= ~_BV(SCK_BIT);
}

static void set_rate(uint8_t r)
{
	if (r != 10 && r != 80)
		return;
	if (r != rate) {
		rate = r;
		if (r == 80)
			PORTE |= _BV(RATE_BIT);
		else
			PORTE &= ~_BV(RATE_BIT);
		sck_sleep();
	}
	say_hello();
}

/* obey takes one packet from the host. */
static void obey(const uint8_t *p, uint8_t len)
{
	if (p[0] != PROTOCOL)
		return;
	if (p[1] == 'A' && len == 2)
		say_hello();
	if (p[1] == 'R' && len == 3)
		set_rate(p[2]);
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

/* read_ports reads all inputs, in the order of pins.h. */
static inline void read_ports(uint8_t *p)
{
	p[IN_A] = PINA;
	p[IN_B] = PINB;
	p[IN_C] = PINC;
	p[IN_F] = PINF;
	p[IN_K] = PINK;
	p[IN_L] = PINL;
	p[IN_D] = PIND;
	p[IN_G] = PING;
	p[IN_H] = PINH;
	p[IN_J] = PINJ;
}

static uint8_t rows[24][INPUTS];  /* what all inputs were at each of the 24 bits */
static uint8_t ready[INPUTS];     /* the inputs whose converter was ready for this reading */
static uint8_t awaited[INPUTS];   /* the inputs that are waited for: those that were ready last time */
static uint8_t slow;              /* a clock pulse was too long */

/* pulse is one clock: high for some 4 us, while the inputs are read. Timer 1 counts processor clocks. */
static void pulse(uint8_t *row)
{
	uint8_t s = SREG;
	cli();
	PORTE |= _BV(SCK_BIT);
	uint16_t t = TCNT1;
	_delay_us(0.5);
	read_ports(row);
	PORTE &= ~_BV(SCK_BIT);
	t = TCNT1 - t;
	SREG = s;
	if (t > 50 * (F_CPU / 1000000))
		slow = 1;
	_delay_us(0.5);
}

/* wait_ready waits until every awaited converter is ready, or for a period and a half: one that is gone costs that once,
 * and is not waited for until it is ready by itself. It returns 0 if none is ready. */
static uint8_t wait_ready(void)
{
	uint32_t since = now(), limit = rate == 80 ? TICKS(19) : TICKS(150);
	uint8_t i, missing, any;
	do {
		uint8_t p[INPUTS];
		listen();
		wdt_reset();
		read_ports(p);
		missing = any = 0;
		for (i = 0; i < INPUTS; i++) {
			ready[i] = (uint8_t)~p[i] & pgm_read_byte(&masks[i]);
			any |= ready[i];
			missing |= awaited[i] & ~ready[i];
		}
		if (missing)
			sleep_mode();
	} while (missing && now() - since < limit);
	if (!any)
		memset(awaited, 0, sizeof awaited);
	return any;
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

static uint8_t low[INPUTS];    /* the inputs that were low when they had to be high, */
static uint8_t before[INPUTS]; /* and those that were so in the reading before */

/* shift clocks the reading out of all converters: 24 bits, and a 25th pulse that asks for channel A at gain 128 next time
 * (page 4). With it every converter that is there puts its output high. */
static void shift(void)
{
	uint8_t i, last[INPUTS];
	slow = 0;
	for (i = 0; i < 24; i++)
		pulse(rows[i]);
	pulse(last);
	for (i = 0; i < INPUTS; i++) {
		before[i] = low[i];
		low[i] = ready[i] & ~last[i];
		awaited[i] = ready[i];
	}
}

/* trusted tells whether a cell passed the extra pulse. A converter that ends a measurement in that very microsecond
 * pulls its output low rightly, which happens once in a minute or so among 64; a line that is shorted does it every time,
 * and its count is zero. */
static uint8_t trusted(uint8_t port, uint8_t mask, const uint8_t *count)
{
	if (!(low[port] & mask))
		return 1;
	return !(before[port] & mask) && (count[0] | count[1] | count[2]);
}

/* put_cells turns the bits round: three bytes for each cell, low byte first, and a bit for each that is absent. */
static void put_cells(uint8_t *absent, uint8_t *counts)
{
	uint8_t i, b, n;
	for (i = 0; i < CELLS; i++, counts += 3) {
		uint8_t port = pgm_read_byte(&map[i].port), mask = 1 << pgm_read_byte(&map[i].bit);
		const uint8_t *row = &rows[0][port];
		for (b = 3; b-- > 0;) {
			uint8_t v = 0;
			for (n = 0; n < 8; n++, row += INPUTS) {
				v <<= 1;
				if (*row & mask)
					v |= 1;
			}
			counts[b] = v;
		}
		if (!(ready[port] & mask) || !trusted(port, mask, counts)) {
			absent[i / 8] |= 1 << (i % 8);
			counts[0] = counts[1] = counts[2] = 0;
		}
	}
}

/* send_weights makes a frame of the last reading. */
static void send_weights(void)
{
	static uint8_t p[WEIGHTS + 4];
	uint32_t ms = now() / 4;
	memset(p, 0, sizeof p);
	p[0] = PROTOCOL;
	p[1] = 'W';
	seq++;
	p[2] = seq;
	p[3] = seq >> 8;
	p[4] = rate;
	p[5] = slow;
	p[6] = ms;
	p[7] = ms >> 8;
	p[8] = ms >> 16;
	p[9] = ms >> 24;
	put_cells(p + 10, p + 18);
	send(p, WEIGHTS);
}

static void set_up(void)
{
	uint8_t i;
	MCUCR = _BV(JTD); /* twice within four clocks: port F is ours, not the debugger's */
	MCUCR = _BV(JTD);
	/* Pull-ups, so that a converter that is unplugged reads as never ready. */
	PORTA = PORTB = PORTC = PORTF = PORTK = PORTL = 0xff;
	PORTD = 0x8f;
	PORTG = 0x07;
	PORTH = 0x7b;
	PORTJ = 0x03;
	DDRE = _BV(SCK_BIT) | _BV(RATE_BIT);
	PORTE = _BV(RATE_BIT);
	for (i = 0; i < INPUTS; i++)
		awaited[i] = pgm_read_byte(&masks[i]);
	ACSR = _BV(ACD); /* the analog comparator is not used */
	EICRA = EICRB = 0xaa; /* nor are the external interrupts; on edges, as the simulator is slow with levels */
	/* Timer 0: a tick every 250 us. Timer 1 runs free. */
	TCCR0A = _BV(WGM01);
	OCR0A = F_CPU / 64 / 4000 - 1;
	TIMSK0 = _BV(OCIE0A);
	TCCR0B = _BV(CS01) | _BV(CS00);
	TCCR1B = _BV(CS10);
	/* The line: 8 bits, no parity, one stop bit; exact at 16 MHz. */
	UCSR0A = _BV(U2X0);
	UBRR0 = F_CPU / 8 / BAUD - 1;
	UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
	UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
	set_sleep_mode(SLEEP_MODE_IDLE);
	wdt_enable(WDTO_500MS);
	sei();
	sck_sleep();
}

int main(void)
{
	uint32_t hello = 0;
	set_up();
	say_hello();
	for (;;) {
		pace();
		if (wait_ready())
			shift();
		send_weights();
		if (now() - hello >= TICKS(10000)) {
			hello = now();
			say_hello();
		}
	}
}
