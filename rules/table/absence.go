// SPDX-License-Identifier: Apache-2.0

package table

import (
	"cmp"
	"strings"
	"time"

	"boardd/rules/game"
	"boardd/rules/say"
)

// Connection is the link to the broker.
type Connection struct {
	Up      bool     // the broker was reached when it was last heard of
	Trouble say.Said // what is wrong with it, empty when nothing is
	Refused []string // what the broker does not let this board read
	said    string   // the last trouble that was told, in English
}

// SetBroker says whether other boards can be reached at all, that is, whether a broker is configured.
func (t *Table) SetBroker(broker bool) { t.broker = broker }

// Linked takes in the state of the link to the broker. It tells people what is wrong with the link, once for each
// trouble; that the link is down is shown elsewhere.
func (t *Table) Linked(now time.Time, l Connection) []Effect {
	t.take(now)
	if l.Up && !t.link.Up {
		t.do(Note{"connected to the broker", nil})
	}
	text := l.Trouble
	if len(l.Refused) > 0 {
		text = say.That("the broker does not let this board read %s: give its account the right to",
			strings.Join(l.Refused, ", "))
	}
	said := t.link.said
	t.link = l
	t.link.said = text.English
	t.do(Link{})
	if text.English != "" && text.English != said {
		t.tell(Event{Kind: LinkTrouble, Text: text})
	}
	return t.finish()
}

// absence is what is known of the other board of a game while it takes no part in it.
type absence struct {
	board  string    // the other board, "" when both sides sit here
	online *bool     // what its status said last, nil when no status came
	why    say.Said  // why it takes no part; empty when it does
	since  time.Time // since when why holds
	said   say.Said  // what people were told
	wrong  bool      // its pieces differ from the game, which stops the clocks
}

// Presence takes in that another board comes or goes.
func (t *Table) Presence(now time.Time, board string, online bool) []Effect {
	t.take(now)
	t.noteRival()
	if board == t.away.board {
		t.away.online = &online
	}
	return t.finish()
}

// noteRival forgets what was known of the board that played against this one before.
func (t *Table) noteRival() {
	if r := t.rival(); r != t.away.board {
		t.away = absence{board: r, said: t.away.said}
	}
}

// Absent is why the other board of the game takes no part, or why it has stopped the clocks; empty for neither.
func (t *Table) Absent() say.Said {
	if a := &t.away; a.said.English != "" || !a.wrong {
		return a.said
	}
	return say.That("board %s differs from the game: the clocks stand until it is put right", t.away.board)
}

// missRival tells people when the other board of the game has taken no part for a while, and when it takes part again.
func (t *Table) missRival() {
	t.noteRival()
	a := &t.away
	why := t.game.WhyPaused()
	if wrong := !t.game.Over() && t.game.Paused() && why != Desync && strings.HasSuffix(why, Desync); wrong != a.wrong {
		a.wrong = wrong
		t.do(Link{})
	}
	if why := t.absent(); why.English != a.why.English || a.since.IsZero() {
		a.why, a.since = why, t.now
	}
	if a.why.English == a.said.English || a.why.English != "" && t.now.Sub(a.since) < absenceGrace {
		return
	}
	a.said = a.why
	t.do(Link{})
	switch {
	case a.said.English != "":
		t.tell(Event{Kind: LinkTrouble, Text: a.said})
	case a.board != "" && t.link.Up && t.clash.text.English == "":
		t.tell(Event{Kind: LinkTrouble, Text: say.That("board %s is in the game", a.board)})
	}
}

// absent is why the other board of the game takes no part in it. It is empty when that board does, or when nothing is
// known because this board has no link itself.
func (t *Table) absent() say.Said {
	r, id := t.away.board, t.o.Board
	m, heard := t.rivals[r]
	other := heard && m.Game.ID != t.game.ID()
	switch {
	case r == "" || r == game.Lichess || t.game.Over(): // the seat at the server speaks for itself
		return say.Said{}
	case !t.broker:
		return say.That("board %s cannot be reached: no broker is configured (mqtt.url)", r)
	case !t.link.Up:
		return say.Said{}
	case t.away.online == nil && !heard:
		return say.That("no game is heard of board %s: is it switched on and at the same broker, and is that its name?", r)
	case t.away.online != nil && !*t.away.online:
		return say.That("board %s is switched off, or has no link to the broker: it gets what was played as soon as it is "+
			"back", r)
	case t.clash.text.English != "":
		return say.Said{} // that is told by itself
	case other && m.Conflict != "":
		return say.That("board %s does not join this game, and says: %q", r, m.Conflict)
	case other && m.Game.White != id && m.Game.Black != id:
		return say.That("board %s plays a game without this board: end this game without a result, or begin a new one with "+
			"board %s there", r, id)
	case heard && m.Conflict != "":
		return say.That("board %s takes nothing from this board, and says: %q. If this board has a new key, compare its "+
			"words there again, or give way there (settle)", r, m.Conflict)
	case other:
		return say.That("board %s plays another game with this board (%s): begin one there or here that both can play", r,
			m.Game.Variant)
	}
	return say.Said{}
}

// abandoned reports whether the other board of this game has begun one without this board. So it will not answer.
func (t *Table) abandoned() bool {
	m, id := t.rivals[t.rival()], t.o.Board
	return m.Game.ID > t.game.ID() && m.Game.White != id && m.Game.Black != id
}

// follow has the other board of the game heard. Where both sides sit here it is the last one that somebody here has
// chosen, which may invite.
func (t *Table) follow() {
	r := t.rival()
	if r != "" && r != game.Lichess && t.game.BegunVia() != game.ByMQTT {
		t.partner = r
	}
	t.do(Follow{cmp.Or(r, t.partner, t.o.Partner)})
}
