// SPDX-License-Identifier: Apache-2.0

package hub_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"boardd/hardware/virtual"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/hub"

	"go.bug.st/serial"
)

const all = ^rules.Bitboard(0)

// rig is a virtual board with a hub, and a driver that reads it until the test ends.
type rig struct {
	*testing.T
	*virtual.Board
	hub *hub.Hub
	out chan sensing.Reading
}

// newRig makes a board; o is given the path of its hub.
func newRig(t *testing.T, v virtual.Options, o hub.Opts, before ...func(f *virtual.Hub)) *rig {
	t.Helper()
	v.Name = "hub-" + t.Name()
	b, err := virtual.New(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range before {
		f(b.Faults().Hub())
	}
	o.Path = b.Hub()
	r := &rig{t, b, hub.New(o), make(chan sensing.Reading)}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- r.hub.Run(ctx, r.out) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != context.Canceled {
			t.Errorf("Run ended with %v", err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// await reads until a reading fits.
func (r *rig) await(what string, fits func(sensing.Reading) bool) sensing.Reading {
	r.Helper()
	late := time.After(5 * time.Minute) // for what must happen: a busy machine is no fault
	for {
		select {
		case got := <-r.out:
			if fits(got) {
				return got
			}
		case <-late:
			r.Fatalf("no reading %s; health %+v", what, r.hub.Health())
		}
	}
}

// well reads n readings of all squares.
func (r *rig) well(n int) {
	r.Helper()
	for range n {
		r.await("knows all squares", func(s sensing.Reading) bool { return s.Known == all })
	}
}

// says reads on until the link's health says something.
func (r *rig) says(words ...string) {
	r.Helper()
	r.await("after which health says "+strings.Join(words, ", "), func(sensing.Reading) bool {
		for _, w := range words {
			if !strings.Contains(r.hub.Health()[0].Detail, w) {
				return false
			}
		}
		return true
	})
}

func TestDamagedFramesAreCountedAndSkipped(t *testing.T) {
	for _, c := range []struct {
		fault virtual.HubFaults
		says  []string
	}{
		{virtual.HubFaults{Garble: 5}, []string{"frames garbled", "frames missing"}},
		{virtual.HubFaults{Cut: 4}, []string{"frames garbled", "frames missing"}},
		{virtual.HubFaults{Repeat: true}, []string{"frames repeated"}},
	} {
		t.Run(c.says[0], func(t *testing.T) {
			r := newRig(t, virtual.Options{}, hub.Opts{})
			r.well(2)
			r.Faults().Hub().SetFaults(c.fault)
			r.says(c.says...)
			for n := 0; n < 30; {
				got := <-r.out
				if got.Known == 0 {
					continue // on a busy machine nothing comes for so long that the hub counts as silent
				}
				n++
				for sq, v := range got.Value {
					if got.Known != all || v < -90 || v > 90 {
						t.Fatalf("square %d of an empty board weighs %d mg", sq, v)
					}
				}
			}
			if h := r.hub.Health()[0]; !h.OK || h.Errors == 0 {
				t.Errorf("got %+v, want a working link with errors", h)
			}
		})
	}
}

func TestWhatIsNotAHubIsSaid(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault virtual.HubFaults
		says  string
	}{
		{"noise", virtual.HubFaults{Noise: true}, "wrong baud rate (want 500000)"},
		{"silence", virtual.HubFaults{Silent: true}, "nothing has come"},
		{"other version", virtual.HubFaults{Version: 7}, "hub speaks protocol 7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, virtual.Options{}, hub.Opts{Silence: 100 * time.Millisecond}, func(h *virtual.Hub) {
				h.SetFaults(c.fault)
				must(t, h.Unplug())
				must(t, h.Plug())
			})
			got := <-r.out
			if got.Known != 0 || got.Value != [64]int32{} {
				t.Errorf("got a reading of %016x, want nothing known", uint64(got.Known))
			}
			r.says(c.says)
			if h := r.hub.Health()[0]; h.OK {
				t.Errorf("got %+v, want it not well", h)
			}
			r.Faults().Hub().SetFaults(virtual.HubFaults{})
			r.well(1)
		})
	}
}

func TestOldFirmwareIsSaid(t *testing.T) {
	r := newRig(t, virtual.Options{}, hub.Opts{}, func(h *virtual.Hub) {
		h.SetFaults(virtual.HubFaults{Old: true})
	})
	r.says("firmware 0.9 is older than 1.1")
}

func TestWrongBaudRateOnTheLine(t *testing.T) {
	var path string
	o := hub.Opts{Silence: 200 * time.Millisecond, Open: func() (io.ReadWriteCloser, error) {
		p, err := serial.Open(path, &serial.Mode{BaudRate: 115200})
		if err != nil {
			return nil, err
		}
		return p, p.SetReadTimeout(50 * time.Millisecond)
	}}
	r := newRig(t, virtual.Options{}, o, func(h *virtual.Hub) { path = h.Path() })
	r.says("wrong baud rate (want 500000)")
}

func TestPulledPlug(t *testing.T) {
	r := newRig(t, virtual.Options{}, hub.Opts{})
	r.well(3)
	for range 3 {
		must(t, r.Faults().Hub().Unplug())
		r.await("says that nothing is known", func(s sensing.Reading) bool { return s.Known == 0 })
		if h := r.hub.Health()[0]; h.OK || !strings.Contains(h.Detail, "line is gone") {
			t.Errorf("got %+v, want the line gone", h)
		}
		must(t, r.Faults().Hub().Plug())
		r.well(3)
	}
	r.says("line lost 3 times")
}

func TestFaultyCellsCostTheirSquares(t *testing.T) {
	r := newRig(t, virtual.Options{}, hub.Opts{})
	r.well(1)
	r.Faults().Cell(12, virtual.CellAbsent)
	r.Faults().Cell(13, virtual.CellSaturated)
	r.await("leaves out two squares", func(s sensing.Reading) bool { return s.Known == all&^(3<<12) })
	h := r.hub.Health()
	if len(h) != 3 || !strings.Contains(h[1].Detail, "e2") || !strings.Contains(h[2].Detail, "f2") {
		t.Errorf("got %+v, want e2 absent and f2 saturated", h)
	}
	r.Faults().Cell(12, virtual.CellGood)
	r.Faults().Cell(13, virtual.CellGood)
	r.well(1)
}

func TestSlowRate(t *testing.T) {
	r := newRig(t, virtual.Options{}, hub.Opts{Rate: 10})
	r.await("comes at 10 a second", func(sensing.Reading) bool { return r.hub.Health()[0].Sweep > 80*time.Millisecond })
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
