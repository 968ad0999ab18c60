// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// LeastRoom is what the disk must have free before the server is started, in bytes. On a full one it does not come up,
// and its store would be taken for a damaged one and set aside.
const LeastRoom = 2 << 20

// room returns an error unless the disk has LeastRoom.
func room(o Options) error {
	free := Free
	if o.free != nil {
		free = o.free
	}
	if n := free(o.Dir); n < LeastRoom {
		return fmt.Errorf("the disk is full: %d kB are free, want %d", n/1000, LeastRoom/1000)
	}
	return nil
}

// Free is how many bytes are free where a folder is or will be; very many where nobody knows.
func Free(dir string) uint64 {
	var st unix.Statfs_t
	for {
		switch err := unix.Statfs(dir, &st); {
		case err == nil:
			return st.Bavail * uint64(st.Bsize)
		case !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir):
			return math.MaxUint64
		}
		dir = filepath.Dir(dir)
	}
}

// mostFile is the largest size of a file of the store, in bytes. The server writes blocks of 8 MiB and one more
// message.
const mostFile = 32 << 20

// readable returns why a store must not be given to the server, nil if it may. The server reads each file whole into
// memory. On a damaged file system a file may seem larger than the disk, or not be a regular file.
func readable(dir string, most int64) error {
	sum := int64(0)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == dir:
			return fs.SkipAll
		case err != nil:
			return err
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is no file", name)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Size() > mostFile {
			return fmt.Errorf("%s has %d bytes: want %d at most", name, info.Size(), mostFile)
		}
		sum += info.Size()
		return nil
	})
	if err == nil && sum > 2*most {
		err = fmt.Errorf("its files have %d bytes: want %d at most", sum, 2*most)
	}
	return err
}
