// SPDX-License-Identifier: Apache-2.0

package heights_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2creg"

	"boardd/hardware/virtual"
	"boardd/hardware/virtual/wires"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/bus"
	"boardd/sensing/heights"
	"boardd/sensing/wood"
)

const all = ^rules.Bitboard(0)

// rig is a virtual twin board in virtual time, and a bank that reads it until the test ends.
type rig struct {
	*testing.T
	*virtual.Board
	bank *heights.Bank
	out  chan sensing.Reading
}

func newRig(t *testing.T) *rig { return rigOf(t, virtual.Options{Untimed: true}) }

func rigOf(t *testing.T, o virtual.Options) *rig { return rigWired(t, o, heights.Opts{}, nil) }

// rigWired is a rig whose sensors are over other squares than their wires say; over nil: over the same.
func rigWired(t *testing.T, o virtual.Options, wires heights.Opts, over *[64]rules.Square) *rig {
	return rigBehind(t, o, wires, over, func(_ *virtual.Board, raw i2c.Bus) i2c.Bus { return raw })
}

// rigBehind is a rig whose bank uses the bus through a wrapper.
func rigBehind(t *testing.T, o virtual.Options, wires heights.Opts, over *[64]rules.Square,
	through func(*virtual.Board, i2c.Bus) i2c.Bus) *rig {
	o.Name, o.Kind = "heights-"+t.Name(), virtual.Twin
	b, err := virtual.New(o)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := i2creg.Open(b.I2C())
	if err != nil {
		t.Fatal(err)
	}
	bank, err := heights.New(through(b, raw), wires)
	if err != nil {
		t.Fatal(err)
	}
	if over != nil {
		bank.SetSquares(*over)
	}
	r := &rig{t, b, bank, make(chan sensing.Reading)}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- bank.Run(ctx, r.out) }()
	t.Cleanup(func() {
		stop()
		<-ended
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// next is the last reading of this many times 100 ms.
func (r *rig) next(n int) (last sensing.Reading) {
	for end := time.Now().Add(time.Duration(n) * 100 * time.Millisecond); last.At.Before(end); {
		last = <-r.out
	}
	return last
}

// trouble is the line of health that names a square, "" if none does.
func (r *rig) trouble(sq rules.Square) string {
	for _, p := range r.bank.Health() {
		if strings.HasPrefix(p.Name, "heights of") && strings.Contains(p.Name, " "+sq.String()) {
			return p.Detail
		}
	}
	return ""
}

const c3 = rules.Square(18)

// level reports whether a height is that of an empty square.
func level(um int32) bool { return um > -7000 && um < 7000 }

// measure counts how often each square is measured in a span, and checks that the board looks empty all the time.
func (r *rig) measure(span time.Duration, stir bool) (n [64]int) {
	for end := time.Now().Add(span); time.Now().Before(end); {
		if stir {
			r.bank.NoteMotion()
		}
		got := <-r.out
		if got.Known != all {
			r.Fatalf("squares %016x are unknown", uint64(^got.Known))
		}
		for sq := range (got.Known &^ got.Stale).Squares() {
			if n[sq]++; !level(got.Value[sq]) {
				r.Fatalf("empty %v is %d um high: light of a neighbour?", sq, got.Value[sq])
			}
		}
	}
	return n
}

// TestRatesWithoutStrayLight: every square is measured at least ten times a second on a board at rest, and thirty
// times while something moves. It is never measured while its neighbour is. The sensors' clocks are a tenth apart, and
// the bus takes time.
func TestRatesWithoutStrayLight(t *testing.T) {
	for seed := range uint64(2) {
		synctest.Test(t, func(t *testing.T) {
			r := rigOf(t, virtual.Options{Sleep: time.Sleep, Seed: seed})
			r.next(30)
			for _, c := range []struct {
				stir bool
				want int
			}{{false, 50}, {true, 150}} {
				for sq, n := range r.measure(5*time.Second, c.stir) {
					if n < c.want {
						t.Fatalf("seed %d: %v was measured %d times in 5 s, want %d at least, stirred: %v", seed, rules.Square(sq), n,
							c.want, c.stir)
					}
				}
			}
		})
	}
}

// TestAwaitedSquares: the square for which the game waits is measured twice as often as others, and never while its
// neighbours are. These have their turn all the same. Two awaited neighbours are measured in the same way.
func TestAwaitedSquares(t *testing.T) {
	for _, awaited := range []rules.Bitboard{c3.Bit(), c3.Bit() | 1<<36 | 1<<63, c3.Bit() | c3.Bit()<<1} {
		synctest.Test(t, func(t *testing.T) {
			r := rigOf(t, virtual.Options{Sleep: time.Sleep, Seed: 1})
			r.next(30)
			r.bank.Await(awaited)
			r.next(3)
			n := r.measure(5*time.Second, false)
			t.Logf("%016x: %v", uint64(awaited), n)
			most := 0
			for sq, n := range n {
				if n < 3 {
					t.Errorf("%v was measured %d times in 5 s, want 3 at least", rules.Square(sq), n)
				}
				if awaited.Has(rules.Square(sq)) {
					most = max(most, n)
				}
			}
			if most < 220 {
				t.Errorf("awaited %016x: measured %d times in 5 s, want 220 at least", uint64(awaited), most)
			}
			r.bank.Await(0)
			r.next(30)
			for sq, n := range r.measure(5*time.Second, true) {
				if n < 150 {
					t.Errorf("awaited no more: %v was measured %d times in 5 s, want 150 at least", rules.Square(sq), n)
				}
			}
		})
	}
}

// TestSensorsLieElsewhere: sensors on each other's wires measure where they are. Unless the bank knows where that is,
// the light of neighbours disturbs them.
func TestSensorsLieElsewhere(t *testing.T) {
	const c4 = c3 + 8
	swapped := func(sq rules.Square) (mux, channel int) {
		switch sq {
		case c3:
			sq = c4
		case c4:
			sq = c3
		}
		return sq.Rank(), sq.File()
	}
	var over [64]rules.Square
	for sq := range over {
		over[sq] = rules.Square(sq)
	}
	over[c3], over[c4] = c4, c3
	for _, known := range []*[64]rules.Square{nil, &over} {
		synctest.Test(t, func(t *testing.T) {
			r := rigWired(t, virtual.Options{Sleep: time.Sleep}, heights.Opts{Wiring: swapped}, known)
			var w wood.Wood
			w[c3] = "PP"
			r.Put(w)
			spoilt, n := 0, 0
			for end := time.Now().Add(5 * time.Second); time.Now().Before(end); {
				got := <-r.out
				for sq := range (got.Known &^ got.Stale &^ (1<<c3 | 1<<c4)).Squares() {
					if n++; !level(got.Value[sq]) {
						spoilt++
					}
				}
				if known != nil && got.Known.Has(c3) && (level(got.Value[c3]) || !level(got.Value[c4])) {
					t.Fatalf("two cubes on c3: c3 is %d um high and c4 %d", got.Value[c3], got.Value[c4])
				}
			}
			if (spoilt == 0) != (known != nil) {
				t.Errorf("the wiring is known: %v; %d of %d heights are spoilt by neighbours", known != nil, spoilt, n)
			}
		})
	}
}

// unused gives a bank on a new board that nothing runs on.
func unused(t *testing.T) (*virtual.Board, *heights.Bank) {
	t.Helper()
	board, err := virtual.New(virtual.Options{Name: "heights-" + t.Name(), Kind: virtual.Twin, Untimed: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { board.Close() }) //nolint:errcheck // nothing runs on it
	bus, err := i2creg.Open(board.I2C())
	if err != nil {
		t.Fatal(err)
	}
	bank, err := heights.New(bus, heights.Opts{})
	if err != nil {
		t.Fatal(err)
	}
	return board, bank
}

// TestWaking: a sensor that does not answer counts as tried, so that nobody waits for it.
func TestWaking(t *testing.T) {
	board, bank := unused(t)
	board.Faults().Mux(3, true)
	if n := bank.Uninitialized(); n != 64 {
		t.Errorf("%d sensors are to be set up at first, want 64", n)
	}
	if _, err := bank.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := bank.Uninitialized(); n != 0 {
		t.Errorf("%d sensors are to be set up after a sweep, want none", n)
	}
}

// TestSpoilt: once the wiring is known, so are the squares that were measured together with a neighbour. There are
// none if the board is only turned or mirrored.
func TestSpoilt(t *testing.T) {
	_, bank := unused(t)
	var straight, mirrored, swapped [64]rules.Square
	for sq := range rules.Square(64) {
		straight[sq], mirrored[sq], swapped[sq] = sq, sq^7, sq
	}
	swapped[c3], swapped[c3+8] = c3+8, c3
	for _, c := range []struct {
		thought, real [64]rules.Square
		want          rules.Bitboard
	}{
		{straight, straight, 0},
		{straight, mirrored, 0},
		{straight, swapped, 1<<10 | 1<<17 | 1<<18 | 1<<19 | 1<<25 | 1<<26 | 1<<27 | 1<<34},
		{swapped, swapped, 0},
		{mirrored, mirrored, 0},
		{straight, straight, 0},
	} {
		bank.SetSquares(c.thought)
		if got := bank.Spoilt(c.real); got != c.want {
			t.Errorf("thought to lie as %v, and lie as %v: %016x are spoilt, want %016x", c.thought, c.real, uint64(got),
				uint64(c.want))
		}
	}
}

// TestBlindSensorsCostTheirSquares: sensors without a target measure more than twice as long as others. One is left
// behind, many are waited for. All others are still measured ten times a second, and never next to one that still
// shines.
func TestBlindSensorsCostTheirSquares(t *testing.T) {
	for _, blind := range []rules.Bitboard{c3.Bit(), 0x55aa55, all &^ 0xffff} {
		synctest.Test(t, func(t *testing.T) {
			r := rigOf(t, virtual.Options{Sleep: time.Sleep})
			for sq := range blind.Squares() {
				r.Faults().Blind(sq, true)
			}
			r.next(30)
			var n [64]int
			for end := time.Now().Add(5 * time.Second); time.Now().Before(end); {
				got := <-r.out
				for sq := range (got.Known &^ got.Stale).Squares() {
					if n[sq]++; !level(got.Value[sq]) {
						t.Fatalf("%d blind: %v is %d um high: light of a neighbour?", blind.Count(), sq, got.Value[sq])
					}
				}
				if got.Known&blind != 0 {
					t.Fatalf("%d blind: %016x of them are known", blind.Count(), uint64(got.Known&blind))
				}
			}
			for sq, n := range n {
				if !blind.Has(rules.Square(sq)) && n < 50 {
					t.Errorf("%d blind: %v was measured %d times in 5 s, want 50 at least", blind.Count(), rules.Square(sq), n)
				}
			}
		})
	}
}

// TestLandingIsKnownInTime: a piece that is put down is in a reading at most 44 ms later, when rounds follow each
// other without a pause.
func TestLandingIsKnownInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rigOf(t, virtual.Options{Sleep: time.Sleep})
		r.next(30)
		var worst, sum time.Duration
		const landings = 40
		for i := range landings {
			for end := time.Now().Add(300*time.Millisecond +
				time.Duration(i)*time.Millisecond); time.Now().Before(end); <-r.out {
				r.bank.NoteMotion()
			}
			sq := rules.Square(i * 7 % 64)
			var w wood.Wood
			w[sq] = "P"
			landed := time.Now()
			r.Put(w)
			got := <-r.out
			for level(got.Value[sq]) {
				got = <-r.out
			}
			worst, sum = max(worst, got.At.Sub(landed)), sum+got.At.Sub(landed)
			r.Put(wood.Wood{})
		}
		t.Logf("%v on average, %v at the worst", sum/landings, worst)
		if worst > 48*time.Millisecond {
			t.Errorf("%v from landing to reading, want 48ms at most", worst)
		}
	})
}

// TestLateResultIsNotNews: a result that waited on a busy machine is not dated as if it had been measured when it was
// fetched.
func TestLateResultIsNotNews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rigOf(t, virtual.Options{Sleep: time.Sleep})
		r.next(30)
		for i := range 40 {
			for end := time.Now().Add(50*time.Millisecond +
				time.Duration(i)*time.Millisecond); time.Now().Before(end); <-r.out {
				r.bank.NoteMotion()
			}
			for sq := range rules.Square(64) {
				r.HoldOver(sq, 100*time.Millisecond)
			}
			gone := time.Now().Add(100 * time.Millisecond)
			time.Sleep(300 * time.Millisecond) // nobody takes a reading, and the bank waits
			for end := time.Now().Add(100 * time.Millisecond); time.Now().Before(end); {
				got := <-r.out
				if got.At.Before(gone) {
					continue
				}
				for sq := range (got.Known &^ got.Stale).Squares() {
					if !level(got.Value[sq]) {
						t.Fatalf("%v is %d um high %v after the hand has gone", sq, got.Value[sq], got.At.Sub(gone))
					}
				}
			}
		}
	})
}

func TestEachFaultCostsItsSquares(t *testing.T) {
	for _, c := range []struct {
		name         string
		break_, mend func(f virtual.Faults)
		lost         rules.Bitboard
		why          string
	}{
		{"sensor silent", func(f virtual.Faults) { f.Eye(c3, true) }, func(f virtual.Faults) { f.Eye(c3, false) }, c3.Bit(),
			"remote I/O error"},
		{"no target", func(f virtual.Faults) { f.Blind(c3, true) }, func(f virtual.Faults) { f.Blind(c3, false) }, c3.Bit(),
			"no target"},
		{"multiplexer silent", func(f virtual.Faults) { f.Mux(2, true) },
			func(f virtual.Faults) { f.Mux(2, false); f.ResetMux(2) }, 0xff0000, "0x72"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				r.next(2)
				c.break_(r.Faults())
				if got := r.next(3); got.Known != all&^c.lost {
					t.Errorf("unknown are %016x, want %016x", uint64(^got.Known), uint64(c.lost))
				}
				if got := r.trouble(c3); !strings.Contains(got, c.why) {
					t.Errorf("the reason given is %q, want one with %q", got, c.why)
				}
				c.mend(r.Faults())
				if got := r.next(70); got.Known != all {
					t.Errorf("after mending unknown are %016x", uint64(^got.Known))
				}
				if got := r.trouble(c3); got != "" {
					t.Errorf("after mending the reason is still %q", got)
				}
			})
		})
	}
}

func TestResetsInMidGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.next(2)
		r.Faults().ResetMux(4)
		if got := r.next(3); got.Known != all {
			t.Errorf("a multiplexer's reset left %016x unknown", uint64(^got.Known))
		}
		r.Faults().ResetEye(c3)
		got := r.next(20)
		if v := got.Value[c3]; !got.Known.Has(c3) || v < -7000 || v > 7000 {
			t.Errorf("20 sweeps after a sensor's reset: known %v, %d um, want it set up again and near 0", got.Known.Has(c3), v)
		}
		h := r.bank.Health()[0]
		if !strings.Contains(h.Detail, "reset once") {
			t.Errorf("got %+v, want the reset counted", h)
		}
	})
}

func TestNoisyBusCostsNoWrongHeight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.next(2)
		r.Faults().Bus(wires.Faults{NackEvery: 11})
		known := 0
		for range 50 {
			got := r.next(1)
			known += got.Known.Count()
			for sq := range got.Known.Squares() {
				if v := got.Value[sq]; v < -7000 || v > 7000 {
					t.Fatalf("empty %v is %d um high", sq, v)
				}
			}
		}
		if known < 50*64/2 {
			t.Errorf("got %d of %d heights with one transfer in 11 refused", known, 50*64)
		}
	})
}

// TestCover: sensors behind a cover see everything too near, until the cover's light was measured on the empty board.
func TestCover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for cover, wrong := range map[float64]bool{0: false, 0.3: true} {
			b, err := virtual.New(virtual.Options{Name: "heights-" + t.Name(), Kind: virtual.Twin, Untimed: true, Cover: cover})
			if err != nil {
				t.Fatal(err)
			}
			bus, err := i2creg.Open(b.I2C())
			if err != nil {
				t.Fatal(err)
			}
			fresh := func() *heights.Bank {
				bank, err := heights.New(bus, heights.Opts{})
				if err != nil {
					t.Fatal(err)
				}
				return bank
			}
			sees := func(bank *heights.Bank, why string, right bool) {
				got, err := bank.Sweep(t.Context())
				if v := got.Value[c3]; err != nil || !got.Known.Has(c3) || right && (v < 63000 || v > 77000) ||
					right != level(got.Value[0]) {
					t.Errorf("cover of %g Mcps, %s: two cubes of 35 mm are %d um high, an empty square %d, error %v", cover, why, v,
						got.Value[0], err)
				}
			}
			found := map[rules.Square]uint16{}
			bank := fresh()
			for sq := range rules.Square(64) {
				if found[sq], err = bank.CalibrateCrosstalk(t.Context(), sq, 0); err != nil {
					t.Fatal(err)
				}
			}
			var w wood.Wood
			w[c3] = "PP"
			b.Put(w)
			time.Sleep(time.Second)
			sees(fresh(), "uncalibrated", !wrong)
			bank = fresh()
			for sq, v := range found {
				bank.SetCrosstalk(sq, v)
			}
			sees(bank, "calibrated", true)
			b.Faults().Eye(c3, true)
			if _, err := bank.CalibrateCrosstalk(t.Context(), c3, 0); err == nil || !strings.Contains(err.Error(), "c3") {
				t.Errorf("a sensor that is gone: got %v, want an error that names c3", err)
			}
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestMissedClocks: a Raspberry Pi's fault with stretched clocks spoils one transfer in 41. No wrong height is ever
// reported, and no sensor is said to have been reset.
func TestMissedClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rigBehind(t, virtual.Options{Untimed: true}, heights.Opts{}, nil, func(b *virtual.Board, raw i2c.Bus) i2c.Bus {
			scl, sda := b.Recovery()
			return bus.New(raw, bus.Opts{Recover: bus.NineClocks(gpioreg.ByName(scl), gpioreg.ByName(sda)),
				Every: time.Microsecond})
		})
		r.next(20) // all are set up
		r.Faults().Bus(wires.Faults{StretchEvery: 41})
		measured := 0
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
			got := <-r.out
			for sq := range (got.Known &^ got.Stale).Squares() {
				if measured++; !level(got.Value[sq]) {
					t.Fatalf("empty %v is %d um high", sq, got.Value[sq])
				}
			}
		}
		if measured < 20*10*64/2 {
			t.Errorf("%d heights in 20 s", measured)
		}
		for _, p := range r.bank.Health() {
			if strings.Contains(p.Detail, "reset") {
				t.Errorf("%s: %s", p.Name, p.Detail)
			}
		}
	})
}
