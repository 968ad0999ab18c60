package reconcile

import "boardd/rules"

// Base is a position from which the wood may be explained.
type Base struct {
	Position rules.Position
	Moves    bool // the legal moves of this position are hypotheses
	Reply    bool // the other side sits at this board too: its touch ends the wait for a move that could go on
	Back     bool // the wood of this position itself is one: the moves since were taken back
}

// change is a place that a hypothesis wants otherwise than the game has it now.
type change struct {
	place Place
	want  Pile
}

// hypothesis is one way in which the wood may stand.
type hypothesis struct {
	base    int        // index of the base it starts from
	move    rules.Move // the move made there, NoMove for the base itself
	ends    string     // the result that kings in the centre announce, "" for all others
	ask     bool       // a pawn left standing on its last rank: the move is known but for the piece it becomes
	changes []change   // against the wood of base 0
	places  Set        // the places of changes
	goesOn  bool       // this wood may be a station on the way to another hypothesis
}

// wants is the pile that the hypothesis wants on a place.
func (h *hypothesis) wants(now *Wood, p Place) Pile {
	for _, c := range h.changes {
		if c.place == p {
			return c.want
		}
	}
	return now[p]
}

func newHypothesis(base int, m rules.Move, now, after *Wood) hypothesis {
	h := hypothesis{base: base, move: m, places: now.Diff(after)}
	for p := range Place(Places) {
		if h.places.Has(p) {
			h.changes = append(h.changes, change{p, after[p]})
		}
	}
	return h
}

// hypotheses lists all explanations that the bases allow, but for the wood as it is now.
func hypotheses(g *Geometry, bases []Base, now *Wood) []hypothesis {
	var hs []hypothesis
	var moves []rules.Move
	for i := range bases {
		b := &bases[i]
		before := g.Lay(&b.Position)
		if b.Back && i > 0 {
			hs = append(hs, newHypothesis(i, rules.NoMove, now, &before))
		}
		if !b.Moves {
			continue
		}
		moves = b.Position.AppendMoves(moves[:0])
		hs = appendMoves(hs, g, i, b, now, moves)
	}
	markStations(hs, now)
	return appendEndings(hs, now)
}

func appendMoves(hs []hypothesis, g *Geometry, i int, b *Base, now *Wood, moves []rules.Move) []hypothesis {
	for _, m := range moves {
		q := b.Position
		q.Play(m)
		after := g.Lay(&q)
		if after == *now && i > 0 {
			continue // the move that was made: not a correction of itself
		}
		hs = append(hs, newHypothesis(i, m, now, &after))
		if g.Weights && m.Promotion() == rules.Queen {
			hs = append(hs, unpromoted(i, m, b.Position.Turn(), now, &after))
		}
	}
	return hs
}

// unpromoted is the wood after a promotion whose pawn has not been exchanged yet.
func unpromoted(i int, m rules.Move, c rules.Color, now, after *Wood) hypothesis {
	left := *after
	pawn, queen := rules.NewPiece(c, rules.Pawn).Letter(), rules.NewPiece(c, rules.Queen).Letter()
	for _, p := range []Place{Place(m.To()), Place(m.To()) + 64} {
		pile := []byte(left[p])
		for k := len(pile) - 1; k >= 0; k-- {
			if pile[k] == queen && left[p] != now[p] {
				pile[k] = pawn
				break
			}
		}
		left[p] = Pile(pile)
	}
	h := newHypothesis(i, m, now, &left)
	h.ask = true
	return h
}

// markStations finds the hypotheses whose wood a hand may pass on its way to another one: a slide that can go on, a
// rook that may be the first half of castling, a landing whose captured piece is still to be taken from below.
func markStations(hs []hypothesis, now *Wood) {
	for i := range hs {
		for j := range hs {
			if i != j && !hs[j].ask && hs[i].base == hs[j].base && station(&hs[i], &hs[j], now) {
				hs[i].goesOn = true
				break
			}
		}
	}
}

func station(h, on *hypothesis, now *Wood) bool {
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
	return to == on.move.To() && above(h, on, now, to)
}

// above tells whether the pile that on wants on the square is what stays when lower pieces are taken away from h's.
func above(h, on *hypothesis, now *Wood, to rules.Square) bool {
	a, b := h.wants(now, Place(to)), on.wants(now, Place(to))
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
