// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"boardd/hardware/box/disk"
	"boardd/hardware/box/emulator"
	"boardd/hardware/box/hub"
	"boardd/hardware/virtual"
	"boardd/rules/pgn"
	"boardd/sync/wire"
)

// prepare makes the guest and reads the game.
func (b *box) prepare(ctx context.Context) error {
	if b.deb == "" {
		found, err := filepath.Glob("build/boardd_*_arm64.deb")
		if err != nil || len(found) == 0 {
			return errors.New("there is no arm64 package in build/: make package first")
		}
		b.deb = found[len(found)-1]
	}
	text, err := os.Open(b.file)
	if err != nil {
		return err
	}
	defer text.Close() //nolint:errcheck // only read
	games, err := pgn.Read(text, nil)
	if err != nil || len(games) == 0 {
		return fmt.Errorf("%s: no game: %w", b.file, err)
	}
	b.line = append(b.line, games[0].Start)
	for _, ply := range games[0].Plies {
		p := b.line[len(b.line)-1]
		b.coords = append(b.coords, p.Coord(ply.Move))
		p.Play(ply.Move)
		b.line = append(b.line, p)
	}
	if err := os.RemoveAll(filepath.Join(b.dir, "broker")); err != nil {
		return err
	}
	image := exec.CommandContext(ctx, "hardware/box/image.sh", b.dir, b.deb, "hardware/box/board.yaml",
		"hardware/box/real.yaml", "hardware/box/twin.yaml")
	image.Stdout, image.Stderr = os.Stdout, os.Stderr
	if err := image.Run(); err != nil {
		return fmt.Errorf("make the guest: %w", err)
	}
	b.setup = emulator.Setup{Dir: b.dir, Page: pageAddress, Memory: 512, State: stateDisk(b.dir), Root: "rw"}
	b.inside = b.inside || b.only
	if !b.inside {
		if err := hub.Build(hubDir(b.dir)); err != nil {
			return err
		}
		if b.parts, err = openParts(b.dir, virtual.Stack, b.seed); err != nil {
			return fmt.Errorf("the board behind the devices: %w", err)
		}
		if err := makeStateDisk(b.dir); err != nil {
			return err
		}
	}
	b.seat()
	b.disk, err = disk.Serve(filepath.Join(b.dir, "disk.img"), filepath.Join(b.dir, "disk.sock"))
	return err
}

// seat makes the table of the board as it is now.
func (b *box) seat() {
	var board *virtual.Board
	if b.parts != nil {
		board = b.parts.board
	}
	b.table = newTable(pageAddress, board)
}

// rewire restarts the computer with other parts, nil for chips inside the daemon, and with the configuration for
// them.
func (b *box) rewire(ctx context.Context, conf string, open func() (*parts, error)) error {
	for _, c := range []string{"cp /root/" + conf + " /etc/boardd/board.yaml", "sync"} {
		if _, err := b.m.Run(ctx, c); err != nil {
			return err
		}
	}
	b.m.Kill() // the service may be stopped already, and there is nothing else to end
	if b.parts != nil {
		if err := b.parts.Close(); err != nil {
			return err
		}
		b.parts = nil
	}
	if open != nil {
		p, err := open()
		if err != nil {
			return err
		}
		b.parts = p
	}
	b.seat()
	return b.again(ctx)
}

// conf is the configuration that fits where the chips are.
func (b *box) conf() string {
	if b.parts != nil {
		return "real.yaml"
	}
	return "board.yaml"
}

// boot starts the machine, from a saved state if one is named.
func (b *box) boot(ctx context.Context, state string) (*emulator.Machine, error) {
	b.setup.Disk, b.setup.Devices = b.disk.Sock(), nil
	if b.parts != nil {
		b.setup.Devices = b.parts.args()
	}
	return b.setup.Boot(ctx, state)
}

// on starts the machine and waits for its shell.
func (b *box) on(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, emulator.Patience)
	defer cancel()
	if b.m, err = b.boot(context.WithoutCancel(ctx), ""); err != nil {
		return err
	}
	return b.m.Shell(ctx)
}

// install boots for the first time and installs the package as an administrator does, with a configuration that was
// there before. Devices come and go between unpacking and configuring, as they may, so that udev reads the rules then:
// the groups must be there already.
func (b *box) install(ctx context.Context) (string, error) {
	if err := b.on(ctx); err != nil {
		return "", err
	}
	for _, c := range []string{
		"mkdir -p /etc/boardd && cp /root/" + b.conf() + " /etc/boardd/board.yaml",
		"dpkg --force-confold --unpack /root/boardd.deb",
		"sleep 4; udevadm trigger && udevadm settle", // it looks for new rules every three seconds at most
		"dpkg --force-confold --configure boardd",
		"grep -qx 'board: boxed' /etc/boardd/board.yaml",
		"systemctl is-enabled boardd",
		"test \"$(stat -c %U:%G:%a /var/lib/boardd)\" = boardd:boardd:750",
	} {
		if _, err := b.m.Run(ctx, c); err != nil {
			return "", err
		}
	}
	if _, err := b.out.awaitStatus(ctx, wire.Online); err != nil {
		return "", err
	}
	out, err := b.m.Run(ctx, "boardd version")
	return out, err
}

// off shuts the guest down.
func (b *box) off(ctx context.Context) error {
	if err := b.m.Type("systemctl poweroff"); err != nil {
		return err
	}
	if _, err := b.out.awaitStatus(ctx, wire.Offline); err != nil {
		return err
	}
	select {
	case <-b.m.Done():
		return nil
	case <-time.After(emulator.Patience):
		return errors.New("the guest does not shut down")
	}
}

// restart shuts the guest down and boots it: the service starts by itself.
func (b *box) restart(ctx context.Context) (string, error) {
	if err := b.off(ctx); err != nil {
		return "", err
	}
	begin := time.Now()
	if err := b.on(ctx); err != nil {
		return "", err
	}
	online, err := b.out.awaitStatus(ctx, wire.Online)
	if err != nil {
		return "", err
	}
	// In the guest's own time, in seconds since its kernel began: now, when its userland began, and when systemd took the
	// service for ready.
	out, err := b.m.Run(ctx, "cut -d' ' -f1 /proc/uptime; systemctl show -p UserspaceTimestampMonotonic --value; "+
		"systemctl show boardd -p ActiveEnterTimestampMonotonic --value")
	if err != nil {
		return "", err
	}
	since := time.Since(online)
	var now, user, ready float64
	if _, err := fmt.Sscan(out, &now, &user, &ready); err != nil {
		return "", fmt.Errorf("times of the guest: %q: %w", out, err)
	}
	user, ready = user/1e6, ready/1e6
	b.noteFigure("power-on to online", "%.1f s", online.Sub(begin).Seconds())
	b.noteFigure("userland to the service ready", "%.1f s", ready-user)
	b.noteFigure("userland to online at the broker", "%.1f s", now-since.Seconds()-user)
	return fmt.Sprintf("online %.0f s after power-on, %.1f s after the beginning of userland",
		online.Sub(begin).Seconds(), now-since.Seconds()-user), nil
}

// again starts the machine and waits until the board is online.
func (b *box) again(ctx context.Context) error {
	b.out.forget()
	if err := b.on(ctx); err != nil {
		return err
	}
	_, err := b.out.awaitStatus(ctx, wire.Online)
	return err
}

// why returns what the guest says about the service and itself, over its console. It is asked after a failure, so that
// the cause is seen at once.
func (b *box) why(ctx context.Context) string {
	if b.m == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, whyIn)
	defer cancel()
	var said strings.Builder
	for _, c := range []string{
		"systemctl --no-pager --full status boardd",
		"systemctl --no-pager --failed --plain",
		"journalctl --no-pager -b -u boardd -u lights -o short-monotonic -n 40",
		"journalctl --no-pager -b -p warning -o short-monotonic -n 20",
		"dmesg --level=err,warn | tail -n 20",
		"ip -brief address; tail -n +1 /proc/net/tcp /proc/net/tcp6",
		"top -b -n 1 -w 160 | head -n 20; cat /proc/interrupts",
		"mount | grep '^/dev/vd'; df /; ls -la /etc/boardd /var/lib/boardd /var/lib/boardd/*",
	} {
		out, err := b.m.Run(ctx, c) // systemctl status is 3 for a service that does not run: what it says counts
		fmt.Fprintf(&said, "# %s\n%s\n", c, out)
		if out == "" && err != nil {
			fmt.Fprintf(&said, "no answer: %v\n", err)
			break
		}
	}
	return said.String()
}
