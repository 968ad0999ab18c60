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
	Payload []byte
}

// Report says what Open or Read found. Its String is one line for people, "" when there is nothing to say.
type Report struct {
	Segments int
	Records  int
	Bytes    int64 // of all segments after cutting
	Damage   []Damage
	Warning  error // why the journal cannot be mended or locked, for instance a read-only card; nil otherwise
}

// Damage is one place where a segment could not be read.
type Damage struct {
	File   string
	Offset int64  // of the first byte not understood
	Lost   int64  // bytes from there on that are no longer read
	Whole  int    // whole frames found in those bytes
	Full   bool   // the first record in those bytes was written to its end and changed afterwards; otherwise it may have been cut short
	Header bool   // the segment's header was damaged and is written anew
	Aside  string // the side file that keeps the bytes; "" when none was written
}

// String says in words what was cut.
func (d Damage) String() string {
	if d.Header && d.Lost == 0 {
		return fmt.Sprintf("%s: the header was damaged and is written anew", d.File)
	}
	what := "a record that was not written to its end, or whose length is damaged, is"
	switch {
	case d.Whole > 0:
		what = fmt.Sprintf("a damaged record and %d whole ones after it are", d.Whole)
	case d.Full:
		what = "a damaged record, the last one, is"
	}
	kept := "not kept"
	if d.Aside != "" {
		kept = "kept in " + d.Aside
	}
	return fmt.Sprintf("%s: %s lost: cut off at byte %d (%d bytes, %s)", d.File, what, d.Offset, d.Lost, kept)
}

// String joins everything that the owner of the board should know.
func (r Report) String() string {
	var parts []string
	for _, d := range r.Damage {
		parts = append(parts, d.String())
	}
	if r.Warning != nil {
		parts = append(parts, r.Warning.Error())
	}
	return strings.Join(parts, "; ")
}
