// SPDX-License-Identifier: Apache-2.0

package table

import (
	"cmp"
	"slices"
	"time"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// Request is what one side asks of the other.
type Request struct {
	What game.ActionKind `json:"what,omitempty"` // Takeback, OfferDraw, NewGame, Abort, Adjust or Hint
	By   game.Side       `json:"by,omitempty"`
	// NewGame, Abort, Adjust, Hint: from 1, counted by the board that asks; 0: it began a game without asking
	Number int              `json:"number"`
	To     int              `json:"to,omitempty"`     // Takeback: the number of plies that would remain
	Setup  game.Setup       `json:"setup,omitzero"`   // NewGame
	Left   [2]time.Duration `json:"left_ns,omitzero"` // Adjust: what the clocks of White and Black would show
	Via    string           `json:"via,omitempty"`    // by which way it was asked here, see game.Action
}

// Reply is the answer to a request that has a number.
type Reply struct {
	Number   int
	Accepted bool
}

// requests is what the two boards of a game ask of each other, beyond what the game itself keeps. Requests are
// forgotten when the game ends. What the other board asks is forgotten when the program ends, and it asks again.
type requests struct {
	number   int      // of the last one of this board
	ours     *Request // nil: none is open
	theirs   *Request
	answered Reply  // to their last one
	refused  string // the id of a game that the other board began without asking, and that was not joined here
	nodded   bool   // the king is lifted to say yes
	put      int    // plies of the game when a takeback was asked for on the board; -1: not since the wood was right
}

// Requests lists everything that is asked and not answered, by either side.
func (t *Table) Requests() (list []Request) {
	for _, side := range []game.Side{game.White, game.Black} {
		if _, to, open := t.game.TakebackRequest(side); open {
			list = append(list, Request{What: game.Takeback, By: side, To: to})
		}
	}
	if by := t.game.Offer(); by != game.Nobody {
		list = append(list, Request{What: game.OfferDraw, By: by})
	}
	for _, r := range []*Request{t.requests.theirs, t.requests.ours} {
		if r != nil {
			list = append(list, *r)
		}
	}
	return list
}

// Answered is the answer that was given here to the other board's last request that had a number.
func (t *Table) Answered() Reply { return t.requests.answered }

// running reports whether a game against another board goes on that neither player may end alone any more.
func (t *Table) running() bool { return t.rival() != "" && !t.game.Over() && t.game.Plies() > 1 }

// here is the side that is played at this board against another one.
func (t *Table) here() game.Side {
	if t.holds(rules.White) {
		return game.White
	}
	return game.Black
}

// request asks the other board. A second request takes the place of the first.
func (t *Table) request(r Request) error {
	if t.game.Setup().Judged() {
		return say.Error("%s: at Lichess a game ends by its moves, by resigning or by a draw, and its clocks are not set",
			r.What)
	}
	r.By, r.Via = t.here(), t.via
	t.requests.number++
	r.Number = t.requests.number
	t.setOurs(&r)
	t.tell(Event{Kind: Offer, Text: say.That("board %s has to answer: %s", t.rival(), r.text(t.game.SAN()))})
	return nil
}

// Texts about requests that are used in more than one place.
const (
	nodYes     = "%s: answer on the page, or say yes by lifting your king and putting it back"
	offersDraw = "%s offers a draw"
)

// text says what is asked in a game of the moves made.
func (r *Request) text(made []string) say.Said {
	switch r.What {
	case game.Takeback:
		return asksBack(r.By, r.To, made)
	case game.OfferDraw:
		return say.That(offersDraw, r.By)
	case NewGame:
		return say.That("%s asks for a new game of %s", r.By, gameName(r.Setup.Variant))
	case game.Abort:
		return say.That("%s asks to end the game without a result", r.By)
	case Hint:
		return say.That("%s asks that both may have hints in this game", r.By)
	}
	return say.That("%s asks to set the clocks to %v for White and %v for Black", r.By, minutes(r.Left[0]),
		minutes(r.Left[1]))
}

// gameName is how people call a game, or its id if this program does not know it.
func gameName(id string) string {
	if v, err := rules.ByID(id); err == nil {
		return v.Name()
	}
	return id
}

// commandReply answers the other board's open request.
func (t *Table) commandReply(accept bool) error {
	r := t.requests.theirs
	if r == nil {
		return say.Error("the other board asks for nothing that is answered like this")
	}
	if accept {
		if err := t.grant(r); err != nil {
			return err
		}
	} else if r.Number == 0 {
		t.requests.refused = r.Setup.ID
	}
	if r.Number > 0 {
		t.requests.answered = Reply{r.Number, accept}
	}
	t.requests.theirs = nil
	t.store.changed = true
	if m, ok := t.rivals[t.rival()]; ok && accept && r.What == NewGame && m.Game.ID == t.game.ID() {
		t.hear(m) // a game that the other board has begun and played on; it need not send it again
	}
	return nil
}

// grant carries out what both boards have agreed on.
func (t *Table) grant(r *Request) error {
	defer t.as(cmp.Or(r.Via, t.via))()
	switch r.What {
	case NewGame:
		return t.begins(r.Setup)
	case game.Abort, game.Adjust:
		before := t.game.Plies()
		if err := t.decide(game.Action{Do: r.What, Left: r.Left, Agreed: true}, elsewhere); err != nil {
			return err
		}
		t.refresh(before)
	case Hint:
		t.hint.agreed = t.game.ID()
		if t.holds(r.By.Color()) && t.game.Turn() == r.By {
			return t.commandHint()
		}
	}
	return nil
}

// hearRequest takes in what the other board asks, and its answer to what was asked of it.
func (t *Table) hearRequest(m *Message) {
	q := &t.requests
	if m.Game.Board != t.rival() {
		return
	}
	q.number = max(q.number, m.Answered.Number)
	if r := q.ours; r != nil && m.Answered.Number == r.Number && !(m.Answered.Accepted && r.mustBeSigned(&m.Game)) {
		t.setOurs(nil)
		if !m.Answered.Accepted {
			t.tell(Event{Kind: Offer,
				Text: say.That("board %s declines what was asked: %s", m.Game.Board, r.text(t.game.SAN()))})
		} else if err := t.grant(r); err != nil {
			t.do(Warn{"what the other board has agreed to cannot be done", []any{"error", err}})
		}
	}
	if m.Game.ID != t.game.ID() {
		return
	}
	r := m.Request
	if r != nil && (r.Number <= q.answered.Number || t.game.Over() || t.holds(r.By.Color())) {
		r = nil
	}
	if r != nil && r.What == NewGame {
		r.Setup.Board = t.o.Board
		if err := t.playable(&r.Setup); err != nil {
			t.tell(Event{Kind: Offer, Text: say.That("%s, which this board cannot play: %v", r.text(t.game.SAN()), err)})
			q.answered, r, t.store.changed = Reply{Number: r.Number}, nil, true
		}
	}
	t.ask(r)
}

// mustBeSigned reports whether the other board's consent has yet to come with its signature. That it agrees to end the
// game, its game says as well (asksFor). That it agrees to a new one, it says by beginning it.
func (r *Request) mustBeSigned(h *game.RemoteGame) bool {
	return r.What == game.Abort || r.What == NewGame && h.ID != r.Setup.ID
}

// asksFor reports whether this board has asked for the end that the other one tells. That is its consent, even if its
// answer was lost with its power.
func (t *Table) asksFor(h *game.RemoteGame) bool {
	r := t.requests.ours
	return r != nil && r.What == game.Abort && h.Reason == string(rules.Aborted)
}

// ask shows people what the other board asks; nil: it asks nothing.
func (t *Table) ask(r *Request) {
	q := &t.requests
	if (r == nil) == (q.theirs == nil) && (r == nil || r.Number == q.theirs.Number && r.Setup.ID == q.theirs.Setup.ID) {
		return
	}
	q.theirs = r
	t.step(ofTheirs)
	if r != nil {
		t.tell(Event{Kind: Offer, Text: say.That(nodYes, r.text(t.game.SAN()))})
	}
}

// asksHere is the request that the players of this board have to answer first, nil for none. Where both sides sit here
// it is a takeback that one of them has to allow; the page asks the rest.
func (t *Table) asksHere() *Request {
	if t.rival() == "" && !t.consents() || t.game.Over() {
		return nil
	}
	for _, r := range t.Requests() {
		if !t.holds(r.By.Color()) || t.rival() == "" && r.What == game.Takeback {
			return &r
		}
	}
	return nil
}

// nodPlace is the place of the king whose player says yes to a request by lifting it and putting it back.
func (t *Table) nodPlace(r *Request) wood.Place {
	if back := t.putBackTo(r); back != nil {
		return kingPlace(back, r.By.Other().Color())
	}
	return kingPlace(t.decoder.Wood(), r.By.Other().Color())
}

// putBackTo is the wood of the position to which both people at this board have to agree to go back. It is nil unless
// the pieces have been put back to it already, except for a king that a hand may hold.
func (t *Table) putBackTo(r *Request) *wood.Wood {
	if t.rival() != "" || r.What != game.Takeback || t.explain.State == reconcile.Synced {
		return nil
	}
	p := t.game.PositionAt(min(r.To, t.game.Plies()))
	back := t.decoder.Geometry().Lay(&p)
	king := kingPlace(&back, r.By.Other().Color())
	for at, n := range t.counts() {
		if n != len(back[at]) && (wood.Place(at) != king || n > len(back[at])) {
			return nil
		}
	}
	return &back
}

// answerable reports whether the answer to a request may be seen on the board while something differs from the game.
func (t *Table) answerable(r *Request) bool {
	return t.requests.nodded || t.putBackTo(r) != nil || t.wood.state == Executing && !t.isUncopied(t.nodPlace(r))
}

// isUncopied reports whether moves made elsewhere, which have to be copied here, change a place.
func (t *Table) isUncopied(at wood.Place) bool {
	if t.wood.goal != Executing {
		return false
	}
	p := t.game.PositionAt(min(t.wood.ply, t.game.Plies()))
	return t.decoder.Geometry().Lay(&p)[at] != t.decoder.Wood()[at]
}

// followNod follows the answer on the board: yes, if the king and nothing else is lifted and put back. Moves may still
// have to be copied. It reports whether that has happened.
func (t *Table) followNod() bool {
	e, q, r := &t.explain, &t.requests, t.asksHere()
	if r == nil {
		q.nodded = false
		return false
	}
	var lifted *reconcile.Discrepancy // or what else differs
	n := 0
	for i := range e.Discrepancies {
		if x := &e.Discrepancies[i]; !t.isUncopied(x.Place) {
			lifted, n = x, n+1
		}
	}
	switch {
	case q.nodded && (e.State == reconcile.Synced || e.State == reconcile.TakenBack && t.putBackTo(r) != nil ||
		t.wood.goal == Executing && n == 0):
		q.nodded = false
		if err := t.nod(r); err != nil {
			t.tell(Event{Kind: Offer, Text: say.Of(err)})
		}
		return true
	case t.putBackTo(r) != nil:
		at := t.nodPlace(r)
		q.nodded = q.nodded || t.counts()[at] < len(t.putBackTo(r)[at])
	case n > 0:
		only := n == 1 && lifted.Place == t.nodPlace(r)
		// while it is put down it is seen before its weight has settled
		q.nodded = only && (q.nodded || lifted.See < len(lifted.Want))
	}
	return false
}

// nod says yes to a request.
func (t *Table) nod(r *Request) error {
	accept := map[game.ActionKind]game.ActionKind{
		game.Takeback: game.AcceptTakeback, game.OfferDraw: game.AcceptDraw}[r.What]
	if accept == "" {
		return t.commandReply(true)
	}
	before := t.game.Plies()
	if err := t.decide(game.Action{Do: accept, By: r.By.Other()}, elsewhere); err != nil {
		return err
	}
	t.refresh(before)
	return nil
}

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
