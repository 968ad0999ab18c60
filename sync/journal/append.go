// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// maxBacklog limits the bytes that wait in memory while the disk refuses writes: many days of play.
const maxBacklog = 8 << 20

// ErrClosed is the reason why a closed journal takes no records.
var ErrClosed = errors.New("the journal is closed")

// Append writes each payload as a record, syncs once and returns nil when they are durable. On an error they are not
// durable yet but stay in memory. The next Append or Retry writes them before anything else, so do not append them
// again.
func (j *Journal) Append(payload ...[]byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return fmt.Errorf("append to journal: %w", ErrClosed)
	}
	var frames []byte
	var err error
	for i, p := range payload {
		if frames, err = appendFrame(frames, Version, j.lastRecord+uint64(i)+1, p); err != nil {
			return err
		}
	}
	if j.backlogBytes+len(frames) > maxBacklog {
		return fmt.Errorf("append to journal %s: %d bytes wait to be written, no more are kept", j.dir, j.backlogBytes)
	}
	if len(frames) > 0 {
		j.lastRecord += uint64(len(payload))
		j.backlog = append(j.backlog, frames)
		j.backlogBytes += len(frames)
	}
	return j.flush()
}

// Retry tries to write what earlier appends could not. It returns nil when nothing waits any more.
func (j *Journal) Retry() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.flush()
}

// Pending is the number of appends that wait in memory because the disk refused them. Normally it is 0.
func (j *Journal) Pending() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.backlog)
}

// Close writes what can be written and releases the lock. The error says what could not be written.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return nil
	}
	err := j.flush()
	if err == nil {
		j.storeNewest()
	}
	j.closed = true
	if j.file != nil {
		err = errors.Join(err, j.file.Close())
		j.file = nil
	}
	if j.lock != nil {
		err = errors.Join(err, j.lock.Close())
	}
	return err
}

// flush writes the backlog after the last synced byte. After any failure the file is closed, because the effect of a
// failed write or sync is unknown. Before the next attempt it is opened again and cut back.
func (j *Journal) flush() error {
	if len(j.backlog) == 0 {
		return nil
	}
	if j.syncedBytes > forcedRotation { // one game has filled it
		if err := j.nextSegment(); err != nil {
			return err
		}
	}
	if j.file != nil && !j.file.Linked() {
		if err := j.recreate(); err != nil {
			return fmt.Errorf("write journal %s, whose file was removed or moved, anew: %d records wait in memory: %w",
				j.path(j.segment), len(j.backlog), err)
		}
	}
	if err := j.write(bytes.Join(j.backlog, nil)); err != nil {
		if j.file != nil {
			j.file.Close() // its error would add nothing to err
			j.file = nil
		}
		return fmt.Errorf("write journal %s: %d records wait in memory: %w", j.path(j.segment), len(j.backlog), err)
	}
	j.backlog, j.backlogBytes = nil, 0
	j.noteNewest()
	return nil
}

// forcedRotation is the size from which on a segment is not written any more, even in the middle of a game. It is far
// below the size up to which a segment is read.
const forcedRotation = 32 << 20

func (j *Journal) write(frames []byte) error {
	if err := j.openSegment(); err != nil {
		return err
	}
	if _, err := j.file.WriteAt(frames, j.syncedBytes); err != nil {
		return err
	}
	if err := j.file.Sync(); err != nil {
		return err
	}
	j.syncedBytes += int64(len(frames))
	return nil
}

// openSegment opens the written segment, with header, and cuts it back to its last synced byte. A new one never takes
// the name of a file that somebody has put there meanwhile.
func (j *Journal) openSegment() error {
	if j.file != nil {
		return nil
	}
	if j.damagedTail != nil {
		if err := repair(j.o.FS, j.dir, j.segment, j.damagedTail); err != nil {
			return err
		}
		j.damagedTail = nil
	}
	var f File
	var err error
	if j.made {
		f, err = j.o.FS.Open(j.path(j.segment), true)
	} else {
		f, j.segment, err = j.create(j.segment)
	}
	if err != nil {
		return err
	}
	j.made = true
	if err := j.writeHeader(f); err != nil {
		return errors.Join(err, f.Close())
	}
	j.file = f
	return nil
}

// create makes a segment with this number, or the next one that is free.
func (j *Journal) create(number uint64) (File, uint64, error) {
	for ; ; number++ {
		f, err := j.o.FS.Create(j.path(number))
		if !errors.Is(err, os.ErrExist) {
			return f, number, err
		}
	}
}

// writeHeader gives a new segment its header; both the file and its name are durable when it returns.
func (j *Journal) writeHeader(f File) error {
	size, err := f.Size()
	if err != nil {
		return err
	}
	if size < j.syncedBytes { // somebody has removed what was synced there
		j.syncedBytes = 0
	}
	if err := f.Truncate(j.syncedBytes); err != nil {
		return err
	}
	if j.syncedBytes > 0 {
		return nil
	}
	if _, err := f.WriteAt(header(Version), 0); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := j.o.FS.SyncDir(j.dir); err != nil {
		return err
	}
	j.syncedBytes = headerSize
	return nil
}
