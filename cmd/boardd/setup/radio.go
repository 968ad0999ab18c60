// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"boardd/config/size"
	"boardd/rules/say"
	"boardd/sync/wire"
	"boardd/systemd/network"
)

// Radio brings a board into a network: one that somebody chooses on a page, or its own access point while there is
// none.
type Radio struct {
	Manager  network.Manager
	Password string // of the access point, 8 to 63 letters; "" for an open one
	Listen   string // where the page is served: its port counts

	// Always opens the access point even if a network is known but not there, as at the first start. The network's name
	// or password may be wrong. Without Always, a board that is out of reach of its network opens none.
	Always bool

	// held while NetworkManager changes something: a board that is joining a network needs no access point
	asking sync.Mutex

	mu    sync.Mutex // guards what follows
	point string
}

// Point is the name of the access point, "" while it is not open.
func (r *Radio) Point() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.point
}

// Reachable reports whether an access point would be of use: it has a password, and the page is served there too.
func (r *Radio) Reachable() bool {
	host, _, err := net.SplitHostPort(r.Listen)
	ip := net.ParseIP(host)
	return err == nil && r.Password != "" && host != "localhost" && (ip == nil || !ip.IsLoopback())
}

// Keep opens and closes the access point until ctx ends, and tells its name, "" for none, when that changes. It ends
// at once where there is no NetworkManager.
func (r *Radio) Keep(ctx context.Context, log *slog.Logger, tell func(point string)) {
	machine, _ := size.Read("/etc/machine-id", size.Named) // an image without one has the same name as others
	name := network.PointName(string(machine))
	for failed := ""; ; {
		point, err := r.look(ctx, name)
		if errors.Is(err, network.ErrNone) || ctx.Err() != nil {
			return
		}
		if err != nil && err.Error() != failed { // else it is said at every look
			failed = err.Error()
			log.Warn("this computer is in no network", "error", err)
		}
		r.mu.Lock()
		changed := point != r.point
		r.point = point
		r.mu.Unlock()
		if changed {
			failed = ""
			if point != "" {
				log.Info("this computer is in no network: its access point is open", "access_point", point,
					"page", "http://"+pointAddress(r.Listen)+"/")
			} else {
				log.Info("this computer is in a network: its access point is closed")
			}
			tell(point)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pointLook):
		}
	}
}

// pointAddress is the address of the page at the access point, where NetworkManager gives this computer 10.42.0.1.
func pointAddress(listen string) string {
	_, port, _ := net.SplitHostPort(listen)
	return net.JoinHostPort("10.42.0.1", port)
}

// look opens or closes the access point, and reports whether it is open: by its name.
func (r *Radio) look(ctx context.Context, name string) (point string, err error) {
	r.asking.Lock()
	defer r.asking.Unlock()
	if !r.Always {
		if known, err := r.Manager.Knows(ctx); err != nil || known {
			return "", err
		}
	}
	open, err := r.Manager.KeepAccessPoint(ctx, name, r.Password)
	if !open {
		name = ""
	}
	return name, err
}

// list says which networks can be seen.
func (r *Radio) list(w http.ResponseWriter, req *http.Request) {
	list, err := r.Manager.List(req.Context())
	out := map[string]any{"networks": append([]network.Network{}, list...), "point": r.Point()}
	if err != nil {
		out["say"], out["said"] = err.Error(), wire.Sentences(say.Of(err))
	}
	answer(w, http.StatusOK, out)
}

// join joins a network. A browser that came through the access point loses its connection by that, and gets no answer.
func (r *Radio) join(w http.ResponseWriter, req *http.Request) {
	var ask struct{ Name, Password string }
	if !take(w, req, &ask) {
		return
	}
	if err := network.Check(ask.Name, ask.Password); err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(slowest)) //nolint:errcheck // a test's knows none
	r.asking.Lock()
	defer r.asking.Unlock()
	// Not the request's context: a browser that loses its connection by this must not cancel it.
	ctx, stop := context.WithTimeout(context.WithoutCancel(req.Context()), slowest)
	defer stop()
	if err := r.Manager.Join(ctx, ask.Name, ask.Password); err != nil {
		refuse(w, http.StatusConflict, err)
		return
	}
	r.mu.Lock()
	r.point = ""
	r.mu.Unlock()
	answer(w, http.StatusOK, map[string]bool{"ok": true})
}

// WorkshopPassword is the first token in a file that has the right of the workshop and can also be the password of a
// wireless network. It is "" if there is none. Whoever set up the board knows it.
func WorkshopPassword(tokens string) string {
	text, _ := size.Read(tokens, size.Named) // one that cannot be read is told by the page
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 2 && words[0] == "workshop" && network.Check("x", words[1]) == nil {
			return words[1]
		}
	}
	return ""
}
