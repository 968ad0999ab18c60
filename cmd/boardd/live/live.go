// SPDX-License-Identifier: Apache-2.0

// Package live keeps the current game as a growing game file, for broadcasts.
package live

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
)

// File is the game as text. It also keeps a file with the same text, which is replaced as a whole, so that no reader
// sees a part. Unlike the journal, it is not synced with every move. It is written again from the journal at the next
// start.
type File struct {
	path string

	mu   sync.Mutex
	text []byte
	more chan struct{} // capacity 1: an older text that is not written yet is skipped
}

// New returns a File that has no text yet.
func New(path string) *File { return &File{path: path, more: make(chan struct{}, 1)} }

// There reports whether the file is there, from an earlier run.
func (f *File) There() bool {
	_, err := os.Lstat(f.path)
	return err == nil
}

// Set takes the newest text, which must not change afterwards. It never waits.
func (f *File) Set(text []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if bytes.Equal(text, f.text) {
		return
	}
	f.text = text
	select {
	case f.more <- struct{}{}:
	default: // it will be read
	}
}

// Text is the newest text, nil while there is none. It must not be written to.
func (f *File) Text() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.text
}

// Run writes the file whenever the text has changed until ctx ends, and once more then. A fault is logged once, until
// it is gone.
func (f *File) Run(ctx context.Context, log *slog.Logger) {
	failed := false
	write := func() {
		err := Replace(f.path, f.Text())
		if err != nil && !failed {
			log.Warn("the file of the game that is being played is not written; the journal has the game", "file", f.path,
				"error", err)
		}
		failed = err != nil
	}
	for {
		select {
		case <-f.more:
			write()
		case <-ctx.Done():
			select {
			case <-f.more:
				write()
			default:
			}
			return
		}
	}
}

// Replace puts a text in the place of a file, so that whoever reads it sees the old text or the new one.
func Replace(path string, text []byte) error {
	t, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(t.Name()) //nolint:errcheck // it has its new name, or the error is given below
	_, err = t.Write(text)
	if err == nil {
		err = t.Chmod(0o644) // for the program that broadcasts it
	}
	if e := t.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(t.Name(), path)
	}
	return err
}
