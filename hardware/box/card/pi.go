// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardd/hardware/box/emulator"
)

// on starts a computer from the card as the firmware would, with a root shell on a serial port. It is an emulated Pi
// 3. With a network it is the emulator's own machine instead, because the network adapters of its Pi lose all except
// small packets. Extra is for the kernel.
func (t *trial) on(ctx context.Context, network bool, extra string) error {
	m := models[slices.IndexFunc(models, func(m model) bool { return m.name == emulated })]
	s, err := start(ctx, filepath.Join(t.dir, "boot"), m)
	if err != nil {
		return err
	}
	// The firmware tells the revision (Pi 3 B 1.2) and a serial number; periph looks for the first.
	for _, put := range [][]string{
		{"-p", "-t", "x", s.tree, "/system", "linux,revision", "a02082"},
		{"-t", "s", s.tree, "/", "serial-number", "00000000c0ffee01"},
	} {
		if err := tool(ctx, "fdtput", put...); err != nil {
			return err
		}
	}
	port, args := "ttyS1", []string{"-machine", "raspi3b", "-serial", "null", "-serial", "stdio", "-dtb", s.tree,
		"-drive", "if=sd,format=raw,file=" + t.card}
	if network {
		port, args = "ttyAMA0", []string{"-machine", "virt,accel=tcg", "-cpu", "cortex-a53", "-smp", "2", "-m", "1024",
			"-serial", "stdio",
			"-drive", "id=d0,if=none,format=raw,file=" + t.card, "-device", "virtio-blk-pci,drive=d0",
			"-netdev", "user,id=n0,hostfwd=tcp:" + pageAddress + "-:8080,hostfwd=tcp:" + loginAddress + "-:22", "-device",
			"virtio-net-pci,netdev=n0,romfile="}
	}
	if !network {
		extra += " maxcpus=1" // four emulated processors on two real ones that have other work starve each other
	}
	// The watchdog of the emulator's Pi resets it as soon as it is switched on.
	line := fmt.Sprintf("%s console=%[2]s systemd.debug_shell=%[2]s systemd.mask=serial-getty@%[2]s.service "+
		"systemd.show_status=0 systemd.watchdog_sec=0 %[3]s",
		s.line, port, extra)
	if t.m, err = emulator.Start(ctx, t.dir, append(args, "-kernel", s.kernel, "-initrd", s.initial, "-append",
		line)...); err != nil {
		return err
	}
	wait, cancel := context.WithTimeout(ctx, emulator.Patience)
	defer cancel()
	return t.m.Shell(wait)
}

// off shuts the Pi down. The emulator of a Pi does not end by itself.
func (t *trial) off(ctx context.Context) error {
	_, err := t.m.Run(ctx, "sync; systemctl stop boardd; journalctl --sync; mount -o remount,ro / || true")
	t.m.Kill()
	t.m = nil
	return err
}

// until runs a command at the shell until what it prints is as wanted. As long as it prints something new, it waits.
func (t *trial) until(ctx context.Context, command string, ok func(string) bool) (string, error) {
	late, before := time.After(emulator.Patience), ""
	for {
		out, err := t.m.Run(ctx, command)
		if err == nil && ok(out) {
			return out, nil
		}
		if out != before {
			late, before = time.After(emulator.Patience), out
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-late:
			return "", fmt.Errorf("%s still says %q (%v)\n%s", command, out, err, t.why(ctx))
		case <-time.After(lookEvery):
		}
	}
}

// why is what the Pi says of itself when something went wrong.
func (t *trial) why(ctx context.Context) string {
	var said strings.Builder
	for _, c := range []string{"systemctl --no-pager --failed --plain", "systemctl --no-pager list-jobs",
		"journalctl --no-pager -b -u systemd-modules-load -n 20",
		"journalctl --no-pager -b -u boardd -u card-grow -u card-first -u NetworkManager -n 60", "nmcli device", "df -h",
		"lsblk"} {
		out, err := t.m.Run(ctx, c)
		fmt.Fprintf(&said, "# %s\n%s\n", c, out)
		if err != nil && out == "" {
			fmt.Fprintf(&said, "%v\n", err)
		}
	}
	return said.String()
}

// up waits until everything has started, and says what failed.
func (t *trial) up(ctx context.Context) error {
	state := ""
	_, err := t.until(ctx, "systemctl is-system-running || true; systemctl --no-legend list-jobs", func(s string) bool {
		state, _, _ = strings.Cut(s, "\n")
		return state == "running" || state == "degraded"
	})
	if err == nil && state != "running" {
		err = fmt.Errorf("the system is %s\n%s", state, t.why(ctx))
	}
	return err
}

// every runs commands one after the other: each must succeed.
func (t *trial) every(ctx context.Context, commands ...string) error {
	for _, c := range commands {
		if _, err := t.m.Run(ctx, c); err != nil {
			return fmt.Errorf("%w\n%s", err, t.why(ctx))
		}
	}
	return nil
}

// point starts the image for the first time, without a network. The card is filled, the computer gets its name, and
// the board opens its access point. Another radio joins that, and finds the first page.
func (t *trial) point(ctx context.Context) (string, error) {
	if err := t.copyCard(); err != nil {
		return "", err
	}
	if err := t.on(ctx, false, "modules_load=mac80211_hwsim mac80211_hwsim.radios=2"); err != nil {
		return "", err
	}
	if err := t.up(ctx); err != nil {
		return "", err
	}
	if err := t.every(ctx,
		"test $(df --output=size -m / | tail -1) -gt 3000",
		"test -c /dev/i2c-1 && test -c /dev/i2c-3 && test -c /dev/spidev0.0 && test -c /dev/gpiochip0",
		"test \"$(stat -c %G /dev/i2c-1 /dev/i2c-3 /dev/spidev0.0 /dev/gpiochip0 | tr '\\n' ' ')\" = 'i2c i2c spi gpio '",
		"test -s /etc/machine-id && grep -qx 'boardd-[0-9a-f]*' /etc/hostname && test \"$(hostname)\" = \"$(cat "+
			"/etc/hostname)\"",
		"systemctl is-active boardd avahi-daemon NetworkManager systemd-timesyncd",
		"! systemctl is-active ssh && ! ls /etc/ssh/ssh_host_*",
		"printf 'board: x\\nhardware:\\n  kind: stack\\n  display: I2C3\\n' >/run/x.yaml; boardd doctor --config "+
			"/run/x.yaml | grep -q 'Raspberry Pi 3.*set as it should be'",
		"test -c /dev/watchdog0 && systemd-analyze cat-config systemd/system.conf | grep -qx RuntimeWatchdogSec=15",
	); err != nil {
		return "", err
	}
	name, err := t.m.Run(ctx, "hostname")
	if err != nil {
		return "", err
	}
	if _, err := t.until(ctx, "nmcli --terse --fields NAME,STATE connection show --active",
		func(s string) bool { return strings.Contains(s, "boardd-setup:activated") }); err != nil {
		return "", err
	}
	// The other radio is a computer of its own: a network namespace.
	if err := t.every(ctx,
		"ip netns add guest && iw phy $(iw dev | awk '/^phy/{p=$1} /Interface/{i[$2]=p} END{print "+
			"i[\"wlan1\"]==\"\"?p:i[\"wlan1\"]}' | tr -d '#') set netns name guest",
		"ip -n guest link set lo up; ip -n guest link set $(ip -n guest -brief link | awk '/^wl/{print $1}') up",
	); err != nil {
		return "", err
	}
	if _, err := t.until(ctx, "ip netns exec guest iw dev $(ip -n guest -brief link | awk '/^wl/{print $1}') scan",
		func(s string) bool {
			return strings.Contains(strings.ToLower(s), "ssid: "+name)
		}); err != nil {
		return "", fmt.Errorf("the access point has not the name %s: %w", name, err)
	}
	if err := t.every(ctx,
		"w=$(ip -n guest -brief link | awk '/^wl/{print $1}'); ip netns exec guest iw dev $w connect $(nmcli --get-values "+
			"802-11-wireless.ssid connection show boardd-setup)",
		"w=$(ip -n guest -brief link | awk '/^wl/{print $1}'); ip -n guest address add 10.42.0.77/24 dev $w",
	); err != nil {
		return "", err
	}
	if _, err := t.until(ctx, "ip netns exec guest bash -c 'exec 3<>/dev/tcp/10.42.0.1/8080; printf \"GET /api/first "+
		"HTTP/1.0\\r\\nHost: 10.42.0.1:8080\\r\\n\\r\\n\" >&3; cat <&3'",
		func(s string) bool { return strings.Contains(s, "200 OK") && strings.Contains(s, `"granted":false`) }); err != nil {
		return "", err
	}
	return name, t.off(ctx)
}

// first starts the card again, in a network by wire.
func (t *trial) first(ctx context.Context) (string, error) {
	begin := time.Now()
	if err := t.on(ctx, true, ""); err != nil {
		return "", err
	}
	if err := t.up(ctx); err != nil {
		return "", err
	}
	if _, err := t.get(ctx, "http://"+pageAddress+"/api/first"); err != nil {
		return "", err
	}
	return fmt.Sprintf("page after %.0f s of emulation", time.Since(begin).Seconds()), nil
}

func (t *trial) get(ctx context.Context, url string) (string, error) {
	c := http.Client{Timeout: answersIn}
	late := time.After(emulator.Patience)
	for {
		text, err := ask(ctx, &c, http.MethodGet, url, "")
		if err == nil {
			return text, nil
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-late:
			return "", fmt.Errorf("%s does not answer: %w\n%s", url, err, t.why(ctx))
		case <-time.After(lookEvery):
		}
	}
}

func ask(ctx context.Context, c *http.Client, method, url, body string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := c.Do(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close() //nolint:errcheck // all was read
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, text)
	}
	return string(text), err
}

// copyCard makes a card of 4 GiB of the image: the emulator wants a power of two.
func (t *trial) copyCard() error {
	t.card = filepath.Join(t.dir, "card.img")
	if err := exec.Command("cp", "--sparse=always", t.image, t.card).Run(); err != nil {
		return fmt.Errorf("copy the image: %w", err)
	}
	return os.Truncate(t.card, 4<<30)
}
