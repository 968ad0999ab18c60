// SPDX-License-Identifier: Apache-2.0

package network

import (
	"context"
	"strings"
)

// active is what this computer is connected by now: a network, other than its own access point, and that point.
func (m Manager) active(ctx context.Context) (works, point bool, err error) {
	out, err := m.ask(ctx, "--terse", "--fields", "NAME,TYPE", "connection", "show", "--active")
	if err != nil {
		return false, false, err
	}
	for line := range strings.Lines(out) {
		switch f := fields(strings.TrimRight(line, "\n")); {
		case len(f) != 2:
		case f[0] == profile:
			point = true
		case strings.Contains(f[1], "wireless"), strings.Contains(f[1], "ethernet"):
			works = true
		}
	}
	return works, point, nil
}

// Connected reports whether this computer is connected, by wire or by air, other than by its own access point.
func (m Manager) Connected(ctx context.Context) (bool, error) {
	works, _, err := m.active(ctx)
	return works, err
}

// Knows reports whether this computer knows a wireless network, which it may join by itself when that is near.
func (m Manager) Knows(ctx context.Context) (bool, error) {
	out, err := m.ask(ctx, "--terse", "--fields", "NAME,TYPE", "connection", "show")
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(out) {
		f := fields(strings.TrimRight(line, "\n"))
		if len(f) == 2 && f[0] != profile && strings.Contains(f[1], "wireless") {
			return true, nil
		}
	}
	return false, nil
}

// KeepAccessPoint opens the access point if this computer is in no network, and closes it if it is in one. point
// reports whether it is open then. It is to be called again and again: networks come and go.
func (m Manager) KeepAccessPoint(ctx context.Context, name, password string) (point bool, err error) {
	works, point, err := m.active(ctx)
	switch {
	case err != nil:
		return false, err
	case works && point:
		return false, m.CloseAccessPoint(ctx)
	case works || point:
		return point, nil
	}
	err = m.OpenAccessPoint(ctx, name, password)
	return err == nil, err
}
