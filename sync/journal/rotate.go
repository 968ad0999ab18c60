// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"path/filepath"
)

// Boundary says that the following records do not depend on earlier ones, because a new game begins. When the segment
// has reached its size a new one is begun. Then the oldest segments are removed, with their side files, until the
// budget holds. The segment that is being written is never removed. On an error nothing is lost; old segments only
// stay longer than they should.
func (j *Journal) Boundary() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed || len(j.backlog) > 0 {
		return nil // the records that wait belong to this segment; rotate another time
	}
	j.storeNewest()
	var err error
	if j.syncedBytes >= j.o.SegmentBytes {
		err = j.nextSegment()
	}
	if err = errors.Join(err, j.enforceBudget()); err != nil {
		return fmt.Errorf("rotate journal %s: %w", j.dir, err)
	}
	return nil
}

func (j *Journal) nextSegment() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
		j.file = nil
	}
	j.segment++
	j.syncedBytes = 0
	return err
}

// Usage returns how many bytes segments and side files have, and the number above which Boundary removes the oldest.
func (j *Journal) Usage() (used, budget int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	names, err := j.o.FS.List(j.dir)
	for _, name := range names {
		if size, ok := j.sizeOfOwn(name); ok && err == nil {
			used += size
		}
	}
	return used, j.o.BudgetBytes
}

// enforceBudget removes the oldest segments, and then the oldest side files, while the directory holds more than the
// budget.
func (j *Journal) enforceBudget() error {
	names, err := j.o.FS.List(j.dir)
	if err != nil {
		return err
	}
	sizes, total := map[string]int64{}, int64(0)
	for _, name := range names {
		if size, ok := j.sizeOfOwn(name); ok {
			sizes[name] = size
			total += size
		}
	}
	removed := false
	for _, name := range names { // sorted: a segment stands before its side files, older before newer
		size, ours := sizes[name]
		if !ours || total <= j.o.BudgetBytes || name == segmentName(j.segment) {
			continue
		}
		if n, segment := segmentNumber(name); segment && j.oldestSegment > 0 {
			if err := j.raiseOldest(n + 1); err != nil {
				return err
			}
		}
		if err := j.o.FS.Remove(filepath.Join(j.dir, name)); err != nil {
			return err
		}
		total -= size
		removed = true
		if j.o.OnRemoved != nil {
			j.o.OnRemoved(name, size)
		}
	}
	if removed {
		return j.o.FS.SyncDir(j.dir)
	}
	return nil
}

// sizeOfOwn returns the size of a segment or side file; false for other files and those that cannot be opened.
func (j *Journal) sizeOfOwn(name string) (int64, bool) {
	_, segment := segmentNumber(name)
	_, side := sideFileSegment(name)
	if !segment && !side {
		return 0, false
	}
	return sizeOf(j.o.FS, filepath.Join(j.dir, name))
}

// sizeOf returns the size of a file; false when it cannot be opened.
func sizeOf(fs FS, name string) (int64, bool) {
	f, err := fs.OpenRead(name)
	if err != nil {
		return 0, false
	}
	size, err := f.Size()
	return size, errors.Join(err, f.Close()) == nil
}
