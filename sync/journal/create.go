// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"path/filepath"
)

// Create writes a new journal with these records into dir, in version v of the format. That may be an older one, for
// an older program. A folder that has a journal already is refused. On an error nothing of the new journal stays.
func Create(dir string, o Options, v uint32, payloads [][]byte) error {
	o = o.withDefaults()
	if v < 1 || v > Version {
		return fmt.Errorf("format %d of a journal is unknown, want 1 to %d", v, Version)
	}
	if err := o.FS.MkdirAll(dir); err != nil {
		return err
	}
	there, err := segments(o.FS, dir)
	if err != nil {
		return err
	}
	if len(there) > 0 {
		return fmt.Errorf("%s holds a journal already: name a new folder", dir)
	}
	if names, err := o.FS.List(dir); err != nil {
		return err
	} else if len(names) > 0 {
		return fmt.Errorf("%s holds files already: name a new folder", dir)
	}
	var made []string
	next := func(b []byte) error {
		name := filepath.Join(dir, segmentName(uint64(len(made))+1))
		f, err := o.FS.Create(name)
		if err != nil {
			return err
		}
		made = append(made, name)
		return writeWhole(f, b)
	}
	if err = writeSegments(o.SegmentBytes, v, payloads, next); err == nil {
		err = o.FS.SyncDir(dir)
	}
	if err != nil {
		for _, name := range made {
			err = errors.Join(err, o.FS.Remove(name))
		}
	}
	return err
}

// writeSegments calls next with the bytes of each segment in turn.
func writeSegments(most int64, v uint32, payloads [][]byte, next func(b []byte) error) (err error) {
	b := header(v)
	for i, p := range payloads {
		if int64(len(b)) >= most {
			if err := next(b); err != nil {
				return err
			}
			b = header(v)
		}
		if b, err = appendFrame(b, v, uint64(i)+1, p); err != nil {
			return err
		}
	}
	return next(b)
}

func writeWhole(f File, b []byte) error {
	_, err := f.WriteAt(b, 0)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// SideFiles lists the files that keep what was cut off, oldest segment first.
func SideFiles(dir string, o Options) (names []string, err error) {
	all, err := o.withDefaults().FS.List(dir)
	for _, name := range all {
		if _, side := sideFileSegment(name); side {
			names = append(names, name)
		}
	}
	return names, err
}

// ReadSideFiles reads the whole records in the files that keep what was cut off. Before version 2 of the format
// everything after a damage was cut off, even whole records.
func ReadSideFiles(dir string, o Options) (records []Record, err error) {
	o = o.withDefaults()
	names, err := SideFiles(dir, o)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		f, err := o.FS.OpenRead(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		c, err := readAll(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		number, _ := sideFileSegment(name)
		b := append(make([]byte, headerSize), c.b...)
		s := scanFrames(name, number, 1, b)
		if now := scanFrames(name, number, Version, b); len(now.records) > len(s.records) {
			s = now
		}
		if len(s.records) > 0 {
			s.records[0].Gap = true
		}
		records = append(records, s.records...)
	}
	return records, nil
}
