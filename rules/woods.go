package rules

// Wood is a legal move and what the board feels of it: the occupation of each level after the move, by which a
// reading is held against all legal futures.
type Wood struct {
	Move Move
	// Touched is the squares on which anything changes, at any level, and the squares of departure and arrival.
	Touched Bitboard
	// Lower and Upper are the squares with a piece on each level after the move: ground and air (flying), buried and
	// top board (meirav). In the other games Lower is every square with a piece, and Upper those with two or more.
	Lower, Upper Bitboard
}

// AppendWoods appends every legal move with the wood it leaves, in the order of AppendMoves.
func (p *Position) AppendWoods(dst []Wood) []Wood {
	var buf [256]Move
	game := p.rules()
	var q Position
	for _, m := range p.AppendMoves(buf[:0]) {
		q = *p
		game.wood(still(&q), m)
		dst = append(dst, Wood{
			Move:    m,
			Touched: p.lower.differs(&q.lower) | p.upper.differs(&q.upper) | m.From().bit() | m.To().bit(),
			Lower:   q.lower.occupied(),
			Upper:   q.upper.occupied() | q.below.tall,
		})
	}
	return dst
}
