// SPDX-License-Identifier: Apache-2.0

package table

import (
	"time"

	"boardd/leds"
	"boardd/rules"
	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// paint shows by light what the players have to do. Nothing that a player must do is shown on the page only.
func (t *Table) paint() leds.View {
	var v leds.View
	p, w, d, e := t.game.Position(), &t.wood, t.decoder, &t.explain
	if t.store.broken != nil || t.alarm || t.alarmedFor.isAbout(t.game) && !t.game.Over() {
		v.Alarm[0] = corners
	}
	v.Locked[0] = p.Locked()
	if p.InCheck() {
		v.Check.Add(kingPlace(d.Wood(), p.Turn()))
	}
	// while a hand holds a piece, the lights are about that piece: the question waits, unless this is the answer
	if r := t.asksHere(); r != nil && (w.state == Synced || w.state != Wrong && t.answerable(r)) {
		v.Choice.Add(t.nodPlace(r))
	}
	if since := t.now.Sub(t.hint.refusedAt); t.hint.refused != game.Nobody && since >= 0 && since < hintStep {
		v.Stuck.Add(kingPlace(d.Wood(), t.hint.refused.Color()))
	}
	switch w.state {
	case Synced:
		t.paintHelp(&v)
	case Asking:
		for _, c := range w.choices {
			if c.Place != wood.Nowhere {
				v.Choice.Add(c.Place)
			}
		}
	case Executing, Setup:
		for _, m := range e.Discrepancies {
			if len(m.Want) < m.See || m.Want == "" {
				v.From.Add(m.Place)
			} else {
				v.To.Add(m.Place)
			}
		}
	case Wrong:
		for _, m := range e.Discrepancies {
			v.Wrong.Add(m.Place)
		}
		for _, k := range w.kings {
			v.Choice.Add(k)
		}
	case Moving:
		if w.held != rules.NoMove {
			v.Held = t.arrives(&p, w.held)
		}
		for _, m := range w.goes {
			v.Capture.Add(m.Place)
		}
		if w.goes == nil {
			t.paintLifts(&v, &p)
		}
	}
	return v
}

// arrives returns the places on which a move has put something.
func (t *Table) arrives(p *rules.Position, m rules.Move) (s wood.Set) {
	after := *p
	after.Play(m)
	want := t.decoder.Geometry().Lay(&after)
	for _, at := range [2]wood.Place{wood.Place(m.To()), wood.Place(m.To()) + 64} {
		if want[at] != "" && want[at] != t.decoder.Wood()[at] {
			s.Add(at)
		}
	}
	return s
}

// corners are a1, h1, a8 and h8.
const corners rules.Bitboard = 1 | 1<<7 | 1<<56 | 1<<63

// paintLifts shows where the lifted pieces may go. When several stacks are lifted (a captured piece put aside first),
// each shows what it can still do.
func (t *Table) paintLifts(v *leds.View, p *rules.Position) {
	for _, l := range t.explain.Lifts {
		r := t.decoder.Destinations(l)
		if owner, ok := topOwner(t.decoder.Wood()[l.Place]); ok && owner != p.Turn() {
			if !r.Begun && t.game.Plies() == 0 { // later it may correct the last move
				v.Stuck.Add(l.Place)
			}
			continue // a piece that is being captured: the reach of its captors shows its place
		}
		v.Origin.Add(l.Place)
		if !r.Begun && !r.Any() {
			v.Stuck.Add(l.Place)
		}
		v.Quiet = v.Quiet.Union(r.Quiet)
		v.Stack = v.Stack.Union(r.Stack)
		v.Capture = v.Capture.Union(r.Capture)
		v.Special = v.Special.Union(r.Special)
	}
}

// kingPlace is where the king of a side stands.
func kingPlace(w *wood.Wood, c rules.Color) wood.Place {
	letter := rules.NewPiece(c, rules.King).Letter()
	for p := range wood.Place(wood.Places) {
		for i := range len(w[p]) {
			if w[p][i] == letter {
				return p
			}
		}
	}
	return 0
}

// topOwner is whose piece stands on top of a pile; there is none on an empty place or a bare pedestal.
func topOwner(p wood.Pile) (rules.Color, bool) {
	if p == "" || p[len(p)-1] == wood.Pedestal {
		return 0, false
	}
	if p[len(p)-1] >= 'a' {
		return rules.Black, true
	}
	return rules.White, true
}

// leftover lists the pieces that still have to leave the board to complete a capture. The captor was put down on the
// captured piece, or in a capture in passing beside it. The list is empty when the pieces already stand as after some
// move of the captor. While there are such pieces, the wood is not called wrong.
func (t *Table) leftover() []reconcile.Discrepancy {
	e := &t.explain
	if e.State != reconcile.Moving && e.State != reconcile.Wrong || t.game.Over() {
		return nil
	}
	from, to, ok := arrival(e.Discrepancies)
	p := t.game.Position()
	if !ok || !t.byHand(p.Turn()) {
		return nil
	}
	counts := t.counts()
	var first []reconcile.Discrepancy
	for _, m := range p.AppendMoves(nil) {
		if m.From() != from.Square() || m.To() != to.Square() {
			continue
		}
		goes, fits := t.tooMany(&p, m, &counts)
		if fits && goes == nil {
			return nil
		}
		if fits && first == nil {
			first = goes
		}
	}
	return first
}

// arrival is the place that pieces have left and the place on which as many have arrived. ok is false unless these two
// are the only places that differ from the game.
func arrival(touch []reconcile.Discrepancy) (from, to wood.Place, ok bool) {
	if len(touch) != 2 {
		return 0, 0, false
	}
	a, b := touch[0], touch[1]
	if a.See >= len(a.Want) {
		a, b = b, a
	}
	return a.Place, b.Place, a.See < len(a.Want) && b.See-len(b.Want) == len(a.Want)-a.See
}

// tooMany lists the places on which more pieces stand than after a move. fits is false if any place has fewer.
func (t *Table) tooMany(p *rules.Position, m rules.Move, counts *[wood.Places]int) (goes []reconcile.Discrepancy,
	fits bool) {
	after := *p
	after.Play(m)
	want := t.decoder.Geometry().Lay(&after)
	for at := range wood.Place(wood.Places) {
		switch n := len(want[at]); {
		case counts[at] < n:
			return nil, false
		case counts[at] > n:
			goes = append(goes, reconcile.Discrepancy{Place: at, Want: want[at], See: counts[at]})
		}
	}
	return goes, true
}

// MustLeave lists the pieces that still have to leave the board to complete a capture.
func (t *Table) MustLeave() []reconcile.Discrepancy { return t.wood.goes }

// paintHelp shows a hint, or the move that refutes the one just made: first the piece, and after hintStep its
// destination.
func (t *Table) paintHelp(v *leds.View) {
	p := t.game.Position()
	switch x := &t.exercise; {
	case t.helpForbidden():
	case x.refuted.isAbout(t.game) && x.move == rules.NoMove:
		t.paintBack(v)
	case t.game.Over():
		t.paintKey(v)
	case t.hint.about.isAbout(t.game):
		t.paintMove(v, &p, t.hint.move, t.hint.at)
	case t.coach.refuted.isAbout(t.game):
		t.paintMove(v, &p, t.coach.move, t.coach.at)
	case x.refuted.isAbout(t.game):
		t.paintMove(v, &p, x.move, x.at)
	}
}

// sayHint says the move of a hint when its destination is lit as well.
func (t *Table) sayHint() {
	h := &t.hint
	if h.move == rules.NoMove || h.said || t.now.Sub(h.at) < hintStep || !h.about.isAbout(t.game) || t.helpForbidden() {
		return
	}
	h.said = true
	p := t.game.Position()
	t.tell(Event{Kind: Hinted, From: p, Text: say.That("hint: %s", p.SAN(h.move))})
}

// paintMove lights the piece of a move in a position, and its destination once hintStep has passed.
func (t *Table) paintMove(v *leds.View, p *rules.Position, m rules.Move, since time.Time) {
	if m == rules.NoMove {
		return
	}
	after := *p
	after.Play(m)
	g := t.decoder.Geometry()
	before, then := g.Lay(p), g.Lay(&after)
	for place := range before.Diff(&then).Places() {
		switch {
		case place.Square() == m.From() && len(then[place]) < len(before[place]):
			v.From.Add(place)
		case t.now.Sub(since) >= hintStep:
			v.To.Add(place)
		}
	}
}

// paintBack lights the way back of a wrong try that no move is shown to refute: first its piece, then the rest.
func (t *Table) paintBack(v *leds.View) {
	made, before := t.past(0), t.past(1)
	moves := t.game.Moves()
	g := t.decoder.Geometry()
	from, to := g.Lay(&made), g.Lay(&before)
	for place := range from.Diff(&to).Places() {
		switch {
		case place.Square() == moves[len(moves)-1].To():
			v.From.Add(place)
		case t.now.Sub(t.exercise.at) >= hintStep:
			v.To.Add(place)
		}
	}
}

// laidArray is the wood of the game's array.
func (t *Table) laidArray() wood.Wood {
	p := t.game.Variant().Start()
	return t.decoder.Geometry().Lay(&p)
}
