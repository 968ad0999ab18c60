// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"path/filepath"
)

// oldestName is the file that holds the number of the oldest segment that Boundary has not removed. Without it nobody
// could say whether older ones went for the budget or somebody has removed them. If it is gone, or was not written to
// its end, the oldest segment that is there counts.
const oldestName = "oldest"

const oldestFormat = "%08d\n" // of one length, so that an end that was not written is noticed

// readOldest reads the file; 0 if nobody knows.
func readOldest(fs FS, dir string) uint64 {
	f, err := fs.OpenRead(filepath.Join(dir, oldestName))
	if err != nil {
		return 0
	}
	defer f.Close() //nolint:errcheck // it was only read
	c, err := readAll(f)
	var n uint64
	if _, e := fmt.Sscanf(string(c.b), oldestFormat, &n); err != nil || e != nil || fmt.Sprintf(oldestFormat, n) !=
		string(c.b) {
		return 0
	}
	return n
}

// setOldest writes the file, durably.
func (j *Journal) setOldest(n uint64) error {
	if n == j.oldest {
		return nil
	}
	f, err := j.o.FS.Open(filepath.Join(j.dir, oldestName), true)
	if err != nil {
		return err
	}
	text := fmt.Appendf(nil, oldestFormat, n)
	_, err = f.WriteAt(text, 0)
	if err == nil {
		err = f.Truncate(int64(len(text)))
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		j.oldest = n
	}
	return err
}

// raiseOldest sets the number before older segments are removed. Where it cannot be written, as on a full disk, the
// file goes: then nobody knows the number.
func (j *Journal) raiseOldest(n uint64) error {
	if err := j.setOldest(n); err != nil {
		if gone := j.o.FS.Remove(filepath.Join(j.dir, oldestName)); gone != nil {
			return errors.Join(err, gone)
		}
		j.oldest = 0
	}
	return nil
}

// gone is how many segments were removed by others before the first of those that are there.
func gone(oldest uint64, numbers []uint64) int {
	if oldest == 0 || len(numbers) > 0 && numbers[0] <= oldest {
		return 0
	}
	if len(numbers) == 0 {
		return 1 // at least
	}
	return int(min(numbers[0]-oldest, 1<<30))
}
