// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

const suffix = ".journal"

func segmentName(n uint64) string { return fmt.Sprintf("%08d%s", n, suffix) }

// segmentNumber reads a segment's number from its file name; false for every other file.
func segmentNumber(name string) (uint64, bool) {
	digits, ok := strings.CutSuffix(name, suffix)
	n, err := strconv.ParseUint(digits, 10, 63)
	return n, ok && err == nil && n > 0 && segmentName(n) == name
}

// segmentOf tells to which segment a side file belongs; false for every other file.
func segmentOf(side string) (uint64, bool) {
	if !strings.HasSuffix(side, ".cut") {
		return 0, false
	}
	base, _, ok := strings.Cut(side, suffix)
	if !ok {
		return 0, false
	}
	return segmentNumber(base + suffix)
}

// scan is what one segment's bytes say.
type scan struct {
	records []Record
	good    int64 // bytes up to the end of the last whole frame; 0 when even the header is missing
	damage  *Damage
}

// scanSegment reads whole frames up to the first damage. A damaged header does not hide the frames behind it, a header of
// a later version does: it is an error, since cutting there would destroy a good file.
func scanSegment(name string, number uint64, b []byte) (scan, error) {
	v, whole := readHeader(b)
	if whole && v != version {
		return scan{}, fmt.Errorf("%s: written in version %d of the format, this program reads %d: use a newer boardd", name, v, version)
	}
	if len(b) < headerSize {
		return scan{damage: shortHeader(name, b)}, nil
	}
	s := scan{good: headerSize}
	for {
		payload, size, ok := readFrame(b[s.good:])
		if !ok {
			break
		}
		s.records = append(s.records, Record{Segment: number, Offset: s.good, Payload: payload})
		s.good += int64(size)
	}
	if rest := b[s.good:]; len(rest) > 0 || !whole {
		s.damage = &Damage{File: name, Header: !whole, Offset: s.good, Lost: int64(len(rest)), Whole: countWhole(rest), Full: full(rest)}
	}
	return s, nil
}

// shortHeader is the damage of a segment that was cut while it was being made; a beginning of the header loses nothing.
func shortHeader(name string, b []byte) *Damage {
	if strings.HasPrefix(string(header(version)), string(b)) {
		return nil
	}
	return &Damage{File: name, Lost: int64(len(b))}
}

func readAll(f File) ([]byte, error) {
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	b := make([]byte, size)
	n, err := f.ReadAt(b, 0)
	if errors.Is(err, io.EOF) && int64(n) == size {
		err = nil
	}
	return b[:n], err
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
	return numbers, nil
}

func loadSegment(fs FS, dir string, n uint64) (scan, error) {
	name := filepath.Join(dir, segmentName(n))
	f, err := fs.OpenRead(name)
	if err != nil {
		return scan{}, err
	}
	b, err := readAll(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return scan{}, fmt.Errorf("read %s: %w", name, err)
	}
	return scanSegment(name, n, b)
}
