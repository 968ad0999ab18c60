package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

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
	image := exec.CommandContext(ctx, "hardware/box/image.sh", b.dir, b.deb, "hardware/box/board.yaml", "hardware/box/real.yaml")
	image.Stdout, image.Stderr = os.Stdout, os.Stderr
	if err := image.Run(); err != nil {
		return fmt.Errorf("make the guest: %w", err)
	}
	b.setup = setup{dir: b.dir, page: pageAddress, memory: 512, root: "rw"}
	b.inside = b.inside || b.only
	if !b.inside {
		if b.setup.parts, err = openParts(b.dir, b.seed); err != nil {
			return fmt.Errorf("the board behind the devices: %w", err)
		}
		if err := makeStateDisk(b.dir); err != nil {
			return err
		}
	}
	b.seat()
	b.disk, err = serveDisk(filepath.Join(b.dir, "disk.img"), filepath.Join(b.dir, "disk.sock"))
	return err
}

// seat makes the table of the board as it is now.
func (b *box) seat() {
	b.table = newTable(pageAddress, nil)
	if b.setup.parts != nil {
		b.table.board = b.setup.parts.board
	}
}

// conf is the configuration that fits where the chips are.
func (b *box) conf() string {
	if b.setup.parts != nil {
		return "real.yaml"
	}
	return "board.yaml"
}

// on starts the machine and waits for its shell.
func (b *box) on(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	if b.m, err = b.setup.boot(context.WithoutCancel(ctx), b.disk, ""); err != nil {
		return err
	}
	return b.m.shell(ctx)
}

// install boots for the first time and installs the package as an administrator does, with a configuration that was there before.
func (b *box) install(ctx context.Context) (string, error) {
	if err := b.on(ctx); err != nil {
		return "", err
	}
	for _, c := range []string{
		"mkdir -p /etc/boardd && cp /root/" + b.conf() + " /etc/boardd/board.yaml",
		"dpkg --force-confold -i /root/boardd.deb",
		"grep -qx 'board: boxed' /etc/boardd/board.yaml",
		"systemctl is-enabled boardd",
		"test \"$(stat -c %U:%G:%a /var/lib/boardd)\" = boardd:boardd:750",
	} {
		if _, err := b.m.run(ctx, c); err != nil {
			return "", err
		}
	}
	if err := b.out.awaitStatus(ctx, wire.Online); err != nil {
		return "", err
	}
	out, err := b.m.run(ctx, "boardd version")
	return out, err
}

// off shuts the guest down.
func (b *box) off(ctx context.Context) error {
	if _, err := fmt.Fprintln(b.m.in, "systemctl poweroff"); err != nil {
		return err
	}
	if err := b.out.awaitStatus(ctx, wire.Offline); err != nil {
		return err
	}
	select {
	case <-b.m.done:
		return nil
	case <-time.After(4 * time.Minute):
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
	if err := b.out.awaitStatus(ctx, wire.Online); err != nil {
		return "", err
	}
	took := time.Since(begin)
	kernel, err := b.m.run(ctx, "systemd-analyze time | head -1; systemctl show boardd -p ActiveEnterTimestampMonotonic --value; systemctl show -p UserspaceTimestampMonotonic --value")
	if err != nil {
		return "", err
	}
	f := strings.Fields(kernel[strings.LastIndex(kernel, "s")+1:])
	ready := ""
	if len(f) == 2 {
		up, _ := strconv.ParseFloat(f[0], 64)
		user, _ := strconv.ParseFloat(f[1], 64)
		ready = fmt.Sprintf(", from userland to ready %.1f s", (up-user)/1e6)
	}
	return fmt.Sprintf("online %.0f s after power-on%s", took.Seconds(), ready), nil
}

// why is what the guest says of the service and of itself, by its console: asked when something went wrong, so that the cause is seen at once.
func (b *box) why(ctx context.Context) string {
	if b.m == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var said strings.Builder
	for _, c := range []string{
		"systemctl --no-pager --full status boardd",
		"systemctl --no-pager --failed --plain",
		"journalctl --no-pager -b -u boardd -u lights -o short-monotonic -n 40",
		"journalctl --no-pager -b -p warning -o short-monotonic -n 20",
		"dmesg --level=err,warn | tail -n 20",
		"ip -brief address; tail -n +1 /proc/net/tcp /proc/net/tcp6",
		"mount | grep '^/dev/vd'; df /; ls -la /etc/boardd /var/lib/boardd /var/lib/boardd/*",
	} {
		out, err := b.m.run(ctx, c) // systemctl status is 3 for a service that does not run: what it says counts
		fmt.Fprintf(&said, "# %s\n%s\n", c, out)
		if out == "" && err != nil {
			fmt.Fprintf(&said, "no answer: %v\n", err)
			break
		}
	}
	return said.String()
}
