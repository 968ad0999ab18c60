// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"embed"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/sync/mirror"
	"boardd/sync/web"
)

// archive is the inventors' own sample games, which the wall plays when nothing happens.
//
//go:embed archive
var archive embed.FS

// keepStories is how many of a board's own games the wall plays, the newest.
const keepStories = 10

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

// stored gives the games for the wall: those of the archive and those that ended here. What cannot be read is left out and said.
func stored(boards []*board, log *slog.Logger) func() []web.Story {
	return func() []web.Story {
		inner, err := fs.Sub(archive, "archive")
		if err != nil {
			log.Error("the archive of games", "error", err)
			return nil
		}
		stories := tales(inner, keepStories, log)
		for _, b := range boards {
			stories = append(stories, tales(os.DirFS(filepath.Join(b.conf.StateDir, "games")), keepStories, log)...)
		}
		return stories
	}
}

// tales reads the newest game files of a folder; their names sort by time.
func tales(dir fs.FS, most int, log *slog.Logger) []web.Story {
	names, err := fs.Glob(dir, "*.pgn")
	if err != nil {
		return nil // only a bad pattern can cause it
	}
	slices.Sort(names)
	var out []web.Story
	for _, name := range names[max(0, len(names)-most):] {
		games, err := readGames(dir, name)
		if err != nil {
			log.Warn("a stored game cannot be shown on the wall", "file", name, "error", err)
		}
		for i := range games {
			if len(games[i].Plies) > 0 {
				out = append(out, web.Tell(&games[i]))
			}
		}
	}
	return out
}

func readGames(dir fs.FS, name string) ([]pgn.Game, error) {
	v, err := rules.ByID("chess") // of files that do not say
	if err != nil {
		return nil, err
	}
	f, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	return pgn.Read(io.LimitReader(f, 1<<20), v)
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
