// SPDX-License-Identifier: Apache-2.0

// Package journal keeps opaque records in append-only files such that a record once acknowledged survives a power cut.
//
// A journal is a directory of segments named 00000001.journal, 00000002.journal and so on. A segment is a header of 16
// bytes (magic "boarddJ\n", u32 version, u32 CRC-32C of the twelve bytes before) and frames. A frame is
//
//	u32 length | u32 CRC-32C of length, number and payload | u64 number | payload
//
// with integers in little endian and a length of 1 to MaxRecord. The number is one more with each record of the
// journal, so that a record that is missing is noticed, and one that stands there twice. Version 1 had none. Each call
// of Append writes its frames with one write and one sync; a new file is followed by a sync of its directory.
//
// Damage costs the bytes that it hit: reading goes on at the next whole frame, and nothing is removed. Only behind the
// last whole frame of the segment that is written, where the power may have failed in the middle of a write, the torn
// end is copied into a side file (00000001.journal.<offset>.cut) and cut off. A segment of an older version, or with a
// damaged header, is read and never written again. A later version's is refused.
//
// A write that fails is returned, never a panic; its records stay in memory in their order and are written before any
// later record, so that a card that recovers holds a journal without a gap. Boundary marks the points between games:
// only there whole old segments are removed to keep within the disk budget.
package journal
