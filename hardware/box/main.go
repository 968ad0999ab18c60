// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"boardd/hardware/box/disk"
	"boardd/hardware/box/emulator"
	"boardd/rules"
	"boardd/sync/broker"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b := box{}
	flag.StringVar(&b.dir, "dir", "build/box", "folder of the guest, kept between runs")
	flag.StringVar(&b.deb, "package", "", "the arm64 package to install; without it the newest in build/")
	flag.StringVar(&b.file, "play", "cmd/boardd/testdata/games/imoto.pgn", "the game that hands play in the guest")
	flag.IntVar(&b.cuts, "cuts", 100, "how often the plug is pulled at a random moment")
	flag.IntVar(&b.every, "every", 40, "at how many successive writes the plug is pulled")
	flag.BoolVar(&b.only, "power", false, "only install the package and pull the plug")
	flag.BoolVar(&b.inside, "inside", false, "chips inside the daemon instead of devices of the guest")
	flag.Uint64Var(&b.seed, "seed", 1, "of everything random")
	chosen := flag.String("steps", ".", "a regular expression: what is tried of the steps after the first")
	flag.Parse()
	var err error
	if b.chosen, err = regexp.Compile(*chosen); err != nil {
		fmt.Fprintln(os.Stderr, "box: -steps:", err)
		os.Exit(2)
	}
	if err := b.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "box:", err)
		os.Exit(1)
	}
}

// The addresses on this computer.
const (
	pageAddress   = "127.0.0.1:28080"
	brokerAddress = "127.0.0.1:21883"
)

// Times. How long anything is waited for at most is emulator.Patience.
const (
	lookEvery  = 50 * time.Millisecond  // how soon the page is asked again
	plugEvery  = 100 * time.Millisecond // how soon a device is plugged in again that is not gone yet
	answersIn  = 30 * time.Second       // what the page may take for one answer
	connectsIn = 10 * time.Second       // what the broker outside may take
	wakesIn    = time.Second            // what the page of a machine may take that goes on from a saved state
	whyIn      = time.Minute            // what may be taken for looking what went wrong
	leastPlay  = 500 * time.Millisecond // for how long is played before the plug is pulled
	mostPlay   = 6 * time.Second        // beyond that
	restSpan   = 10 * time.Second       // for how long a board at rest is watched

	// How long a button is held. If it is released while the daemon still reads its bounces, each over a round trip
	// through the emulator, that is no push. Ten readings of some milliseconds, and the wait for a processor.
	firm = time.Second
)

// box is one trial.
type box struct {
	dir, deb, file string
	cuts, every    int
	seed           uint64
	only           bool           // the power cuts
	chosen         *regexp.Regexp // the steps
	inside         bool           // the chips are inside the daemon, not behind the guest's devices

	setup  emulator.Setup
	parts  *parts // behind the guest's devices; nil: it has none
	disk   *disk.Disk
	m      *emulator.Machine
	table  *table
	out    *spectator
	line   []rules.Position // the game's positions, the start first
	coords []string
	facts  []fact
}

// step is one thing that is tried.
type step struct {
	name    string
	devices bool // it takes devices of the guest
	try     func(context.Context) (string, error)
}

// steps is what is tried before the power cuts, in order; the first is what all others build on.
func (b *box) steps() []step {
	return []step{
		{"boot and install the package", false, b.install},
		{"start again with the computer", false, b.restart},
		{"devices of the kernel's", true, b.devices},
		{"the doctor", true, b.doctor},
		{"set up the array", false, b.array},
		{"the clock's buttons", true, b.buttons},
		{"a board at rest", true, b.rests},
		{"half a game by hand", false, b.half},
		{"memory and processor", false, b.figures},
		{"the built-in broker", false, b.brokerInside},
		{"a loop that hangs", false, b.hang},
		{"a bad network", false, b.network},
		{"the hub pulled out and plugged in", true, b.replug},
		{"the hub's firmware hangs", true, b.hangHub},
		{"the hub plugged in after the service", true, b.late},
		{"errors on the bus", true, b.disturb},
		{"a data line that is held", true, b.stuck},
		{"the other half", false, b.rest},
		{"stop cleanly", false, b.stop},
		{"the same package again, and away with it", false, b.remove},
		{"an engine, and who comes first", false, b.engine},
		{"a root file system that is only read", true, b.readOnly},
		{"a twin board", true, b.twin},
	}
}

func (b *box) run(ctx context.Context) error {
	if err := b.prepare(ctx); err != nil {
		return err
	}
	defer func() {
		if b.m != nil {
			b.m.Kill()
		}
		b.disk.Close()
		if b.parts != nil {
			if err := b.parts.Close(); err != nil {
				complain(err)
			}
		}
	}()
	br, err := broker.Start(broker.Options{Listen: brokerAddress, Dir: filepath.Join(b.dir, "broker")})
	if err != nil {
		return err
	}
	defer br.Close() //nolint:errcheck // nothing is kept
	if b.out, err = look(br.URL()); err != nil {
		return err
	}
	defer b.out.client.Disconnect(100)
	defer b.report()
	for i, s := range b.steps() {
		if i > 0 && (b.only || !b.chosen.MatchString(s.name)) || s.devices && b.inside {
			continue
		}
		begin := time.Now()
		said, err := s.try(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", s.name, err, b.why(ctx))
		}
		fmt.Printf("ok  %-40s %s (%.0f s)\n", s.name, said, time.Since(begin).Seconds())
	}
	if b.cuts+b.every == 0 {
		return nil
	}
	return b.power(ctx)
}
