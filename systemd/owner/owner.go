// SPDX-License-Identifier: Apache-2.0

package owner

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// owner is who owns a file: the numbers of a user and of a group.
type owner struct{ user, group int }

func ownerOf(info fs.FileInfo) owner {
	of := info.Sys().(*syscall.Stat_t) // as everywhere on Linux
	return owner{int(of.Uid), int(of.Gid)}
}

// Give gives a file, or all of a folder, to the user and the group that own the folder to. It does nothing for anybody
// but root, who alone may do so. A name that does not exist is no error.
func Give(name, to string) error { return give(name, to, os.Geteuid(), os.Lchown) }

// give is Give for a user, whose change of a file's owner is chown.
func give(name, to string, user int, chown func(name string, user, group int) error) error {
	if user != 0 {
		return nil
	}
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	info, err := os.Stat(to)
	if err != nil {
		return err
	}
	of := ownerOf(info)
	return filepath.WalkDir(name, func(name string, _ fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the service may remove its files meanwhile
		}
		if err != nil {
			return err
		}
		if err := chown(name, of.user, of.group); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}
