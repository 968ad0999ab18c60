// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"

	"boardd/sync/wire"
)

// absence is what is known of the board that plays against this one when it takes no part in the game.
type absence struct {
	board  string    // whom it is about, "" when both sides sit here
	online *bool     // what its status said last, nil when it was not heard
	why    string    // why it takes no part, in words; "" when it does
	since  time.Time // since when that is so
	said   string    // what people were told
}

// comesBack is how long the other board may take to come, or to come back, before people are told that it is away.
const comesBack = 10 * time.Second

// hearStatus takes in that the other board comes or goes.
func (b *board) hearStatus(from string, online bool) {
	b.noteRival()
	if from == b.away.board {
		b.away.online = &online
	}
}

// noteRival forgets what was known of the board that played against this one before.
func (b *board) noteRival() {
	if r := b.rival(); r != b.away.board {
		b.away = absence{board: r, said: b.away.said}
	}
}

// missRival tells people that the board that plays against this one has taken no part in the game for a while, and when it does again.
func (b *board) missRival(now time.Time) {
	b.noteRival()
	a := &b.away
	if why := b.absent(); why != a.why || a.since.IsZero() {
		a.why, a.since = why, now
	}
	if a.why == a.said || a.why != "" && now.Sub(a.since) < comesBack {
		return
	}
	a.said = a.why
	b.showLink()
	switch {
	case a.said != "":
		b.tell(wire.Event{Kind: wire.EventLink, Text: clip(a.said, 1000)})
	case a.board != "" && b.linkUp && b.conflict == "":
		b.tell(wire.Event{Kind: wire.EventLink, Text: fmt.Sprintf("board %s is in the game", a.board)})
	}
}

// absent is why the board that plays against this one takes no part in the game, "" when it does or nothing is known because this board has no
// link itself.
func (b *board) absent() string {
	r := b.away.board
	g, heard := b.rivals[r]
	switch {
	case r == "" || b.game.Over():
		return ""
	case b.mirror == nil:
		return fmt.Sprintf("board %s cannot be reached: no broker is configured (mqtt.url)", r)
	case !b.linkUp:
		return ""
	case b.away.online == nil && !heard:
		return fmt.Sprintf("no game is heard of board %s: is it switched on and at the same broker, and is that its name?", r)
	case b.away.online != nil && !*b.away.online:
		return fmt.Sprintf("board %s is switched off, or has no link to the broker: it gets what was played as soon as it is back", r)
	case b.conflict != "":
		return "" // that is told by itself
	case heard && g.Game != b.game.ID() && g.Conflict != "":
		return fmt.Sprintf("board %s does not join this game, and says: %q", r, g.Conflict)
	case heard && g.Game != b.game.ID() && g.Seats.White != b.id && g.Seats.Black != b.id:
		return fmt.Sprintf("board %s plays a game without this board: one of its seats must name %s", r, b.id)
	case heard && g.Game == b.game.ID() && g.Conflict != "":
		return fmt.Sprintf("board %s takes nothing from this board, and says: %q. If this board has a new key, give way there (settle), or put the new key into mqtt.keys_file there", r, g.Conflict)
	case heard && g.Game != b.game.ID():
		return fmt.Sprintf("board %s plays another game with this board (%s): begin one there or here that both can play", r, g.Variant)
	}
	return ""
}
