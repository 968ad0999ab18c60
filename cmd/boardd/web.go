// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"path/filepath"
	"time"

	"boardd/cmd/boardd/archive"
	"boardd/cmd/boardd/games"
	"boardd/cmd/boardd/page"
	"boardd/cmd/boardd/pairing"
	"boardd/cmd/boardd/senses"
	"boardd/config/size"
	"boardd/leds"
	"boardd/rules/table"
	"boardd/sensing/wood"
	"boardd/sync/mirror"
	"boardd/sync/trust"
	"boardd/sync/web"
	"boardd/sync/wire"
)

// standWood puts the virtual wood as it stood when the program ended, or sets it up for the game.
func (b *board) standWood() {
	v := b.rig.Virtual
	if v == nil {
		return
	}
	var w wood.Wood
	data, err := size.Read(b.woodFile(), size.Kept)
	if err != nil || json.Unmarshal(data, &w) != nil {
		w = *b.table.Expected()
	}
	v.Put(w)
	if err := b.hands().Done(nil); err != nil {
		b.log.Warn("the virtual wood", "error", err)
	}
}

func (b *board) woodFile() string { return filepath.Join(b.conf.StateDir, "wood.json") }

// hands are the hands of a virtual board.
func (b *board) hands() page.Hands {
	return page.Hands{Board: b.rig.Virtual, Feed: b.feed, File: b.woodFile(), Geometry: &b.rig.Geometry,
		Turned: &b.turned}
}

// page is the board as the web sees it.
func (b *board) page() *web.Board {
	p := &web.Board{ID: b.id, Feed: b.feed, Command: b.ask, PGN: b.live.Text,
		Games:       games.Store{State: b.conf.StateDir, Analyst: b.analyst},
		Diagnostics: senses.Workshop{Last: b.bench, Lights: b.lighting, Dir: filepath.Join(b.conf.StateDir, "traces")}}
	if b.lighting == nil || b.rig.Virtual == nil {
		// an empty frame until lights are on, and for boards without lights: it tells the page the number of decks
		b.showLights(leds.Frame{})
	}
	if b.rig.Virtual != nil {
		h := b.hands()
		h.Slow = handTime
		if b.rig.Geometry.Heights {
			h.Slow = handTimeTwin
		}
		p.Hands = h
		b.feed.Set("wood", web.Wood(h))
	}
	return p
}

// showLights shows the page the lights of a real board.
func (b *board) showLights(f leds.Frame) { b.feed.Set("leds", page.Colors(&f, b.decks())) }

// decks is the number of decks of the board.
func (b *board) decks() int {
	if b.rig.Geometry.TwoDecks {
		return 2
	}
	return 1
}

// watchLights shows the page the lights that the virtual LED line decodes, until ctx ends.
func (b *board) watchLights(ctx context.Context) {
	v := b.rig.Virtual
	for {
		f := v.Lights()
		b.feed.Set("leds", page.Colors(&f, b.decks()))
		select {
		case <-v.Lit():
		case <-ctx.Done():
			return
		}
	}
}

// desk is what the page uses to pair this board with others.
func (b *board) desk() *pairing.Desk {
	ask := func(r *http.Request, do func(*trust.Keys) bool) bool {
		done := make(chan struct{})
		act := func() {
			defer close(done)
			if do(b.keys) {
				if err := b.append([]table.Record{{Keys: b.keys.Keys()}}); err != nil {
					b.log.Error("a key was forgotten, and that could not be stored: after a restart it is known again", "error", err)
				}
			}
			if r.Method == http.MethodPost {
				b.carry(b.table.ReceiveAgain(time.Now()))
			}
		}
		select {
		case b.acts <- act:
			<-done
			return true
		case <-r.Context().Done():
			return false
		}
	}
	return &pairing.Desk{Board: b.id, Dir: b.conf.StateDir, Ask: ask, Log: b.log}
}

// watchAll returns a function that follows every board at the board's broker.
func watchAll(b *board) func(context.Context, web.UpdateFunc) {
	if b.mirror == nil {
		return nil
	}
	return func(ctx context.Context, tell web.UpdateFunc) {
		known := make(chan *trust.Keys, 1)
		watch := trust.NewWatch(b.id, func() *trust.Keys {
			select {
			case b.acts <- func() { known <- b.keys.Copy() }:
				return <-known
			case <-ctx.Done():
				return nil
			}
		}, b.log)
		tell(b.id, nil, nil)
		for _, k := range watch.Known() {
			tell(k.Board, nil, nil)
		}
		hear := func(s mirror.BoardMessage) { tell(s.Board, watch.Shown(s.Board, s.Game), s.Online) }
		if err := mirror.NewSpectator(b.link).Run(ctx, hear); err != nil {
			b.log.Error("the club wall receives no boards", "error", err)
		}
	}
}

// storedGames returns the games for the wall: those of the archive and those that ended here.
func storedGames(boards []*board, log *slog.Logger) func() []web.Story {
	var folders []string
	for _, b := range boards {
		folders = append(folders, filepath.Join(b.conf.StateDir, "games"))
	}
	return func() []web.Story { return archive.Stories(folders, log) }
}

// linkSays is the state of the link to the broker, as the page gets it.
type linkSays struct {
	Up      bool   `json:"up"`
	Trouble string `json:"trouble,omitempty"`
	Rival   string `json:"rival,omitempty"` // why the board at the other end takes no part, or stops the clocks

	TroubleSaid []wire.Sentence `json:"trouble_said,omitempty"` // the same, for translation
	RivalSaid   []wire.Sentence `json:"rival_said,omitempty"`
}

// showLink tells the page about the link, and about the board at the other end.
func (b *board) showLink() {
	l := b.table.Link()
	b.feed.Set("link", linkSays{l.Up || b.mirror == nil, l.Trouble.English, b.table.Absent().English,
		sentences(l.Trouble), sentences(b.table.Absent())})
}
