// SPDX-License-Identifier: Apache-2.0

// The program film makes the README's moving picture: go run ./docs/make/film, in the root of the repository. It
// starts the demo and lets virtual hands play opening.pgn. It takes pictures of both boards on the real page in a
// headless Chromium, and writes docs/pictures/demo.gif. Beside it, it writes the hash of what the film was made from.
// Pictures of the page, of the page on a phone and of the wall of a club are taken at the end.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2"
)

const (
	picture = "docs/pictures/demo.gif"
	game    = "docs/make/film/opening.pgn"
	between = 250 * time.Millisecond // of one picture and the next
	pace    = "6"                    // of the hands: so much slower than is usual in the demo
	hurry   = 2                      // so much faster is the film: a busy machine takes enough pictures, too
	after   = 3 * time.Second        // the last position is shown so much longer
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "film:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	made, err := hashOf(".")
	if err != nil {
		return err
	}
	// The browser first: the hands begin at once.
	tab, stop, err := startBrowser(ctx)
	if err != nil {
		return err
	}
	defer stop()
	ctx, over := context.WithCancel(ctx)
	page, ended, gone, err := startDemo(ctx)
	if err != nil {
		over()
		return err
	}
	defer func() { over(); <-gone }() // the demo would go on, and hold the output of whoever waits for this program
	frames, err := watch(tab, page, ended)
	if err != nil {
		return err
	}
	film, err := encode(frames)
	if err != nil {
		return err
	}
	if err := portraits(tab, page); err != nil {
		return err
	}
	if err := save(picture, film, made); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d pictures, %d kB\n", picture, len(frames), len(film)/1000)
	return nil
}

// save writes a film and the hash of what it was made from, both or none. A film with the hash of another one would
// pass for new.
func save(name string, film []byte, made string) error {
	stamp := name + ".from"
	former, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	first := errors.Is(err, fs.ErrNotExist)
	if err := renameio.WriteFile(name, film, 0o644); err != nil {
		return err
	}
	if err = renameio.WriteFile(stamp, []byte(made+"\n"), 0o644); err == nil {
		return nil
	}
	if first {
		return errors.Join(err, os.Remove(name))
	}
	return errors.Join(err, renameio.WriteFile(name, former, 0o644))
}

// startDemo starts the program with hands that play the game, until ctx ends. It returns the address of the page, and
// two channels. One is closed when the game has been played, the other when the program has ended.
func startDemo(ctx context.Context) (page string, ended, gone <-chan struct{}, err error) {
	dir, err := os.MkdirTemp("", "boardd-film-")
	if err != nil {
		return "", nil, nil, err
	}
	program := filepath.Join(dir, "boardd")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/boardd").CombinedOutput(); err != nil {
		return "", nil, nil, fmt.Errorf("cannot build boardd: %w: %s", err, text)
	}
	cmd := exec.CommandContext(ctx, program, "demo", "--listen", "127.0.0.1:0", "--mqtt", "127.0.0.1:0", "--pace", pace,
		"--play", game)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 20 * time.Second
	cmd.Stderr = os.Stderr
	said, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, nil, err
	}
	lines := bufio.NewScanner(said)
	for page == "" && lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "page: "); ok {
			page, _, _ = strings.Cut(address, " ")
		}
	}
	if page == "" {
		return "", nil, nil, fmt.Errorf("the demo ended before it named its page")
	}
	done, left := make(chan struct{}), make(chan struct{})
	go func() { // ends with the demo, which ends with ctx
		defer close(left)
		defer os.RemoveAll(dir)
		closed := false
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "played out") && !closed {
				closed = true
				close(done)
			}
		}
		cmd.Wait() // it was told to stop: how it ended says nothing
	}()
	return page, done, left, nil
}
