// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"boardd/hardware/box/emulator"
)

// board is what the board is called on the first page.
const board = "kitchen"

// page sets the board up as its owner does: with the word that the log tells, on the first page.
func (t *trial) page(ctx context.Context) (string, error) {
	word, err := t.m.Run(ctx, "journalctl -b -u boardd -o cat | sed -n 's/^word: //p' | tail -1")
	if err != nil || word == "" {
		return "", fmt.Errorf("the log has no word: %q, %w\n%s", word, err, t.why(ctx))
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return "", err
	}
	c := &http.Client{Jar: jar, Timeout: answersIn}
	url := "http://" + pageAddress + "/api/first"
	if _, err := ask(ctx, c, http.MethodPost, url+"/word", fmt.Sprintf(`{"word":%q}`, word)); err != nil {
		return "", fmt.Errorf("the word %s: %w", word, err)
	}
	answers := fmt.Sprintf(`{"password":"correct-horse","settings":{"board":%q,"game.variant":"locking"}}`, board)
	if _, err := ask(ctx, c, http.MethodPost, url+"/write", answers); err != nil {
		return "", err
	}
	if _, err := t.get(ctx, gameAt); err != nil {
		return "", err
	}
	return "written, and the game is there", nil
}

const gameAt = "http://" + pageAddress + "/api/boards/" + board + "/game"

// again pulls the plug and starts once more: everything starts, and the board is as it was set up.
func (t *trial) again(ctx context.Context) (string, error) {
	t.m.Kill()
	if err := t.on(ctx, true, ""); err != nil {
		return "", err
	}
	if err := t.up(ctx); err != nil {
		return "", err
	}
	game, err := t.get(ctx, gameAt)
	if err == nil && !strings.Contains(game, "locking") {
		err = fmt.Errorf("the game is another one: %s", game)
	}
	return "the game is there", err
}

// login puts a key on the card's first partition, as an owner does at a desk, and logs in with it.
func (t *trial) login(ctx context.Context) (string, error) {
	if err := t.off(ctx); err != nil {
		return "", err
	}
	key := filepath.Join(t.dir, "key")
	for _, old := range []string{key, key + ".pub"} {
		if err := os.Remove(old); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	if err := tool(ctx, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key); err != nil {
		return "", err
	}
	if err := fat(ctx, t.card, "mcopy", "-o", key+".pub", "::authorized_keys"); err != nil {
		return "", err
	}
	if err := t.on(ctx, true, ""); err != nil {
		return "", err
	}
	if err := t.up(ctx); err != nil {
		return "", err
	}
	host, port, _ := strings.Cut(loginAddress, ":")
	late := time.After(emulator.Patience)
	for {
		out, err := exec.CommandContext(ctx, "ssh", "-i", key, "-p", port, "-o", "StrictHostKeyChecking=no",
			"-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "BatchMode=yes", "board@"+host,
			"sudo -n id -u; sudo -n sshd -T | grep -i '^passwordauthentication'").Output()
		if said := strings.Join(strings.Fields(string(out)), " "); err == nil {
			if said != "0 passwordauthentication no" {
				err = fmt.Errorf("got %q", said)
			}
			return "board@" + host, err
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-late:
			return "", fmt.Errorf("nobody can log in: %w\n%s", err, t.why(ctx))
		case <-time.After(lookEvery):
		}
	}
}

// kernel tests the first partition when a new kernel is installed. Debian's hook writes it again, and the settings for
// the firmware stay the same.
func (t *trial) kernel(ctx context.Context) (string, error) {
	err := t.every(ctx,
		"cat /boot/firmware/config.txt /boot/firmware/cmdline.txt >/run/before",
		"DEB_MAINT_PARAMS=configure /etc/kernel/postinst.d/z50-raspi-firmware",
		"cat /boot/firmware/config.txt /boot/firmware/cmdline.txt | cmp - /run/before",
		"ls /boot/firmware/overlays/boardd.dtbo",
	)
	return "config.txt and cmdline.txt are as before", err
}
