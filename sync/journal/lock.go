// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// ErrLocked is the reason why a folder cannot be locked, and a journal not opened: another process has done so.
var ErrLocked = errors.New("another process works with it")

// ErrNoLock is the reason why a journal is not opened that any other process could write at the same time.
var ErrNoLock = errors.New("it cannot be locked, and another boardd might write it too")

// Hold takes an advisory lock on a folder itself. The kernel releases it when the process ends, however it ends. The
// folder is there and can be opened whenever its files can be read, which a file for the lock need not be. Only where
// folders cannot be locked, as on NFS, the file "lock" in it is locked instead.
func Hold(dir string) (io.Closer, error) {
	folder, err := lockFile(dir, os.O_RDONLY|unix.O_DIRECTORY)
	if err == nil || errors.Is(err, ErrLocked) {
		return folder, err
	}
	file, err2 := lockIn(dir)
	if err2 != nil && !errors.Is(err2, ErrLocked) {
		return nil, fmt.Errorf("%w: %w", ErrNoLock, errors.Join(err, err2))
	}
	return file, err2
}

// Free looks whether no process works with a folder: then it is nil, and else ErrLocked or why that cannot be told. It
// makes no file.
func Free(dir string) error {
	folder, err := lockFile(dir, os.O_RDONLY|unix.O_DIRECTORY)
	if errors.Is(err, ErrLocked) {
		return err
	}
	if err == nil {
		defer folder.Close() //nolint:errcheck // nothing was written
	}
	file, err2 := lockFile(filepath.Join(dir, "lock"), os.O_RDONLY)
	if errors.Is(err2, ErrLocked) {
		return err2
	}
	if err2 == nil {
		file.Close() //nolint:errcheck // likewise
		return nil
	}
	return err // a file that is not there, or cannot be opened, counts only where the folder cannot be locked
}

// Lock is Hold for the folder of a journal. It also locks the file "lock" in it if that can be opened, because version
// 0.1.0 locks only that.
func (Disk) Lock(dir string) (io.Closer, error) {
	folder, err := lockFile(dir, os.O_RDONLY|unix.O_DIRECTORY)
	if errors.Is(err, ErrLocked) {
		return nil, err
	}
	file, err2 := lockIn(dir)
	l := locks{folder, file}
	if errors.Is(err2, ErrLocked) {
		return nil, errors.Join(err2, l.Close())
	}
	if err != nil && err2 != nil {
		return nil, errors.Join(err, err2)
	}
	return l, nil
}

// locks are the locked files, nil where one could not be locked.
type locks [2]*os.File

func (l locks) Close() (err error) {
	for _, f := range l {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

// lockIn locks the file "lock" in a folder.
func lockIn(dir string) (*os.File, error) {
	name := filepath.Join(dir, "lock")
	f, err := lockFile(name, os.O_RDWR|os.O_CREATE) // NFS wants the right to write
	if err != nil && !errors.Is(err, ErrLocked) {
		f, err = lockFile(name, os.O_RDONLY)
	}
	return f, err
}

// lockFile opens and locks a file. Both are nil on an error.
func lockFile(name string, flags int) (*os.File, error) {
	f, err := os.OpenFile(name, flags|unix.O_NONBLOCK, 0o640)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrLocked
	}
	if err != nil {
		f.Close() //nolint:errcheck // nothing was written
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	return f, nil
}
