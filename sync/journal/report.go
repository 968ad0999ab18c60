// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"fmt"
	"strings"
)

// Record is one payload as it was appended.
type Record struct {
	Segment uint64 // number of the segment, from 1
	Offset  int64  // of the frame in its file, bytes
	Number  uint64 // from 1, one more with each record of the journal; 0: written by version 1, which had none
	Gap     bool   // the record right before this one is damaged or missing
	Payload []byte

	sortKey uint64 // the number, or if there is none, that of the record before
}

// Payloads is what was appended, in order.
func Payloads(records []Record) (all [][]byte) {
	for _, r := range records {
		all = append(all, r.Payload)
	}
	return all
}

// Report is what Open or Read found. Its String is one line for people, "" when there is nothing to report.
type Report struct {
	Segments        int
	Records         int
	Bytes           int64 // of the whole parts of all segments
	RemovedSegments int   // segments, the oldest ones, that somebody has removed
	Empty           bool  // there is no record, although there were some (Options.ExpectRecords)
	Missing         int   // missing records, by their numbers
	MissingNewest   int   // of these the newest ones: they were written, and nothing of them is there
	Repeated        int   // repeated frames; the second one is skipped
	Damage          []Damage
	last            uint64
	Warning         error // why the journal cannot be repaired, for instance a read-only card; nil otherwise
}

// Damage is one place where a segment could not be read.
type Damage struct {
	File         string
	Offset       int64 // of the first byte not understood
	Lost         int64 // bytes from there on that were not understood
	RecordsAfter int   // whole records behind them in this segment, which are read
	// the first record in those bytes was written to its end and changed afterwards; otherwise it may have been cut short
	Complete  bool
	Header    bool   // it is the segment's header; no record is lost by it
	TooLarge  bool   // the file is larger than any that boardd writes, and this end of it was not read
	Cut       bool   // the bytes were cut off, so that writing can go on there
	SideFile  string // the side file that keeps what was cut; "" when none was written
	ReadError error  // why the card did not give some bytes of the segment; nil if it gave all
}

// String says in words what cannot be read, where it is, and why.
func (d Damage) String() string {
	if d.ReadError != nil {
		return fmt.Sprintf("%s; the card does not give all of the file: %v", d.describe(), d.ReadError)
	}
	return d.describe()
}

func (d Damage) describe() string {
	switch {
	case d.Header:
		return fmt.Sprintf("%s: the header is damaged; what follows is read all the same, records: %d", d.File,
			d.RecordsAfter)
	case d.ReadError != nil && d.Lost == 0 && d.RecordsAfter == 0:
		return d.File + ": it cannot be opened"
	case d.TooLarge:
		return fmt.Sprintf("%s: the file is larger than any that boardd writes, or has more records; what stands from "+
			"byte %d on is not read, bytes: %d", d.File, d.Offset, d.Lost)
	}
	what := "a record that was not written to its end, or whose length is damaged,"
	switch {
	case d.RecordsAfter > 0:
		what = "a damaged record"
	case d.Complete:
		what = "a damaged record, the last one,"
	}
	switch {
	case d.SideFile != "":
		return fmt.Sprintf("%s: %s is cut off at byte %d and kept in %s, bytes: %d", d.File, what, d.Offset,
			d.SideFile, d.Lost)
	case d.RecordsAfter > 0:
		return fmt.Sprintf("%s: %s cannot be read at byte %d, bytes: %d; whole ones after it, which are read: %d", d.File,
			what, d.Offset, d.Lost, d.RecordsAfter)
	}
	return fmt.Sprintf("%s: %s cannot be read at byte %d, bytes: %d", d.File, what, d.Offset, d.Lost)
}

// String joins everything that the owner of the board should know.
func (r Report) String() string {
	var parts []string
	for i, d := range r.Damage {
		if i == maxListed {
			parts = append(parts, fmt.Sprintf("and more places: %d", len(r.Damage)-i))
			break
		}
		parts = append(parts, d.String())
	}
	parts = append(parts, r.Losses()...)
	if r.Warning != nil {
		parts = append(parts, r.Warning.Error())
	}
	return strings.Join(parts, "; ")
}

// NewestLost reports whether the newest records are lost: those of the game that was going on.
func (r *Report) NewestLost() bool {
	n := len(r.Damage)
	return r.MissingNewest > 0 || n > 0 && r.Damage[n-1].Complete && r.Damage[n-1].RecordsAfter == 0
}

// maxListed is how many places a report names.
const maxListed = 5

// Losses says how much is gone, missing or repeated, a sentence each.
func (r Report) Losses() (parts []string) {
	if r.RemovedSegments > 0 {
		parts = append(parts, fmt.Sprintf("files of the journal that somebody, or an older boardd, has removed, the oldest "+
			"ones: %d", r.RemovedSegments))
	}
	if r.Empty {
		parts = append(parts, "the journal is empty, although this board has played: its files were removed or emptied; "+
			"put them back if you have them, and replace none that is there")
	}
	if r.Missing > 0 {
		parts = append(parts, fmt.Sprintf("records that are missing, by their numbers: %d", r.Missing))
	}
	if r.MissingNewest > 0 {
		parts = append(parts, fmt.Sprintf("of them the newest %d, what was played last: the end of the newest file was cut "+
			"off, or the file was emptied or removed", r.MissingNewest))
	}
	if r.Repeated > 0 {
		parts = append(parts, fmt.Sprintf("records that stand there twice: %d", r.Repeated))
	}
	return parts
}
