// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"boardd/hardware/virtual"
	"boardd/leds"
	"boardd/leds/chain"
	"boardd/sensing/heights"
	"boardd/sensing/hub/protocol"
	"boardd/sensing/reeds"

	"periph.io/x/conn/v3/physic"
)

// job is a piece of the host's work. It has how often it is done in a second on a busy board. It also has how often it
// has to be repeated to count its instructions.
type job struct {
	name      string
	perSecond float64
	few       int
}

// jobs is what there is to do.
func jobs() []job {
	return []job{{"reeds, one deck", 500, 60}, {"reeds, two decks", 500, 60}, {"heights", 31, 4}, {"weights", 80, 20},
		{"picture", 20, 20}}
}

// silent is a bus on which every chip has kept its settings and every sensor is ready, so that only the host is
// measured.
type silent struct{ reg [128][8]byte }

func (b *silent) Tx(addr uint16, w, r []byte) error {
	chip := &b.reg[addr&127]
	if addr >= 0x20 && addr < 0x28 {
		for i, v := range w[1:] {
			chip[w[0]&7^byte(i)] = v
		}
		for i := range r {
			r[i] = chip[w[0]&7^byte(i)]
		}
		return nil
	}
	for i := range r {
		r[i] = 4 // a new range, in the register of interrupts
	}
	if len(r) > 1 {
		r[0] = 0
	}
	if len(w) == 2 && w[0]|w[1] == 0 {
		r[0] = 0xb4 // the sensors' model
	}
	return nil
}

func (b *silent) SetSpeed(physic.Frequency) error { return nil }
func (b *silent) String() string                  { return "silent" }

// worker makes a function that does a job once.
func worker(name string) (func(), error) {
	bus := &silent{}
	switch name {
	case "reeds, one deck", "reeds, two decks":
		kind := virtual.Stack
		if name == "reeds, two decks" {
			kind = virtual.Twin
		}
		bank, _, err := reedBank(bus, kind, reeds.Opts{})
		return func() { bank.Sweep() }, err
	case "heights":
		bank, err := heights.New(bus, heights.Opts{Usual: 1})
		return func() { _, _ = bank.Sweep(context.Background()) }, err
	case "weights":
		var d protocol.Decoder
		var w protocol.Weights
		line := protocol.AppendWeights(nil, &w)
		return func() { d.Feed(line, func(p protocol.Packet) { _ = p.Weights(&w) }) }, nil
	case "picture":
		c, err := chain.New(chain.Opts{Decks: 2})
		return func() { c.Encode(&leds.Frame{{{R: 200}}}) }, err
	}
	return nil, fmt.Errorf("work %q: not known", name)
}

// repeat does a job this many times.
func repeat(name string, times int) error {
	f, err := worker(name)
	if err != nil {
		return err
	}
	for range times {
		f()
	}
	return nil
}

// The Raspberry Pi Zero 2 W has Cortex-A53 cores at 1 GHz; on code like this they finish about 0.7 instructions a
// clock.
const coreRate = 0.7e9

// host measures what the drivers cost without bus, kernel and chips.
func host(emulate bool) error {
	var machines []*machine
	if emulate {
		var err error
		if machines, err = emulators(); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(machines[0].dir) }()
	}
	head := []string{"work", "a second", "here", "share of a core here"}
	if machines != nil {
		head = append(head, "instructions arm64", "share of a Zero 2 W core", "instructions ARMv6",
			"share of a 1 GHz ARMv6 core")
	}
	var rows [][]string
	for _, j := range jobs() {
		took, err := clock(j.name)
		if err != nil {
			return err
		}
		row := []string{j.name, fmt.Sprint(j.perSecond), took.String(),
			fmt.Sprintf("%.3f %%", 100*took.Seconds()*j.perSecond)}
		for _, m := range machines {
			n, err := m.instructions(j)
			if err != nil {
				return err
			}
			row = append(row, fmt.Sprint(n), fmt.Sprintf("%.3f %%", 100*float64(n)*j.perSecond/coreRate))
		}
		rows = append(rows, row)
	}
	table("Host, drivers alone (no kernel, no waiting)", head, rows)
	return nil
}

// clock is the time that a job takes, the best of five goes.
func clock(name string) (time.Duration, error) {
	f, err := worker(name)
	if err != nil {
		return 0, err
	}
	best := time.Hour
	for range 5 {
		const n = 2000
		began := time.Now()
		for range n {
			f()
		}
		best = min(best, time.Since(began)/n)
	}
	return best, nil
}
