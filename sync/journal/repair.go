// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// repair copies the damaged end of a segment into a side file, makes that durable, and then cuts the end off. So a
// power cut leaves the bytes in one of the places or in both. Zeros at the end are not copied. A file system returns
// them for what never reached the disk, and there may be more of them than the disk has room for.
func repair(fs FS, dir string, n uint64, d *Damage) error {
	name := filepath.Join(dir, segmentName(n))
	f, err := fs.Open(name, false)
	if err != nil {
		return fmt.Errorf("mend %s: %w", name, err)
	}
	if err = errors.Join(cutTail(fs, dir, f, d), f.Close()); err != nil {
		return fmt.Errorf("mend %s: %w", name, err)
	}
	return nil
}

func cutTail(fs FS, dir string, f File, d *Damage) error {
	lost := make([]byte, d.Lost)
	if _, err := f.ReadAt(lost, d.Offset); err != nil {
		return err
	}
	side, err := saveTail(fs, dir, d, bytes.TrimRight(lost, "\x00"))
	if err != nil {
		return err
	}
	d.SideFile, d.Cut = side, true
	if err := f.Truncate(d.Offset); err != nil {
		return err
	}
	return f.Sync()
}

// saveTail writes what was lost into a side file and returns its name; "" if there is nothing to keep.
func saveTail(fs FS, dir string, d *Damage, lost []byte) (string, error) {
	if len(lost) == 0 {
		return "", nil
	}
	name, err := sideFileName(fs, d, lost)
	if err != nil {
		return "", err
	}
	side, err := fs.Open(name, true)
	if err != nil {
		return "", err
	}
	_, err = side.WriteAt(lost, 0)
	if err == nil {
		err = side.Truncate(int64(len(lost))) // an unfinished one may have been longer
	}
	if err == nil {
		err = side.Sync()
	}
	if err = errors.Join(err, side.Close()); err != nil {
		return "", err
	}
	return name, fs.SyncDir(dir)
}

// sideFileName is a name for a side file. It is a new one, or that of a file with the same bytes or a beginning of
// them.
func sideFileName(fs FS, d *Damage, lost []byte) (string, error) {
	name := fmt.Sprintf("%s.%d.cut", d.File, d.Offset)
	for n := 2; ; n++ {
		f, err := fs.OpenRead(name)
		if errors.Is(err, os.ErrNotExist) {
			return name, nil
		}
		if err != nil {
			return "", err
		}
		c, err := readAll(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return "", err
		}
		if c.readError == nil && bytes.HasPrefix(lost, c.b) {
			return name, nil
		}
		name = fmt.Sprintf("%s.%d.%d.cut", d.File, d.Offset, n)
	}
}
