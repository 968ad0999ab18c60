// SPDX-License-Identifier: Apache-2.0

package button_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"boardd/hardware/virtual/wires"
	"boardd/sensing/button"
)

// rig is a button on a virtual pin in virtual time.
type rig struct {
	pin  *wires.Pin
	down bool
	out  chan button.Press
}

// start runs a button.
func start(t *testing.T) *rig {
	r := &rig{pin: wires.NewPin("key"), out: make(chan button.Press, 16)}
	b, err := button.New("white", r.pin, button.Opts{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- b.Run(ctx, r.out) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != context.Canceled {
			t.Errorf("Run ended with %v, want %v", err, context.Canceled)
		}
	})
	time.Sleep(time.Millisecond)
	return r
}

// set changes the contact.
func (r *rig) set(down bool) {
	if down != r.down {
		r.pin.Drag(down)
	}
	r.down = down
}

// bounce changes the contact n times within a few milliseconds, ending as told.
func (r *rig) bounce(down bool, n int) {
	for i := range n {
		r.set(down == ((n-i)%2 == 1))
		time.Sleep(700 * time.Microsecond)
	}
	time.Sleep(200 * time.Millisecond)
}

func TestOnePushIsOnePress(t *testing.T) {
	for _, c := range []struct {
		name  string
		edges int
		lost  bool
	}{{"clean", 1, false}, {"bouncing", 7, false}, {"edges lost", 7, true}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t)
				r.pin.LoseEdges(c.lost)
				for range 3 {
					r.bounce(true, c.edges)
					r.bounce(false, c.edges)
				}
				if got := len(r.out); got != 3 {
					t.Errorf("got %d presses of 3 pushes", got)
				}
			})
		})
	}
}

func TestSpikeIsNoPress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		r.set(true)
		time.Sleep(2 * time.Millisecond)
		r.set(false)
		time.Sleep(300 * time.Millisecond)
		if got := len(r.out); got != 0 {
			t.Errorf("got %d presses of a spike of 2 ms", got)
		}
	})
}

func TestPressIsDatedByItsFirstContact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		began := time.Now()
		r.bounce(true, 5)
		p := <-r.out
		if late := p.At.Sub(began); late > time.Millisecond || p.Name != "white" {
			t.Errorf("got %q dated %v after the first contact, want white within 1 ms", p.Name, late)
		}
		r.bounce(false, 5)
	})
}

// TestHeld: a button that is held down for two seconds says so, once; one that is let go before does not.
func TestHeld(t *testing.T) {
	for _, lost := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t)
			r.pin.LoseEdges(lost)
			r.bounce(true, 3)
			time.Sleep(1500 * time.Millisecond)
			r.bounce(false, 3)
			if got := len(r.out); got != 1 {
				t.Errorf("let go after 1.7 s: got %d presses, want the push alone", got)
			}
			<-r.out
			r.bounce(true, 3)
			time.Sleep(5 * time.Second)
			r.bounce(false, 3)
			if push, held := <-r.out, <-r.out; push.Held || !held.Held || !held.At.Equal(push.At) || len(r.out) != 0 {
				t.Errorf("held for 5 s: got %+v, %+v and %d more, want the push, and that it was held", push, held, len(r.out))
			}
		})
	}
}
