// SPDX-License-Identifier: Apache-2.0

package table

import (
	"cmp"
	"errors"
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

// clash is a contradiction to this game, and what people can do about it.
type clash struct {
	text   say.Said
	game   string         // the id of another game that it is about, "" when it is about this one
	doubt  *TrustError    // why the other board's message is not believed, nil when it is
	about  Message        // the last message that contradicts, where it is believed
	signed game.Statement // what that message has signed
	beside say.Said       // what forged message was told of last, while something else is open
}

// isDoubted reports whether people are asked whether a message is from this board. Nobody is asked about a forged one.
func (c *clash) isDoubted(board string) bool {
	return c.doubt != nil && !c.doubt.Forged && c.doubt.Board == board
}

// speech is a board's part in a game.
type speech struct{ board, game string }

// dispute notes whether the other board contradicts. What is open is not ended by a message that is forged, or that
// says no more than was known. Anybody may send an old message again.
func (t *Table) dispute(h *game.RemoteGame, err error) {
	var doubt *TrustError
	c := &t.clash
	switch {
	case !errors.As(err, &doubt):
		if c.text.English == "" || !t.isLate(h) {
			t.contradict(err)
			c.about, c.signed = t.rivals[h.Board], h.Signed
		}
	case t.isOutworn(h, doubt):
	case doubt.Forged && c.text.English != "" && (c.doubt == nil || !c.doubt.Forged):
		if text := doubt.said(); text.English != c.beside.English {
			c.beside = text
			t.tell(Event{Kind: Conflict, Text: text.And("; ", doubt.advice(t.o.Trust.Pinned(doubt.Board)))})
		}
	default:
		t.contradict(err)
	}
}

// isLate reports whether a message that is believed is too old to end what is open. To end a doubt, its board must
// have signed more by the key that is believed. To end a contradiction, it must have signed as much as with that, or
// more in another game.
func (t *Table) isLate(h *game.RemoteGame) bool {
	c := &t.clash
	more := h.Signed.Compare(t.known(h)) > 0
	switch {
	case c.doubt != nil && c.doubt.Forged, c.doubt == nil && c.signed == game.Statement{}:
		return false
	case c.doubt != nil:
		return h.Board != c.doubt.Board || !more || h.ID < t.game.ID()
	case h.ID == cmp.Or(c.game, t.game.ID()):
		return h.Signed.Compare(c.signed) < 0
	}
	return !more
}

// isOutworn reports whether a message that is not believed is one of a former key, which says what that key has signed
// here before. If people have fixed another key since, it is told nevertheless: nobody can be misled to accept it.
func (t *Table) isOutworn(h *game.RemoteGame, doubt *TrustError) bool {
	return !doubt.Forged && !t.o.Trust.Pinned(h.Board) && doubt.Key != nil && h.ID == t.game.ID() &&
		doubt.Signed.Compare(t.o.Trust.Stated(t.game, h.Board, doubt.Key)) <= 0
}

// known is the most that a message's board is known to have signed in the message's game.
func (t *Table) known(h *game.RemoteGame) game.Statement {
	known := t.stated[speech{h.Board, h.ID}]
	if h.ID != t.game.ID() {
		return known
	}
	if here := t.o.Trust.Stated(t.game, h.Board, nil); here.Compare(known) > 0 {
		return here
	}
	return known
}

// note remembers what a message has signed. Older games than this one are forgotten: nothing that is said of them
// counts.
func (t *Table) note(h *game.RemoteGame) {
	if h.Signed.Compare(t.known(h)) > 0 {
		t.stated[speech{h.Board, h.ID}] = h.Signed
	}
	for s := range t.stated {
		if s.game < t.game.ID() {
			delete(t.stated, s)
		}
	}
}

// contradict notes a contradiction for people to settle; nil: there is none any more.
func (t *Table) contradict(err error) {
	var c *game.ConflictError
	was, now, advice := t.clash.text, clash{}, say.That("nothing was changed: one of the boards must give way (settle)")
	if errors.As(err, &now.doubt) {
		now.text, advice = now.doubt.said(), now.doubt.advice(t.o.Trust.Pinned(now.doubt.Board))
	} else if errors.As(err, &c) {
		now.text, now.game = c.Said(), c.Game
		switch {
		case c.Game == "":
		case game.CheckID(c.Game) != nil:
			advice = say.That("nothing was changed: begin a new game on board %s", c.Board)
		case errors.As(err, new(*unplayableError)):
			advice = say.That("nothing was changed: begin a game that both boards can play")
		default:
			advice = say.That("nothing was changed: begin a new game on one of the boards, or give way to the other one's " +
				"(settle)")
		}
	}
	t.clash = now
	if now.text.English == was.English {
		return
	}
	if now.text.English != "" {
		t.tell(Event{Kind: Conflict, Text: now.text.And("; ", advice)})
	}
	t.step(ofConflict)
}

// unsaid is why a game is not joined whose clock and options may be somebody else's.
func unsaid(board string) error {
	return &TrustError{Board: board, Forged: true, Why: say.That("the clock and the options of its game are not " +
		"signed. If it has an older boardd, begin the game here")}
}

// unplayableError is the conflict with a game of the other board that this board cannot play.
type unplayableError struct{ *game.ConflictError }

// Unwrap returns the conflict.
func (u *unplayableError) Unwrap() error { return u.ConflictError }

// EngineTrouble tells people what is wrong with the engine.
func (t *Table) EngineTrouble(now time.Time, text say.Said) []Effect {
	t.take(now)
	t.trouble("the engine: %s", text)
	return t.finish()
}

// Notice tells people something that comes from outside the board.
func (t *Table) Notice(now time.Time, text string) []Effect {
	t.take(now)
	t.trouble("%s", text)
	return t.finish()
}

// UrgentNotice is Notice for a game that somebody is about to end. The corners are lit until a move is made or the
// game is over.
func (t *Table) UrgentNotice(now time.Time, text string) []Effect {
	t.take(now)
	p := t.game.Position()
	t.alarmedFor = thinking{game: t.game.ID(), plies: t.game.Plies(), key: p.Key()}
	t.trouble("%s", text)
	return t.finish()
}

func (t *Table) trouble(form string, args ...any) {
	t.tell(Event{Kind: LinkTrouble, Text: say.That(form, args...)})
}
