// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/physic"

	"boardd/config"
	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/wires"
	"boardd/leds"
	"boardd/leds/chain"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/heights"
	"boardd/sensing/reeds"
)

// truth is the wiring as the daemon and the firmware have it. It is found by running them, not from tables of the
// drawings.
type truth struct {
	reeds  map[place]input   // the input, and its expander, of each square
	eyes   [64]channel       // the multiplexer and channel of the sensor over each square
	lights []place           // the order of the chain
	cells  [64]string        // the processor's pin of a square's converter: PA0
	clock  string            // the pin that clocks the chosen rank, or all corners
	choose [3]string         // the pins that choose it, low bit first
	gpio   map[string]string // what a GPIO is for: ~{INT} by GPIO17

	corners map[rules.Square]string // of a scale board: the Nano's port of each corner
}

type place struct {
	deck   sensing.Deck
	square rules.Square
}

// String names the square, with a mark for the upper deck.
func (p place) String() string { return fmt.Sprintf("%v of the %v deck", p.square, p.deck) }

type input struct {
	address uint16
	pin     string // P00 to P17
}

type channel struct {
	address uint16
	number  int
}

// truthOf is the truth of a board with one deck or two.
func truthOf(t testing.TB, decks int) *truth {
	t.Helper()
	src := firmware(t)
	w := &truth{reeds: reedsTruth(t, decks), lights: lightsTruth(t, decks, config.Default()), gpio: gpioTruth(t)}
	if decks == 2 {
		w.eyes = eyesTruth(t)
		return w
	}
	var err error
	if w.cells, w.clock, w.choose, err = cellsTruth(src); err != nil {
		t.Fatal(err)
	}
	return w
}

// reedsTruth pulls each input low, one at a time, and lets the driver say which square it is.
func reedsTruth(t testing.TB, decks int) map[place]input {
	bus := wires.New("reeds", 400*physic.KiloHertz).Untimed()
	var low input
	for a := range uint16(4 * decks) {
		bus.Attach(0x20+a, chips.NewTCA9535(func() uint16 {
			if low.address != 0x20+a {
				return 0xffff
			}
			n, err := strconv.ParseUint(low.pin[1:], 8, 8)
			if err != nil {
				return 0
			}
			return ^(uint16(1) << n)
		}, wires.NewPin("int")))
	}
	var chips []reeds.Chip
	for d := range sensing.Deck(decks) {
		list, err := reeds.Deck(bus, d)
		if err != nil {
			t.Fatal(err)
		}
		chips = append(chips, list...)
	}
	bank, err := reeds.New(chips, reeds.Opts{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[place]input{}
	for a := range uint16(4 * decks) {
		for i := range 16 {
			low = input{0x20 + a, fmt.Sprintf("P%02o", i)}
			bus.Changed()
			for d, r := range bank.Sweep() {
				for sq := range rules.Square(64) {
					if r.Closed.Has(sq) {
						found[place{sensing.Deck(d), sq}] = low
					}
				}
			}
		}
	}
	if len(found) != 64*decks {
		t.Fatalf("the driver tells %d squares apart, want %d", len(found), 64*decks)
	}
	return found
}

// eyesTruth gives every sensor a distance of its own, and lets the driver say over which square it is.
func eyesTruth(t testing.TB) (found [64]channel) {
	run := func(t testing.TB) {
		bus := wires.New("heights", 400*physic.KiloHertz).Untimed()
		for m := range 8 {
			mux := wires.NewPCA9548()
			bus.Attach(0x70+uint16(m), mux)
			for ch := range 8 {
				mm := 20 + 2*float64(8*m+ch)
				mux.Attach(ch, 0x29, chips.NewVL6180X(func(_, _ time.Time) chips.Sight { return chips.Sight{MM: mm} }))
			}
		}
		bank, err := heights.New(bus, heights.Opts{Above: 200 * physic.MilliMetre})
		if err != nil {
			t.Fatal(err)
		}
		r, err := bank.Sweep(context.Background())
		// the first sweeps set up the sensors
		for sweeps := 0; err == nil && r.Known != ^rules.Bitboard(0) && sweeps < 64; sweeps++ {
			r, err = bank.Sweep(context.Background())
		}
		if err != nil || r.Known != ^rules.Bitboard(0) {
			t.Fatalf("the driver sees %016x with error %v, want all squares", uint64(r.Known), err)
		}
		order := make([]rules.Square, 64)
		for i := range order {
			order[i] = rules.Square(i)
		}
		slices.SortFunc(order, func(a, b rules.Square) int { return int(r.Value[b] - r.Value[a]) })
		for i, sq := range order {
			found[sq] = channel{0x70 + uint16(i/8), i % 8}
		}
	}
	if test, ok := t.(*testing.T); ok {
		synctest.Test(test, func(t *testing.T) { run(t) })
	}
	return found
}

// lightsTruth lights each square, one at a time, and looks which light of the chain is on.
func lightsTruth(t testing.TB, decks int, c config.Config) []place {
	o := chain.Opts{Decks: decks, CapMA: c.CapMA}
	if c.Serpentine {
		o.Wiring = chain.Serpentine
	}
	line, err := chain.New(o)
	if err != nil {
		t.Fatal(err)
	}
	order := make([]place, 64*decks)
	for d := range decks {
		for sq := range 64 {
			var f leds.Frame
			f[d][sq] = leds.Color{R: 255}
			for i, b := range line.Encode(&f) {
				if b != 0 {
					order[i/3] = place{sensing.Deck(d), rules.Square(sq)}
				}
			}
		}
	}
	return order
}

// gpioTruth is what each GPIO is for, in the default configuration and in the sample with clock and display.
func gpioTruth(t testing.TB) map[string]string {
	c := config.Default()
	src, err := os.ReadFile("../../config/samples/apa102.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := config.Parse("apa102.yaml", src)
	if err != nil {
		t.Fatal(err)
	}
	// data and clock; I2C3 as dtoverlay=i2c3 has it
	buses := map[string][2]string{"I2C1": {"GPIO2", "GPIO3"}, "I2C3": {"GPIO4", "GPIO5"}}
	spi := map[string][2]string{"SPI0.0": {"GPIO10", "GPIO11"}}
	return map[string]string{
		"INT": c.Int, "SDA": buses[c.I2C][0], "SCL": buses[c.I2C][1], "MOSI": spi[c.SPI][0], "SCLK": spi[c.SPI][1],
		"white button": s.WhiteButton, "black button": s.BlackButton, "display SDA": buses[s.Display][0],
		"display SCL": buses[s.Display][1],
	}
}

// firmware is the hub's source.
func firmware(t testing.TB) string {
	t.Helper()
	var all []byte
	for _, f := range []string{"pins.h", "cells.c"} {
		src, err := os.ReadFile("../firmware/hub/" + f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, src...)
	}
	return string(all)
}

var (
	mapForm   = regexp.MustCompile(`(?s)#define PIN_MAP \{ (.*?)\n\n`)
	entryForm = regexp.MustCompile(`RANK\(IN_([A-L])\)|\{IN_([A-L]), ([0-7])\}`)
	orderForm = regexp.MustCompile(`enum \{ ((?:IN_[A-L], )+)INPUTS \}`)
	tableForm = regexp.MustCompile(`pins\[INPUTS\] PROGMEM = \{([^}]*)\}`)
	watchForm = regexp.MustCompile(`WATCH\(IN_([A-L]), PIN([A-L])\);`)
	clockForm = regexp.MustCompile(`#define CLOCK_PORT PORT([A-L])`)
	lineForm  = regexp.MustCompile(`PORT([A-L]) = .*`)
	bitForm   = regexp.MustCompile(`#define (SCK|A0|A1|A2)_BIT ([0-7])`)
)

// cellsTruth reads the pins from the firmware's source: the map of squares, the port of each name, and the pins that
// choose a rank. The watch and the reading must name the same ports.
func cellsTruth(src string) (cells [64]string, clock string, choose [3]string, err error) {
	fail := func(format string, a ...any) ([64]string, string, [3]string, error) {
		return cells, "", choose, fmt.Errorf("the firmware "+format, a...)
	}
	order, list := orderForm.FindStringSubmatch(src), tableForm.FindStringSubmatch(src)
	table := mapForm.FindStringSubmatch(src)
	if order == nil || list == nil || table == nil {
		return fail("has no PIN_MAP, no list of inputs or no pins: %v, %v, %v", table, order, list)
	}
	names := strings.Split(strings.TrimSuffix(strings.ReplaceAll(order[1], "IN_", ""), ", "), ", ")
	var read []string
	for pin := range strings.SplitSeq(list[1], ",") {
		read = append(read, strings.TrimPrefix(strings.TrimSpace(pin), "&PIN"))
	}
	watched := watchForm.FindAllStringSubmatch(src, -1)
	if len(names) != len(read) || len(names) != len(watched) {
		return fail("names %d inputs, reads %d and watches %d", len(names), len(read), len(watched))
	}
	port := map[string]string{}
	for i, name := range names {
		port[name] = read[i]
	}
	for _, m := range watched {
		if port[m[1]] != m[2] {
			return fail("reads IN_%s from port %s and watches port %s", m[1], port[m[1]], m[2])
		}
	}
	n := 0
	add := func(name, bit string) {
		if n < 64 {
			cells[n] = "P" + port[name] + bit
		}
		n++
	}
	for _, m := range entryForm.FindAllStringSubmatch(table[1], -1) {
		if m[1] != "" {
			for bit := range 8 {
				add(m[1], strconv.Itoa(bit))
			}
			continue
		}
		add(m[2], m[3])
	}
	bits := map[string]string{}
	for _, m := range bitForm.FindAllStringSubmatch(src, -1) {
		bits[m[1]] = m[2]
	}
	for i := range choose {
		for _, m := range lineForm.FindAllStringSubmatch(src, -1) {
			if strings.Contains(m[0], fmt.Sprintf("rank & %d ? _BV(A%d_BIT)", 1<<i, i)) {
				choose[i] = "P" + m[1] + bits[fmt.Sprintf("A%d", i)]
			}
		}
	}
	c := clockForm.FindStringSubmatch(src)
	if n != 64 || c == nil || slices.Contains(choose[:], "") {
		return fail("has %d cells in PIN_MAP, want 64; clock %v, rank by %v", n, c, choose)
	}
	return cells, "P" + c[1] + bits["SCK"], choose, nil
}
