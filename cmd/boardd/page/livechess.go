// SPDX-License-Identifier: Apache-2.0

package page

import (
	"context"
	"log/slog"
	"net/http"

	"boardd/sync/livechess"
	"boardd/sync/web"
)

// LiveChess is a part that answers programs for electronic boards at an address, and pages whose hosts are among the
// origins. They may call the machine by the names in hosts as well as by its own.
func LiveChess(address string, origins, hosts []string, log *slog.Logger,
	boards ...*web.Board) func(ctx context.Context, up func()) error {
	h := Programs(origins, hosts, boards...)
	return func(ctx context.Context, up func()) error {
		l, err := Listen(address, false, log)
		if err != nil {
			return err
		}
		log.Info("programs for electronic boards are answered", "address", l.Addr().String())
		up()
		return Serve(ctx, l, h, log)
	}
}

// Programs answers as the part LiveChess does. A program hears only what is stored, as others do.
func Programs(origins, hosts []string, boards ...*web.Board) http.Handler {
	var sources []livechess.Source
	for _, b := range boards {
		sources = append(sources, livechess.Source{ID: b.ID, Game: b.Feed.StoredGame, Changed: b.Feed.Changed})
	}
	return web.RequireOwnName(hosts, livechess.Handler(origins, sources...))
}
