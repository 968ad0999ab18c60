// SPDX-License-Identifier: Apache-2.0

package size

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	if _, err := Read(name, 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: got %v, want fs.ErrNotExist", err)
	}
	if _, err := Read(dir, 10); err == nil {
		t.Error("a folder was read")
	}
	for n, want := range map[int64]error{0: nil, 10: nil, 11: ErrLarge, 1 << 50: ErrLarge} {
		f, err := os.Create(name)
		if err == nil {
			err = errors.Join(f.Truncate(min(n, 1<<40)), f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := Read(name, 10)
		if !errors.Is(err, want) || want == nil && int64(len(text)) != n {
			t.Errorf("%d bytes: got %d and %v, want %v", n, len(text), err, want)
		}
	}
	if text, err := Read("/proc/self/stat", 1<<16); err == nil && len(text) == 0 { // where there is one
		t.Error("a file that says it has nothing: nothing was read")
	}
	if err := unix.Mkfifo(name+".pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	writerComes = time.Millisecond
	t.Cleanup(func() { writerComes = WriterComes })
	if text, err := Read(name+".pipe", 10); !errors.Is(err, ErrNobodyWrites) {
		t.Errorf("a pipe to which nobody writes: got %q, %v", text, err)
	}
	silent, err := os.OpenFile(name+".pipe", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	silence = 10 * time.Millisecond
	if text, err := Read(name+".pipe", 10); !errors.Is(err, ErrSilent) {
		t.Errorf("a pipe whose writer says nothing: got %q, %v", text, err)
	}
	silence = time.Minute
	go func() { // a slow writer, who goes on when all that he wrote was read
		for _, part := range []string{"he", "llo"} {
			if _, err := silent.WriteString(part); err != nil {
				t.Error(err)
			}
			for unread(t, silent) > 0 {
				runtime.Gosched()
			}
		}
		silent.Close()
	}()
	if text, err := Read(name+".pipe", 10); string(text) != "hello" {
		t.Errorf("a slow writer: got %q, %v", text, err)
	}
	if _, err := Read("/dev/zero", 10); !errors.Is(err, ErrLarge) {
		t.Errorf("a file without an end: got %v, want %v", err, ErrLarge)
	}
}

// unread is how many bytes wait in a pipe.
func unread(t *testing.T, pipe *os.File) (n int) {
	raw, err := pipe.SyscallConn()
	if err == nil {
		err = errors.Join(raw.Control(func(fd uintptr) { n, err = unix.IoctlGetInt(int(fd), unix.TIOCINQ) }), err)
	}
	if err != nil {
		t.Error(err)
	}
	return n
}
