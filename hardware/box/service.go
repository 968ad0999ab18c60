// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boardd/sync/wire"
)

// hang stops the whole process, so that its loop no longer feeds the watchdog: systemd must restart it, with the
// game.
func (b *box) hang(ctx context.Context) (string, error) {
	before, err := b.table.game(ctx)
	if err != nil {
		return "", err
	}
	if _, err := b.m.Run(ctx, "kill -STOP $(systemctl show boardd -p MainPID --value)"); err != nil {
		return "", err
	}
	begin := time.Now()
	if _, err := b.out.awaitStatus(ctx, wire.Online); err != nil {
		return "", err
	}
	after, err := b.table.await(ctx, "the game goes on",
		func(g *wire.Game) bool { return g.Game == before.Game && len(g.Moves) == len(before.Moves) })
	if err != nil {
		return "", err
	}
	why, err := b.m.Run(ctx, "journalctl -u boardd --no-pager | grep -i -c 'watchdog timeout'")
	return fmt.Sprintf("restarted by the watchdog after %.0f s, with all %d moves (%s in the journal)",
		time.Since(begin).Seconds(), len(after.Moves), why), err
}

// engine lets an engine begin a game. The unit allows the daemon to give it the lowest priority. On a board with real
// chips the unit lets the sensors come first.
func (b *box) engine(ctx context.Context) (string, error) {
	const who = "systemctl show boardd -p MainPID --value"
	before, err := b.m.Run(ctx, who)
	if err != nil {
		return "", err
	}
	if err := b.table.post(ctx, "command", map[string]any{"id": "engine", "do": wire.DoNew, "seats": wire.Seats{
		White: "engine", Black: "local"}}); err != nil {
		return "", err
	}
	if err := b.table.standAs(ctx, &b.line[0]); err != nil {
		return "", err
	}
	g, err := b.table.await(ctx, "the engine has moved", func(g *wire.Game) bool { return len(g.Moves) > 0 })
	if err != nil {
		return "", err
	}
	after, err := b.m.Run(ctx, who)
	if err != nil {
		return "", err
	}
	if before != after {
		return "", fmt.Errorf("the service was started again: its process was %s, and is %s", before, after)
	}
	out, err := b.m.Run(ctx, "pid=$("+who+"); for t in /proc/$pid/task/*; do chrt -p ${t##*/}; done | "+
		"grep -c SCHED_FIFO; ps -o ni= --ppid $pid")
	if err != nil {
		return "", err
	}
	f := strings.Fields(out)
	if len(f) != 2 || (f[0] == "0") != b.inside || f[1] != "19" {
		return "", fmt.Errorf("want threads of sensors with real-time priority, and an engine with priority 19: %s", out)
	}
	return fmt.Sprintf("it has played %s; %s threads of sensors come first, the engine last", g.SAN[0], f[0]), nil
}

// network makes the way to the broker slow and lossy, cuts it, and heals it: what was played meanwhile arrives.
func (b *box) network(ctx context.Context) (string, error) {
	if _, err := b.m.Run(ctx, "modprobe sch_netem && tc qdisc add dev eth0 root netem delay 200ms loss 20%"); err != nil {
		return "", err
	}
	g, err := b.table.game(ctx)
	if err != nil {
		return "", err
	}
	from := len(g.Moves)
	if _, err := b.playTo(ctx, from+2); err != nil {
		return "", err
	}
	if _, err := b.out.awaitMoves(ctx, b.coords[:from+2]); err != nil {
		return "", err
	}
	for _, c := range []string{"tc qdisc del dev eth0 root", "ip link set eth0 down; sleep 25; ip link set eth0 up; ip " +
		"route replace default via 10.0.2.2"} {
		if _, err := b.m.Run(ctx, c); err != nil {
			return "", err
		}
	}
	if _, err := b.playTo(ctx, from+4); err != nil {
		return "", err
	}
	if _, err := b.out.awaitMoves(ctx, b.coords[:from+4]); err != nil {
		return "", err
	}
	return "two moves through 200 ms and 20 % loss, two after 25 s without any network: all arrived", nil
}

// stop asks systemd to stop the service.
func (b *box) stop(ctx context.Context) (string, error) {
	if _, err := b.m.Run(ctx, "systemctl stop boardd"); err != nil {
		return "", err
	}
	out, err := b.m.Run(ctx, "systemctl show boardd -p Result --value; systemctl show boardd -p "+
		"ActiveExitTimestampMonotonic --value; systemctl show boardd -p InactiveEnterTimestampMonotonic --value")
	if err != nil {
		return "", err
	}
	if _, err := b.out.awaitStatus(ctx, wire.Offline); err != nil {
		return "", err
	}
	f := strings.Fields(out)
	if len(f) != 3 || f[0] != "success" {
		return "", fmt.Errorf("the service did not end well: %s", out)
	}
	from, _ := strconv.Atoi(f[1])
	to, _ := strconv.Atoi(f[2])
	dark, err := b.lights(true)
	return fmt.Sprintf("%d ms by the guest's own clock, offline said%s", (to-from)/1000, dark), err
}

// remove installs the package over itself, which keeps the games, and removes it, which leaves nothing running.
func (b *box) remove(ctx context.Context) (string, error) {
	for _, c := range []string{
		"sha256sum /var/lib/boardd/journal/* > /tmp/before",
		"dpkg --force-confold -i /root/boardd.deb",
		"systemctl stop boardd",
		"sha256sum --quiet -c /tmp/before",
		"dpkg -r boardd",
		"! pgrep boardd",
		"sha256sum --quiet -c /tmp/before",
		"! systemctl is-enabled boardd",
		"dpkg --force-confold -i /root/boardd.deb",
	} {
		if _, err := b.m.Run(ctx, c); err != nil {
			return "", err
		}
	}
	if _, err := b.out.awaitStatus(ctx, wire.Online); err != nil {
		return "", err
	}
	g, err := b.table.await(ctx, "the game is there again",
		func(g *wire.Game) bool { return len(g.Moves) == len(b.coords) })
	return fmt.Sprintf("games kept, nothing left running; installed once more it has all %d moves", len(g.Moves)), err
}
