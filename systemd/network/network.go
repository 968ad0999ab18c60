// SPDX-License-Identifier: Apache-2.0

package network

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardd/rules/say"
)

// The names that the access point has: of its profile, and of what others see.
const (
	profile = "boardd-setup"
	prefix  = "boardd-"
)

// within is how long NetworkManager may take for one request. Joining a network takes up to 45 s (nm-settings,
// connection.wait-device-timeout and the time of DHCP).
const within = 60 * time.Second

// Manager asks NetworkManager. The zero value does so by nmcli.
type Manager struct {
	Run func(ctx context.Context, args ...string) (out string, err error) // nil: the program nmcli
}

// Network is one that can be seen.
type Network struct {
	Name    string `json:"name"`
	Signal  int    `json:"signal"` // percent
	Secured bool   `json:"secured"`
	Joined  bool   `json:"joined"`
}

// ErrNone is returned where there is no NetworkManager: something else sets the network up there.
var ErrNone = say.Error("NetworkManager is not here: set the network up by the means of this system")

func (m Manager) ask(ctx context.Context, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, within)
	defer stop()
	if m.Run != nil {
		return m.Run(ctx, args...)
	}
	path, err := exec.LookPath("nmcli")
	if err != nil {
		return "", ErrNone
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = errors.New(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(exit.Stderr)), "Error:")))
	}
	return string(out), err
}

// fields splits a line of nmcli --terse, in which a colon within a field has a backslash before it.
func fields(line string) (out []string) {
	var field strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line):
			i++
			field.WriteByte(line[i])
		case line[i] == ':':
			out = append(out, field.String())
			field.Reset()
		default:
			field.WriteByte(line[i])
		}
	}
	return append(out, field.String())
}

// List returns the networks that can be seen, the strongest first, each once.
func (m Manager) List(ctx context.Context) ([]Network, error) {
	out, err := m.ask(ctx, "--terse", "--fields", "IN-USE,SSID,SIGNAL,SECURITY", "device", "wifi", "list")
	if err != nil {
		return nil, err
	}
	var list []Network
	for line := range strings.Lines(out) {
		f := fields(strings.TrimRight(line, "\n"))
		if len(f) != 4 || f[1] == "" || strings.HasPrefix(f[1], prefix) {
			continue
		}
		signal, _ := strconv.Atoi(f[2]) // 0 where it is not told
		n := Network{Name: f[1], Signal: signal, Secured: f[3] != "" && f[3] != "--", Joined: f[0] == "*"}
		if i := slices.IndexFunc(list, func(o Network) bool { return o.Name == n.Name }); i >= 0 {
			list[i].Joined = list[i].Joined || n.Joined
			list[i].Signal = max(list[i].Signal, n.Signal)
			continue
		}
		list = append(list, n)
	}
	slices.SortStableFunc(list, func(a, b Network) int { return b.Signal - a.Signal })
	return list, nil
}

// Check says what is wrong with a network's name or its password, before anybody waits for it.
func Check(name, password string) error {
	switch {
	case name == "" || len(name) > 32 || strings.ContainsAny(name, "\x00\n\r"):
		return say.Error("%q is no name of a network: it has 1 to 32 bytes in one line", name)
	case password != "" && (len(password) < 8 || len(password) > 63 || strings.ContainsAny(password, "\x00\n\r")):
		return say.Error("the password of a network has 8 to 63 letters (IEEE 802.11, WPA); leave it empty for one without")
	}
	return nil
}

// Join joins a network and remembers it. An access point of ours ends with that: most computers have one radio. If the
// network cannot be joined, the access point is opened again.
func (m Manager) Join(ctx context.Context, name, password string) error {
	if err := Check(name, password); err != nil {
		return err
	}
	args := []string{"--wait", "45", "device", "wifi", "connect", name}
	if password != "" {
		args = append(args, "password", password)
	}
	_, err := m.ask(ctx, args...)
	if err == nil {
		_, gone := m.ask(ctx, "connection", "delete", "id", profile)
		if gone != nil && !strings.Contains(gone.Error(), profile) && !errors.Is(gone, ErrNone) {
			return say.Error("the network %q is joined, and the access point stays: %v", name, gone)
		}
		return nil
	}
	// There may be no access point to open again; what counts is why the network was not joined.
	m.ask(ctx, "connection", "up", "id", profile) //nolint:errcheck // see above
	return say.Error("the network %q was not joined: %v", name, err)
}

// PointName is what the access point of this computer is called: boardd- and four digits that stay.
func PointName(machine string) string {
	sum := sha256.Sum256([]byte("boardd access point " + machine))
	return fmt.Sprintf("%s%02X%02X", prefix, sum[0], sum[1])
}

// OpenAccessPoint opens an access point of that name; with a password of 8 letters or more it asks for it. Addresses
// are given by NetworkManager (ipv4.method shared), and this computer has 10.42.0.1 there.
func (m Manager) OpenAccessPoint(ctx context.Context, name, password string) error {
	m.ask(ctx, "connection", "delete", "id", profile) //nolint:errcheck // one from before, if there is any
	args := []string{"connection", "add", "type", "wifi", "con-name", profile, "autoconnect", "no", "ssid", name,
		"802-11-wireless.mode", "ap", "802-11-wireless.band", "bg", "ipv4.method", "shared", "ipv6.method", "disabled"}
	if password != "" {
		if err := Check(name, password); err != nil {
			return err
		}
		args = append(args, "802-11-wireless-security.key-mgmt", "wpa-psk", "802-11-wireless-security.psk", password)
	}
	if _, err := m.ask(ctx, args...); err != nil {
		return fmt.Errorf("the access point %s cannot be made: %w", name, err)
	}
	if _, err := m.ask(ctx, "connection", "up", "id", profile); err != nil {
		return fmt.Errorf("the access point %s does not open: %w", name, err)
	}
	return nil
}

// CloseAccessPoint ends the access point; that there is none is no error.
func (m Manager) CloseAccessPoint(ctx context.Context) error {
	_, err := m.ask(ctx, "connection", "delete", "id", profile)
	// "unknown connection 'boardd-setup'"
	if err != nil && (errors.Is(err, ErrNone) || strings.Contains(err.Error(), profile)) {
		return nil
	}
	return err
}
