// SPDX-License-Identifier: Apache-2.0

package rules

// Wood is a legal move and what the board senses of it: the occupation of each level after the move. A reading is
// compared with these of all legal moves.
type Wood struct {
	Move Move
	// Touched holds the squares on which anything changes, at any level, and the squares of departure and arrival.
	Touched Bitboard
	// Lower and Upper are the squares with a piece on each level after the move: ground and air (flying), buried and
	// top board (meirav). In the other games Lower is every square with a piece, and Upper those with two or more.
	Lower, Upper Bitboard
}

// AppendWoods appends every legal move with the wood it leaves, in the order of AppendMoves.
func (p *Position) AppendWoods(dst []Wood) []Wood {
	var buf [256]Move
	now := p.feel()
	for _, m := range p.AppendMoves(buf[:0]) {
		w := Wood{Move: m, Touched: m.From().bit() | m.To().bit(), Lower: now.lower, Upper: now.upper}
		switch {
		case now.quiet(m):
			now.carry(&w)
		case now.alone(m) && now.takes(m):
			w.Lower &^= m.From().bit()
		case now.alone(m) && now.stacks(m):
			now.stack(&w)
		default:
			p.play(&w)
		}
		dst = append(dst, w)
	}
	return dst
}

// play fills in the wood by making the move.
func (p *Position) play(w *Wood) {
	q := *p
	p.rules().wood(still(&q), w.Move)
	w.Touched |= p.lower.differs(&q.lower) | p.upper.differs(&q.upper)
	w.Lower, w.Upper = q.lower.occupied(), q.upper.occupied()|q.below.tall
}

// feel is the wood before a move. In most moves a single piece goes to an empty square or onto another single piece.
// In every game the board senses only two or three bits of such a move, which are computed directly. Only the other
// moves are made to find out what the board senses.
type feel struct {
	lower, upper Bitboard
	both         Bitboard // squares of which more than one piece may move
	layered      bool     // the levels are decks of their own
	split        bool     // flying: a piece may change its deck
	buries       bool     // what is taken stays under what took it
}

func (p *Position) feel() feel {
	game := p.rules()
	f := feel{
		lower: p.lower.occupied(), upper: p.upper.occupied() | p.below.tall,
		layered: game.layered, split: game.gaps, buries: game.buries,
	}
	if !f.split {
		f.both = f.lower & f.upper
	}
	return f
}

// several marks the moves that concern more than the piece that moves and one on its square of arrival.
const several = castle | enPassant | headbutt | 31<<15

// quiet reports whether one piece alone moves and nothing else changes.
func (f *feel) quiet(m Move) bool {
	return m&(several|capture|mark) == 0 && !f.both.Has(m.From())
}

// carry takes the one piece of a quiet move from its square and level to the other.
func (f *feel) carry(w *Wood) {
	from, to := w.Move.From().bit(), w.Move.To().bit()
	above := f.lower&from == 0 // on the top board of Meirav
	if f.split {
		above = w.Move.FromAir()
	}
	if above {
		w.Upper &^= from
	} else {
		w.Lower &^= from
	}
	if above && !f.split || w.Move.ToAir() {
		w.Upper |= to
	} else {
		w.Lower |= to
	}
}

// alone reports whether a piece alone arrives where another stands alone.
func (f *feel) alone(m Move) bool {
	return m&(several|fromAir|toAir) == 0 && f.both&(m.From().bit()|m.To().bit()) == 0
}

// takes reports whether the piece takes the other, which leaves the board.
func (f *feel) takes(m Move) bool { return m&(capture|mark) == capture && !f.buries }

// stacks reports whether the piece comes to stand on the other, by taking it or by a marked move.
func (f *feel) stacks(m Move) bool {
	return f.buries && m&(capture|mark) == capture || !f.layered && m&(capture|mark) == mark
}

// stack puts the piece onto the other. In Meirav it is the other that changes its deck.
func (f *feel) stack(w *Wood) {
	from, to := w.Move.From().bit(), w.Move.To().bit()
	if f.layered {
		w.Upper, w.Lower = w.Upper&^from, w.Lower|to
		return
	}
	w.Lower, w.Upper = w.Lower&^from, w.Upper|to
}
