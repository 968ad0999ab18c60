// SPDX-License-Identifier: Apache-2.0

// Package journal keeps opaque records in append-only files, so that an acknowledged record survives a power cut.
//
// A journal is a directory of segments named 00000001.journal, 00000002.journal and so on. A segment is a header of 16
// bytes (magic "boarddJ\n", u32 version, u32 CRC-32C of the twelve bytes before) and frames. A frame is
//
//	u32 length | u32 CRC-32C of length, number and payload | u64 number | payload
//
// with integers in little endian and a length of 1 to MaxRecord. The number increases by one with each record of the
// journal, so that a missing or repeated record is noticed. Version 1 had no numbers. Each call of Append writes its
// frames with one write and one sync. After a new file is made, its directory is synced. A new file never takes the
// place of another one.
//
// Damage loses only the bytes that it hit: reading goes on at the next whole frame, and nothing is removed. The
// exception is the end of the segment that is being written, where the power may have failed in the middle of a write.
// The bytes after its last whole frame are copied into a side file (00000001.journal.<offset>.cut) and cut off. A
// segment of an older version, or with a damaged header, is read and never written again. A segment of a later version
// is refused.
//
// A failed write is an error, never a panic. Its records stay in memory, and are written before any later record. So
// when a card recovers, its journal has no gap. Boundary marks the points between games. Only there are whole old
// segments removed to keep within the disk budget. Two small files, oldest and newest, keep which segments and records
// should be there, so that files which somebody removes, cuts or empties are missed. The number of the newest
// record is written after each append, and synced only between games and at the end: no append waits for it.
package journal
