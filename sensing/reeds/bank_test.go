// SPDX-License-Identifier: Apache-2.0

package reeds_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"

	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/wires"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/bus"
	"boardd/sensing/mcp23017"
	"boardd/sensing/reeds"
	"boardd/sensing/tca9535"
)

// deck is four virtual expanders in virtual time, and a bank that reads them.
type deck struct {
	*testing.T
	bus   *wires.Bus
	pin   *wires.Pin
	chips [4]*chips.TCA9535
	shut  atomic.Uint64 // switches that are closed
	bank  *reeds.Bank
	out   chan sensing.Reading
}

// newDeck makes a deck whose bank is not running yet.
func newDeck(t *testing.T, o reeds.Opts) *deck {
	d := &deck{T: t, bus: wires.New("reeds", 400*physic.KiloHertz).Untimed(), pin: wires.NewPin("int"),
		out: make(chan sensing.Reading)}
	for k := range 4 {
		d.chips[k] = chips.NewTCA9535(func() uint16 { return ^uint16(d.shut.Load() >> (16 * k)) }, d.pin)
		d.bus.Attach(0x20+uint16(k), d.chips[k])
	}
	chips, err := reeds.Deck(d.bus, sensing.Lower)
	if err != nil {
		t.Fatal(err)
	}
	if o.INT == gpio.INVALID {
		o.INT = d.pin
	}
	if d.bank, err = reeds.New(chips, o); err != nil {
		t.Fatal(err)
	}
	return d
}

// run starts the bank until the test ends.
func (d *deck) run() {
	ctx, stop := context.WithCancel(d.Context())
	ended := make(chan error)
	go func() { ended <- d.bank.Run(ctx, d.out) }()
	d.Cleanup(func() {
		stop()
		if err := <-ended; err != context.Canceled {
			d.Errorf("Run ended with %v", err)
		}
	})
}

// set closes switches and lets the chips see it.
func (d *deck) set(shut rules.Bitboard) {
	d.shut.Store(uint64(shut))
	d.bus.Changed()
}

// await reads until a reading has the wanted squares, and returns how long that took.
func (d *deck) await(known, closed rules.Bitboard) time.Duration {
	d.Helper()
	began := time.Now()
	for r := range d.out {
		if r.Known == known && r.Closed == closed {
			return time.Since(began)
		}
		if time.Since(began) > 10*time.Second {
			d.Fatalf("after 10 s still known %016x closed %016x, want %016x and %016x", uint64(r.Known), uint64(r.Closed),
				uint64(known), uint64(closed))
		}
	}
	return 0
}

const (
	all   = ^rules.Bitboard(0)
	third = rules.Bitboard(0xffff) << 32 // the squares of the third chip
)

func TestMissingChipCostsItsSquares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDeck(t, reeds.Opts{})
		d.run()
		d.set(0xff00000000ff)
		d.await(all, 0xff00000000ff)
		d.bus.Silence(d.chips[2], true)
		d.await(all&^third, 0xff)
		if p := d.bank.Health(); p[0].OK || p[3].OK || p[3].Errors == 0 || !strings.Contains(p[3].Detail, "0x22") {
			t.Errorf("health does not name the chip: %+v", p)
		}
		before := d.bus.Counters().Refused
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
			<-d.out
		}
		if n := d.bus.Counters().Refused - before; n < 8 || n > 40 {
			t.Errorf("a dead chip was asked %d times in 20 s, want about 10", n)
		}
		d.bus.PowerCycle(d.chips[2])
		d.bus.Silence(d.chips[2], false)
		d.await(all, 0xff00000000ff)
		if p := d.bank.Health(); !p[0].OK || !p[3].OK {
			t.Errorf("health after the chip came back: %+v", p)
		}
	})
}

func TestResetInMidGameIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDeck(t, reeds.Opts{})
		d.run()
		d.await(all, 0)
		d.bus.PowerCycle(d.chips[1])
		for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
			if r := <-d.out; r.Known != all {
				t.Errorf("a reset of inputs made %016x unknown", uint64(^r.Known))
			}
		}
		if p := d.bank.Health()[2]; p.Errors != 1 || !strings.Contains(p.Detail, "reset once") {
			t.Errorf("got %+v, want one reset", p)
		}
	})
}

func TestWhatTheInterruptLineDoes(t *testing.T) {
	second := reeds.Opts{INT: gpio.INVALID, Idle: time.Second}
	for _, c := range []struct {
		name  string
		fault func(p *wires.Pin)
		most  time.Duration
	}{
		{"wakes early", func(*wires.Pin) {}, 3 * time.Millisecond},
		{"loses edges", func(p *wires.Pin) { p.LoseEdges(true) }, time.Second},
		{"is broken", func(p *wires.Pin) { p.Deaf(true) }, time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDeck(t, second)
				c.fault(d.pin)
				d.run()
				d.await(all, 0)
				for end := time.Now().Add(5500 * time.Millisecond); time.Now().Before(end); {
					<-d.out
				}
				d.set(1)
				if took := d.await(all, 1); took > c.most {
					t.Errorf("a change was seen after %v, want %v at most", took, c.most)
				}
			})
		})
	}
}

// TestChangesLostInARead: an expander may end its interrupt during the read that misses the change. It is read again
// soon all the same, because an interrupt quickens the sweeps whatever they show.
func TestChangesLostInARead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDeck(t, reeds.Opts{INT: gpio.INVALID, Idle: time.Second})
		for _, c := range d.chips {
			c.LoseChanges()
		}
		d.run()
		d.await(all, 0)
		for n := range 20 {
			for end := time.Now().Add(1100 * time.Millisecond); time.Now().Before(end); { // the bank sweeps slowly again
				<-d.out
			}
			want := rules.Bitboard(1) << (n * 3) * rules.Bitboard(1-n%2)
			d.set(want)
			if took := d.await(all, want); took > 10*time.Millisecond {
				t.Errorf("change %d was seen after %v, want 10 ms at most", n, took)
			}
		}
	})
}

func TestStuckInterruptDoesNotFloodTheBus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDeck(t, reeds.Opts{INT: gpio.INVALID})
		d.pin.Drag(true)
		d.run()
		d.await(all, 0)
		before := d.bus.Counters().Transactions
		for end := time.Now().Add(time.Second); time.Now().Before(end); {
			<-d.out
		}
		if n := d.bus.Counters().Transactions - before; n > 4*500+50 {
			t.Errorf("%d transactions in 1 s with the line held low, want no more than at one sweep every 2 ms", n)
		}
	})
}

func TestSingleRefusalsCostNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDeck(t, reeds.Opts{})
		d.run()
		d.await(all, 0)
		d.bus.SetFaults(wires.Faults{NackEvery: 7})
		for range 200 {
			if r := <-d.out; r.Known != all {
				t.Fatalf("squares %016x became unknown", uint64(^r.Known))
			}
		}
		if p := d.bank.Health()[0]; p.Errors < 50 {
			t.Errorf("got %d errors counted of 200 sweeps with one transfer in 7 refused", p.Errors)
		}
	})
}

func TestQuietBoardIsSweptSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDeck(t, reeds.Opts{INT: gpio.INVALID})
		d.run()
		d.await(all, 0)
		sweeps := func() (n int) {
			for end := time.Now().Add(time.Second); time.Now().Before(end); n++ {
				<-d.out
			}
			return n
		}
		sweeps()
		if n := sweeps(); n < 20 || n > 30 {
			t.Errorf("got %d sweeps a second on a quiet board, want 25", n)
		}
		d.set(2)
		if n := sweeps(); n < 80 {
			t.Errorf("got %d sweeps in the second after a change, want more than 80", n)
		}
	})
}

func TestWiringFaultsAreAllReported(t *testing.T) {
	bus := wires.New("reeds", 400*physic.KiloHertz)
	a, b := reeds.Wiring(0), reeds.Wiring(1)
	b[3], b[7] = 2, 5
	_, err := reeds.New([]reeds.Chip{
		{Expander: tca9535.At(bus, 0x20), Squares: a},
		{Expander: tca9535.At(bus, 0x21), Squares: b},
	}, reeds.Opts{})
	if err == nil || !strings.Contains(err.Error(), "c1") || !strings.Contains(err.Error(), "f1") {
		t.Errorf("got %v, want c1 and f1 named", err)
	}
	if _, err := reeds.New(nil, reeds.Opts{}); err == nil {
		t.Error("a bank without chips: got no error")
	}
}

// TestExpandersOfBothKindsShareADeck: an MCP23017 has fourteen inputs. A builder who uses such chips needs a fifth one
// for the missing squares.
func TestExpandersOfBothKindsShareADeck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus, pin := wires.New("reeds", 400*physic.KiloHertz).Untimed(), wires.NewPin("int")
		shut := ^uint16(1<<3 | 1<<7 | 1<<12)
		bus.Attach(0x20, chips.NewMCP23017(func() uint16 { return shut }, pin))
		m := reeds.Wiring(0)
		m[7], m[15] = rules.NoSquare, rules.NoSquare
		bank, err := reeds.New([]reeds.Chip{{Expander: mcp23017.At(bus, 0x20), Squares: m}}, reeds.Opts{INT: pin})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		out := make(chan sensing.Reading)
		go func() { _ = bank.Run(ctx, out) }()
		r := <-out
		if r.Known != 0x7f7f || r.Closed != 1<<3|1<<12 {
			t.Errorf("got known %04x closed %04x, want 7f7f and 1008", r.Known, r.Closed)
		}
	})
}

// TestMissedClocks: a Raspberry Pi's fault with stretched clocks spoils one transfer in 37. No square is ever wrong,
// and no chip is said to have been reset.
func TestMissedClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDeck(t, reeds.Opts{})
		safe := bus.New(d.bus, bus.Opts{Recover: bus.NineClocks(d.bus.SCL("scl"), d.bus.SDA("sda")),
			Every: time.Microsecond})
		chips, err := reeds.Deck(safe, sensing.Lower)
		if err != nil {
			t.Fatal(err)
		}
		if d.bank, err = reeds.New(chips, reeds.Opts{INT: d.pin}); err != nil {
			t.Fatal(err)
		}
		before, now := rules.Bitboard(0), rules.Bitboard(0x00ff_a500_00ff_ff3c)
		d.set(now)
		d.bus.SetFaults(wires.Faults{StretchEvery: 37})
		d.run()
		known := 0
		for n := range 8000 {
			r := <-d.out
			known += r.Known.Count()
			if wrong := r.Known & (r.Closed ^ before) & (r.Closed ^ now); wrong != 0 {
				t.Fatalf("reading %d: %016x, wrong on %016x", n, uint64(r.Closed), uint64(wrong))
			}
			if n%50 == 49 {
				before, now = now, now<<9|now>>55
				d.set(now)
			}
		}
		if known < 8000*64*9/10 {
			t.Errorf("squares were known in %d of %d readings", known, 8000*64)
		}
		for _, p := range d.bank.Health() {
			if strings.Contains(p.Detail, "was reset") {
				t.Errorf("%s: %s", p.Name, p.Detail)
			}
		}
	})
}
