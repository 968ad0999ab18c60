// SPDX-License-Identifier: Apache-2.0

package network

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fake is an nmcli that knows one network and its password, and writes down what it was asked.
const fake = `#!/bin/sh
printf '%s\n' "$*" >> "$FAKE_NMCLI/asked"
case "$*" in
*"connection show --active")
	[ -e "$FAKE_NMCLI/joined" ] && echo 'Caf\:e:802-11-wireless'
	[ -e "$FAKE_NMCLI/point" ] && echo 'boardd-setup:802-11-wireless'
	echo 'lo:loopback' ;;
*"connection show")
	[ -e "$FAKE_NMCLI/joined" ] && echo 'Caf\:e:802-11-wireless'
	[ -e "$FAKE_NMCLI/point" ] && echo 'boardd-setup:802-11-wireless'
	echo 'Wired connection 1:802-3-ethernet' ;;
*"wifi list")
	printf ' :Caf\\:e:40:WPA2\n*:Caf\\:e:71:WPA2\n :Open:90:\n ::20:WPA2\n :boardd-12AB:99:\n' ;;
*"wifi connect Caf:e password long enough") touch "$FAKE_NMCLI/joined" ;;
*"wifi connect"*) echo 'Error: Connection activation failed: (7) Secrets were required, but not provided.' >&2; exit 4 ;;
*"connection delete id boardd-setup")
	[ -e "$FAKE_NMCLI/point" ] || { echo "Error: unknown connection 'boardd-setup'." >&2; exit 10; }
	rm "$FAKE_NMCLI/point" ;;
*"connection up id boardd-setup") touch "$FAKE_NMCLI/point" ;;
*"connection add"*) ;;
*) echo "Error: $*: not known" >&2; exit 2 ;;
esac
`

// install puts the fake first in the path.
func install(t *testing.T) (asked func() string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "nmcli"), []byte(fake), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FAKE_NMCLI", dir)
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return func() string {
		text, _ := os.ReadFile(filepath.Join(dir, "asked"))
		return string(text)
	}
}

// TestAccessPoint: where no network is known an access point opens, stays while a wrong password is tried, and goes
// when one is joined.
func TestAccessPoint(t *testing.T) {
	asked := install(t)
	var m Manager
	works := func(want bool) {
		t.Helper()
		if got, err := m.Connected(t.Context()); got != want || err != nil {
			t.Errorf("works: got %v, %v, want %v", got, err, want)
		}
	}
	works(false)
	if err := m.OpenAccessPoint(t.Context(), "boardd-12AB", "kavu6tqe"); err != nil {
		t.Fatal(err)
	}
	works(false) // its own access point is no network that it knows
	if got := asked(); !strings.Contains(got, "ssid boardd-12AB 802-11-wireless.mode ap") ||
		!strings.Contains(got, "wpa-psk 802-11-wireless-security.psk kavu6tqe") {
		t.Errorf("asked %q", got)
	}
	if err := m.Join(t.Context(), "Caf:e", "wrong word"); err == nil ||
		!strings.Contains(err.Error(), `"Caf:e" was not joined: Connection activation failed: (7) Secrets were required`) {
		t.Errorf("a wrong password: %v", err)
	}
	works(false)
	if err := m.Join(t.Context(), "Caf:e", "long enough"); err != nil {
		t.Fatal(err)
	}
	works(true)
	if err := m.CloseAccessPoint(t.Context()); err != nil { // there is none any more
		t.Errorf("close: %v", err)
	}
	if n := strings.Count(asked(), "connection up id boardd-setup"); n != 2 {
		t.Errorf("the access point was opened %d times, want 2: once again after the wrong password", n)
	}
}

// TestStand: the access point is open while this computer is in no network, is opened once and closed once.
func TestStand(t *testing.T) {
	asked := install(t)
	var m Manager
	stands := func(want bool) {
		t.Helper()
		if got, err := m.KeepAccessPoint(t.Context(), "boardd-12AB", ""); got != want || err != nil {
			t.Errorf("stands: got %v, %v, want %v", got, err, want)
		}
	}
	knows := func(want bool) {
		t.Helper()
		if got, err := m.Knows(t.Context()); got != want || err != nil {
			t.Errorf("knows: got %v, %v, want %v", got, err, want)
		}
	}
	knows(false)
	stands(true)
	stands(true)
	knows(false) // its own access point is none
	// Somebody plugs a cable in, which the fake shows as a network that was joined.
	if err := os.WriteFile(filepath.Join(os.Getenv("FAKE_NMCLI"), "joined"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	stands(false)
	stands(false)
	knows(true)
	for said, want := range map[string]int{"connection add": 1, "connection delete": 2} { // Open removes an older one
		if n := strings.Count(asked(), said); n != want {
			t.Errorf("%s was asked %d times, want %d:\n%s", said, n, want, asked())
		}
	}
}

// TestList: each network stands once, the strongest first, without access points of other boards.
func TestList(t *testing.T) {
	install(t)
	got, err := Manager{}.List(t.Context())
	want := []Network{{"Open", 90, false, false}, {"Caf:e", 71, true, true}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

// TestRefused: what cannot be a network or its password is refused before NetworkManager is asked, and that it is not
// here is said.
func TestRefused(t *testing.T) {
	asked := install(t)
	for _, c := range [][2]string{{"", ""}, {strings.Repeat("x", 33), ""}, {"a\nb", ""}, {"Home", "short"},
		{"Home", strings.Repeat("x", 64)}} {
		if err := (Manager{}).Join(t.Context(), c[0], c[1]); err == nil {
			t.Errorf("%q with %q was taken", c[0], c[1])
		}
	}
	if asked() != "" {
		t.Errorf("asked %q", asked())
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := (Manager{}).Connected(context.Background()); !errors.Is(err, ErrNone) {
		t.Errorf("without nmcli: %v", err)
	}
	if err := (Manager{}).CloseAccessPoint(context.Background()); err != nil {
		t.Errorf("close without nmcli: %v", err)
	}
}

func TestPointName(t *testing.T) {
	a, b := PointName("one"), PointName("two")
	if len(a) != len("boardd-XXXX") || a == b || a != PointName("one") {
		t.Errorf("got %s and %s", a, b)
	}
}

func FuzzFields(f *testing.F) {
	f.Add(`Caf\:e:40:WPA2`)
	f.Add(`\`)
	f.Fuzz(func(t *testing.T, line string) {
		got := fields(line)
		if len(got) == 0 || len(strings.Join(got, "")) > len(line) {
			t.Errorf("%q became %q", line, got)
		}
	})
}
