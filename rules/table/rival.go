// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"slices"
	"strings"
	"time"

	"boardd/rules/game"
	"boardd/rules/say"
)

// hear takes in what the other board says. Nothing is taken from a message that is not believed, also no answer and no
// request. It is kept, because people may confirm whose it is (settleDoubt).
func (t *Table) hear(m Message) {
	h := m.Game
	good, err := t.o.Trust.Verify(&h, m.Seals)
	if doubt := (*TrustError)(nil); errors.As(err, &doubt) {
		doubt.message = m
	} else {
		t.believe(&m, &h, good)
	}
	if h.ID != t.game.ID() {
		t.invited(h, err)
		t.note(&h)
		return
	}
	var events []game.Event
	if err == nil {
		h.Asked = t.asksFor(&h)
		events, err = t.game.Merge(h, t.now)
	}
	t.dispute(&h, err)
	t.note(&h)
	if err != nil {
		return
	}
	t.meet(h.Board, good)
	if h.Asked {
		t.setOurs(nil)
		t.requests.withdrawn = nil
	}
	before := t.game.Plies()
	if events = t.stamped(events, good); len(events) > 0 {
		t.commit(events, elsewhere)
		t.announce(events)
		t.refresh(before)
	}
}

// believe keeps a message that is believed, and hears what it asks and answers, if its board vouches for that. Of a
// message about another game it ends the doubt about its board, and what contradicted a third game.
func (t *Table) believe(m *Message, h *game.RemoteGame, good Seals) {
	t.rivals[h.Board] = *m
	c := &t.clash
	if h.ID != t.game.ID() && c.isDoubted(h.Board) || c.game != "" && h.ID != c.game {
		t.dispute(h, nil)
	}
	if t.o.Trust.Vouches(m, good) {
		t.hearRequest(m)
	} else {
		t.hearUnsigned(m)
		h.Unsay()
	}
}

// stamped appends to the events of a merge the signatures that came with them.
func (t *Table) stamped(events []game.Event, good Seals) []game.Event {
	next, err := t.game.After(events)
	if err != nil {
		return events
	}
	return append(events, t.o.Trust.NewSignatures(next, good, t.now)...)
}

// meet keeps the key of a board whose first signed message was taken. If whoever may write to the command topic has
// begun the game, nobody here has chosen that board.
func (t *Table) meet(board string, good Seals) {
	if t.game.BegunVia() == game.ByMQTT && board != t.o.Partner {
		return
	}
	if fingerprint := t.o.Trust.TrustFirst(board, good); fingerprint != "" {
		t.keepKeys()
		t.do(Note{"the other board signs its moves; from now on only its key is believed",
			[]any{"other", board, "fingerprint", fingerprint}})
	}
}

func (t *Table) keepKeys() {
	keys := t.o.Trust.Keys()
	if keys == nil {
		keys = map[string]string{}
	}
	t.store.records = append(t.store.records, Record{Keys: keys})
}

// Automatic is the beginning of the id of a game that a board began by itself when it was switched on. Such an id is
// older than every id of a game that people began, so that the game gives way to all of these.
const Automatic = "0000000000-"

// invited joins the game that the other board has begun with this one. A game that a board began by itself never
// replaces one that people began. It gives way to any game in which moves were made, whichever is newer and whoever
// made them. This board may have lost its disk, and joining loses nothing else. Any other game gives way to a newer
// one, if the other board can have begun that; if it cannot, this game goes on. So does a game of two people here, and
// they are told. The game of a message that is not believed (doubt) is never joined.
func (t *Table) invited(h game.RemoteGame, doubt error) {
	ours := t.game
	// an old message may still offer what came before the end
	fresh := ours.Plies() == 0 || ours.Over() && len(h.Moves) > 0
	if strings.HasPrefix(h.ID, Automatic) && !fresh {
		return
	}
	if strings.HasPrefix(ours.ID(), Automatic) && ours.Plies() == 0 && len(h.Moves) > 0 {
		ours = nil
	}
	s, err := game.Invited(h, t.o.Board, ours)
	var c *game.ConflictError
	if err != nil && !errors.As(err, &c) {
		return // an older game, or one between others
	}
	if err == nil {
		err = doubt // otherwise anybody could end this game by beginning another one in that board's name
	}
	if err == nil && h.Unsaid {
		err = unsaid(h.Board)
	}
	if err == nil && ours != nil {
		err = s.Contradiction(h, t.now)
	}
	if err != nil {
		t.dispute(&h, err)
		return
	}
	if err := t.playable(&s); err != nil {
		t.dispute(&h, &unplayableError{&game.ConflictError{Board: h.Board, Game: h.ID,
			Why: say.That("it cannot be played here: %v", err)}})
		return
	}
	if ours != nil && t.rival() == "" && (ours.Plies() > 0 && !ours.Over() || t.exercise.number > 0) {
		if s.ID != t.requests.refused {
			t.requests.refused = s.ID
			t.tell(Event{Kind: Offer, Text: say.That("board %s has begun a game with this board. To join it, begin a new game "+
				"with that board", h.Board)})
		}
		return
	}
	if ours != nil && t.running() && h.Board == t.rival() {
		if s.ID != t.requests.refused { // neither player ends a game between two people alone
			t.ask(&Request{What: NewGame, By: t.here().Other(), Setup: s})
		}
		return
	}
	if ours != nil && ours.Plies() > 0 && !ours.Over() {
		t.tell(Event{Kind: Ended, Text: say.That("board %s has begun another game: this one is broken off after %d moves "+
			"and kept as it is (boardd export)", h.Board, ours.Plies())})
	}
	if begun := t.game.BegunVia(); begun == game.ByMQTT && h.Board == t.rival() {
		defer t.as(begun)() // nor has anybody chosen it for the next game
	}
	if err := t.newGame(s, Setup); err != nil {
		t.do(Warn{"an invitation could not be followed", []any{"from", h.Board, "error", err}})
		return
	}
	t.look(t.seen())
	if m, ok := t.rivals[h.Board]; ok && m.Game.ID == t.game.ID() {
		t.hear(m)
	}
}

// settle ends a conflict: this board gives way and takes over the other one's list. If the other one signs, moves at
// its end that nobody has signed are left out: the broker may have added them.
func (t *Table) settle() error {
	if t.clash.doubt != nil {
		return t.settleDoubt(t.clash.doubt)
	}
	m := t.clash.about
	if t.clash.text.English == "" || m.Game.Board == "" {
		return say.Error("there is no conflict to settle")
	}
	h := m.Game
	good, err := t.o.Trust.Verify(&h, m.Seals)
	if err != nil {
		return err
	}
	h.Moves = h.Moves[:len(h.Moves)-h.Unsigned]
	switch {
	case h.ID != t.game.ID() && !t.o.Trust.Vouches(&m, good):
		return unsaid(h.Board)
	case h.ID != t.game.ID():
		return t.settleGame(h, good)
	}
	events, err := t.game.Adopt(h, t.now)
	if err != nil {
		return err
	}
	t.clash.text = say.Said{}
	events[0].Via = t.via
	t.commit(t.stamped(events, good), elsewhere)
	t.aim(Executing)
	t.look(t.seen())
	return nil
}

// settleGame gives way to another game of the other board: that game begins here, and its moves are taken over.
func (t *Table) settleGame(h game.RemoteGame, good Seals) error {
	s, err := game.Invited(h, t.o.Board, t.game)
	if err != nil {
		return err
	}
	if err := t.playable(&s); err != nil {
		return err
	}
	started, err := game.Start(s, t.now)
	if err != nil {
		return err
	}
	g, err := game.New(started)
	if err != nil {
		return err
	}
	events, err := g.Adopt(h, started.At)
	if err != nil {
		return err // before anything has changed
	}
	if err := t.begin(started, Setup); err != nil {
		return err
	}
	events[0].Via = t.via
	t.commit(t.stamped(events, good), elsewhere)
	t.aim(Setup)
	t.look(t.seen())
	return nil
}

// settleDoubt believes a board whose message was doubted. People have confirmed that it is that board, with a new key
// or with none.
func (t *Table) settleDoubt(d *TrustError) error {
	switch {
	case d.Forged:
		return say.Error("a message whose signature does not fit is forged or damaged: there is nothing to take over; " +
			"wait for the board's next message")
	case t.o.Trust.Pinned(d.Board):
		return say.Error("the key of board %s is fixed, in mqtt.keys_file or by its words (boardd keys): change that first",
			d.Board)
	}
	t.o.Trust.SetKey(d.Board, d.Key)
	t.keepKeys()
	t.do(Note{"somebody has confirmed that the other board has another key, or none", []any{"other", d.Board, "before",
		d.Why.English}})
	t.contradict(nil)
	d.message.Game.Old = true
	t.hear(d.message)
	return nil
}

// Seals holds the signatures that came with a message, by side, as text. A side without a signature is missing.
type Seals map[game.Side]string

// Trust knows which key is whose, and signs. It changes no game: signatures are events.
type Trust interface {
	// Sign returns the signatures that a game lacks, of the sides that are played here.
	Sign(g *game.Game, at time.Time) []game.Event
	// Verify checks the signatures of another board's message and returns those that fit. The error is a *TrustError.
	Verify(h *game.RemoteGame, seals Seals) (Seals, error)
	// Vouches reports whether what a message asks and answers is its board's. good are its signatures that fit.
	Vouches(m *Message, good Seals) bool
	// NewSignatures returns those of the signatures that fit a game and are newer than what the game has.
	NewSignatures(g *game.Game, good Seals, at time.Time) []game.Event
	// TrustFirst learns the key of a board of which none is known, and returns its fingerprint in words. It returns "" if
	// a key is known already, or nothing is signed.
	TrustFirst(board string, good Seals) (fingerprint string)
	// Pinned reports whether the owner has fixed the key of a board.
	Pinned(board string) bool
	// SetKey takes a key as that of a board. An empty key forgets the one that is known.
	SetKey(board string, key []byte)
	// Stated returns the most that a board has signed in a game, by the key; nil: by its last one.
	Stated(g *game.Game, board string, key []byte) game.Statement
	// Keys returns all keys that were met, for the journal.
	Keys() map[string]string
}

// TrustError is why a board's message is not believed.
type TrustError struct {
	Board  string
	Why    say.Said
	Key    []byte         // the key that signed the message, nil for none
	Forged bool           // the signature does not fit what the message says
	Signed game.Statement // what that key has signed

	message Message
}

// Error says who is not believed, and why.
func (d *TrustError) Error() string { return d.said().English }

func (d *TrustError) said() say.Said { return say.That("board %s: %s", d.Board, d.Why) }

// advice is what people can do about the doubt. The key may be one that they have fixed.
func (d *TrustError) advice(fixed bool) say.Said {
	switch {
	case d.Forged:
		return say.That("nothing of it was taken: it is forged or damaged, and the board's own next message will be heard")
	case fixed:
		return say.That("nothing of it was taken: somebody else may write in its name. If that board was set up anew, " +
			"compare its words again")
	}
	return say.That("nothing of it was taken: somebody else may write in its name. If that board was set up anew, say " +
		"so (settle)")
}

// nobody signs nothing and believes everybody.
type nobody struct{}

func (nobody) Sign(*game.Game, time.Time) []game.Event                 { return nil }
func (nobody) Verify(*game.RemoteGame, Seals) (Seals, error)           { return nil, nil }
func (nobody) Vouches(*Message, Seals) bool                            { return true }
func (nobody) NewSignatures(*game.Game, Seals, time.Time) []game.Event { return nil }
func (nobody) TrustFirst(string, Seals) string                         { return "" }
func (nobody) Pinned(string) bool                                      { return false }
func (nobody) SetKey(string, []byte)                                   {}
func (nobody) Stated(*game.Game, string, []byte) game.Statement        { return game.Statement{} }
func (nobody) Keys() map[string]string                                 { return nil }

// announce tells people of the requests and the answers among the events of a game against another board. Where both
// sides sit here, it tells how a takeback is allowed.
func (t *Table) announce(events []game.Event) {
	for _, e := range events {
		if t.rival() == "" && (e.Kind != game.Asked || !t.consents()) {
			continue
		}
		mine := t.rival() != "" && e.By != game.Nobody && t.holds(e.By.Color())
		if mine || !slices.Contains([]game.Kind{game.Asked, game.AskDeclined, game.Offered, game.Declined}, e.Kind) {
			continue
		}
		text := map[game.Kind]say.Said{
			game.Asked:       say.That(nodYes, asksBack(e.By, e.Ply, t.game.SAN())),
			game.Offered:     say.That(nodYes, say.That(offersDraw, e.By)),
			game.AskDeclined: say.That("%s declines to take back", e.By),
			game.Declined:    say.That("%s declines the draw", e.By),
		}[e.Kind]
		t.tell(Event{Kind: Offer, Text: text})
	}
}
