// SPDX-License-Identifier: Apache-2.0

package journal

import "errors"

// recreate writes the segment to a new file after somebody has removed the old one or moved it away. The old one's
// content is still there while it is open. If that fails the old one stays open. A file that was put in its place is
// left alone.
func (j *Journal) recreate() error {
	fs := j.o.FS
	if err := fs.MkdirAll(j.dir); err != nil {
		return err
	}
	names, err := fs.List(j.dir)
	if err != nil {
		return err
	}
	content := make([]byte, j.syncedBytes)
	if _, err := j.file.ReadAt(content, 0); err != nil {
		return err
	}
	f, number, err := j.create(j.segment)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(content, 0)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = fs.SyncDir(j.dir)
	}
	if err != nil {
		return errors.Join(err, f.Close(), fs.Remove(j.path(number)))
	}
	j.file.Close() //nolint:errcheck // what it holds is synced elsewhere
	j.file, j.segment = f, number
	if lock, err := fs.Lock(j.dir); err == nil { // the file of the lock was removed as well
		if j.lock != nil {
			j.lock.Close() //nolint:errcheck // nobody can see it any more
		}
		j.lock = lock
	}
	j.recreateMarks(names)
	if j.o.OnRecreated != nil {
		j.o.OnRecreated(j.path(number))
	}
	return nil
}
