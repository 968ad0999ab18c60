// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// The journal keeps two numbers in files of their own. Without them nobody could say whether somebody has removed the
// first or the last files, or emptied them. If such a file is gone, or was not written to its end, its number is 0,
// and only what is there counts.
const (
	oldestMark = "oldest" // the oldest segment that Boundary has not removed
	newestMark = "newest" // a record that was written: all up to it should be there
)

// markText is what such a file holds, with a checksum, because a write may reach the disk in part.
func markText(n uint64) string {
	digits := fmt.Sprintf("%020d", n)
	return fmt.Sprintf("%s %08x\n", digits, crc32c([]byte(digits)))
}

// readMark reads the number of a file; 0 if nobody knows.
func readMark(fs FS, dir, name string) uint64 {
	f, err := fs.OpenRead(filepath.Join(dir, name))
	if err != nil {
		return 0
	}
	defer f.Close() //nolint:errcheck // it was only read
	c, err := readAll(f)
	var n uint64
	if _, e := fmt.Sscanf(string(c.b), "%d", &n); err != nil || e != nil || markText(n) != string(c.b) {
		return 0
	}
	return n
}

// setMark writes a file, durably, if its number is another one than *known, and then sets that.
func (j *Journal) setMark(name string, known *uint64, n uint64) error {
	if n == *known {
		return nil
	}
	err := j.writeMark(name, n, File.Sync)
	if err == nil {
		*known = n
	}
	return err
}

// writeMark writes a file, and calls last before it is closed.
func (j *Journal) writeMark(name string, n uint64, last func(File) error) error {
	f, err := j.o.FS.Open(filepath.Join(j.dir, name), true)
	if err != nil {
		return err
	}
	text := []byte(markText(n))
	_, err = f.WriteAt(text, 0)
	if size, unknown := f.Size(); err == nil && (unknown != nil || size != int64(len(text))) {
		err = f.Truncate(int64(len(text)))
	}
	if err == nil {
		err = last(f)
	}
	return errors.Join(err, f.Close())
}

// raiseOldest sets the number before older segments are removed. Where it cannot be written, as on a full disk, the
// file goes: then nobody knows the number.
func (j *Journal) raiseOldest(n uint64) error {
	if err := j.setMark(oldestMark, &j.oldestSegment, n); err != nil {
		if gone := j.o.FS.Remove(filepath.Join(j.dir, oldestMark)); gone != nil {
			return errors.Join(err, gone)
		}
		j.oldestSegment = 0
	}
	return nil
}

// storeNewest sets the number of the newest record, which must be synced. Where it cannot be written it is tried again
// later. The number that stands there is then lower, which is no error.
func (j *Journal) storeNewest() {
	if j.lastRecord <= maxNumber {
		j.setMark(newestMark, &j.newestRecord, j.lastRecord) //nolint:errcheck // see above
	}
}

// noteNewest writes the number of the newest record, which must be synced, and does not sync it: that would cost each
// move a second sync. So the number outlasts a kill. It outlasts a power cut once the system has written it to the
// disk, which Linux does after half a minute. If it is lost, the older number stands there, or none.
func (j *Journal) noteNewest() {
	if j.lastRecord <= maxNumber {
		j.writeMark(newestMark, j.lastRecord, func(File) error { return nil }) //nolint:errcheck // see storeNewest
	}
}

// recreateMarks writes the files again if they are not among the names of the folder.
func (j *Journal) recreateMarks(names []string) {
	for name, known := range map[string]*uint64{oldestMark: &j.oldestSegment, newestMark: &j.newestRecord} {
		if n := *known; n > 0 && !slices.Contains(names, name) {
			*known = 0
			j.setMark(name, known, n) //nolint:errcheck // without it what is there counts
		}
	}
}

// removedBefore is how many segments were removed by others before the first of those that are there.
func removedBefore(oldest uint64, numbers []uint64) int {
	if oldest == 0 || len(numbers) > 0 && numbers[0] <= oldest {
		return 0
	}
	if len(numbers) == 0 {
		return 1 // at least
	}
	return int(min(numbers[0]-oldest, 1<<30))
}

// expectUpTo takes it into the report that all records up to this number should be there.
func (r *Report) expectUpTo(newest uint64) {
	if newest > r.last {
		r.MissingNewest = int(min(newest-r.last, 1<<30))
		r.Missing += r.MissingNewest
		r.last = newest
	}
}
