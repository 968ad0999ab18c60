// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardd/systemd/network"
)

// air is a NetworkManager with one radio.
type air struct {
	mu            sync.Mutex
	active, known []string // connections
	asked         []string
}

// now changes what there is.
func (a *air) now(active, known []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.active, a.known = active, known
}

func (a *air) run(_ context.Context, args ...string) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	said := strings.Join(args, " ")
	a.asked = append(a.asked, said)
	list := a.known
	switch {
	case strings.HasSuffix(said, "connection show --active"):
		list = a.active
	case strings.Contains(said, "connection up id boardd-setup"):
		a.active = append(a.active, "boardd-setup")
	case strings.Contains(said, "connection delete id boardd-setup"):
		a.active = slices.DeleteFunc(a.active, func(c string) bool { return c == "boardd-setup" })
	case strings.Contains(said, "connection show"):
	default:
		return "", nil
	}
	var out strings.Builder
	for _, c := range list {
		out.WriteString(c + ":802-11-wireless\n")
	}
	return out.String(), nil
}

// TestKeep: a configured board opens its access point while it knows no network, and closes it when it joins one. If a
// known network is out of reach, it opens none.
func TestKeep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []string
		var log bytes.Buffer
		a := &air{}
		r := &Radio{Manager: network.Manager{Run: a.run}, Password: "correct-horse", Listen: "[::]:8080"}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			r.Keep(ctx, slog.New(slog.NewTextHandler(&log, nil)), func(point string) { told = append(told, point) })
		}()
		look := func(what string, open bool, tellings int) {
			t.Helper()
			time.Sleep(2 * pointLook)
			synctest.Wait()
			if got := strings.HasPrefix(r.Point(), "boardd-"); got != open || len(told) != tellings {
				t.Errorf("%s: the access point is %q and was told %q, want open %v and %d", what, r.Point(), told, open, tellings)
			}
		}
		look("no network", true, 1)
		if asked := strings.Join(a.asked, "\n"); !strings.Contains(asked,
			"wpa-psk 802-11-wireless-security.psk correct-horse") {
			t.Errorf("it has not the owner's password:\n%s", asked)
		}
		if !strings.Contains(log.String(), "http://10.42.0.1:8080/") {
			t.Errorf("where the page is does not stand in the log: %s", &log)
		}
		a.now([]string{"boardd-setup", "cable"}, nil)
		look("a cable", false, 2)
		a.now(nil, nil)
		look("the cable is pulled", true, 3)
		a.now([]string{"Home"}, []string{"Home"})
		look("a network was joined", false, 4)
		a.now(nil, []string{"Home"})
		look("carried out of its reach", false, 4)
		stop()
		<-done
	})
}

// TestAlways: at the first start the access point is open even if a known network does not work, because its password
// may be wrong.
func TestAlways(t *testing.T) {
	for always, want := range map[bool]bool{true: true, false: false} {
		a := &air{known: []string{"Home"}}
		r := &Radio{Manager: network.Manager{Run: a.run}, Always: always}
		if point, err := r.look(t.Context(), "boardd-12AB"); (point != "") != want || err != nil {
			t.Errorf("always %v: got %q, %v", always, point, err)
		}
	}
}

// TestReachable: an access point is of use only with a password, and where the page is served beyond this computer.
func TestReachable(t *testing.T) {
	for _, c := range []struct {
		listen, password string
		want             bool
	}{
		{":8080", "correct-horse", true}, {"0.0.0.0:8080", "correct-horse", true}, {"10.0.0.5:80", "correct-horse", true},
		{"127.0.0.1:8080", "correct-horse", false}, {"[::1]:8080", "correct-horse", false},
		{"localhost:8080", "correct-horse", false}, {":8080", "", false}, {"", "correct-horse", false},
	} {
		if got := (&Radio{Listen: c.listen, Password: c.password}).Reachable(); got != c.want {
			t.Errorf("%q with %q: got %v", c.listen, c.password, got)
		}
	}
	file := filepath.Join(t.TempDir(), "passwords")
	for text, want := range map[string]string{
		"":                                     "",
		"# workshop x\nplayer longenough12\n":  "",
		"player a\nworkshop correct-horse\n":   "correct-horse",
		"workshop " + strings.Repeat("x", 64):  "", // longer than a network's password may be
		"workshop short\nworkshop long-enough": "long-enough",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := WorkshopPassword(file); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
