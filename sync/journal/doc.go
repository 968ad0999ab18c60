// SPDX-License-Identifier: Apache-2.0

// Package journal keeps opaque records in append-only files such that a record once acknowledged survives a power cut.
//
// A journal is a directory of segments named 00000001.journal, 00000002.journal and so on. A segment is a header of 16 bytes
// (magic "boarddJ\n", u32 version, u32 CRC-32C of the twelve bytes before) and frames. A frame is
//
//	u32 length | u32 CRC-32C of length and payload | payload
//
// with integers in little endian and a length of 1 to MaxRecord. Each call of Append writes its frames with one write and one
// sync; a new file is followed by a sync of its directory. Open reads every whole frame before the first damage of each
// segment, copies what follows into a side file (00000001.journal.<offset>.cut) and cuts it off.
//
// A write that fails is returned, never a panic; its records stay in memory in their order and are written before any later
// record, so that a card that recovers holds a journal without a gap. Boundary marks the points between games: only there a
// new segment begins, and only whole old segments are removed to keep within the disk budget.
package journal
