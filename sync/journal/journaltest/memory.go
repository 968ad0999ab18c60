// SPDX-License-Identifier: Apache-2.0

// Package journaltest is a file system for tests of journals. It can let the power fail after any step.
package journaltest

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"boardd/sync/journal"
)

// Memory is a file system that keeps a list of everything done to it. So a test can cut the power after any step and
// any byte of it, and fail any step.
type Memory struct {
	Files map[string][]byte // by name, as they are now
	Steps []Step            // since the memory was made
	// Refuse is called before each step that changes something. An error makes the step fail, a write after taken bytes.
	Refuse func(s Step) (taken int, err error)
	// Unread is called before a part of a file is read; it may be nil. An error makes the reading fail.
	Unread func(name string, from, to int64) error
	// Unopened is called before a file is opened for reading; it may be nil. An error makes that fail.
	Unopened func(name string) error
	Locked   map[string]bool   // directories
	base     map[string][]byte // the files before Steps
	mu       sync.Mutex        // for Done: the rest is of one goroutine at a time
}

// Done is the number of steps until now. It may be called while another goroutine writes.
func (m *Memory) Done() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.Steps)
}

// Step is one change: kind is create, write, truncate, remove, sync or syncdir.
type Step struct {
	Kind, Name string
	Offset     int64
	Data       []byte
}

// NewMemory returns an empty file system.
func NewMemory() *Memory {
	return &Memory{Files: map[string][]byte{}, Locked: map[string]bool{}}
}

// PowerCut returns the file system as it is after the first n steps and, if the next is a write, its first part bytes.
// Steps that no sync made durable are kept, or with forget lost.
func (m *Memory) PowerCut(n, part int, forget bool) *Memory {
	after := NewMemory()
	steps := slices.Clone(m.Steps[:n])
	if n < len(m.Steps) && m.Steps[n].Kind == "write" {
		torn := m.Steps[n]
		torn.Data = torn.Data[:part]
		steps = append(steps, torn)
	}
	for name, b := range m.base {
		after.Files[name] = slices.Clone(b)
	}
	for i, s := range steps {
		if !forget || durable(s, steps[i+1:]) {
			after.do(s)
		}
	}
	after.base = map[string][]byte{}
	for name, b := range after.Files {
		after.base[name] = slices.Clone(b)
	}
	return after
}

// durable reports whether a later step makes s durable: a sync of its file, or of the directory for a name.
func durable(s Step, later []Step) bool {
	for _, l := range later {
		if l.Kind == "syncdir" && (s.Kind == "create" || s.Kind == "remove") {
			return true
		}
		if l.Kind == "sync" && l.Name == s.Name && s.Kind != "remove" {
			return true
		}
	}
	return false
}

func (m *Memory) do(s Step) {
	switch b := m.Files[s.Name]; s.Kind {
	case "create":
		m.Files[s.Name] = []byte{}
	case "remove":
		delete(m.Files, s.Name)
	case "truncate":
		m.Files[s.Name] = append(slices.Clone(b[:min(int(s.Offset), len(b))]), make([]byte, max(0, int(s.Offset)-len(b)))...)
	case "write":
		if need := int(s.Offset) + len(s.Data); need > len(b) {
			b = append(slices.Clone(b), make([]byte, need-len(b))...)
		}
		m.Files[s.Name] = b
		copy(b[s.Offset:], s.Data)
	}
}

func (m *Memory) change(s Step) error {
	if m.Refuse != nil {
		if taken, err := m.Refuse(s); err != nil {
			if s.Kind == "write" && taken > 0 {
				m.do(Step{"write", s.Name, s.Offset, s.Data[:min(taken, len(s.Data))]})
			}
			return &os.PathError{Op: s.Kind, Path: s.Name, Err: err}
		}
	}
	s.Data = slices.Clone(s.Data)
	m.mu.Lock()
	m.Steps = append(m.Steps, s)
	m.mu.Unlock()
	m.do(s)
	return nil
}

// MkdirAll does nothing: every directory is there.
func (m *Memory) MkdirAll(string) error { return nil }

// List returns the names of the files in dir, sorted.
func (m *Memory) List(dir string) ([]string, error) {
	var names []string
	for name := range m.Files {
		if filepath.Dir(name) == filepath.Clean(dir) {
			names = append(names, filepath.Base(name))
		}
	}
	slices.Sort(names)
	return names, nil
}

// Open opens a file; with create it makes it when it is missing.
func (m *Memory) Open(name string, create bool) (journal.File, error) {
	if _, ok := m.Files[name]; !ok {
		if !create {
			return nil, os.ErrNotExist
		}
		if err := m.change(Step{Kind: "create", Name: name}); err != nil {
			return nil, err
		}
	}
	return &memoryFile{m, name}, nil
}

// Create makes a file; os.ErrExist when there is one.
func (m *Memory) Create(name string) (journal.File, error) {
	if _, ok := m.Files[name]; ok {
		return nil, os.ErrExist
	}
	return m.Open(name, true)
}

// OpenRead opens a file that is there.
func (m *Memory) OpenRead(name string) (journal.File, error) {
	if m.Unopened != nil {
		if err := m.Unopened(name); err != nil {
			return nil, &os.PathError{Op: "open", Path: name, Err: err}
		}
	}
	return m.Open(name, false)
}

// Remove removes a file.
func (m *Memory) Remove(name string) error { return m.change(Step{Kind: "remove", Name: name}) }

// SyncDir makes creations and removals in dir durable.
func (m *Memory) SyncDir(dir string) error { return m.change(Step{Kind: "syncdir", Name: dir}) }

// Lock takes the lock of dir; journal.ErrLocked when it is taken.
func (m *Memory) Lock(dir string) (io.Closer, error) {
	if m.Locked[dir] {
		return nil, journal.ErrLocked
	}
	m.Locked[dir] = true
	return unlock(func() { delete(m.Locked, dir) }), nil
}

type unlock func()

func (u unlock) Close() error { u(); return nil }

type memoryFile struct {
	m    *Memory
	name string
}

func (f *memoryFile) ReadAt(p []byte, off int64) (int, error) {
	b := f.m.Files[f.name]
	if f.m.Unread != nil {
		if err := f.m.Unread(f.name, off, off+int64(len(p))); err != nil {
			return 0, &os.PathError{Op: "read", Path: f.name, Err: err}
		}
	}
	if off > int64(len(b)) {
		return 0, io.EOF
	}
	n := copy(p, b[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memoryFile) WriteAt(p []byte, off int64) (int, error) {
	if err := f.m.change(Step{"write", f.name, off, p}); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (f *memoryFile) Truncate(size int64) error {
	return f.m.change(Step{Kind: "truncate", Name: f.name, Offset: size})
}

func (f *memoryFile) Sync() error              { return f.m.change(Step{Kind: "sync", Name: f.name}) }
func (f *memoryFile) Close() error             { return nil }
func (f *memoryFile) Linked() bool             { _, ok := f.m.Files[f.name]; return ok }
func (f *memoryFile) Occupied() (int64, error) { return f.Size() }
func (f *memoryFile) Size() (int64, error)     { return int64(len(f.m.Files[f.name])), nil }
