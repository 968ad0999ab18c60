// SPDX-License-Identifier: Apache-2.0

package table

import (
	"cmp"

	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// requests is what the two boards of a game ask of each other, beyond what the game itself keeps. Requests are
// forgotten when the game ends. What the other board asks is forgotten when the program ends, and it asks again.
type requests struct {
	number int      // of the last one of this board
	ours   *Request // nil: none is open
	// withdrawn is the last one that this board took back. The other one may have agreed before it heard of that.
	withdrawn *Request
	theirs    *Request
	answered  Reply  // to their last one
	refused   string // the id of a game that the other board began without asking, and that was not joined here
	unsigned  string // the id of the game in which something was asked in the other board's name that it has not signed
	nodded    bool   // the king is lifted to say yes
	put       int    // plies of the game when a takeback was asked for on the board; -1: not since the wood was right
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

// commandReply answers the other board's open request. Where there is none, declining takes back what this board asks.
func (t *Table) commandReply(accept bool) error {
	r := t.requests.theirs
	if r == nil && !accept && t.requests.ours != nil {
		t.requests.withdrawn = t.requests.ours
		t.setOurs(nil)
		return nil
	}
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

// hearAnswer takes in the other board's answer to what was asked of it.
func (t *Table) hearAnswer(m *Message) {
	q := &t.requests
	q.number = max(q.number, m.Answered.Number)
	for _, r := range []*Request{q.ours, q.withdrawn} {
		if r == nil || m.Answered.Number != r.Number || m.Answered.Accepted && r.mustBeSigned(&m.Game) {
			continue
		}
		if r == q.ours {
			t.setOurs(nil)
		} else {
			q.withdrawn = nil
		}
		if !m.Answered.Accepted {
			t.tell(Event{Kind: Offer,
				Text: say.That("board %s declines: %s", m.Game.Board, r.text(t.game.SAN()))})
		} else if err := t.grant(r); err != nil {
			t.do(Warn{"what the other board has agreed to cannot be done", []any{"error", err}})
		}
	}
}

// hearRequest takes in what the other board asks, and its answer to what was asked of it.
func (t *Table) hearRequest(m *Message) {
	q := &t.requests
	if m.Game.Board != t.rival() {
		return
	}
	t.hearAnswer(m)
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

// hearUnsigned tells people once a game that something is asked in the other board's name that it has not signed.
func (t *Table) hearUnsigned(m *Message) {
	q, h := &t.requests, &m.Game
	asks := m.Request != nil || h.AskBy != game.Nobody || h.Offer != game.Nobody && !t.holds(h.Offer.Color())
	if !asks || h.Board != t.rival() || h.ID != t.game.ID() || q.unsigned == h.ID {
		return
	}
	q.unsigned = h.ID
	t.tell(Event{Kind: Offer, Text: say.That("what board %s asks is not signed, so it does not count: somebody else may "+
		"have asked it, or that board has an older boardd", h.Board)})
}

// mustBeSigned reports whether the other board's consent has yet to come with its signature. That it agrees to end the
// game, its game says as well (asksFor). That it agrees to a new one, it says by beginning it.
func (r *Request) mustBeSigned(h *game.RemoteGame) bool {
	return r.What == game.Abort || r.What == NewGame && h.ID != r.Setup.ID
}

// asksFor reports whether this board has asked for the end that the other one tells. That is its consent, even if its
// answer was lost with its power.
func (t *Table) asksFor(h *game.RemoteGame) bool {
	if h.Reason != string(rules.Aborted) {
		return false
	}
	asks := func(r *Request) bool { return r != nil && r.What == game.Abort }
	return asks(t.requests.ours) || asks(t.requests.withdrawn)
}

// ask shows people what the other board asks; nil: it asks nothing.
func (t *Table) ask(r *Request) {
	q := &t.requests
	if (r == nil) == (q.theirs == nil) && (r == nil || r.Number == q.theirs.Number && r.Setup.ID == q.theirs.Setup.ID) {
		return
	}
	if r == nil && !t.game.Over() {
		t.tell(Event{Kind: Offer, Text: say.That("withdrawn: %s", q.theirs.text(t.game.SAN()))})
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
