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

	place uint64 // the number, or if there is none, that of the record before
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
	Segments int
	Records  int
	Bytes    int64 // of the whole parts of all segments
	Gone     int   // segments, the oldest ones, that somebody has removed
	Empty    bool  // there is no record, although there were some (Options.Used)
	Missing  int   // missing records, by their numbers
	Short    int   // of these the newest ones: they were written, and nothing of them is there
	Repeated int   // repeated frames; the second one is skipped
	Damage   []Damage
	last     uint64
	Warning  error // why the journal cannot be repaired or locked, for instance a read-only card; nil otherwise
}

// Damage is one place where a segment could not be read.
type Damage struct {
	File   string
	Offset int64 // of the first byte not understood
	Lost   int64 // bytes from there on that were not understood
	Whole  int   // whole records behind them in this segment, which are read
	// the first record in those bytes was written to its end and changed afterwards; otherwise it may have been cut short
	Full   bool
	Header bool   // it is the segment's header; no record is lost by it
	Beyond bool   // the file is larger than any that boardd writes, and this end of it was not read
	Cut    bool   // the bytes were cut off, so that writing can go on there
	Aside  string // the side file that keeps what was cut; "" when none was written
	Unread error  // why the card did not give some bytes of the segment; nil if it gave all
}

// String says in words what cannot be read, where it is, and why.
func (d Damage) String() string {
	if d.Unread != nil {
		return fmt.Sprintf("%s; the card does not give all of the file: %v", d.what(), d.Unread)
	}
	return d.what()
}

func (d Damage) what() string {
	switch {
	case d.Header:
		return fmt.Sprintf("%s: the header is damaged; its %d records are read all the same", d.File, d.Whole)
	case d.Beyond:
		return fmt.Sprintf("%s: the file is larger than any that boardd writes; what stands from byte %d on (%d bytes) is "+
			"not read", d.File, d.Offset, d.Lost)
	}
	what := "a record that was not written to its end, or whose length is damaged,"
	switch {
	case d.Whole > 0:
		what = "a damaged record"
	case d.Full:
		what = "a damaged record, the last one,"
	}
	switch {
	case d.Aside != "":
		return fmt.Sprintf("%s: %s is cut off at byte %d (%d bytes, kept in %s)", d.File, what, d.Offset, d.Lost, d.Aside)
	case d.Whole > 0:
		return fmt.Sprintf("%s: %s cannot be read at byte %d (%d bytes); the %d whole ones after it are", d.File, what,
			d.Offset, d.Lost, d.Whole)
	}
	return fmt.Sprintf("%s: %s cannot be read at byte %d (%d bytes)", d.File, what, d.Offset, d.Lost)
}

// String joins everything that the owner of the board should know.
func (r Report) String() string {
	var parts []string
	for i, d := range r.Damage {
		if i == mostSaid {
			parts = append(parts, fmt.Sprintf("and at %d more places", len(r.Damage)-i))
			break
		}
		parts = append(parts, d.String())
	}
	parts = append(parts, r.Counted()...)
	if r.Warning != nil {
		parts = append(parts, r.Warning.Error())
	}
	return strings.Join(parts, "; ")
}

// Hit reports whether the newest records are lost: those of the game that was going on.
func (r *Report) Hit() bool {
	n := len(r.Damage)
	return r.Short > 0 || n > 0 && r.Damage[n-1].Full && r.Damage[n-1].Whole == 0
}

// mostSaid is how many places a report names.
const mostSaid = 5

// Counted says how much is gone, missing or repeated, a sentence each.
func (r Report) Counted() (parts []string) {
	if r.Gone > 0 {
		parts = append(parts, fmt.Sprintf("files of the journal that somebody, or an older boardd, has removed, the oldest "+
			"ones: %d", r.Gone))
	}
	if r.Empty {
		parts = append(parts, "the journal is empty, although this board has played: its files were removed or emptied; "+
			"put them back if you have them")
	}
	if r.Missing > 0 {
		parts = append(parts, fmt.Sprintf("records that are missing, by their numbers: %d", r.Missing))
	}
	if r.Short > 0 {
		parts = append(parts, fmt.Sprintf("of them the newest %d, what was played last: the end of the newest file was cut "+
			"off, or the file was emptied or removed", r.Short))
	}
	if r.Repeated > 0 {
		parts = append(parts, fmt.Sprintf("records that stand there twice: %d", r.Repeated))
	}
	return parts
}
