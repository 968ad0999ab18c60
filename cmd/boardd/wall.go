// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"log/slog"
	"path/filepath"

	"boardd/cmd/boardd/archive"
	"boardd/sync/mirror"
	"boardd/sync/web"
)

// hall hears every board of the broker on which a board is.
func hall(b *board) func(context.Context, web.Hear) {
	if b.mirror == nil {
		return nil
	}
	return func(ctx context.Context, tell web.Hear) {
		h := mirror.NewHall(b.link)
		if err := h.Run(ctx, func(s mirror.Seen) { tell(s.Board, s.Game, s.Online) }); err != nil {
			b.log.Error("the club wall hears no boards", "error", err)
		}
	}
}

// stored gives the games for the wall: those of the archive and those that ended here.
func stored(boards []*board, log *slog.Logger) func() []web.Story {
	var folders []string
	for _, b := range boards {
		folders = append(folders, filepath.Join(b.conf.StateDir, "games"))
	}
	return func() []web.Story { return archive.Stories(folders, log) }
}

// linkSays is how the page is told of the link to the broker.
type linkSays struct {
	Up      bool   `json:"up"`
	Trouble string `json:"trouble,omitempty"`
	Rival   string `json:"rival,omitempty"` // why the board that plays against this one takes no part
}

// showLink tells the page of the link, and of the board at the other end.
func (b *board) showLink() {
	l := b.table.Link()
	b.feed.Set("link", linkSays{l.Up || b.mirror == nil, l.Trouble, b.table.Absent()})
}
