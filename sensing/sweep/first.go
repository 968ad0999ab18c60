// SPDX-License-Identifier: Apache-2.0

package sweep

import (
	"errors"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// lowest is the lowest real-time priority of Linux (sched(7)). A thread that has it runs before all that have none.
const lowest = 1

// spare is how many goroutines the Go scheduler runs at once for each processor.
const spare = 4

// First lets the calling goroutine come before all other work on this computer, until it calls after. Linux allows
// that to root and where RLIMIT_RTPRIO is at least 1 (LimitRTPRIO of systemd). Otherwise First returns an error, and
// changes nothing. A goroutine that comes first has to sleep nearly all the time.
func First() (after func(), err error) {
	if virtual() {
		return func() {}, nil
	}
	if !allowed() {
		return func() {}, errRefused
	}
	runtime.LockOSThread()
	if err := schedule(unix.SCHED_FIFO, lowest); err != nil {
		runtime.UnlockOSThread()
		return func() {}, errors.Join(errRefused, err)
	}
	return func() {
		if schedule(unix.SCHED_NORMAL, 0) == nil {
			runtime.UnlockOSThread()
		} // a thread that stays locked ends with its goroutine
	}, nil
}

// errRefused is returned where the system does not let the sensors come first.
var errRefused = errors.New("the system allows no real-time priority")

// allowed reports whether it makes sense to ask. A unit of an older boardd ends a service that asks.
func allowed() bool {
	var limit unix.Rlimit
	return unix.Geteuid() == 0 || unix.Getrlimit(unix.RLIMIT_RTPRIO, &limit) == nil && limit.Cur >= lowest
}

// schedule gives this thread a policy of scheduling and a priority. Programs that it starts have ordinary ones.
func schedule(policy, priority uint32) error {
	return unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: policy, Priority: priority,
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
