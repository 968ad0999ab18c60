// SPDX-License-Identifier: Apache-2.0

package table

import (
	"boardd/rules"
	"boardd/sensing/reconcile"
	"boardd/sensing/wood"
)

// leftover lists what still has to leave the board for a capture that is made but for that: the captor was put down on what it
// captures, or beside it in passing. There is none when the pieces already stand as after some move of the captor. The wood is then on
// its way to a move, and is not called wrong.
func (t *Table) leftover() []reconcile.Touch {
	e := &t.explain
	if e.State != reconcile.Moving && e.State != reconcile.Wrong || t.game.Over() || t.stopped() {
		return nil
	}
	from, to, ok := arrival(e.Touch)
	p := t.game.Position()
	if !ok || !t.byHand(p.Turn()) {
		return nil
	}
	counts := t.counts()
	var first []reconcile.Touch
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

// arrival is where pieces have left, and where as many have come, if they are the only places that differ from the game.
func arrival(touch []reconcile.Touch) (from, to wood.Place, ok bool) {
	if len(touch) != 2 {
		return 0, 0, false
	}
	a, b := touch[0], touch[1]
	if a.See >= len(a.Want) {
		a, b = b, a
	}
	return a.Place, b.Place, a.See < len(a.Want) && b.See-len(b.Want) == len(a.Want)-a.See
}

// tooMany lists the places where more stands than after a move; fits is false when less stands on another one.
func (t *Table) tooMany(p *rules.Position, m rules.Move, counts *[wood.Places]int) (goes []reconcile.Touch, fits bool) {
	after := *p
	after.Play(m)
	want := t.decoder.Geometry().Lay(&after)
	for at := range wood.Place(wood.Places) {
		switch n := len(want[at]); {
		case counts[at] < n:
			return nil, false
		case counts[at] > n:
			goes = append(goes, reconcile.Touch{Place: at, Want: want[at], See: counts[at]})
		}
	}
	return goes, true
}

// Goes is what still has to leave the board for a capture that is made but for that.
func (t *Table) Goes() []reconcile.Touch { return t.wood.goes }
