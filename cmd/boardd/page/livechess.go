// SPDX-License-Identifier: Apache-2.0

package page

import (
	"context"
	"log/slog"

	"boardd/sync/livechess"
	"boardd/sync/web"
)

// LiveChess is a part that answers programs for electronic boards at an address, and pages whose hosts are among the
// origins. They may call the machine by the names in hosts as well as by its own.
func LiveChess(address string, origins, hosts []string, log *slog.Logger,
	boards ...*web.Board) func(ctx context.Context, up func()) error {
	var sources []livechess.Source
	for _, b := range boards {
		sources = append(sources, livechess.Source{ID: b.ID, Game: func() []byte { return b.Feed.Get("game") },
			Changed: b.Feed.Changed})
	}
	h := web.RequireOwnName(hosts, livechess.Handler(origins, sources...))
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
