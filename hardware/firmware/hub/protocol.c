// SPDX-License-Identifier: Apache-2.0
#include "protocol.h"

/* crc32c is the CRC-32C of n bytes, bit by bit: 1.5 ms for a frame of weights. */
static uint32_t crc32c(const uint8_t *p, uint8_t n)
{
	uint32_t crc = 0xffffffff;
	while (n--) {
		uint8_t i;
		crc ^= *p++;
		for (i = 0; i < 8; i++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	return ~crc;
}

static void put_crc(uint8_t *p, uint32_t crc)
{
	uint8_t i;
	for (i = 0; i < 4; i++, crc >>= 8)
		p[i] = crc;
}

uint8_t frame(uint8_t *out, uint8_t *packet, uint8_t len)
{
	uint8_t i, code = 0, pos = 1;
	put_crc(packet + len, crc32c(packet, len));
	len += 4;
	/* Fewer than 254 bytes, so that a block never runs full. */
	for (i = 0; i < len; i++) {
		if (packet[i] != 0) {
			out[pos++] = packet[i];
			continue;
		}
		out[code] = pos - code;
		code = pos++;
	}
	out[code] = pos - code;
	out[pos++] = 0;
	return pos;
}

uint8_t unframe(uint8_t *buf, uint8_t n)
{
	uint8_t from = 0, to = 0, crc[4], i;
	while (from < n) {
		uint8_t code = buf[from++];
		uint16_t end = from + code - 1;
		if (code == 0 || end > n)
			return 0;
		while (from < end)
			buf[to++] = buf[from++];
		if (code != 0xff && from < n)
			buf[to++] = 0;
	}
	if (to < 6)
		return 0;
	put_crc(crc, crc32c(buf, to - 4));
	for (i = 0; i < 4; i++)
		if (crc[i] != buf[to - 4 + i])
			return 0;
	return to - 4;
}
