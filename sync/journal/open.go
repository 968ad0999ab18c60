// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
)

// Options are the journal's settings; the zero value is sensible.
type Options struct {
	Segment int64 // bytes from which Boundary begins a new segment; 0 is 1 MiB
	Budget  int64 // bytes of all segments and side files above which Boundary removes the oldest; 0 is 32 MiB
	FS      FS    // nil is Disk
}

func (o Options) filled() Options {
	if o.Segment == 0 {
		o.Segment = 1 << 20
	}
	if o.Budget == 0 {
		o.Budget = 32 << 20
	}
	if o.FS == nil {
		o.FS = Disk{}
	}
	return o
}

// Journal is an open journal. Its methods may be called from any goroutine; the order of appends is the order of calls.
type Journal struct {
	mu      sync.Mutex
	dir     string
	o       Options
	lock    io.Closer
	number  uint64   // of the segment that is written
	file    File     // nil when it has to be opened before the next write
	end     int64    // bytes of the segment that are whole and synced
	mend    *Damage  // a damage of the written segment that is not cut off yet
	backlog [][]byte // frames that could not be written, oldest first
	waiting int      // bytes in backlog
	records int      // acknowledged since Open
	closed  bool
}

// Open opens or makes the journal in dir and gives every whole record in order, oldest first. What cannot be read is kept
// aside, cut off and told in the report. A journal that can be read but not written (a read-only card) opens as well: the
// report warns, and every Append fails until writing works. An error means that there is no journal: the directory cannot be
// made or read, another process holds it, or a later version wrote it.
func Open(dir string, o Options) (*Journal, []Record, Report, error) {
	o = o.filled()
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
	warning := err
	j.lock = lock
	numbers, err := segments(j.o.FS, j.dir)
	if err != nil {
		return nil, Report{}, err
	}
	records, report, err := j.load(numbers)
	if err != nil {
		return nil, Report{}, err
	}
	report.Warning = errors.Join(warning, report.Warning)
	return records, report, nil
}

// load reads all segments, mends those that are damaged and leaves the last one ready for appending.
func (j *Journal) load(numbers []uint64) ([]Record, Report, error) {
	var records []Record
	report := Report{Segments: len(numbers)}
	j.number = 1
	for i, n := range numbers {
		s, err := loadSegment(j.o.FS, j.dir, n)
		if err != nil {
			return nil, Report{}, err
		}
		records = append(records, s.records...)
		report.Bytes += s.good
		last := i == len(numbers)-1
		if s.damage != nil {
			report.Warning = errors.Join(report.Warning, j.cut(n, s.damage, last))
			report.Damage = append(report.Damage, *s.damage)
		}
		if last {
			j.number, j.end = n, s.good
		}
	}
	report.Records = len(records)
	return records, report, nil
}

// cut mends one segment. The written segment must be whole before the next append, so that one is tried again then.
func (j *Journal) cut(n uint64, d *Damage, last bool) error {
	err := mend(j.o.FS, j.dir, n, d)
	if err != nil && last {
		j.mend = d
	}
	return err
}

// Read reads the journal in dir without locking or mending it, for export.
func Read(dir string, o Options) ([]Record, Report, error) {
	o = o.filled()
	numbers, err := segments(o.FS, dir)
	if err != nil {
		return nil, Report{}, fmt.Errorf("read journal %s: %w", dir, err)
	}
	var records []Record
	report := Report{Segments: len(numbers)}
	for _, n := range numbers {
		s, err := loadSegment(o.FS, dir, n)
		if err != nil {
			return nil, Report{}, fmt.Errorf("read journal %s: %w", dir, err)
		}
		records = append(records, s.records...)
		report.Bytes += s.good
		if s.damage != nil {
			report.Damage = append(report.Damage, *s.damage)
		}
	}
	report.Records = len(records)
	return records, report, nil
}

func (j *Journal) path(n uint64) string { return filepath.Join(j.dir, segmentName(n)) }
