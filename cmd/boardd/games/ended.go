// SPDX-License-Identifier: Apache-2.0

package games

import (
	"crypto/ed25519"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"boardd/cmd/boardd/history"

	"github.com/google/renameio/v2"
)

// Ended is the folder of the games that ended at a board, a file each. It outlasts the journal, whose oldest games go
// when it is full. So what could not be written waits, and is tried again.
type Ended struct {
	dir     string
	log     *slog.Logger
	waiting []ended // those that are not written yet, oldest first
}

type ended struct {
	id   string
	text []byte
}

// mostWaiting is how many games wait. A game has some 2 kB. What the journal has beyond them comes after the next
// start.
const mostWaiting = 500

// NewEnded is the folder of a board's state folder.
func NewEnded(state string, log *slog.Logger) *Ended {
	return &Ended{dir: filepath.Join(state, "games"), log: log}
}

// Path is the file of a game.
func (e *Ended) Path(id string) string { return filepath.Join(e.dir, id+".pgn") }

// Keep writes a game, now or when it is possible.
func (e *Ended) Keep(id string, text []byte) {
	e.forget(id)
	if err := e.write(id, text); err != nil {
		e.log.Warn("the game cannot be written to a file of its own; the journal has it, and it is tried again", "error",
			err)
		e.wait(id, text)
	}
}

// Remove deletes the file of a game whose end was taken back.
func (e *Ended) Remove(id string) {
	e.forget(id)
	if err := os.Remove(e.Path(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.log.Warn("the file of a game whose end was taken back cannot be removed", "error", err)
	}
}

// Miss looks for games of a board that have ended and have no file, or an empty one. They wait to be written, with the
// board's key (File).
func (e *Ended) Miss(book *history.Book, board string, key ed25519.PrivateKey) {
	for _, g := range book.Games {
		if !g.Over() || g.Setup().Board != board {
			continue
		}
		info, err := os.Stat(e.Path(g.ID()))
		switch {
		case err == nil && !info.Mode().IsRegular():
			e.log.Warn("a game has no file, because something else has its name", "name", e.Path(g.ID()))
		case (err != nil || info.Size() == 0) && len(e.waiting) < mostWaiting:
			e.wait(g.ID(), Text(g.Game, nil, key))
		}
	}
}

// Retry writes one of the games that wait. It may be called often.
func (e *Ended) Retry() {
	if len(e.waiting) == 0 {
		return
	}
	if err := e.write(e.waiting[0].id, e.waiting[0].text); err != nil {
		return // said already, or by the journal
	}
	e.waiting = slices.Delete(e.waiting, 0, 1)
	if len(e.waiting) == 0 {
		e.log.Info("every game that ended has a file of its own again")
	}
}

func (e *Ended) wait(id string, text []byte) {
	if len(e.waiting) >= mostWaiting {
		e.waiting = slices.Delete(e.waiting, 0, 1)
	}
	e.waiting = append(e.waiting, ended{id, text})
}

func (e *Ended) forget(id string) {
	e.waiting = slices.DeleteFunc(e.waiting, func(w ended) bool { return w.id == id })
}

func (e *Ended) write(id string, text []byte) error {
	if err := os.MkdirAll(e.dir, 0o750); err != nil {
		return err
	}
	return renameio.WriteFile(e.Path(id), text, 0o640)
}
