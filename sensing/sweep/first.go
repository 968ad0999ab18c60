// SPDX-License-Identifier: Apache-2.0

package sweep

import (
	"errors"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// lowest is the lowest real-time priority of Linux (sched(7)). A thread that has it runs before all that have none.
const lowest = 1

// spare is how many goroutines the Go scheduler runs at once for each processor.
const spare = 4

// Of each stretch of this length, a goroutine that comes first may work for a half.
const watched = time.Second

// First lets the calling goroutine come before all other work on this computer, until it calls after. Linux allows
// that to root and where RLIMIT_RTPRIO is at least 1 (LimitRTPRIO of systemd). Otherwise First returns an error, and
// changes nothing. A goroutine that works for most of a second loses its priority, because little else could run then.
// On a computer that is too slow for its sensors, all share the time, as without First.
func First() (after func(), err error) {
	if virtual() {
		return func() {}, nil
	}
	if err := Allowed(); err != nil {
		return func() {}, err
	}
	runtime.LockOSThread()
	thread := unix.Gettid()
	if err := schedule(thread, unix.SCHED_FIFO, lowest); err != nil {
		runtime.UnlockOSThread()
		return func() {}, errors.Join(errRefused, err)
	}
	done := make(chan struct{})
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		watch(thread, done)
	}()
	return func() {
		close(done)
		<-watching
		if schedule(thread, unix.SCHED_NORMAL, 0) == nil {
			runtime.UnlockOSThread()
		} // a thread that stays locked ends with its goroutine
	}, nil
}

// watch takes the priority of a thread away when it works too much. It ends then, or with done.
func watch(thread int, done <-chan struct{}) {
	tick := time.NewTicker(watched)
	defer tick.Stop()
	before, begin := worked(thread), time.Now()
	for {
		select {
		case <-tick.C:
		case <-done:
			return
		}
		now, end := worked(thread), time.Now()
		if now-before > end.Sub(begin)/2 {
			schedule(thread, unix.SCHED_NORMAL, 0) //nolint:errcheck // less priority is always allowed
			return
		}
		before, begin = now, end
	}
}

// worked is the processor time of a thread of this process. Its clock has a number made of that of the thread
// (Linux, include/linux/posix-timers_types.h).
func worked(thread int) time.Duration {
	const ofThread, scheduled = 4, 2
	var t unix.Timespec
	if unix.ClockGettime(int32(^thread<<3|ofThread|scheduled), &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// errRefused is returned where the system does not let the sensors come first.
var errRefused = errors.New("the system allows no real-time priority")

// Allowed returns an error where First makes no sense. A unit of an older boardd ends a service that asks.
func Allowed() error {
	var limit unix.Rlimit
	if unix.Geteuid() == 0 || unix.Getrlimit(unix.RLIMIT_RTPRIO, &limit) == nil && limit.Cur >= lowest {
		return nil
	}
	return errRefused
}

// schedule gives a thread a policy of scheduling and a priority. Programs that it starts have ordinary ones.
func schedule(thread int, policy, priority uint32) error {
	return unix.SchedSetAttr(thread, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: policy, Priority: priority,
		Flags: unix.SCHED_FLAG_RESET_ON_FORK}, 0)
}

// Spare lets the Go scheduler run more goroutines at once than there are processors, unless GOMAXPROCS is set. A
// thread that comes back from the kernel continues only when the scheduler has room for it. Without spare room it may
// wait for several other goroutines, each up to 10 ms. With it, Linux decides which thread comes first.
func Spare() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(spare * runtime.NumCPU())
	}
}
