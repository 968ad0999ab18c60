// SPDX-License-Identifier: Apache-2.0

package page

import (
	"context"
	"log/slog"

	"boardd/sync/livechess"
	"boardd/sync/web"
)

// LiveChess takes an address at which programs for electronic boards are answered. The function answers until its context ends.
func LiveChess(address string, origins []string, log *slog.Logger, boards ...*web.Board) (func(context.Context) error, error) {
	l, err := Listen(address, false)
	if err != nil {
		return nil, err
	}
	var sources []livechess.Source
	for _, b := range boards {
		sources = append(sources, livechess.Source{ID: b.ID, Game: func() []byte { return b.Feed.Get("game") }, Changed: b.Feed.Changed})
	}
	log.Info("programs for electronic boards are answered", "address", l.Addr().String())
	h := livechess.Handler(origins, sources...)
	return func(ctx context.Context) error { return Serve(ctx, l, h, log) }, nil
}
