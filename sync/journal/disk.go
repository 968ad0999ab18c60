// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// Disk is the operating system's file system.
type Disk struct{}

// ErrNoTarget is why a folder is not there: it is a link, and what that leads to is missing.
var ErrNoTarget = errors.New("mount the disk to which this link leads, or remove the link")

// MkdirAll makes a directory and those above it.
func (Disk) MkdirAll(dir string) error {
	err := os.MkdirAll(dir, 0o750)
	if err == nil {
		return nil
	}
	if info, none := os.Stat(dir); none == nil && !info.IsDir() {
		return fmt.Errorf("%w: a file stands where this folder is to be, move the file away", err)
	}
	for at := filepath.Clean(dir); at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, none := os.Stat(at); none == nil {
			break
		}
		if to, none := os.Readlink(at); none == nil {
			return fmt.Errorf("%s leads to %s, which is not there: %w", at, to, ErrNoTarget)
		}
	}
	return err
}

// List returns the names of the plain files in dir, sorted.
func (Disk) List(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Open opens a file for reading and writing.
func (Disk) Open(name string, create bool) (File, error) {
	flags := os.O_RDWR
	if create {
		flags |= os.O_CREATE
	}
	return openDisk(name, flags)
}

// Create makes a file; os.ErrExist when anything has that name.
func (Disk) Create(name string) (File, error) { return openDisk(name, os.O_RDWR|os.O_CREATE|os.O_EXCL) }

// OpenRead opens a file for reading.
func (Disk) OpenRead(name string) (File, error) { return openDisk(name, os.O_RDONLY) }

func openDisk(name string, flags int) (File, error) {
	f, err := os.OpenFile(name, flags|unix.O_NONBLOCK, 0o640) // a pipe in its place keeps nobody waiting
	if err != nil {
		return nil, err
	}
	return diskFile{f}, nil
}

// Remove removes a file.
func (Disk) Remove(name string) error { return os.Remove(name) }

// SyncDir makes creations and removals in dir durable.
func (Disk) SyncDir(dir string) error {
	d, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

type diskFile struct{ *os.File }

func (f diskFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f diskFile) Occupied() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	bytes := info.Size()
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		bytes = min(bytes, st.Blocks*512) // st_blocks counts 512 bytes each, inode(7)
	}
	return bytes, nil
}

func (f diskFile) Linked() bool {
	there, err := os.Stat(f.Name())
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return false
	}
	own, err2 := f.Stat()
	return err != nil || err2 != nil || os.SameFile(there, own)
}
