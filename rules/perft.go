// SPDX-License-Identifier: Apache-2.0

package rules

// Perft is the number of ways to play depth half-moves from the position, the measure by which generators are
// checked and compared. The last half-move is counted, not played ("bulk").
func Perft(p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perft(&p, depth, make([]Move, 0, 256*depth))
}

func perft(p *Position, depth int, moves []Move) (n uint64) {
	if depth == 1 {
		return uint64(p.CountMoves())
	}
	mine := len(moves)
	moves = p.AppendMoves(moves)
	var q Position // outside the loop, or escape analysis sends it to the heap
	for _, m := range moves[mine:] {
		q = *p
		q.Play(m)
		n += perft(&q, depth-1, moves)
	}
	return n
}

// PerftByPlaying is Perft without counting at the last half-move: every leaf is played out.
func PerftByPlaying(p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perftPlayed(&p, depth, make([]Move, 0, 256*depth))
}

func perftPlayed(p *Position, depth int, moves []Move) (n uint64) {
	mine := len(moves)
	moves = p.AppendMoves(moves)
	var q Position // as above
	for _, m := range moves[mine:] {
		q = *p
		q.Play(m)
		if depth == 1 {
			n++
			continue
		}
		n += perftPlayed(&q, depth-1, moves)
	}
	return n
}
