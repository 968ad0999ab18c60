// SPDX-License-Identifier: Apache-2.0

// Package protocol is the protocol between the hub of load cells and its host, version 1. The full description, from
// which another hub can be written, is hardware/firmware/hub/PROTOCOL.md.
//
// A frame on the wire is a packet in COBS coding, followed by a zero byte, which occurs nowhere else. So a receiver
// that joins in the middle is synchronised after the next zero. A packet is a version byte, a type byte, the body, and
// the CRC-32C of all before it, low byte first. The package does no I/O.
package protocol
