// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const suffix = ".journal"

// ErrVersion is why a journal that a later version has written is neither read nor touched.
var ErrVersion = errors.New("written in version")

func segmentName(n uint64) string { return fmt.Sprintf("%08d%s", n, suffix) }

// maxSegment is the highest number of a segment. No board comes to it, and a file with a higher one is none.
const maxSegment = 1e15

// segmentNumber reads a segment's number from its file name; false for every other file.
func segmentNumber(name string) (uint64, bool) {
	digits, ok := strings.CutSuffix(name, suffix)
	n, err := strconv.ParseUint(digits, 10, 63)
	return n, ok && err == nil && n > 0 && n < maxSegment && segmentName(n) == name
}

// sideFileSegment is the segment to which a side file belongs; false for every other file.
func sideFileSegment(side string) (uint64, bool) {
	if !strings.HasSuffix(side, ".cut") {
		return 0, false
	}
	base, _, ok := strings.Cut(side, suffix)
	if !ok {
		return 0, false
	}
	return segmentNumber(base + suffix)
}

// maxSegmentBytes is the largest number of bytes of a segment that are read. boardd begins a new one long before. One
// flipped bit can make a file seem far longer than the disk, and must not fill the memory.
const maxSegmentBytes = 64 << 20

// maxDamages is how many damages of one segment are kept.
const maxDamages = 1000

// scan is the content of one segment.
type scan struct {
	records     []Record
	version     uint32
	wholeBytes  int64 // bytes up to the end of the last whole frame; 0 when even the header is missing
	headerWhole bool  // the header is whole
	held        int   // bytes of memory that the records keep
	damage      []Damage
}

// scanSegment reads all whole frames. Damage hides only the bytes that it hit: reading goes on at the next whole
// frame. A header of a later version is an error, because this program does not know what the file means.
func scanSegment(name string, number uint64, b []byte) (scan, error) {
	v, whole := readHeader(b)
	switch {
	case whole && (v == 0 || v > Version):
		return scan{}, fmt.Errorf("%s: %w %d, and this program reads versions 1 to %d: use a newer boardd, or let that "+
			"one write a journal for this one (boardd journal salvage --format %d)", name, ErrVersion, v, Version,
			Version)
	case len(b) < headerSize:
		return scan{version: Version, damage: shortHeader(name, b)}, nil
	case whole:
		return scanFrames(name, number, v, b), nil
	}
	s := scanFrames(name, number, Version, b)
	if old := scanFrames(name, number, 1, b); len(old.records) > len(s.records) {
		s = old
	}
	s.headerWhole = false
	s.damage = append([]Damage{{File: name, Header: true, RecordsAfter: len(s.records)}}, s.damage...)
	return s, nil
}

// scanFrames reads the frames behind the header as those of one version.
func scanFrames(name string, number uint64, v uint32, b []byte) scan {
	s := scan{version: v, wholeBytes: headerSize, headerWhole: true}
	at, budget, gap := headerSize, maxSearchBytes, false
	for at < len(b) {
		if len(s.records) == mostRecords {
			s.damage = append(s.damage, Damage{File: name, Offset: int64(at), Lost: int64(len(b) - at), TooLarge: true})
			s.headerWhole = false // nothing may be written after bytes that were not read
			break
		}
		f, ok := readFrame(v, b[at:])
		if ok {
			s.records = append(s.records, Record{Segment: number, Offset: int64(at), Number: f.number, Payload: f.payload,
				Gap: gap})
			at += f.size
			s.wholeBytes, gap = int64(at), false
			continue
		}
		d := Damage{File: name, Offset: int64(at), Complete: isComplete(v, b[at:])}
		next := nextFrame(v, b[at+1:], &budget)
		if next < 0 {
			next = len(b) - at - 1
		}
		d.Lost = int64(next) + 1
		if len(s.damage) == maxDamages {
			s.damage = s.damage[:maxDamages-1] // the last damage is the one that matters
		}
		s.damage = append(s.damage, d)
		at += next + 1
		gap = true
	}
	after := len(s.records)
	for i := range s.damage {
		d := &s.damage[len(s.damage)-1-i]
		for after > 0 && s.records[after-1].Offset > d.Offset {
			after--
		}
		d.RecordsAfter = len(s.records) - after
	}
	return s
}

// recordBytes is what a record takes in memory beside its payload. Those of boardd are longer than that.
const recordBytes = 64

// mostRecords is how many records of a segment are read. A segment of boardd's own has fewer.
const mostRecords = maxReadBytes / (4 * recordBytes)

// hold notes how many bytes of memory the records keep: those that were read or, if the records are tiny, their own.
// Where their payloads are few among what is damaged, they are copied, and all the rest goes.
func (s *scan) hold(bytesRead int) {
	beside := recordBytes * len(s.records)
	s.held = max(bytesRead, beside)
	own := 0
	for _, r := range s.records {
		own += len(r.Payload)
	}
	if own > bytesRead/2 {
		return
	}
	s.held = max(own, beside)
	for i := range s.records {
		s.records[i].Payload = slices.Clone(s.records[i].Payload)
	}
}

// noteReadError notes why bytes of a segment could not be read.
func (s *scan) noteReadError(name string, why error) {
	if len(s.damage) == 0 {
		s.damage = []Damage{{File: name, RecordsAfter: len(s.records)}}
	}
	for i := range s.damage {
		s.damage[i].ReadError = why
	}
}

// shortHeader is the damage of a segment that was cut while it was being made. Nothing is lost if only a part of the
// header was written.
func shortHeader(name string, b []byte) []Damage {
	for v := uint32(1); v <= Version; v++ {
		if strings.HasPrefix(string(header(v)), string(b)) {
			return nil
		}
	}
	return []Damage{{File: name, Lost: int64(len(b))}}
}

// content is what was read of a file.
type content struct {
	b         []byte // the file, or its first bytes where it is larger than any that boardd writes
	size      int64  // of the file, bytes
	readError error  // why the card did not give some of b, which are zero; nil if it gave all
}

// Where a file cannot be read at once, it is read by the sector, up to a limit of sectors that cannot be read. For
// each of them a card may take seconds.
const (
	sector        = 4096 // bytes
	maxBadSectors = 64
)

func readAll(f File) (content, error) {
	size, err := f.Size()
	if err != nil {
		return content{}, err
	}
	c := content{b: make([]byte, min(size, maxSegmentBytes)), size: size}
	n, err := f.ReadAt(c.b, 0)
	if err == nil || errors.Is(err, io.EOF) {
		c.b = c.b[:n]
		return c, nil
	}
	clear(c.b)
	for at, bad := 0, 0; at < len(c.b) && bad < maxBadSectors; at += sector {
		part := c.b[at:min(at+sector, len(c.b))]
		if _, err := f.ReadAt(part, int64(at)); err != nil && !errors.Is(err, io.EOF) {
			clear(part)
			c.readError = err
			bad++
		}
	}
	return c, nil
}

// segments lists the numbers of the segments in dir, oldest first.
func segments(fs FS, dir string) ([]uint64, error) {
	names, err := fs.List(dir)
	if err != nil {
		return nil, err
	}
	var numbers []uint64
	for _, name := range names {
		if n, ok := segmentNumber(name); ok {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers) // by name, one of nine digits stands before some of eight
	return numbers, nil
}

func loadSegment(fs FS, dir string, n uint64) (scan, error) {
	name := filepath.Join(dir, segmentName(n))
	f, err := fs.OpenRead(name)
	if err != nil && !errors.Is(err, os.ErrPermission) { // a damaged card; a right that is missing people can give
		return scan{version: Version, damage: []Damage{{File: name, ReadError: err}}}, nil
	}
	if err != nil {
		return scan{}, err
	}
	c, err := readAll(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return scan{}, fmt.Errorf("read %s: %w", name, err)
	}
	s, err := scanSegment(name, n, c.b)
	if err != nil {
		return s, err
	}
	s.hold(len(c.b))
	beyond := c.size - int64(len(c.b))
	// nothing may be written after bytes that were not read
	s.headerWhole = s.headerWhole && beyond == 0 && c.readError == nil
	if beyond > 0 {
		s.damage = append(s.damage, Damage{File: name, Offset: int64(len(c.b)), Lost: beyond, TooLarge: true})
	}
	if c.readError != nil {
		s.noteReadError(name, c.readError)
	}
	return s, nil
}
