// SPDX-License-Identifier: Apache-2.0

package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"boardd/config/size"
)

// Write saves a board in a file. It replaces only an empty file or an older backup of the same board. It replaces an
// encrypted one only by one with the same passphrase.
func Write(name string, b Board) (Saved, error) {
	target, err := replaceable(name, b)
	if err != nil {
		return Saved{}, fmt.Errorf("%s: %w", name, err)
	}
	// The file contains the board's key: nobody else may read it.
	out, err := renameio.NewPendingFile(target, renameio.WithPermissions(0o600))
	if err != nil {
		return Saved{}, fmt.Errorf("cannot write the backup: %w", err)
	}
	defer out.Cleanup() //nolint:errcheck // it was replaced already, or its error is returned
	saved, err := Save(out, b)
	if err != nil {
		return saved, err
	}
	if err := out.CloseAtomicallyReplace(); err != nil {
		return saved, fmt.Errorf("cannot write the backup: %w", err)
	}
	return saved, nil
}

// replaceable returns the file to which a name leads, or why no backup of this board may take its place.
func replaceable(name string, b Board) (target string, err error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		if to, link := os.Readlink(name); link == nil {
			return "", fmt.Errorf("this link leads to %s, which is not there: mount the disk, or remove the link", to)
		}
		return name, nil
	}
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("this is no plain file: name one")
	}
	if target, err = filepath.EvalSymlinks(name); err != nil || info.Size() == 0 {
		return target, err
	}
	f, err := size.Open(target)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // it was only read
	m, _, err := open(f, b.Passphrase)
	switch {
	case errors.Is(err, ErrEncrypted):
		return "", errors.New("an encrypted backup is there, and this one would not be encrypted: give its passphrase by " +
			"--passphrase-file, or name another file")
	case err != nil:
		return "", fmt.Errorf("what is there is not replaced: %w; name another file", err)
	case m.Board != b.Conf.Board:
		return "", fmt.Errorf("a backup of board %.60q is there: name another file", m.Board)
	}
	return target, nil
}
