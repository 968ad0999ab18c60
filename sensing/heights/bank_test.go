package heights_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/hardware/virtual"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/heights"

	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/physic"
)

const all = ^rules.Bitboard(0)

// rig is a virtual twin board in virtual time, and a bank that reads it until the test ends.
type rig struct {
	*testing.T
	*virtual.Board
	bank *heights.Bank
	out  chan sensing.Reading
}

func newRig(t *testing.T) *rig {
	b, err := virtual.New(virtual.Options{Name: "heights-" + t.Name(), Kind: virtual.Twin, Untimed: true})
	if err != nil {
		t.Fatal(err)
	}
	bus, err := i2creg.Open(b.I2C())
	if err != nil {
		t.Fatal(err)
	}
	bank, err := heights.New(bus, heights.Opts{})
	if err != nil {
		t.Fatal(err)
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

// next is the n-th reading from now.
func (r *rig) next(n int) (last sensing.Reading) {
	for range n {
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

func TestTenSweepsASecondWithoutStrayLight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.next(1)
		began := time.Now()
		for range 20 {
			got := r.next(1)
			if got.Known != all {
				t.Fatalf("squares %016x are unknown", uint64(^got.Known))
			}
			for sq, v := range got.Value {
				if v < -7000 || v > 7000 {
					t.Fatalf("empty square %d is %d um high: light of a neighbour?", sq, v)
				}
			}
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("20 sweeps took %v, want 2s at most", took)
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
		{"sensor silent", func(f virtual.Faults) { f.Eye(c3, true) }, func(f virtual.Faults) { f.Eye(c3, false) }, c3.Bit(), "remote I/O error"},
		{"no target", func(f virtual.Faults) { f.Blind(c3, true) }, func(f virtual.Faults) { f.Blind(c3, false) }, c3.Bit(), "no target"},
		{"multiplexer silent", func(f virtual.Faults) { f.Mux(2, true) }, func(f virtual.Faults) { f.Mux(2, false); f.ResetMux(2) }, 0xff0000, "0x72"},
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
		if !strings.Contains(h.Detail, "reset 1 times") {
			t.Errorf("got %+v, want the reset counted", h)
		}
	})
}

func TestNoisyBusCostsNoWrongHeight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.next(2)
		r.Faults().Bus(virtual.BusFaults{NackEvery: 11})
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

// A builder's sensors hang two millimetres lower than the plans say, and see it when they are calibrated.
func TestCalibration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, err := virtual.New(virtual.Options{Name: "heights-" + t.Name(), Kind: virtual.Twin, Untimed: true, CubeHeight: 38000})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		bus, err := i2creg.Open(b.I2C())
		if err != nil {
			t.Fatal(err)
		}
		bank, err := heights.New(bus, heights.Opts{})
		if err != nil {
			t.Fatal(err)
		}
		var w virtual.Wood
		w[0][c3] = []byte("PP")
		b.Put(w)
		time.Sleep(time.Second)
		o, err := bank.CalibrateOffset(t.Context(), c3, 70*physic.MilliMetre)
		if err != nil || !o.Calibrated {
			t.Fatalf("got %+v, error %v", o, err)
		}
		got, err := bank.Sweep(t.Context())
		if v := got.Value[c3]; err != nil || !got.Known.Has(c3) || v < 65000 || v > 75000 {
			t.Errorf("what was said to be 70 mm high reads %d um, error %v", v, err)
		}
		b.Faults().Eye(c3, true)
		if _, err := bank.CalibrateOffset(t.Context(), c3, 70*physic.MilliMetre); err == nil || !strings.Contains(err.Error(), "c3") {
			t.Errorf("a sensor that is gone: got %v, want an error that names c3", err)
		}
	})
}
