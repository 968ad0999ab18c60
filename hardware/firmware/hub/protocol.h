// SPDX-License-Identifier: Apache-2.0
/* The packets and frames of PROTOCOL.md. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdint.h>

#define PROTOCOL 1
#define MAJOR 1
#define MINOR 1
#define NAME "boardd hub"
#define BAUD 500000UL

#define SQUARES 64 /* a frame has a place for the cell of each, whether there is one or not */
#define WEIGHTS (2 + 2 + 1 + 1 + 4 + SQUARES / 8 + 3 * SQUARES)
#define FRAME_MAX (WEIGHTS + 4 + 2)

/* frame writes the frame of a packet to out and returns its length. The packet must have room for four bytes more, at
 * most 250 in all. */
uint8_t frame(uint8_t *out, uint8_t *packet, uint8_t len);

/* unframe decodes the n bytes before a zero in place and returns the length of the packet without its CRC; 0 if it is
 * none. */
uint8_t unframe(uint8_t *buf, uint8_t n);

#endif
