// SPDX-License-Identifier: Apache-2.0

package watchdog

import (
	"context"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// Watchdog tells systemd that the loop that plays the game is alive. The loop itself feeds it, so that one that hangs
// is found; a timer of its own would go on feeding it.
type Watchdog struct {
	every time.Duration // 0: nobody waits for it
	fed   time.Time
}

// New returns the watchdog that the service manager asks for in the environment, one that does nothing if it asks for
// none.
func New() *Watchdog {
	every, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		every = 0 // the environment names another process
	}
	return &Watchdog{every: every / 3}
}

// Feed says that the loop is alive, three times within the limit.
func (d *Watchdog) Feed(now time.Time) {
	if d.every > 0 && now.Sub(d.fed) >= d.every {
		d.fed = now
		d.Say(daemon.SdNotifyWatchdog)
	}
}

// Say tells systemd something; without systemd nobody listens.
func (d *Watchdog) Say(state string) {
	daemon.SdNotify(false, state) //nolint:errcheck // a service manager that does not listen is no fault of the game
}

// Keep says that the program is alive until ctx ends. It is for work that has no loop of its own and is watched by a
// person.
func Keep(ctx context.Context) {
	d := New()
	if d.every == 0 {
		return
	}
	tick := time.NewTicker(d.every)
	defer tick.Stop()
	for {
		d.Say(daemon.SdNotifyWatchdog)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
