// SPDX-License-Identifier: Apache-2.0

package sweep_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"boardd/sensing/sweep"
)

// TestPace: the last sweep, the longest sweep and the greatest delay are kept.
func TestPace(t *testing.T) {
	var p sweep.Pace
	at := time.Unix(1000, 0)
	const ms = time.Millisecond
	p.Note(at.Add(1*ms), at.Add(5*ms), at)
	p.Note(at.Add(23*ms), at.Add(25*ms), at.Add(20*ms))
	p.Note(at.Add(40*ms), at.Add(43*ms), at.Add(40*ms))
	got := p.Part("reeds")
	if got.Name != "reeds" || !got.OK || got.Sweep != 3*ms || got.Worst != 4*ms || got.Jitter != 3*ms {
		t.Errorf("%+v, want the last of 3 ms, the longest of 4, 3 late", got)
	}
}

// TestUntil: a wait ends at its time, at once where that has passed, and with the context.
func TestUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		if err := sweep.Until(context.Background(), begin.Add(3*time.Second)); err != nil ||
			time.Since(begin) != 3*time.Second {
			t.Errorf("%v after %v, want 3 s", err, time.Since(begin))
		}
		if err := sweep.Until(context.Background(), begin); err != nil || time.Since(begin) != 3*time.Second {
			t.Errorf("a time that has passed: %v after %v", err, time.Since(begin))
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := sweep.Until(ctx, begin.Add(time.Minute)); !errors.Is(err, context.DeadlineExceeded) ||
			time.Since(begin) != 4*time.Second {
			t.Errorf("%v after %v, want the context's end after 4 s", err, time.Since(begin))
		}
		if err := sweep.Until(ctx, begin); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want the context's end though the time has passed", err)
		}
	})
}

// TestUntilOnTheKernel: real time passes as well.
func TestUntilOnTheKernel(t *testing.T) {
	for _, d := range []time.Duration{200 * time.Microsecond, 3 * time.Millisecond} {
		at := time.Now().Add(d)
		if err := sweep.Until(context.Background(), at); err != nil || time.Now().Before(at) {
			t.Errorf("%v: %v, back %v too soon", d, err, time.Until(at))
		}
	}
}

// TestFirst: a goroutine that comes first is alone on a thread with real-time priority, and afterwards has what it had
// before. Where the system does not allow it, nothing changes.
func TestFirst(t *testing.T) {
	policy := func() uint32 {
		attr, err := unix.SchedGetAttr(0, 0)
		if err != nil {
			t.Fatal(err)
		}
		return attr.Policy
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := policy()
	after, err := sweep.First()
	if got := policy(); (err == nil) != (got == unix.SCHED_FIFO) {
		t.Errorf("the policy is %d with error %v", got, err)
	}
	after()
	if got := policy(); got != before {
		t.Errorf("afterwards the policy is %d, want %d", got, before)
	}
	if err != nil {
		t.Logf("the system allows no real-time priority: %v", err)
	}
}

// TestFirstIsTaken: who comes first and never sleeps has no priority any more after a second or two.
func TestFirstIsTaken(t *testing.T) {
	after, err := sweep.First()
	if err != nil {
		t.Logf("NOT TESTED: %v", err)
		return
	}
	defer after()
	for late := time.Now().Add(20 * time.Second); ; {
		attr, err := unix.SchedGetAttr(0, 0)
		if err != nil || attr.Policy == unix.SCHED_NORMAL {
			return
		}
		if time.Now().After(late) {
			t.Fatal("it works without a pause, and still comes first")
		}
	}
}
