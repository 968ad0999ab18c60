// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"boardd/sync/wire"
)

var digits = regexp.MustCompile(`\d+`)

// busy is the processor time of an activity, in percent of a core. It has what the daemon takes of the guest's core,
// and what the emulator takes of this computer's for the whole guest. While the emulator waits for a processor, the
// guest's clock goes on and the daemon seems to work. So on a busy computer the first figure is too high.
func (b *box) busy(ctx context.Context, f func() error) (daemon, emulator int, err error) {
	ticks := func() (inside, outside int, err error) {
		out, err := b.m.Run(ctx, "cat /proc/$(systemctl show boardd -p MainPID --value)/stat")
		if err == nil {
			inside, err = spent(out)
		}
		if err != nil {
			return 0, 0, err
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", b.m.Pid()))
		if err == nil {
			outside, err = spent(string(stat))
		}
		return inside, outside, err
	}
	in, out, err := ticks()
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	if err := f(); err != nil {
		return 0, 0, err
	}
	took := time.Since(began).Seconds()
	inNow, outNow, err := ticks()
	return int(float64(inNow-in) / took), int(float64(outNow-out) / took), err
}

// share is what busy tells.
const share = "%d %% of one core; the emulator takes %d %% of one of this computer's"

// spent is how much processor time a process has taken, its own and the kernel's, in hundredths of a second. It reads
// the line /proc/PID/stat (proc(5): fields 14 and 15, counted after the program's name, which may contain anything).
func spent(stat string) (int, error) {
	f := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(f) < 13 {
		return 0, fmt.Errorf("%q is no state of a process: want the line of /proc/PID/stat", stat)
	}
	user, err := strconv.Atoi(f[11])
	if err != nil {
		return 0, fmt.Errorf("processor time: %w", err)
	}
	system, err := strconv.Atoi(f[12])
	if err != nil {
		return 0, fmt.Errorf("processor time: %w", err)
	}
	return user + system, nil
}

// fact is a figure that was measured.
type fact struct{ what, value string }

// noteFigure notes a figure for the report.
func (b *box) noteFigure(what, format string, a ...any) {
	b.facts = append(b.facts, fact{what, fmt.Sprintf(format, a...)})
}

// report prints what was measured, as a table.
func (b *box) report() {
	if len(b.facts) == 0 {
		return
	}
	width := 0
	for _, f := range b.facts {
		width = max(width, len(f.what))
	}
	fmt.Printf("\n%-*s  on an emulated Cortex-A53 with two cores\n", width, "figure")
	for _, f := range b.facts {
		fmt.Printf("%-*s  %s\n", width, f.what, f.value)
	}
	fmt.Println()
}

// memory is what the daemon holds, in MiB: now, and at most since it started.
func (b *box) memory(ctx context.Context) (now, peak float64, err error) {
	out, err := b.m.Run(ctx, "grep -E 'VmHWM|VmRSS' /proc/$(systemctl show boardd -p MainPID --value)/status")
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(out) {
		kb, err := strconv.Atoi(digits.FindString(line))
		if err != nil {
			return 0, 0, fmt.Errorf("memory: %q: %w", line, err)
		}
		if strings.HasPrefix(line, "VmHWM") {
			peak = float64(kb) / 1024
		} else {
			now = float64(kb) / 1024
		}
	}
	return now, peak, nil
}

// goals of memory with a game running, in MiB.
const (
	goalAlone  = 25
	goalBroker = 60 // with the built-in broker
)

// hold measures the memory against a goal.
func (b *box) hold(ctx context.Context, what string, goal float64) (string, error) {
	now, peak, err := b.memory(ctx)
	if err != nil {
		return "", err
	}
	said := fmt.Sprintf("%.1f MiB, at most %.1f", now, peak)
	b.noteFigure("resident memory, "+what, "%s (goal %.0f)", said, goal)
	if now > goal {
		err = fmt.Errorf("%s: %.1f MiB resident: want %.0f at most", what, now, goal)
	}
	return said + " resident", err
}

// figures reads what the daemon takes, and what it is.
func (b *box) figures(ctx context.Context) (string, error) {
	said, err := b.hold(ctx, "a game running, broker outside", goalAlone)
	if err != nil {
		return "", err
	}
	idle, whole, err := b.busy(ctx, func() error {
		_, err := b.m.Run(ctx, "sleep 10")
		return err
	})
	if err != nil {
		return "", err
	}
	b.noteFigure("processor at rest", share, idle, whole)
	binary, err := b.m.Run(ctx, "stat -c %s /usr/bin/boardd")
	if err != nil {
		return "", err
	}
	deb, err := os.Stat(b.deb)
	if err != nil {
		return "", err
	}
	bytes, err := strconv.Atoi(digits.FindString(binary))
	b.noteFigure("program", "%.1f MB", float64(bytes)/1e6)
	b.noteFigure("package", "%.1f MB", float64(deb.Size())/1e6)
	return said, err
}

// brokerInside lets the daemon serve the broker itself for a while: the game goes on, in more memory.
func (b *box) brokerInside(ctx context.Context) (string, error) {
	for _, c := range []string{
		"cp -p /etc/boardd/board.yaml /root/before.yaml",
		"sed -i 's|url: mqtt://.*|url: embedded|' /etc/boardd/board.yaml && grep -q 'url: embedded' /etc/boardd/board.yaml",
		"systemctl restart boardd",
	} {
		if _, err := b.m.Run(ctx, c); err != nil {
			return "", err
		}
	}
	if _, err := b.more(ctx, 2); err != nil {
		return "", err
	}
	said, err := b.hold(ctx, "a game running, built-in broker", goalBroker)
	if err != nil {
		return "", err
	}
	b.out.forget()
	if _, err := b.m.Run(ctx, "cp -p /root/before.yaml /etc/boardd/board.yaml && systemctl restart boardd"); err != nil {
		return "", err
	}
	_, err = b.out.awaitStatus(ctx, wire.Online)
	return said, err
}
