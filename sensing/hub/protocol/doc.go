// SPDX-License-Identifier: Apache-2.0

// Package protocol is what the hub of load cells and its host say to each other, version 1. The full description,
// complete enough to write another hub from, is hardware/firmware/hub/PROTOCOL.md.
//
// A frame on the wire is a packet in COBS coding followed by a zero byte, which occurs nowhere else: whoever joins in
// the middle is in step after the next zero. A packet is a version byte, a type byte, the body, and the CRC-32C of all
// before it, low byte first. The package does no input and no output: bytes in, packets out.
package protocol
