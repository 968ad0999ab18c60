package rules

// pile is what lies under the tops of the stacks.
type pile struct {
	tall   Bitboard
	ends   uint64
	lo, hi uint64
}

func (b *pile) append(dst []Piece, s Square) []Piece { return dst }
func (b *pile) key(s Square) uint64                  { return 0 }
