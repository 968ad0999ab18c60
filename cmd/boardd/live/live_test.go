// SPDX-License-Identifier: Apache-2.0

package live

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
)

// TestGrows: each text is in the file once it is written, and the last one also when the program ends. Nothing else is
// left in the folder.
func TestGrows(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "live.pgn")
	synctest.Test(t, func(t *testing.T) {
		f := New(name)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			f.Run(ctx, slog.New(slog.NewTextHandler(io.Discard, nil)))
		}()
		for n := range 5 {
			text := []byte(strings.Repeat("move ", n+1))
			f.Set(text)
			synctest.Wait()
			if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, text) || !bytes.Equal(f.Text(), text) {
				t.Fatalf("after %d: %q, %v", n, got, err)
			}
		}
		f.Set([]byte("the last one"))
		stop()
		<-done
	})
	if got, err := os.ReadFile(name); err != nil || string(got) != "the last one" {
		t.Errorf("at the end: %q, %v", got, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestWhole: whoever reads while the file is replaced gets one of the texts, whole.
func TestWhole(t *testing.T) {
	name := filepath.Join(t.TempDir(), "live.pgn")
	texts := [2][]byte{bytes.Repeat([]byte("a"), 100_000), bytes.Repeat([]byte("b"), 150_000)}
	if err := Replace(name, texts[0]); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		for n := range 200 {
			if err := Replace(name, texts[n%2]); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for {
		got, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(got, texts[0]) && !bytes.Equal(got, texts[1]) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
	}
}

// TestFaultIsSaidOnce: a folder that is gone is said once, and the file is written again when it is back.
func TestFaultIsSaidOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		f := New(filepath.Join(dir, "live.pgn"))
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			f.Run(ctx, slog.New(slog.NewTextHandler(&log, nil)))
		}()
		for n := range 3 {
			f.Set(fmt.Append(nil, n))
			synctest.Wait()
		}
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		f.Set([]byte("again"))
		synctest.Wait()
		stop()
		<-done
		if n := strings.Count(log.String(), "is not written"); n != 1 {
			t.Errorf("said %d times:\n%s", n, log.String())
		}
		if got, err := os.ReadFile(filepath.Join(dir, "live.pgn")); err != nil || string(got) != "again" {
			t.Errorf("%q, %v", got, err)
		}
	})
}
