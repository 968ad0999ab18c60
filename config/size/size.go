// SPDX-License-Identifier: Apache-2.0

// Package size reads files only as far as such a file goes: one that damage or a mistake has made larger than the
// memory is refused.
package size

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// What a file may have, in bytes. The largest known is a list of certificates, with 0.2 MB, and a game with a sheet of
// its analysis, with 1 MB.
const (
	Named = 4 << 20  // what the configuration is or names: keys, accounts, tokens, certificates
	Kept  = 16 << 20 // what the program keeps of its own beside the journal
)

// ErrLarge is the reason why a file is not read.
var ErrLarge = errors.New("it is larger than any such file")

// Read reads a file of at most so many bytes.
func Read(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > most {
		return nil, large(name, most)
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1)) // a file below /proc says that it has nothing
	switch {
	case err != nil:
		return nil, err
	case int64(len(text)) > most:
		return nil, large(name, most)
	}
	return text, nil
}

func large(name string, most int64) error {
	return &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("%w: want %d bytes at most", ErrLarge, most)}
}
