// SPDX-License-Identifier: Apache-2.0

// Command soak runs parts of make one after another, for hours. A part that fails does not stop the others. What has
// passed is noted with the commit, so that a run that was interrupted goes on where it was.
//
// Usage: go run ./docs/make/soak [-anew] PARTS
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// dir has the notes of what has passed, and what each part printed last.
const dir = "artefacts/soak"

func main() {
	anew := flag.Bool("anew", false, "leave nothing out that has passed on this commit")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	s := soak{dir: dir, make: "make", out: os.Stdout, now: time.Now}
	commit, err := head(ctx)
	switch {
	case err == nil && !*anew:
		s.commit = commit
	case err != nil:
		fmt.Println("make soak: every part is run, and nothing is noted:", err)
	}
	if err := s.run(ctx, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "make soak:", err)
		os.Exit(1)
	}
}

// head is the commit of the working tree. A tree with changes has none.
func head(ctx context.Context) (string, error) {
	changes, err := exec.CommandContext(ctx, "git", "status", "--porcelain").Output()
	if err != nil {
		return "", fmt.Errorf("git status: %w", err)
	}
	if len(changes) > 0 {
		return "", errors.New("the working tree has changes that are in no commit")
	}
	commit, err := exec.CommandContext(ctx, "git", "rev-parse", "HEAD").Output()
	if err != nil {
		return "", fmt.Errorf("git rev-parse: %w", err)
	}
	return strings.TrimSpace(string(commit)), nil
}

// soak is one run.
type soak struct {
	dir    string
	commit string // "": nothing is left out and nothing is noted
	make   string // the program that makes a part
	out    io.Writer
	now    func() time.Time
}

// run runs the parts, and ends with a list of what became of each.
func (s *soak) run(ctx context.Context, parts []string) error {
	if len(parts) == 0 {
		return errors.New("name the parts")
	}
	if err := os.MkdirAll(s.dir, 0o750); err != nil {
		return err
	}
	passed, err := s.passed()
	if err != nil {
		return err
	}
	var list strings.Builder
	failed := 0
	for i, part := range parts {
		note, before := passed[part]
		switch {
		case ctx.Err() != nil:
			fmt.Fprintf(&list, "not run  %s\n", part)
			continue
		case before:
			fmt.Fprintf(&list, "skipped  %-20s it has passed on this commit already, in %s\n", part, note)
			continue
		}
		fmt.Fprintf(s.out, "make soak: part %d of %d: %s\n", i+1, len(parts), part)
		began := s.now()
		err := s.part(ctx, part)
		took := s.now().Sub(began).Round(time.Second)
		switch {
		case ctx.Err() != nil:
			fmt.Fprintf(&list, "stopped  %-20s after %v\n", part, took)
		case err != nil:
			failed++
			fmt.Fprintf(&list, "FAILED   %-20s after %v: %v; see %s\n", part, took, err, s.log(part))
		default:
			fmt.Fprintf(&list, "passed   %-20s in %v\n", part, took)
			if err := s.note(part, took); err != nil {
				return err
			}
		}
		fmt.Fprintf(s.out, "\nmake soak, so far:\n%s\n", &list)
	}
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(s.out, "\nmake soak:\n%s", &list)
		return errors.New("interrupted; run it again to go on with what has not passed")
	case failed > 0:
		fmt.Fprintf(s.out, "\nmake soak:\n%s", &list)
		return fmt.Errorf("%d of %d parts failed", failed, len(parts))
	}
	_, err = fmt.Fprintf(s.out, "\nmake soak:\n%s", &list)
	return err
}

func (s *soak) log(part string) string { return filepath.Join(s.dir, part+".log") }

// part makes one part. What it prints is kept as well.
func (s *soak) part(ctx context.Context, part string) error {
	log, err := os.Create(s.log(part))
	if err != nil {
		return err
	}
	defer log.Close()
	c := exec.CommandContext(ctx, s.make, "--no-print-directory", part)
	// Its programs end with it: they are a group of processes.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
	c.WaitDelay = grace
	c.Stdout = io.MultiWriter(s.out, log)
	c.Stderr = c.Stdout
	return c.Run()
}

// grace is how long a part that is interrupted may take to end.
const grace = 30 * time.Second

// notes is the file with a line for each part that has passed: the commit, the part and how long it took.
func (s *soak) notes() string { return filepath.Join(s.dir, "passed") }

// passed returns how long each part took that has passed on this commit.
func (s *soak) passed() (map[string]string, error) {
	text, err := os.ReadFile(s.notes())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if w := strings.Fields(line); len(w) == 3 && w[0] == s.commit {
			all[w[1]] = w[2]
		}
	}
	return all, nil
}

func (s *soak) note(part string, took time.Duration) error {
	if s.commit == "" {
		return nil
	}
	f, err := os.OpenFile(s.notes(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o640)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s %s %v\n", s.commit, part, took)
	return errors.Join(err, f.Close())
}
