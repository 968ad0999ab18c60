package journal_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"boardd/sync/journal"
)

// memory is a file system that keeps a list of everything done to it, so that a test can cut the power after any step and
// any byte of it, and fail any step.
type memory struct {
	files map[string][]byte
	steps []step
	// refuse is asked before each step that changes something; an error makes it fail after taken bytes of a write.
	refuse func(s step) (taken int, err error)
	locked map[string]bool
}

// step is one change: kind is create, write, truncate, remove, sync or syncdir.
type step struct {
	kind, name string
	offset     int64
	data       []byte
}

func newMemory() *memory {
	return &memory{files: map[string][]byte{}, locked: map[string]bool{}}
}

// powerCut gives the file system as it is found after the first n steps and the first part bytes of the next, when it is a
// write. Steps that no sync made durable are kept, or with forget lost.
func (m *memory) powerCut(n, part int, forget bool) *memory {
	after := newMemory()
	steps := slices.Clone(m.steps[:n])
	if n < len(m.steps) && m.steps[n].kind == "write" {
		torn := m.steps[n]
		torn.data = torn.data[:part]
		steps = append(steps, torn)
	}
	for i, s := range steps {
		if !forget || durable(s, steps[i+1:]) {
			after.do(s)
		}
	}
	return after
}

// durable says whether a later step makes s survive: the sync of its file, or of the directory for a name.
func durable(s step, later []step) bool {
	for _, l := range later {
		if l.kind == "syncdir" && (s.kind == "create" || s.kind == "remove") {
			return true
		}
		if l.kind == "sync" && l.name == s.name && s.kind != "remove" {
			return true
		}
	}
	return false
}

func (m *memory) do(s step) {
	switch b := m.files[s.name]; s.kind {
	case "create":
		m.files[s.name] = []byte{}
	case "remove":
		delete(m.files, s.name)
	case "truncate":
		m.files[s.name] = append(slices.Clone(b[:min(int(s.offset), len(b))]), make([]byte, max(0, int(s.offset)-len(b)))...)
	case "write":
		if need := int(s.offset) + len(s.data); need > len(b) {
			b = append(slices.Clone(b), make([]byte, need-len(b))...)
		}
		m.files[s.name] = b
		copy(b[s.offset:], s.data)
	}
}

func (m *memory) change(s step) error {
	if m.refuse != nil {
		if taken, err := m.refuse(s); err != nil {
			if s.kind == "write" && taken > 0 {
				m.do(step{"write", s.name, s.offset, s.data[:min(taken, len(s.data))]})
			}
			return &os.PathError{Op: s.kind, Path: s.name, Err: err}
		}
	}
	s.data = slices.Clone(s.data)
	m.steps = append(m.steps, s)
	m.do(s)
	return nil
}

func (m *memory) MkdirAll(string) error { return nil }

func (m *memory) List(dir string) ([]string, error) {
	var names []string
	for name := range m.files {
		if filepath.Dir(name) == filepath.Clean(dir) {
			names = append(names, filepath.Base(name))
		}
	}
	slices.Sort(names)
	return names, nil
}

func (m *memory) Open(name string, create bool) (journal.File, error) {
	if _, ok := m.files[name]; !ok {
		if !create {
			return nil, os.ErrNotExist
		}
		if err := m.change(step{kind: "create", name: name}); err != nil {
			return nil, err
		}
	}
	return &memoryFile{m, name}, nil
}

func (m *memory) OpenRead(name string) (journal.File, error) { return m.Open(name, false) }
func (m *memory) Remove(name string) error                   { return m.change(step{kind: "remove", name: name}) }
func (m *memory) SyncDir(dir string) error                   { return m.change(step{kind: "syncdir", name: dir}) }

func (m *memory) Lock(dir string) (io.Closer, error) {
	if m.locked[dir] {
		return nil, journal.ErrLocked
	}
	m.locked[dir] = true
	return unlock(func() { delete(m.locked, dir) }), nil
}

type unlock func()

func (u unlock) Close() error { u(); return nil }

type memoryFile struct {
	m    *memory
	name string
}

func (f *memoryFile) ReadAt(p []byte, off int64) (int, error) {
	b := f.m.files[f.name]
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
	if err := f.m.change(step{"write", f.name, off, p}); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (f *memoryFile) Truncate(size int64) error {
	return f.m.change(step{kind: "truncate", name: f.name, offset: size})
}

func (f *memoryFile) Sync() error          { return f.m.change(step{kind: "sync", name: f.name}) }
func (f *memoryFile) Close() error         { return nil }
func (f *memoryFile) Size() (int64, error) { return int64(len(f.m.files[f.name])), nil }

var errFull = errors.New("no space left on device")

func (m *memory) sideFiles() []string {
	var out []string
	for name := range m.files {
		if strings.HasSuffix(name, ".cut") {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
