// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"slices"
	"strings"

	"boardd/rules"
	"boardd/sensing/wood"
)

// Base is a position from which the wood may be explained.
type Base struct {
	Position rules.Position
	Moves    bool // the legal moves of this position are hypotheses
	Reply    bool // the other side sits at this board too: its touch ends the wait for a move that could go on
	Back     bool // the wood of this position itself is one: the moves since were taken back
}

// change is a place that a hypothesis wants otherwise than the game has it now.
type change struct {
	place wood.Place
	want  target
}

// hypothesis is one way in which the wood may stand.
type hypothesis struct {
	base    int        // index of the base it starts from
	move    rules.Move // the move made there, NoMove for the base itself
	ends    string     // the result that kings in the centre announce, "" for all others
	ask     bool       // a pawn left standing on its last rank: the move is known but for the piece it becomes
	changes []change   // against the wood of base 0
	places  wood.Set   // the places of changes
	goesOn  bool       // this wood may be a station on the way to another hypothesis
	passed  bool       // of a correction or a takeback: a hand may pass this wood in making a move of the game as it stands
	begins  bool       // of a move that only takes pieces away: they may be the captor of what the last move is said to have taken away
	refills bool       // of a correction: other pieces come to where the last move took some away
}

// wants is the pile that the hypothesis wants on a place.
func (h *hypothesis) wants(now *wood.Wood, p wood.Place) wood.Pile {
	for i := range h.changes {
		if h.changes[i].place == p {
			return h.changes[i].want.pile
		}
	}
	return now[p]
}

// lister collects hypotheses into slices that are used again and again.
type lister struct {
	g       *geometry
	now     *wood.Wood
	hyps    []hypothesis
	changes []change // of all hypotheses, one after the other
	woods   []rules.Wood
	made    rules.Move // the move that led from base 1 to the game as it stands
}

// add makes a hypothesis of a wood that differs from now at most on the places given.
func (l *lister) add(base int, m rules.Move, after *wood.Wood, where wood.Set) *hypothesis {
	from := len(l.changes)
	h := hypothesis{base: base, move: m}
	for d := range where {
		for q := range where[d].Squares() {
			p := wood.Place(d*64) + wood.Place(q)
			if after[p] != l.now[p] {
				l.changes = append(l.changes, change{p, l.g.target(after[p])})
				h.places.Add(p)
			}
		}
	}
	h.changes = l.changes[from:len(l.changes):len(l.changes)]
	l.hyps = append(l.hyps, h)
	return &l.hyps[len(l.hyps)-1]
}

// hypotheses lists all explanations that the bases allow, but for the wood as it is now.
func (l *lister) hypotheses(bases []Base) {
	l.hyps, l.changes, l.made = l.hyps[:0], l.changes[:0], rules.NoMove
	for i := range bases {
		b := &bases[i]
		if !b.Moves && (i == 0 || !b.Back) {
			continue
		}
		before := *l.now
		if i > 0 {
			before = l.g.Lay(&b.Position)
		}
		differ := l.now.Diff(&before)
		if b.Back && i > 0 {
			l.add(i, rules.NoMove, &before, differ)
		}
		if b.Moves {
			l.moves(i, b, &before, differ)
		}
	}
	markStations(l.hyps, l.now)
	l.markBlurred()
	l.endings()
}

// moves adds the legal moves of a base whose wood is before, and differs from now on some places.
func (l *lister) moves(i int, b *Base, before *wood.Wood, differ wood.Set) {
	l.woods = b.Position.AppendWoods(l.woods[:0])
	for _, w := range l.woods {
		q := b.Position
		q.Play(w.Move)
		after := *before
		l.g.Relay(&after, &q, w.Touched)
		where := wood.Set{differ[0] | w.Touched, differ[1] | w.Touched}
		if i > 0 && l.same(&after, where) {
			l.made = w.Move
			continue // not a correction of itself
		}
		l.add(i, w.Move, &after, where).refill(before, l.now)
		if l.g.Weights && w.Move.Promotion() == rules.Queen {
			left := unpromoted(w.Move, b.Position.Turn(), l.now, &after)
			l.add(i, w.Move, &left, where).ask = true
		}
	}
}

func (l *lister) same(after *wood.Wood, where wood.Set) bool {
	for d := range where {
		for q := range where[d].Squares() {
			if p := wood.Place(d*64) + wood.Place(q); after[p] != l.now[p] {
				return false
			}
		}
	}
	return true
}

// unpromoted is the wood after a promotion whose pawn has not been exchanged yet.
func unpromoted(m rules.Move, c rules.Color, now, after *wood.Wood) wood.Wood {
	left := *after
	pawn, queen := rules.NewPiece(c, rules.Pawn).Letter(), rules.NewPiece(c, rules.Queen).Letter()
	for _, p := range []wood.Place{wood.Place(m.To()), wood.Place(m.To()) + 64} {
		pile := []byte(left[p])
		for k := len(pile) - 1; k >= 0; k-- {
			if pile[k] == queen && left[p] != now[p] {
				pile[k] = pawn
				break
			}
		}
		left[p] = wood.Pile(pile)
	}
	return left
}

// markStations finds the hypotheses whose wood a hand may pass on its way to another one: a slide that can go on, a
// rook that may be the first half of castling, a landing whose captured piece is still to be taken from below, a part of another move in place of the last one.
func markStations(hs []hypothesis, now *wood.Wood) {
	for i := range hs {
		for j := range hs {
			again := hs[i].base == 0 && hs[j].base == 1 && hs[j].move != rules.NoMove && hs[i].move != rules.NoMove && hs[i].passes(&hs[j], now) && !hs[i].lifts(&hs[j], now)
			if again || i != j && !hs[j].ask && hs[i].base == hs[j].base && station(&hs[i], &hs[j], now) {
				hs[i].goesOn = true
				break
			}
		}
	}
	markPassed(hs, now)
	markBegun(hs, now)
}

// markPassed finds the corrections and takebacks whose wood a hand may pass in making a move of the game as it stands: a
// captured piece that stays on the board is carried to where its captor will come, as in an en passant overlay.
func markPassed(hs []hypothesis, now *wood.Wood) {
	for i := range hs {
		for j := range hs {
			if hs[i].base > 0 && hs[j].base == 0 && hs[j].move != rules.NoMove && (hs[i].passes(&hs[j], now) || hs[i].carries(&hs[j], now)) {
				hs[i].passed = true
				break
			}
		}
	}
}

// markBlurred finds the promotions on a square where other pieces stay whose wood weighs as much as the first pieces that another
// promotion leaves there: as a heavy piece alone a light one with another on top of it.
func (l *lister) markBlurred() {
	if !l.g.Weights {
		return
	}
	for i := range l.hyps {
		h := &l.hyps[i]
		to := wood.Place(h.move.To())
		if want := h.wants(l.now, to); h.move.Promotion() == rules.NoKind || len(want) < 2 {
			continue
		}
		for j := range l.hyps {
			on := &l.hyps[j]
			if on == h || on.base != h.base || on.move.Promotion() == rules.NoKind || on.move.From() != h.move.From() || on.move.To() != h.move.To() {
				continue
			}
			other := on.wants(l.now, to)
			for k := 1; k < len(other); k++ {
				h.passed = h.passed || !l.g.weighable(h.wants(l.now, to), other[:k])
			}
		}
	}
}

// refill finds out whether other pieces come to where the last move took some away, in their stead.
func (h *hypothesis) refill(before, now *wood.Wood) {
	for i := range h.changes {
		c := &h.changes[i]
		was, lost := strings.CutPrefix(string(before[c.place]), string(now[c.place]))
		want, gets := strings.CutPrefix(string(c.want.pile), string(now[c.place]))
		h.refills = h.refills || lost && gets && was != "" && want != "" && !strings.Contains(want, was)
	}
}

// markBegun finds the moves that only take pieces away, after a move that did as well: what was taken first may have been the captured
// piece, and this be its captor.
func markBegun(hs []hypothesis, now *wood.Wood) {
	for i := range hs {
		h := &hs[i]
		if h.base == 0 && h.takes(now) {
			h.begins = slices.ContainsFunc(hs, func(on hypothesis) bool { return on.refills && h.passes(&on, now) })
		}
	}
}

// takes tells whether all piles that the hypothesis changes become smaller.
func (h *hypothesis) takes(now *wood.Wood) bool {
	for i := range h.changes {
		if c := &h.changes[i]; len(c.want.pile) >= len(now[c.place]) {
			return false
		}
	}
	return true
}

// carries tells whether the hypothesis moves a pawn that another one captures en passant and puts elsewhere: in a hand that makes
// that move it may come down anywhere on the way.
func (h *hypothesis) carries(on *hypothesis, now *wood.Wood) bool {
	if !on.move.IsEnPassant() {
		return false
	}
	stays, leaves := false, false
	for i := range on.changes {
		c := &on.changes[i]
		old := now[c.place]
		stays = stays || len(c.want.pile) > len(old) && len(c.want.pile) > 1
		leaves = leaves || h.places.Has(c.place) && len(c.want.pile) < len(old) && c.place%64 != wood.Place(on.move.From())
	}
	return stays && leaves
}

// passes tells whether each pile of the hypothesis is a part of what another one wants there, and it differs nowhere else.
func (h *hypothesis) passes(on *hypothesis, now *wood.Wood) bool {
	if !h.places.Less(on.places).Empty() {
		return false
	}
	for i := range h.changes {
		c := &h.changes[i]
		if a, b := string(c.want.pile), string(on.wants(now, c.place)); !part(a, b) && !part(b, a) || !among(a, string(now[c.place]), b) {
			return false
		}
	}
	return true
}

// lifts tells whether the hypothesis takes pieces away that another one has stay.
func (h *hypothesis) lifts(on *hypothesis, now *wood.Wood) bool {
	for i := range h.changes {
		c := &h.changes[i]
		if old := string(now[c.place]); len(c.want.pile) < len(old) && strings.HasPrefix(string(on.wants(now, c.place)), old) {
			return true
		}
	}
	return false
}

// among tells whether each piece of a pile is one of those that stood there or that come: what does neither is from beside the board.
func among(pile, stood, come string) bool {
	for i := range len(pile) {
		if piece := pile[i : i+1]; strings.Count(pile, piece) > strings.Count(stood, piece)+strings.Count(come, piece) {
			return false
		}
	}
	return true
}

// part tells whether one pile is the lower or the upper part of another.
func part(a, b string) bool { return strings.HasPrefix(b, a) || strings.HasSuffix(b, a) }

func station(h, on *hypothesis, now *wood.Wood) bool {
	if h.move == rules.NoMove || on.move == rules.NoMove {
		return false // no move: a takeback, which rests longer anyway
	}
	if h.places != on.places && h.places[0]&^on.places[0] == 0 && h.places[1]&^on.places[1] == 0 {
		return true
	}
	from, to := h.move.From(), h.move.To()
	if from != on.move.From() {
		return false
	}
	if !h.move.IsCapture() && between(from, to, on.move.To()) {
		return true
	}
	return to == on.move.To() && above(h, on, now, to) && h.wants(now, wood.Place(from)) == on.wants(now, wood.Place(from))
}

// above tells whether the pile that on wants on the square is what stays when lower pieces are taken away from h's.
func above(h, on *hypothesis, now *wood.Wood, to rules.Square) bool {
	a, b := h.wants(now, wood.Place(to)), on.wants(now, wood.Place(to))
	return len(a) > len(b) && len(b) > 0 && a[len(a)-len(b):] == b
}

// between tells whether mid lies strictly between the ends of a straight or diagonal line.
func between(from, mid, to rules.Square) bool {
	df, dr := to.File()-from.File(), to.Rank()-from.Rank()
	mf, mr := mid.File()-from.File(), mid.Rank()-from.Rank()
	if df != 0 && dr != 0 && df != dr && df != -dr {
		return false
	}
	n, k := max(df, -df, dr, -dr), max(mf, -mf, mr, -mr)
	return k > 0 && k < n && mf*n == df*k && mr*n == dr*k
}
