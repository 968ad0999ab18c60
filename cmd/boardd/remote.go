// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"boardd/rules/game"
	"boardd/sync/mirror"
	"boardd/sync/wire"
)

// receive takes what came from the broker.
func (b *board) receive(in *mirror.Incoming) {
	switch {
	case in.Command != nil:
		b.mirror.Reply(b.answer(in.Command))
	case in.Game != nil:
		b.hear(in.Board, in.Game, in.Old)
	case in.Link != nil:
		b.sayLink(in.Link)
	case in.Online != nil:
		b.hearStatus(in.Board, *in.Online)
	}
}

// sayLink tells people what is wrong with the link to the broker, once for each trouble. That it is down shows by itself.
func (b *board) sayLink(l *mirror.Link) {
	if l.Up && !b.linkUp {
		b.log.Info("connected to the broker")
	}
	b.linkUp, b.linkTrouble = l.Up, l.Trouble
	b.showLink()
	text := l.Trouble
	if len(l.Refused) > 0 {
		text = "the broker does not let this board read " + strings.Join(l.Refused, ", ") + ": give its account the right to"
	}
	if text != "" && text != b.linkSaid {
		b.tell(wire.Event{Kind: wire.EventLink, Text: clip(text, 1000)})
	}
	b.linkSaid = text
}

// hear merges the game of the board that plays against this one; an old message may have been said long ago.
func (b *board) hear(from string, g *wire.Game, old bool) {
	b.rivals[from] = *g
	h := heard(from, g)
	h.Old = old
	if b.clashing != "" && g.Game != b.clashing {
		b.clash(nil) // it speaks of that game no more
	}
	if g.Game != b.game.ID() {
		b.invited(h, g.Seals)
		return
	}
	good, err := b.trust.believe(&h, g.Seals)
	var events []game.Event
	if err == nil {
		events, err = b.game.Merge(h, time.Now())
	}
	b.clash(err)
	if err != nil {
		return
	}
	b.meet(from, good)
	before := b.game.Plies()
	if events = b.stamped(events, good); len(events) > 0 {
		b.commit(events)
		b.refresh(before)
	}
}

// clash notes a contradiction, for people to settle, and that it is gone.
func (b *board) clash(err error) {
	var c *game.Conflict
	text, advice := "", "nothing was changed: one of the boards must give way (settle)"
	b.clashing = ""
	if b.doubt = nil; errors.As(err, &b.doubt) {
		text, advice = b.doubt.Error(), b.doubt.advice()
	} else if errors.As(err, &c) {
		text, b.clashing = c.Error(), c.Game
		switch {
		case c.Game == "":
		case game.CheckID(c.Game) != nil:
			advice = "nothing was changed: begin a new game on board " + c.Board
		case errors.As(err, new(*unplayableError)):
			advice = "nothing was changed: begin a game that both boards can play"
		default:
			advice = "nothing was changed: begin a new game on one of the boards, or give way to the other one's (settle)"
		}
	}
	if text == b.conflict {
		return
	}
	b.conflict = text
	if text != "" {
		b.tell(wire.Event{Kind: wire.EventConflict, Text: text + "; " + advice})
	}
	b.publish()
}

// unplayableError is the conflict with a game of the other board that this one cannot follow.
type unplayableError struct{ *game.Conflict }

// Unwrap gives the conflict.
func (u *unplayableError) Unwrap() error { return u.Conflict }

// automatic is how the id of a game begins that a board set up by itself when it was switched on. It is older than every
// game that people began, so that it gives way to all of them.
const automatic = "0000000000-"

// invited joins the game that the other board has begun with this one. A game that a board only set up by itself takes
// the place of none that was begun, and gives way to one in which moves were made, whichever is newer and whoever made them:
// this board may have lost its disk, and nothing else is lost by it. Any other game gives way to a newer one that the other
// board can have begun, and goes on beside one that it cannot.
func (b *board) invited(h game.Heard, seals *wire.Seals) {
	ours := b.game
	fresh := ours.Plies() == 0 || ours.Over() && len(h.Moves) > 0 // an old message may still offer what came before the end
	if strings.HasPrefix(h.ID, automatic) && !fresh {
		return
	}
	if strings.HasPrefix(ours.ID(), automatic) && ours.Plies() == 0 && len(h.Moves) > 0 {
		ours = nil
	}
	s, err := game.Invited(h, b.id, ours)
	var c *game.Conflict
	if err != nil && !errors.As(err, &c) {
		return // an older game, or one between others: nothing to do with us
	}
	if err == nil {
		_, err = b.trust.believe(&h, seals) // a game that somebody else begins in its name would end the one that is being played
	}
	if err == nil && ours != nil {
		err = s.Contradiction(h, time.Now())
	}
	if err != nil {
		b.clash(err)
		return
	}
	if err := b.playable(&s); err != nil {
		b.clash(&unplayableError{&game.Conflict{Board: h.Board, Game: h.ID, Why: "it cannot be played here: " + err.Error()}})
		return
	}
	if ours != nil && ours.Plies() > 0 && !ours.Over() {
		b.tell(wire.Event{Kind: wire.EventEnded, Text: fmt.Sprintf("board %s has begun another game: this one is broken off after %d moves and kept as it is (boardd export)", h.Board, ours.Plies())})
	}
	if err := b.newGame(s, wire.Setup); err != nil {
		b.log.Warn("an invitation could not be followed", "from", h.Board, "error", err)
		return
	}
	if g, ok := b.rivals[h.Board]; ok {
		b.hear(h.Board, &g, h.Old)
	}
}

// settle ends a conflict: this board gives way and takes over the other one's list.
func (b *board) settle() error {
	if b.doubt != nil {
		return b.settleDoubt(b.doubt)
	}
	g, ok := b.rivals[b.rival()]
	if b.conflict == "" || !ok {
		return errors.New("there is no conflict to settle")
	}
	h := heard(b.rival(), &g)
	if g.Game != b.game.ID() {
		return b.settleGame(h)
	}
	events, err := b.game.Adopt(h, time.Now())
	if err != nil {
		return err
	}
	b.conflict = ""
	b.commit(events)
	b.aim(wire.Executing)
	return nil
}

// settleGame gives way to a game of the other board that contradicts this one as a whole: it begins here and is taken over.
func (b *board) settleGame(h game.Heard) error {
	s, err := game.Invited(h, b.id, b.game)
	if err != nil {
		return err
	}
	if err := b.playable(&s); err != nil {
		return err
	}
	started, err := game.Start(s, time.Now())
	if err != nil {
		return err
	}
	g, err := game.New(started)
	if err != nil {
		return err
	}
	events, err := g.Adopt(h, started.At)
	if err != nil {
		return err // before anything is changed
	}
	if err := b.begin(started, wire.Setup); err != nil {
		return err
	}
	b.commit(events)
	b.aim(wire.Setup)
	return nil
}

// seatAs is a seat as another board names it: local there is that board.
func seatAs(from, seat string) string {
	if seat == game.Local {
		return from
	}
	return seat
}

// heard is a message in the words of the game.
func heard(from string, g *wire.Game) game.Heard {
	h := game.Heard{Board: from, ID: g.Game, Variant: g.Variant, Options: g.Options, White: seatAs(from, g.Seats.White), Black: seatAs(from, g.Seats.Black),
		Start: g.Start, Moves: g.Moves, Outcome: g.Outcome, Reason: g.Reason, Offer: game.Side(g.Offer), Takebacks: g.Takebacks,
		Declined: g.Declined, Paused: g.Paused, Pauses: g.Pauses, PauseReason: g.PauseReason}
	h.Timing = timing(g.Timing)
	if g.Ask != nil {
		h.AskBy, h.AskNumber, h.AskTo = game.Side(g.Ask.By), g.Ask.Number, g.Ask.To
	}
	if g.Clock != nil {
		h.WhiteLeft, h.BlackLeft, h.Running = &g.Clock.White, &g.Clock.Black, g.Clock.Running != ""
	}
	return h
}
