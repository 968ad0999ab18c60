// SPDX-License-Identifier: Apache-2.0
/* The hub's firmware in simavr, with 64 HX711 on its pins and its serial line on a pseudo-terminal.
 *
 *	sim hub.elf LINK
 *
 * LINK becomes a symbolic link to the terminal, as /dev/serial/by-id has them. Commands come on standard input, one a
 * line; each is answered with a line on standard output:
 *
 *	cell N COUNT   cell N, 0 to 63, shows COUNT
 *	off N, on N    cell N is unplugged, plugged in
 *	short N        cell N's data line is shorted to ground
 *	unplug, plug   the serial line
 *	report         "worst HIGH_US rate RATE resets N seconds T": longest clock pulse, RATE pin, starts, simulated time
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
#include "pins.h"
#include "sim_avr.h"
#include "sim_elf.h"

#define HZ 16000000UL

static const struct pin map[CELLS] = PIN_MAP;
static const char names[INPUTS] = {[IN_A] = 'A', [IN_B] = 'B', [IN_C] = 'C', [IN_F] = 'F', [IN_K] = 'K',
	[IN_L] = 'L', [IN_D] = 'D', [IN_G] = 'G', [IN_H] = 'H', [IN_J] = 'J'};

/* One converter: datasheet pages 4 and 5. */
static struct hx711 {
	avr_irq_t *dout;
	int32_t count, shown;  /* what it measures; what the reading under way shows */
	int bit;               /* bits clocked out of the reading; -1 when there is none */
	avr_cycle_count_t next; /* when the next conversion ends */
	int off, shorted;
} cells[CELLS];

static avr_t *avr;
static avr_cycle_count_t rose, worst;
static int rate = 1, resets;

static avr_cycle_count_t period(int i)
{
	/* Each converter has its own oscillator, up to 2 % from the others'. */
	return HZ / (rate ? 80 : 10) * (1000 - 20 + i % 41) / 1000;
}

static void drive(int i, int level)
{
	struct hx711 *c = &cells[i];
	avr_raise_irq(c->dout, c->shorted ? 0 : c->off ? 1 : level);
}

/* A conversion has ended: the data line goes low. */
static void converted(int i)
{
	struct hx711 *c = &cells[i];
	c->next += period(i);
	if (c->bit > 0)
		return; /* it is being read; the new value waits for the next conversion */
	c->bit = 0;
	c->shown = c->count;
	drive(i, 0);
}

/* One timer for all cells, as simavr has few: it comes back when the next conversion ends. */
static avr_cycle_count_t conversions(avr_t *a, avr_cycle_count_t when, void *param)
{
	avr_cycle_count_t next = when + HZ / 10;
	for (int i = 0; i < CELLS; i++) {
		while (cells[i].next <= when)
			converted(i);
		if (cells[i].next < next)
			next = cells[i].next;
	}
	return next;
}

static void wake(void)
{
	for (int i = 0; i < CELLS; i++) {
		cells[i].bit = -1;
		cells[i].next = avr->cycle + 4 * period(i); /* four conversions to settle, page 3 */
		drive(i, 1);
	}
	avr_cycle_timer_cancel(avr, conversions, NULL);
	avr_cycle_timer_register(avr, 3 * period(0), conversions, NULL);
}

/* The shared clock. */
static void sck(struct avr_irq_t *irq, uint32_t value, void *param)
{
	static uint32_t level;
	if (value == level)
		return;
	level = value;
	if (!value) {
		avr_cycle_count_t high = avr->cycle - rose;
		if (high > HZ / 1000000 * 60) {
			wake(); /* it slept, and begins anew */
			return;
		}
		if (high > worst)
			worst = high;
		return;
	}
	rose = avr->cycle;
	for (int i = 0; i < CELLS; i++) {
		struct hx711 *c = &cells[i];
		if (c->bit < 0)
			continue;
		if (c->bit < 24)
			drive(i, c->shown >> (23 - c->bit) & 1);
		else
			drive(i, 1);
		if (++c->bit > 24)
			c->bit = -1;
	}
}

static void rate_pin(struct avr_irq_t *irq, uint32_t value, void *param) { rate = value & 1; }

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
		cells[n].count = v;
	else if (sscanf(line, "off %d", &n) == 1 && n >= 0 && n < CELLS)
		cells[n].off = 1, drive(n, 1);
	else if (sscanf(line, "on %d", &n) == 1 && n >= 0 && n < CELLS)
		cells[n].off = cells[n].shorted = 0, drive(n, cells[n].bit != 0);
	else if (sscanf(line, "short %d", &n) == 1 && n >= 0 && n < CELLS)
		cells[n].shorted = 1, drive(n, 0);
	else if (!strcmp(line, "unplug"))
		unplug();
	else if (!strcmp(line, "plug"))
		plug();
	else if (!strcmp(line, "hang"))
		hang();
	else if (!strcmp(line, "report")) {
		printf("worst %.2f rate %d resets %d seconds %.3f\n", worst / (HZ / 1e6), rate ? 80 : 10, resets, avr->cycle / (double)HZ);
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
	avr = avr_make_mcu_by_name("atmega2560");
	if (!avr) {
		fprintf(stderr, "sim: this simavr has no atmega2560\n");
		return 1;
	}
	avr_init(avr);
	strcpy(f.mmcu, "atmega2560");
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
		cells[i].bit = -1;
		cells[i].count = 1000 * i;
	}
	avr_irq_register_notify(pin('E', SCK_BIT), sck, NULL);
	avr_irq_register_notify(pin('E', RATE_BIT), rate_pin, NULL);
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
