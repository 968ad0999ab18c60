// SPDX-License-Identifier: Apache-2.0
/* The hub's firmware in simavr, with 64 HX711 on its pins (with NANO four), and its serial line on a pseudo-terminal.
 *
 *	sim hub.elf LINK
 *
 * LINK becomes a symbolic link to the terminal, as /dev/serial/by-id has them. Commands come on standard input, one a
 * line; each is answered with a line on standard output:
 *
 *	cell N COUNT   the load on cell N, from 0, asks for COUNT
 *	off N, on N    cell N is unplugged, plugged in
 *	short N        cell N's data line is shorted to ground
 *	unplug, plug   the serial line
 *	strap RATE     the converters' RATE pins: 10 or 80; they begin anew
 *	period A B     the oscillators' periods at 80 a second, in us, from A to B; the converters begin anew
 *	report         "worst HIGH_US resets N straddled N spoiled N seconds T": longest clock pulse, starts, pulses while a
 *	               register was loaded, conversions that pulses spoiled, simulated time
 *	hang           the firmware runs into an endless loop; the watchdog will start it anew
 *
 * Simulated time is kept at wall time or behind it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "avr_ioport.h"
#include "avr_uart.h"
#include "hx711.h"
#include "pins.h"
#include "sim_avr.h"
#include "sim_elf.h"

#define HZ 16000000UL

static const struct pin map[CELLS] = PIN_MAP;
static const uint8_t masks[INPUTS] = PORT_MASKS;
#ifdef NANO
#define PROCESSOR "atmega328p"
static const char names[INPUTS] = {[IN_C] = 'C'};
#else
#define PROCESSOR "atmega2560"
static const char names[INPUTS] = {[IN_A] = 'A', [IN_B] = 'B', [IN_C] = 'C', [IN_F] = 'F', [IN_K] = 'K',
	[IN_L] = 'L', [IN_D] = 'D', [IN_G] = 'G', [IN_H] = 'H', [IN_J] = 'J'};
#endif

/* The converters, each with the line that its output drives. */
static struct cell {
	struct hx711 hx;
	avr_irq_t *dout;
	int level; /* of the line, -1 not yet driven */
	int off, shorted;
} cells[CELLS];

static avr_t *avr;
static avr_cycle_count_t rose, worst;
static int fast = 1, resets;

/* The periods of the oscillators at 80 a second, in us: from the 10.7 ms that were measured to a little more than the
 * datasheet's 12.5 ms. */
static int shortest = 10700, longest = 12800;

static void drive(struct cell *c)
{
	int level = c->shorted ? 0 : c->off ? 1 : hx_out(&c->hx);
	if (level == c->level)
		return;
	c->level = level;
	/* As a pull as well, or a write to a port would put its inputs to what was written. */
	static uint8_t levels[INPUTS];
	struct pin p = map[c - cells];
	levels[p.port] = level ? levels[p.port] | 1 << p.bit : levels[p.port] & ~(1 << p.bit);
	avr_ioport_external_t e = {.name = names[p.port], .mask = masks[p.port], .value = levels[p.port]};
	avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(e.name), &e);
	avr_raise_irq(c->dout, level);
}

static void oscillators(void)
{
	for (int i = 0; i < CELLS; i++)
		cells[i].hx.period = (shortest + (longest - shortest) * (i * 29 % CELLS) / CELLS) * (fast ? 16 : 128);
}

/* One timer for all converters, as simavr has few: it comes back when the next one changes by itself. */
static avr_cycle_count_t by_themselves(avr_t *a, avr_cycle_count_t when, void *param)
{
	avr_cycle_count_t next = when + HZ / 10;
	for (int i = 0; i < CELLS; i++) {
		hx_until(&cells[i].hx, when);
		drive(&cells[i]);
		if (hx_next(&cells[i].hx) < next)
			next = hx_next(&cells[i].hx);
	}
	return next;
}

static void wake(void)
{
	oscillators();
	for (int i = 0; i < CELLS; i++) {
		cells[i].hx.noise = 1 + 7919 * i;
		hx_wake(&cells[i].hx, avr->cycle - cells[i].hx.period * (i * 37 % CELLS) / CELLS);
		drive(&cells[i]);
	}
	avr_cycle_timer_cancel(avr, by_themselves, NULL);
	avr_cycle_timer_register(avr, HZ / 1000, by_themselves, NULL);
}

/* The 74HCT238 between the processor and the eight clocks: the output that three lines choose follows SCK. */
static uint8_t lines, clocks; /* SCK and the three lines; the eight outputs */

static void clock_lines(struct avr_irq_t *irq, uint32_t value, void *param)
{
	uint8_t bit = (intptr_t)param;
	lines = value & 1 ? lines | bit : lines & ~bit;
	uint8_t out = lines & 8 ? 1 << (lines & 7) : 0;
	if ((out != 0) != (clocks != 0)) {
		if (out)
			rose = avr->cycle;
		else if (avr->cycle - rose > worst && avr->cycle - rose < HZ / 1000000 * 60)
			worst = avr->cycle - rose;
	}
	for (int i = 0; i < CELLS; i++) {
		if ((out ^ clocks) >> (i / 8) & 1) {
			hx_clock(&cells[i].hx, out >> (i / 8) & 1, avr->cycle);
			drive(&cells[i]);
		}
	}
	clocks = out;
}

/* The serial line. */
static int near = -1, far = -1;
static const char *link_path;
static avr_irq_t *rx;
static int room = 1;

static void plug(void)
{
	struct termios t;
	near = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	grantpt(near);
	unlockpt(near);
	far = open(ptsname(near), O_RDWR | O_NOCTTY);
	tcgetattr(far, &t);
	cfmakeraw(&t);
	cfsetspeed(&t, B500000);
	tcsetattr(far, TCSANOW, &t);
	unlink(link_path);
	if (symlink(ptsname(near), link_path))
		perror(link_path);
}

static void unplug(void)
{
	unlink(link_path);
	close(near);
	close(far);
	near = far = -1;
}

static void sent(struct avr_irq_t *irq, uint32_t value, void *param)
{
	uint8_t b = value;
	if (near >= 0 && write(near, &b, 1) < 0)
		return; /* nobody reads: lost, as on a line without flow control */
}

static void xon(struct avr_irq_t *irq, uint32_t value, void *param) { room = 1; }
static void xoff(struct avr_irq_t *irq, uint32_t value, void *param) { room = 0; }

static void receive(void)
{
	uint8_t b;
	while (room && near >= 0 && read(near, &b, 1) == 1)
		avr_raise_irq(rx, b);
}

/* hang puts "rjmp ." where the processor is; a reset takes it away again. */
static uint32_t hung;
static uint8_t patched[2];

static void hang(void)
{
	hung = avr->pc;
	memcpy(patched, avr->flash + hung, 2);
	memcpy(avr->flash + hung, "\xff\xcf", 2);
}

static int restarted;

static void reset(struct avr_t *a)
{
	restarted = 1;
	if (hung)
		memcpy(avr->flash + hung, patched, 2);
	hung = 0;
}

/* answer obeys a command. */
static void answer(const char *line)
{
	int n = 0, v = 0;
	const char *ok = "ok";
	if (sscanf(line, "cell %d %d", &n, &v) == 2 && n >= 0 && n < CELLS)
		cells[n].hx.input = v;
	else if (sscanf(line, "off %d", &n) == 1 && n >= 0 && n < CELLS)
		cells[n].off = 1, drive(&cells[n]);
	else if (sscanf(line, "on %d", &n) == 1 && n >= 0 && n < CELLS)
		cells[n].off = cells[n].shorted = 0, drive(&cells[n]);
	else if (sscanf(line, "short %d", &n) == 1 && n >= 0 && n < CELLS)
		cells[n].shorted = 1, drive(&cells[n]);
	else if (!strcmp(line, "unplug"))
		unplug();
	else if (!strcmp(line, "plug"))
		plug();
	else if (!strcmp(line, "hang"))
		hang();
	else if (sscanf(line, "strap %d", &v) == 1 && (v == 10 || v == 80))
		fast = v == 80, wake();
	else if (sscanf(line, "period %d %d", &n, &v) == 2 && n > 5000 && n <= v && v < 50000)
		shortest = n, longest = v, wake();
	else if (!strcmp(line, "report")) {
		int straddled = 0, spoiled = 0;
		for (int i = 0; i < CELLS; i++)
			straddled += cells[i].hx.straddles, spoiled += cells[i].hx.spoiled;
		printf("worst %.2f resets %d straddled %d spoiled %d seconds %.3f\n", worst / (HZ / 1e6), resets,
		       straddled, spoiled, avr->cycle / (double)HZ);
		fflush(stdout);
		return;
	} else
		ok = "what?";
	puts(ok);
	fflush(stdout);
}

static void commands(void)
{
	static char buf[256];
	static int len;
	struct pollfd p = {.fd = 0, .events = POLLIN};
	if (poll(&p, 1, 0) <= 0)
		return;
	int n = read(0, buf + len, sizeof buf - 1 - len);
	if (n <= 0) {
		unplug();
		exit(0); /* whoever started us is gone */
	}
	len += n;
	buf[len] = 0;
	for (char *end; (end = strchr(buf, '\n'));) {
		*end = 0;
		answer(buf);
		len -= end + 1 - buf;
		memmove(buf, end + 1, len + 1);
	}
}

static double wall(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void no_sleep(avr_t *a, avr_cycle_count_t n) {}

static avr_irq_t *pin(char port, int bit) { return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit); }

int main(int argc, char **argv)
{
	elf_firmware_t f = {0};
	if (argc != 3 || elf_read_firmware(argv[1], &f)) {
		fprintf(stderr, "usage: sim hub.elf LINK\n");
		return 2;
	}
	link_path = argv[2];
	avr = avr_make_mcu_by_name(PROCESSOR);
	if (!avr) {
		fprintf(stderr, "sim: this simavr has no " PROCESSOR "\n");
		return 1;
	}
	avr_init(avr);
	strcpy(f.mmcu, PROCESSOR);
	f.frequency = HZ;
	avr_load_firmware(avr, &f);
	avr->sleep = no_sleep;
	avr->reset = reset;
	avr->log = 1;

	uint32_t flags = 0;
	avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
	flags &= ~(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
	avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
	rx = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
	avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), sent, NULL);
	avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), xon, NULL);
	avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), xoff, NULL);

	for (int i = 0; i < CELLS; i++) {
		cells[i].dout = pin(names[map[i].port], map[i].bit);
		cells[i].level = -1;
		cells[i].hx.input = 1000 * i;
	}
#ifdef NANO
	avr_irq_register_notify(pin('D', SCK_BIT), clock_lines, (void *)8);
#else
	avr_irq_register_notify(pin('E', SCK_BIT), clock_lines, (void *)8);
	avr_irq_register_notify(pin('E', A0_BIT), clock_lines, (void *)1);
	avr_irq_register_notify(pin('G', A1_BIT), clock_lines, (void *)2);
	avr_irq_register_notify(pin('E', A2_BIT), clock_lines, (void *)4);
#endif
	wake();
	plug();
	puts("ready");
	fflush(stdout);

	double start = wall();
	avr_cycle_count_t from = avr->cycle, look = 0;
	for (;;) {
		int state = avr_run(avr);
		if (state == cpu_Done || state == cpu_Crashed) {
			fprintf(stderr, "sim: processor state %d\n", state);
			return 1;
		}
		if (restarted) { /* by the watchdog; simavr has forgotten its timers */
			restarted = 0;
			resets++;
			wake();
			from = avr->cycle, look = 0, start = wall();
		}
		if (avr->cycle < look)
			continue;
		look = avr->cycle + HZ / 2000;
		receive();
		commands();
		double ahead = (avr->cycle - from) / (double)HZ - (wall() - start);
		if (ahead > 0.0005)
			usleep(ahead * 1e6);
	}
}
