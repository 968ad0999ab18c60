// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"path/filepath"
)

// Create writes a new journal of these records into dir, in an older version of the format where an older program is to read it. A folder
// that holds a journal already is refused.
func Create(dir string, o Options, v uint32, payloads [][]byte) error {
	o = o.filled()
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
	segment, b := uint64(1), header(v)
	for i, p := range payloads {
		if int64(len(b)) >= o.Segment {
			if err := writeWhole(o.FS, filepath.Join(dir, segmentName(segment)), b); err != nil {
				return err
			}
			segment, b = segment+1, header(v)
		}
		if b, err = appendFrame(b, v, uint64(i)+1, p); err != nil {
			return err
		}
	}
	if err := writeWhole(o.FS, filepath.Join(dir, segmentName(segment)), b); err != nil {
		return err
	}
	return o.FS.SyncDir(dir)
}

func writeWhole(fs FS, name string, b []byte) error {
	f, err := fs.Open(name, true)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(b, 0)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
