// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"path/filepath"
)

// mend keeps the damaged end of a segment in a side file, cuts it off and makes both durable, in this order: a power cut
// in between leaves the bytes in both places, never in none.
func mend(fs FS, dir string, n uint64, d *Damage) error {
	name := filepath.Join(dir, segmentName(n))
	f, err := fs.Open(name, false)
	if err != nil {
		return fmt.Errorf("mend %s: %w", name, err)
	}
	if err = errors.Join(mendFile(fs, dir, f, d), f.Close()); err != nil {
		return fmt.Errorf("mend %s: %w", name, err)
	}
	return nil
}

func mendFile(fs FS, dir string, f File, d *Damage) error {
	if d.Header {
		if _, err := f.WriteAt(header(version), 0); err != nil {
			return err
		}
	}
	if d.Lost == 0 {
		return f.Sync()
	}
	side, err := keepAside(fs, dir, f, d)
	if err != nil {
		return err
	}
	d.Aside = side
	if err := f.Truncate(d.Offset); err != nil {
		return err
	}
	return f.Sync()
}

func keepAside(fs FS, dir string, f File, d *Damage) (string, error) {
	lost := make([]byte, d.Lost)
	if _, err := f.ReadAt(lost, d.Offset); err != nil {
		return "", err
	}
	name := fmt.Sprintf("%s.%d.cut", d.File, d.Offset)
	side, err := fs.Open(name, true)
	if err != nil {
		return "", err
	}
	_, err = side.WriteAt(lost, 0)
	if err == nil {
		err = side.Truncate(d.Lost) // an older side file of the same name may have been longer
	}
	if err == nil {
		err = side.Sync()
	}
	if err = errors.Join(err, side.Close()); err != nil {
		return "", err
	}
	return name, fs.SyncDir(dir)
}
