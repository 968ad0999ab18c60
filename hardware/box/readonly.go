// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"boardd/sync/wire"
)

// stateDisk is the second disk, of a computer whose first one is only read.
func stateDisk(dir string) string { return filepath.Join(dir, "games.img") }

// makeStateDisk makes an empty file system for it.
func makeStateDisk(dir string) error {
	path := stateDisk(dir)
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", "-L", "games", path, "64M").CombinedOutput(); err != nil {
		return fmt.Errorf("a disk for the games: %w: %s", err, out)
	}
	return nil
}

// readOnly starts the computer with a read-only root file system and the games on another disk. It plays, pulls the
// plug and starts again; the moves must be there.
func (b *box) readOnly(ctx context.Context) (string, error) {
	for _, c := range []string{
		"systemctl stop boardd",
		"cp /etc/fstab /etc/fstab.before",
		"printf '/dev/vda / ext4 ro 0 0\\nLABEL=games /var/lib/boardd ext4 rw,noatime 0 0\\n' > /etc/fstab",
		"sync",
	} {
		if _, err := b.m.Run(ctx, c); err != nil {
			return "", err
		}
	}
	b.m.Kill()
	b.setup.Root = "ro"
	if err := b.again(ctx); err != nil {
		return "", err
	}
	if _, err := b.m.Run(ctx, "findmnt -no OPTIONS / | grep -qE '^ro(,|$)' && ! touch /etc/written && ! touch "+
		"/var/written"); err != nil {
		return "", fmt.Errorf("the root file system is not read-only: %w", err)
	}
	if _, err := b.array(ctx); err != nil { // a fresh disk, a fresh game
		return "", err
	}
	if _, err := b.playTo(ctx, 2); err != nil {
		return "", err
	}
	b.m.Kill()
	if err := b.again(ctx); err != nil {
		return "", err
	}
	if _, err := b.table.await(ctx, "the moves are there",
		func(g *wire.Game) bool { return slices.Equal(g.Moves, b.coords[:2]) }); err != nil {
		return "", err
	}
	if _, err := b.playTo(ctx, 3); err != nil {
		return "", err
	}
	if _, err := b.m.Run(ctx, "systemctl stop boardd; umount /var/lib/boardd; mount -o remount,rw / && cp "+
		"/etc/fstab.before /etc/fstab && sync"); err != nil {
		return "", err
	}
	b.setup.Root = "rw"
	return "online, two moves kept through a pulled plug, a third played", nil
}
