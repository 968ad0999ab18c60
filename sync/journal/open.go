// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
)

// Options is the journal's settings. Zero values stand for the defaults that are named.
type Options struct {
	SegmentBytes  int64 // size from which Boundary begins a new segment; 0 is 1 MiB
	BudgetBytes   int64 // size of all segments and side files above which Boundary removes the oldest; 0 is 32 MiB
	FS            FS    // nil is Disk
	ExpectRecords bool  // there should be records

	OnRemoved   func(file string, size int64) // is called for each file that Boundary removes; may be nil
	OnRecreated func(file string)             // is called when a removed file was written again; may be nil
}

func (o Options) withDefaults() Options {
	if o.SegmentBytes == 0 {
		o.SegmentBytes = 1 << 20
	}
	if o.BudgetBytes == 0 {
		o.BudgetBytes = 32 << 20
	}
	if o.FS == nil {
		o.FS = Disk{}
	}
	return o
}

// Journal is an open journal. Its methods may be called from any goroutine; the order of appends is the order of
// calls.
type Journal struct {
	mu            sync.Mutex
	dir           string
	o             Options
	lock          io.Closer
	segment       uint64   // of the segment that is written
	made          bool     // the file of that segment is this journal's own
	file          File     // nil when it has to be opened before the next write
	syncedBytes   int64    // bytes of the segment that are whole and synced
	damagedTail   *Damage  // a damage of the written segment that is not cut off yet
	backlog       [][]byte // frames that could not be written, oldest first
	backlogBytes  int      // bytes in backlog
	lastRecord    uint64   // number of the newest record
	oldestSegment uint64   // number of the oldest segment that should be there; 0: unknown
	newestRecord  uint64   // number of a record up to which all should be there; 0: unknown
	closed        bool
}

// Open opens or makes the journal in dir and returns every whole record in order, oldest first. Damage stays where it
// is, and is in the report. Only a torn end of the segment that is being written is cut off, and kept aside. A journal
// that can be read but not written (a read-only card) opens as well: the report warns, and every Append fails until
// writing works. An error means that there is no journal. It may be that the directory cannot be made or read, or that
// the right to read a file is missing. Or another process has locked it, it cannot be locked, or a later version wrote
// it.
func Open(dir string, o Options) (*Journal, []Record, Report, error) {
	o = o.withDefaults()
	j := &Journal{dir: dir, o: o}
	records, report, err := j.open()
	if err != nil {
		if j.lock != nil {
			j.lock.Close()
		}
		return nil, nil, Report{}, fmt.Errorf("open journal %s: %w", dir, err)
	}
	return j, records, report, nil
}

func (j *Journal) open() ([]Record, Report, error) {
	if err := j.o.FS.MkdirAll(j.dir); err != nil {
		return nil, Report{}, err
	}
	lock, err := j.o.FS.Lock(j.dir)
	if errors.Is(err, ErrLocked) {
		return nil, Report{}, err
	}
	if err != nil {
		return nil, Report{}, fmt.Errorf("%w: %w", ErrNoLock, err)
	}
	j.lock = lock
	numbers, err := segments(j.o.FS, j.dir)
	if err != nil {
		return nil, Report{}, err
	}
	records, report, err := j.load(numbers)
	if err != nil {
		return nil, Report{}, err
	}
	return records, report, nil
}

// load reads all segments and makes the last one ready for appending. If another version began that segment, or its
// header is damaged, it stays as it is, and a new one is begun.
func (j *Journal) load(numbers []uint64) ([]Record, Report, error) {
	records, report, scans, err := readSegments(j.o.FS, j.dir, numbers)
	if err != nil {
		return nil, Report{}, err
	}
	j.segment = 1
	j.oldestSegment, j.newestRecord = readMark(j.o.FS, j.dir, oldestMark), readMark(j.o.FS, j.dir, newestMark)
	report.RemovedSegments, report.Empty = removedBefore(j.oldestSegment, numbers), j.o.ExpectRecords && len(records) == 0
	report.expectUpTo(j.newestRecord)
	j.lastRecord = report.last
	j.storeNewest()
	if len(numbers) == 0 {
		return records, report, nil
	}
	if j.oldestSegment == 0 || numbers[0] < j.oldestSegment {
		j.setMark(oldestMark, &j.oldestSegment, numbers[0]) //nolint:errcheck // it is tried again at the next start
	}
	s := scans[len(scans)-1]
	j.segment, j.syncedBytes, j.made = numbers[len(numbers)-1], s.wholeBytes, true
	tail := tornEnd(s.damage)
	switch {
	case s.wholeBytes > 0 && (!s.headerWhole || s.version != Version) || s.wholeBytes == 0 && s.damage != nil:
		j.segment, j.syncedBytes, j.made = j.segment+1, 0, false
	case tail != nil:
		report.Warning = errors.Join(report.Warning, j.repairTail(j.segment, tail))
	}
	for i := range scans {
		report.Damage = append(report.Damage, scans[i].damage...)
	}
	return records, report, nil
}

// maxReadBytes is the largest number of bytes of records that are read of all segments together, the newest first. It
// is what a Raspberry Pi Zero has room for.
const maxReadBytes = 256 << 20

// readSegments reads segments in order. The damage is in the scans, and not yet in the report.
func readSegments(fs FS, dir string, numbers []uint64) (records []Record, report Report, scans []scan, err error) {
	report.Segments = len(numbers)
	held := 0
	scans = make([]scan, len(numbers))
	for i, n := range slices.Backward(numbers) {
		if held >= maxReadBytes {
			name := filepath.Join(dir, segmentName(n))
			size, _, _ := sizeOf(fs, name) // 0 where nobody knows it
			scans[i] = scan{damage: []Damage{{File: name, Lost: size, TooLarge: true}}}
			continue
		}
		if scans[i], err = loadSegment(fs, dir, n); err != nil {
			return nil, Report{}, nil, err
		}
		held += scans[i].held
	}
	for i, s := range scans {
		if i > 0 && len(s.records) > 0 && s.records[0].Number == 0 && endLost(scans[:i]) {
			s.records[0].Gap = true // from version 2 on the numbers say so
		}
		records = append(records, s.records...)
		report.Bytes += s.wholeBytes
	}
	records = report.sortRecords(records)
	report.Records = len(records)
	return records, report, scans, nil
}

// endLost reports whether something behind the last record of segments cannot be read.
func endLost(scans []scan) bool {
	for _, s := range slices.Backward(scans) {
		if n := len(s.damage); n > 0 && s.damage[n-1].RecordsAfter == 0 {
			return true
		}
		if len(s.records) > 0 {
			return false
		}
	}
	return false
}

// tornEnd is the damage behind the last whole record, nil for none.
func tornEnd(all []Damage) *Damage {
	if len(all) == 0 {
		return nil
	}
	if d := &all[len(all)-1]; d.RecordsAfter == 0 && !d.Header {
		return d
	}
	return nil
}

// repairTail repairs the segment that is being written, which must be whole before the next append. If it fails, the
// next append tries again.
func (j *Journal) repairTail(n uint64, d *Damage) error {
	err := repair(j.o.FS, j.dir, n, d)
	if err != nil {
		j.damagedTail = d
	}
	return err
}

// Read reads the journal in dir without locking or repairing it, for export.
func Read(dir string, o Options) ([]Record, Report, error) {
	o = o.withDefaults()
	numbers, err := segments(o.FS, dir)
	if err != nil {
		return nil, Report{}, fmt.Errorf("read journal %s: %w", dir, err)
	}
	records, report, scans, err := readSegments(o.FS, dir, numbers)
	if err != nil {
		return nil, Report{}, fmt.Errorf("read journal %s: %w", dir, err)
	}
	report.RemovedSegments = removedBefore(readMark(o.FS, dir, oldestMark), numbers)
	report.Empty = o.ExpectRecords && len(records) == 0
	report.expectUpTo(readMark(o.FS, dir, newestMark))
	for i := range scans {
		report.Damage = append(report.Damage, scans[i].damage...)
	}
	return records, report, nil
}

func (j *Journal) path(n uint64) string { return filepath.Join(j.dir, segmentName(n)) }
