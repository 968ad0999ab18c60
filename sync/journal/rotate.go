// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
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
	j.syncedBytes, j.made = 0, false
	return err
}

// Usage returns how many bytes segments and side files have on the disk, and the number above which Boundary removes
// the oldest.
func (j *Journal) Usage() (used, budget int64) {
	used, _ = Usage(j.dir, j.o) // what cannot be listed cannot be removed either
	return used, j.o.BudgetBytes
}

// Usage returns how many bytes the segments and side files of the journal in dir have on the disk.
func Usage(dir string, o Options) (used int64, err error) {
	sizes, err := ownSizes(o.withDefaults().FS, dir)
	for _, size := range sizes {
		used += size
	}
	return used, err
}

// enforceBudget removes the oldest segments, and then the oldest side files, while the directory holds more than the
// budget.
func (j *Journal) enforceBudget() error {
	sizes, err := ownSizes(j.o.FS, j.dir)
	if err != nil {
		return err
	}
	total := int64(0)
	for _, size := range sizes {
		total += size
	}
	removed := false
	for _, name := range slices.SortedFunc(maps.Keys(sizes), older) {
		size := sizes[name]
		if total <= j.o.BudgetBytes || name == segmentName(j.segment) {
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

// older compares two files of the journal. A segment stands before its side files.
func older(a, b string) int {
	return cmp.Or(cmp.Compare(len(stem(a)), len(stem(b))), strings.Compare(a, b))
}

// stem is the name of the segment of a file, without its ending.
func stem(name string) string {
	number, _, _ := strings.Cut(name, suffix)
	return number
}

// ownSizes returns how many bytes each segment and each side file has on the disk. A file that is larger than any that
// boardd writes is not among them. Its size is damaged, or it is none of boardd's. So no game is removed to make room
// for it, and it stays for people to look at.
func ownSizes(fs FS, dir string) (map[string]int64, error) {
	names, err := fs.List(dir)
	if err != nil {
		return nil, err
	}
	sizes := map[string]int64{}
	for _, name := range names {
		_, segment := segmentNumber(name)
		_, side := sideFileSegment(name)
		if !segment && !side {
			continue
		}
		if size, occupied, ok := sizeOf(fs, filepath.Join(dir, name)); ok && size <= maxSegmentBytes {
			sizes[name] = occupied
		}
	}
	return sizes, nil
}

// sizeOf returns the size of a file, and how much of that is on the disk; false when it cannot be opened.
func sizeOf(fs FS, name string) (size, occupied int64, ok bool) {
	f, err := fs.OpenRead(name)
	if err != nil {
		return 0, 0, false
	}
	size, err = f.Size()
	if err == nil {
		occupied, err = f.Occupied()
	}
	return size, occupied, errors.Join(err, f.Close()) == nil
}
