// SPDX-License-Identifier: Apache-2.0

// Command card tries the image for the card of a Raspberry Pi (systemd/card). It reads it as the firmware of every
// model would. On an emulated Raspberry Pi 3 it tests the first start, the devices and the access point of the board.
// On another emulated machine, from the same card, it tests the first page and a login with a key, and pulls the plug.
// The command `make card-check` makes the image and runs it.
//
// What is real: the image, its kernel, device tree and overlays, systemd, NetworkManager, the package. Three things
// are only modelled. The firmware is read by this program as its documentation says, the computers are emulated, and
// the radios are two of the kernel's simulated ones. What only a real Pi can tell stands in docs/own.md, "The card's
// image".
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"boardd/hardware/box/emulator"
)

// The addresses on this computer.
const (
	pageAddress  = "127.0.0.1:28081"
	loginAddress = "127.0.0.1:28022"
)

// Times. How long anything is waited for at most is emulator.Patience.
const (
	lookEvery = time.Second      // how soon is asked again
	answersIn = 30 * time.Second // what the page may take for one answer
)

// trial is one image that is tried.
type trial struct {
	dir, image string
	card       string // the copy of the image that is written to
	m          *emulator.Machine
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	t := trial{}
	flag.StringVar(&t.image, "image", "", "the image; without it the one in build/card")
	flag.StringVar(&t.dir, "dir", "build/card/trial", "folder for what the trial writes")
	flag.Parse()
	if err := t.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "card:", err)
		os.Exit(1)
	}
}

func (t *trial) run(ctx context.Context) error {
	if err := os.MkdirAll(t.dir, 0o755); err != nil {
		return err
	}
	if t.image == "" {
		found, err := filepath.Glob("build/card/*.img")
		if err != nil || len(found) != 1 {
			return fmt.Errorf("there are %d images in build/card, not one: make card-image first", len(found))
		}
		t.image = found[0]
	}
	defer func() {
		if t.m != nil {
			t.m.Kill()
		}
	}()
	for _, s := range []struct {
		name string
		try  func(context.Context) (string, error)
	}{
		{"what the firmware of every model reads", t.models},
		{"no network: the access point", t.point},
		{"the first start with a network", t.first},
		{"the first page", t.page},
		{"the plug pulled, and again", t.again},
		{"a login with a key", t.login},
		{"the second kernel", t.kernel},
	} {
		begin := time.Now()
		said, err := s.try(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Printf("ok  %-40s %s (%.0f s)\n", s.name, said, time.Since(begin).Seconds())
	}
	return nil
}
