// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"bytes"
	"errors"
	"fmt"
)

// maxBacklog bounds what waits in memory while the disk refuses, in bytes: many days of play.
const maxBacklog = 8 << 20

// ErrClosed is the reason why a closed journal takes no records.
var ErrClosed = errors.New("the journal is closed")

// Append writes the payloads as one record each, syncs once and returns nil when they are durable. On an error they
// are not durable yet but stay in memory, and are written before anything else by the next Append or Retry: do not
// append them again.
func (j *Journal) Append(payload ...[]byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return fmt.Errorf("append to journal: %w", ErrClosed)
	}
	var frames []byte
	var err error
	for i, p := range payload {
		if frames, err = appendFrame(frames, Version, j.last+uint64(i)+1, p); err != nil {
			return err
		}
	}
	if j.waiting+len(frames) > maxBacklog {
		return fmt.Errorf("append to journal %s: %d bytes wait to be written, no more are kept", j.dir, j.waiting)
	}
	if len(frames) > 0 {
		j.last += uint64(len(payload))
		j.backlog = append(j.backlog, frames)
		j.waiting += len(frames)
	}
	return j.flush()
}

// Retry tries to write what earlier appends could not; nil when nothing waits any more.
func (j *Journal) Retry() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.flush()
}

// Pending says how many appends wait in memory because the disk refused them; 0 is the healthy state.
func (j *Journal) Pending() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.backlog)
}

// Close writes what can be written, gives the lock back and returns what could not be written as an error.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return nil
	}
	err := j.flush()
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

// flush writes the backlog behind the last synced byte. After any failure the file is closed and opened anew and cut
// back before the next attempt: what a failed write or sync left behind is unknown.
func (j *Journal) flush() error {
	if len(j.backlog) == 0 {
		return nil
	}
	if j.end > fullSegment { // one game has filled it
		if err := j.next(); err != nil {
			return err
		}
	}
	if err := j.write(bytes.Join(j.backlog, nil)); err != nil {
		if j.file != nil {
			j.file.Close() // its error would say nothing that err does not
			j.file = nil
		}
		return fmt.Errorf("write journal %s: %d records wait in memory: %w", j.path(j.number), len(j.backlog), err)
	}
	j.backlog, j.waiting = nil, 0
	return nil
}

// fullSegment is from how many bytes on a segment is not written any more, even in the middle of a game: well below
// what is read of one.
const fullSegment = 32 << 20

func (j *Journal) write(frames []byte) error {
	if err := j.ready(); err != nil {
		return err
	}
	if _, err := j.file.WriteAt(frames, j.end); err != nil {
		return err
	}
	if err := j.file.Sync(); err != nil {
		return err
	}
	j.end += int64(len(frames))
	return nil
}

// ready opens the written segment, with header, and cuts it back to its last synced byte.
func (j *Journal) ready() error {
	if j.file != nil {
		return nil
	}
	if j.mend != nil {
		if err := mend(j.o.FS, j.dir, j.number, j.mend); err != nil {
			return err
		}
		j.mend = nil
	}
	f, err := j.o.FS.Open(j.path(j.number), true)
	if err != nil {
		return err
	}
	if err := j.begin(f); err != nil {
		return errors.Join(err, f.Close())
	}
	j.file = f
	return nil
}

// begin gives a new segment its header; both the file and its name are durable when it returns.
func (j *Journal) begin(f File) error {
	if err := f.Truncate(j.end); err != nil {
		return err
	}
	if j.end > 0 {
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
	j.end = headerSize
	return nil
}
