// SPDX-License-Identifier: Apache-2.0

package reconcile

import (
	"math"
	"strings"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// pileChange is a pile that a hypothesis has on a place where the game has another one.
type pileChange struct {
	target
	moved loads
	place wood.Place
	next  int32     // the next change of the same place, -1 for none
	stamp uint32    // the evaluation to which gain, half and part belong
	gain  float64   // nats by which the pile fits better than what the game has there
	half  float64   // nats by which part fits better than what the game has there; at least 0
	part  wood.Pile // the part that fits best while the pile is not complete, that of the game if nothing was done
}

// hypothesis is one way in which the wood may stand.
type hypothesis struct {
	base        int        // index of the base it starts from
	move        rules.Move // the move from there, NoMove for the base itself
	reply       rules.Move // the move made after it, NoMove for none
	result      string     // the result that kings in the centre announce, "" for other hypotheses
	ask         bool       // a pawn was left on its last rank: all of the move is known except the piece it becomes
	changes     []int32    // what it changes of the wood of base 0
	places      wood.Set   // the places of the changes
	prior       float64    // nats
	onward      bool       // the square lies on the way of the same piece to a farther one
	mover       rules.Color
	flipsNeeded int        // of a pair: the flips that the reed of where needs, because both moves change it
	shared      wood.Place // of a pair: a place that both moves change
	undone      wood.Place // of a pair: a place that the reply makes as it was before the move, Nowhere for none
	between     target     // of a pair: the pile on that place between the moves
	replyFlips  [2]uint8   // of a pair: the flips of the reply where the move landed, on either deck
	restores    bool       // of a pair: its first move was accepted once, before the last correction
	partScore   float64    // nats in the last evaluation if the move is only half made
	score       float64    // nats in the last evaluation; logprob.Never when it was not worked out
}

// ply is one of the last moves that were taken. Another move may have been made in its place.
type ply struct {
	wood  wood.Wood // before the move; that of the game if there is no such base
	epoch tick      // when the ply began
}

// replacedMove is a move that was replaced or taken back, but may have been right. The supposed correction may have
// been a part of the reply, as when a pawn captured in passing is put where its captor will come.
type replacedMove struct {
	move   rules.Move // NoMove for none
	base   int        // the base from which the move starts
	cost   float64    // nats that replacing it cost, and that the pauses of the hands since then paid
	onward bool       // its piece only went on along its line: that is one move of few, not of all
}

// generator makes the list of hypotheses. It reuses its slices.
type generator struct {
	g       *geometry
	now     *wood.Wood
	hyps    []hypothesis
	changes []pileChange
	first   [wood.Places]int32 // index of the first change of each place, -1 for none
	arena   []int32
	woods   []rules.Wood
	earlier wood.Wood  // of the last base that was listed
	made    rules.Move // the move that led from base 1 to the game as it stands
	singles int        // the number of hypotheses without the pairs, which come last
	// by base: nats that it costs for hands to be on the way to one particular move of so many
	onTheWayCost [maxReplaced + 1]float64
	withoutPairs mark // the end of the list without pairs
}

// list lists all hypotheses that the bases allow, except the game as it stands.
func (l *generator) list(bases []Base) {
	l.hyps, l.changes, l.arena, l.made = l.hyps[:0], l.changes[:0], l.arena[:0], rules.NoMove
	for p := range l.first {
		l.first[p] = -1
	}
	for i := range l.onTheWayCost {
		l.onTheWayCost[i] = oneMoveCost(0)
	}
	for i := range bases {
		b := &bases[i]
		if !b.Moves && (i == 0 || !b.Takeback) {
			continue
		}
		before := *l.now
		if i > 0 {
			before = l.g.Lay(&b.Position)
		}
		differ := l.now.Diff(&before)
		if b.Takeback && i > 0 {
			h := l.add(i, rules.NoMove, &before, differ)
			if h.prior = priorTakeback; i > 1 {
				h.prior += priorLongTakeback
			}
		}
		if b.Moves {
			from := len(l.hyps)
			l.moves(i, b, &before, differ)
			l.onTheWayCost[i] = oneMoveCost(len(l.hyps) - from)
		}
		l.earlier = before
	}
	l.markRepetitions()
	l.addKingResults()
	l.markOnward()
	l.singles, l.withoutPairs = len(l.hyps), l.mark()
}

// oneMoveCost is what it costs, in nats, that hands are on the way to one particular move of so many.
func oneMoveCost(moves int) float64 { return -math.Log(float64(otherAims + moves)) }

// markRepetitions finds takebacks of several moves to a wood that is also got by moving one pile. That is far
// likelier, be it a move that repeats a position or a piece that slipped.
func (l *generator) markRepetitions() {
	for i := range l.hyps {
		back, grown := &l.hyps[i], 0
		for _, j := range back.changes {
			grown += len(l.changes[j].pile) - len(l.now[l.changes[j].place])
		}
		if back.base > 1 && back.move == rules.NoMove && grown == 0 && (back.places[0]|back.places[1]).Count() <= 2 {
			back.prior += priorTakebackOrMove
		}
	}
}

// add adds a hypothesis for a wood that differs from now at most on the places given.
func (l *generator) add(base int, m rules.Move, after *wood.Wood, where wood.Set) *hypothesis {
	from := len(l.arena)
	h := hypothesis{base: base, move: m}
	for d := range where {
		for q := range where[d].Squares() {
			p := wood.Place(d*64) + wood.Place(q)
			if after[p] != l.now[p] {
				l.arena = append(l.arena, l.changeFor(p, after[p]))
				h.places.Add(p)
			}
		}
	}
	h.changes = l.arena[from:len(l.arena):len(l.arena)]
	l.hyps = append(l.hyps, h)
	return &l.hyps[len(l.hyps)-1]
}

// changeFor finds or adds the change to a pile on a place.
func (l *generator) changeFor(p wood.Place, pile wood.Pile) int32 {
	for i := l.first[p]; i >= 0; i = l.changes[i].next {
		if l.changes[i].pile == pile {
			return i
		}
	}
	l.changes = append(l.changes, pileChange{target: l.g.target(pile), moved: l.g.moved(l.now[p], pile, p), place: p,
		next: l.first[p]})
	l.first[p] = int32(len(l.changes) - 1)
	return l.first[p]
}

// moves adds the legal moves of a base. Its wood is before, which differs from now at most on some places.
func (l *generator) moves(i int, b *Base, before *wood.Wood, differ wood.Set) {
	l.woods = b.Position.AppendWoods(l.woods[:0])
	for _, w := range l.woods {
		q := b.Position
		q.Play(w.Move)
		after := *before
		l.g.Relay(&after, &q, w.Touched)
		where := wood.Set{differ[0] | w.Touched, differ[1] | w.Touched}
		if i > 0 && l.same(&after, where) {
			if i == 1 {
				l.made = w.Move
			}
			continue // not a correction of itself
		}
		if i > 1 && after == l.earlier {
			continue // a takeback of the last move alone
		}
		h := l.add(i, w.Move, &after, where)
		h.mover = b.Position.Turn()
		h.prior = priorInPlace[i]
		if (l.g.Weights || l.g.Scale) && w.Move.Promotion() == rules.Queen {
			left := unpromoted(w.Move, b.Position.Turn(), l.now, &after)
			a := l.add(i, w.Move, &left, where)
			a.ask, a.mover, a.prior = true, b.Position.Turn(), priorAsk+priorInPlace[i]
		}
	}
}

func (l *generator) same(after *wood.Wood, where wood.Set) bool {
	for d := range where {
		for q := range where[d].Squares() {
			if p := wood.Place(d*64) + wood.Place(q); after[p] != l.now[p] {
				return false
			}
		}
	}
	return true
}

// priorInPlace is the prior of a move in place of so many, in nats.
var priorInPlace = [maxReplaced + 1]float64{1: priorCorrect, 2: priorCorrect + priorChain}

// maxReplaced is the largest number of moves that another one may replace.
const maxReplaced = 2

// unpromoted is the wood after a promotion whose pawn has not been exchanged yet.
func unpromoted(m rules.Move, c rules.Color, now, after *wood.Wood) wood.Wood {
	left := *after
	pawn, queen := rules.NewPiece(c, rules.Pawn).Letter(), rules.NewPiece(c, rules.Queen).Letter()
	for _, p := range landing(m) {
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

// markOnward finds the moves to squares that the piece may only be passing on its way to a farther one.
func (l *generator) markOnward() {
	for i := range l.hyps {
		h := &l.hyps[i]
		if h.move == rules.NoMove || h.move.IsCapture() || h.move.From() == h.move.To() {
			continue
		}
		for j := range l.hyps {
			o := &l.hyps[j]
			if o.base == h.base && o.move != rules.NoMove && o.move.From() == h.move.From() &&
				wood.PassesOver(h.move.From(), h.move.To(), o.move.To()) {
				h.onward = true
				break
			}
		}
	}
}

// replaces reports whether a hypothesis is another move in place of the last one or two.
func (d *Decoder) replaces(h *hypothesis) bool {
	return h.base == 1 || h.base > 1 && h.base <= maxReplaced && h.move != rules.NoMove
}

// pileOn is the pile that a hypothesis has on a place.
func (l *generator) pileOn(h *hypothesis, p wood.Place) wood.Pile {
	if !h.places.Has(p) {
		return l.now[p]
	}
	for _, i := range h.changes {
		if l.changes[i].place == p {
			return l.changes[i].pile
		}
	}
	return l.now[p]
}

// centre holds the four squares on which kings announce a result (docs/play.md).
var centre = [4]rules.Square{27, 28, 35, 36} // d4 e4 d5 e5

// isLightSquare reports whether a centre square is a light one: e4 and d5 are.
func isLightSquare(s rules.Square) bool { return (s.File()+s.Rank())%2 == 1 }

// kingsResult is the result of kings on two centre squares: both light, White won; both dark, Black won; else a draw.
func kingsResult(a, b rules.Square) string {
	switch {
	case isLightSquare(a) && isLightSquare(b):
		return "1-0"
	case !isLightSquare(a) && !isLightSquare(b):
		return "0-1"
	}
	return "1/2-1/2"
}

// addKingResults adds the woods in which both kings stand alone on two centre squares, and what stood there was put
// aside. The kings stand on the deck on which they were.
func (l *generator) addKingResults() {
	bare, deck := *l.now, sensing.Lower
	var where wood.Set
	for p := range wood.Place(wood.Places) {
		if i := strings.IndexAny(string(bare[p]), "Kk"); i >= 0 {
			bare[p] = bare[p][:i] + bare[p][i+1:]
			deck = p.Deck()
			where.Add(p)
		}
	}
	for i, a := range centre {
		for _, b := range centre[i+1:] {
			pa, pb := wood.PlaceAt(deck, a), wood.PlaceAt(deck, b)
			after, touched := bare, where
			after[pa], after[pb] = "K", "k"
			touched.Add(pa)
			touched.Add(pb)
			mark := l.mark()
			h := l.add(0, rules.NoMove, &after, touched)
			if h.result, h.prior = kingsResult(a, b), priorKings; !l.kingsGather(h, pa, pb) {
				l.reset(mark)
			}
		}
	}
}

// kingsGather reports whether both kings come to the centre, or one has just come and the other follows. If one has
// stood there for longer, the other was put down beside it by mistake.
func (l *generator) kingsGather(h *hypothesis, a, b wood.Place) bool {
	for _, p := range [2]wood.Place{a, b} {
		if !h.places.Has(p) && (l.made == rules.NoMove || p%64 != wood.Place(l.made.To())) {
			return false
		}
	}
	return true
}

// undonePlace is a place that the second of two moves changes back, Nowhere for none.
func (d *Decoder) undonePlace(first wood.Set, mid, after *wood.Wood) wood.Place {
	for p := range first.Places() {
		if mid[p] != d.now[p] && after[p] == d.now[p] {
			return p
		}
	}
	return wood.Nowhere
}

// plyStart is when the ply began that was played this many plies ago.
func (d *Decoder) plyStart(plies int) tick {
	if plies > 0 {
		return d.past[plies-1].epoch
	}
	return d.seen.epoch
}

// wholePileLifted reports whether, since this many plies ago, the whole pile of a place was lifted and something put
// there.
func (d *Decoder) wholePileLifted(p wood.Place, plies int) bool {
	c := &d.seen.reeds[p]
	return d.seen.known.Has(p) && d.seen.closed.Has(p) && c.after(d.plyStart(plies)) > 1 && !c.chattering(d.seen.now)
}

// departing returns the places of both decks that a move may leave, landing those on which it may land.
func departing(m rules.Move) [2]wood.Place {
	return [2]wood.Place{wood.Place(m.From()), wood.Place(m.From()) + 64}
}
