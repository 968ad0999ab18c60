// SPDX-License-Identifier: Apache-2.0

// Package archive has the inventors' own sample games, and reads the games that ended here. The wall plays them when
// nothing happens.
package archive

import (
	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/sync/web"
	"embed"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
)

//go:embed *.pgn
var samples embed.FS

// keepStories is how many of a board's own games the wall plays, the newest.
const keepStories = 10

// Stories returns the sample games and the newest games of some folders. A file that cannot be read is left out and
// logged.
func Stories(folders []string, log *slog.Logger) []web.Story {
	stories := newest(samples, keepStories, log)
	for _, folder := range folders {
		stories = append(stories, newest(os.DirFS(folder), keepStories, log)...)
	}
	return stories
}

// newest reads the newest game files of a folder; their names sort by time.
func newest(dir fs.FS, most int, log *slog.Logger) []web.Story {
	names, err := fs.Glob(dir, "*.pgn")
	if err != nil {
		return nil // only a bad pattern can cause it
	}
	slices.Sort(names)
	var out []web.Story
	for _, name := range names[max(0, len(names)-most):] {
		if info, err := fs.Stat(dir, name); err == nil && !info.Mode().IsRegular() {
			continue // to open a named pipe may take for ever
		}
		games, err := readGames(dir, name)
		if err != nil {
			log.Warn("a stored game cannot be shown on the wall", "file", name, "error", err)
		}
		for i := range games {
			if len(games[i].Plies) > 0 {
				out = append(out, web.NewStory(&games[i]))
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
