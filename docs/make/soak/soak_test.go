// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// bench is a folder for a soak, whose parts are lines of a script: the script notes which were made.
func bench(t *testing.T, script string) (s *soak, made func() string, out *strings.Builder) {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "make")
	text := "#!/bin/sh\necho $2 >> " + filepath.Join(dir, "made") + "\necho this is $2\n" + script + "\n"
	if err := os.WriteFile(program, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	out = &strings.Builder{}
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	s = &soak{dir: filepath.Join(dir, "soak"), commit: "c0ffee", make: program, out: out, now: func() time.Time {
		at = at.Add(time.Minute)
		return at
	}}
	return s, func() string {
		text, err := os.ReadFile(filepath.Join(dir, "made"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(text)), " ")
	}, out
}

func has(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("want %q in:\n%s", w, text)
		}
	}
}

// TestSoak: a part that fails stops no other one. The next run makes what has not passed, and says what it left out.
// On another commit, and on a tree with changes, everything is made.
func TestSoak(t *testing.T) {
	s, made, out := bench(t, `[ $2 != b ] || [ -e "$0.mended" ]`)
	err := s.run(t.Context(), []string{"a", "b", "c"})
	if err == nil || err.Error() != "1 of 3 parts failed" || made() != "a b c" {
		t.Fatalf("%v, made %s", err, made())
	}
	has(t, out.String(), "this is c", "passed   a                    in 1m0s",
		"FAILED   b                    after 1m0s: exit status 1; see ", "passed   c ")
	if text, err := os.ReadFile(s.log("b")); err != nil || string(text) != "this is b\n" {
		t.Errorf("kept of b: %q, %v", text, err)
	}
	if err := os.WriteFile(s.make+".mended", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := s.run(t.Context(), []string{"a", "b", "c"}); err != nil || made() != "a b c b" {
		t.Fatalf("%v, made %s", err, made())
	}
	has(t, out.String(), "skipped  a                    it has passed on this commit already, in 1m0s", "passed   b ")
	for _, commit := range []string{"other", ""} {
		s.commit = commit
		if err := s.run(t.Context(), []string{"a"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.run(t.Context(), []string{"a"}); err != nil || made() != "a b c b a a a" {
		t.Errorf("%v, made %s", err, made())
	}
	if s.run(t.Context(), nil) == nil {
		t.Error("no parts, and no error")
	}
}

// TestSoakInterrupted: who interrupts a run ends the part that runs, with its programs. The others are not begun, and
// the next run goes on with that part.
func TestSoakInterrupted(t *testing.T) {
	s, made, out := bench(t, `[ $2 != b ] || { : > "$0.runs"; sleep 3600 & wait; }`)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(s.make + ".runs"); err == nil || t.Context().Err() != nil {
				stop()
				return
			}
		}
	}()
	err := s.run(ctx, []string{"a", "b", "c"})
	if err == nil || !strings.HasPrefix(err.Error(), "interrupted") || made() != "a b" {
		t.Fatalf("%v, made %s", err, made())
	}
	has(t, out.String(), "passed   a ", "stopped  b ", "not run  c\n")
	if err := os.WriteFile(s.make, []byte("#!/bin/sh\necho $2 >> "+filepath.Dir(s.make)+"/made\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.run(t.Context(), []string{"a", "b", "c"}); err != nil || made() != "a b b c" {
		t.Errorf("%v, made %s", err, made())
	}
}
