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
	j.noteNewest()
	var err error
	if j.end >= j.o.Segment {
		err = j.next()
	}
	if err = errors.Join(err, j.shrink()); err != nil {
		return fmt.Errorf("rotate journal %s: %w", j.dir, err)
	}
	return nil
}

func (j *Journal) next() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
		j.file = nil
	}
	j.number++
	j.end = 0
	return err
}

// Room returns how many bytes segments and side files have, and the number above which Boundary removes the oldest.
func (j *Journal) Room() (used, budget int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	names, err := j.o.FS.List(j.dir)
	for _, name := range names {
		if size, ok := j.size(name); ok && err == nil {
			used += size
		}
	}
	return used, j.o.Budget
}

// shrink removes the oldest segments, and then the oldest side files, while the directory holds more than the budget.
func (j *Journal) shrink() error {
	names, err := j.o.FS.List(j.dir)
	if err != nil {
		return err
	}
	sizes, total := map[string]int64{}, int64(0)
	for _, name := range names {
		if size, ok := j.size(name); ok {
			sizes[name] = size
			total += size
		}
	}
	removed := false
	for _, name := range names { // sorted: a segment stands before its side files, older before newer
		size, ours := sizes[name]
		if !ours || total <= j.o.Budget || name == segmentName(j.number) {
			continue
		}
		if n, segment := segmentNumber(name); segment && j.oldest > 0 {
			if err := j.raiseOldest(n + 1); err != nil {
				return err
			}
		}
		if err := j.o.FS.Remove(filepath.Join(j.dir, name)); err != nil {
			return err
		}
		total -= size
		removed = true
		if j.o.Removed != nil {
			j.o.Removed(name, size)
		}
	}
	if removed {
		return j.o.FS.SyncDir(j.dir)
	}
	return nil
}

// size returns the size of a segment or side file; false for other files and those that cannot be opened.
func (j *Journal) size(name string) (int64, bool) {
	_, segment := segmentNumber(name)
	_, side := segmentOf(name)
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
