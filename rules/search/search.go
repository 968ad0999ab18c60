// SPDX-License-Identifier: Apache-2.0

package search

import (
	"slices"

	"boardd/rules"
	"boardd/rules/search/eval"
)

// Limits say when a search ends. Without any it goes on to the greatest depth.
type Limits struct {
	Depth int    // plies, 0 for no limit
	Nodes uint64 // positions, 0 for no limit
	// MinDepth is finished whatever Nodes says, unless Stop ends the search: a flag that falls loses more than a mate
	// overlooked. A depth of 1, at which every mate in one is seen, is finished even then.
	MinDepth int
	// ClearTable begins with nothing remembered (see Search.ClearTable). So the same Nodes give the same move whatever
	// was searched before.
	ClearTable bool
	// QuiescencePlies is how many plies of captures are looked at after the last full move; 0 is as many as are good.
	QuiescencePlies int
	// MultiPV is how many best lines are wanted; 0 is one.
	MultiPV int
	// SearchMoves, if not empty, is the first moves that are considered.
	SearchMoves []rules.Move
	// Stop, if not nil, is asked about every thousand nodes.
	Stop func() bool
}

// Line is a first move, its score in hundredths of a pawn for the side to move (see MateIn) and the play that is
// expected.
type Line struct {
	Score int
	Moves []rules.Move
}

// Info is what a search has found.
type Info struct {
	Depth, SelDepth int    // plies searched in full, and the longest line looked at
	Nodes           uint64 // positions looked at
	HashFull        int    // how full the table is, in thousandths
	Lines           []Line // the best first; empty if there is no legal move
}

// Move is the best move, NoMove if there is none.
func (i *Info) Move() rules.Move {
	if len(i.Lines) == 0 || len(i.Lines[0].Moves) == 0 {
		return rules.NoMove
	}
	return i.Lines[0].Moves[0]
}

// frame is what the search keeps of one ply of the line it looks at.
type frame struct {
	pos         rules.Position
	sums        eval.Accumulator
	summed      bool           // sums are those of the position
	touched     rules.Bitboard // by the move that led here
	check       bool
	raw         int        // the evaluation; of no meaning in check
	static      int        // the same, corrected and sharpened
	moved       uint16     // the continuationIndex of the move that led here
	excluded    rules.Move // left out, to see whether another move is as good
	killers     [2]rules.Move
	moves       []rules.Move // as they were listed; once captures are ranked, the quiet ones alone
	picks       []pick
	stage       stage
	tactical    bool  // tactics alone are listed
	mustGain    int32 // and of these captures and promotions that gain more, hundredths of a pawn
	missed      int32 // the most that one gains which was left out for that
	checks      rules.Checks
	checksKnown bool // checks are those of the position
	line        []rules.Move
}

// Search searches the positions of one game at a time. It keeps its table, and what it has learnt of moves and pawns,
// from one search to the next.
type Search struct {
	table        *table
	eval         *eval.Eval
	tuning       *tuning
	reductions   *reductions
	frames       [maxPly + 2]frame
	keys         []uint64 // of the positions before the root, then of the line
	history      [2][64][64]int16
	continuation [continuations][continuations / 2]int16 // how often a move was good after another one
	corrections  [2][correctionSize]int32                // by how much the estimate was wrong, by the pawns
	limits       Limits
	nodes        uint64
	depth        int
	reached      int
	stopped      bool         // the search must end
	done         []rules.Move // first moves of the lines already found
	first        rules.Move   // the best first move of this line so far, to be looked at first; NoMove at depth 1
	found        Line         // the best play of this line and depth so far; no moves if none was found yet
}

// New is a search with a table of that many bytes.
func New(e *eval.Eval, bytes int) *Search {
	return &Search{table: newTable(bytes), eval: e, tuning: &unorthodox, reductions: newReductions()}
}

// SetEval changes the evaluation, and forgets what was found with the old one.
func (s *Search) SetEval(e *eval.Eval) {
	s.eval = e
	s.ClearTable()
}

// ClearTable clears the table, and forgets all else that earlier searches have learnt.
func (s *Search) ClearTable() {
	s.table.begin(true)
	s.history = [2][64][64]int16{}
	clear(s.continuation[:])
	s.corrections = [2][correctionSize]int32{}
}

// Run searches the position. Past has the keys of the positions of the game before it, the latest last, for
// repetitions. Report, if not nil, is told after each depth what was found so far, and ends the search by returning
// false.
func (s *Search) Run(p rules.Position, past []uint64, limits Limits, report func(Info) bool) Info {
	s.begin(p, past, limits)
	legal := p.AppendMoves(nil)
	if len(limits.SearchMoves) > 0 {
		legal = slices.DeleteFunc(legal, func(m rules.Move) bool { return !slices.Contains(limits.SearchMoves, m) })
	}
	var info Info
	if len(legal) == 0 {
		return info
	}
	lines := min(max(limits.MultiPV, 1), len(legal))
	info.Lines = []Line{{0, legal[:1:1]}}
	most := maxPly / 2
	if limits.Depth > 0 {
		most = min(most, limits.Depth)
	}
	for s.depth = 1; s.depth <= most && !s.stopped; s.depth++ {
		found := s.iterate(lines, info.Lines)
		info.Nodes, info.SelDepth, info.HashFull = s.nodes, s.reached, s.table.hashFull()
		if s.stopped {
			info.Lines = mergeLines(found, info.Lines, lines)
			break
		}
		info.Lines, info.Depth = found, s.depth
		if report != nil && !report(info) || s.isDecided(&info) {
			break
		}
	}
	return info
}

// mergeLines returns the lines of a depth that was not finished. After them come as many of those before it, with
// other first moves, as are wanted.
func mergeLines(found, before []Line, lines int) []Line {
	for _, old := range before {
		again := slices.ContainsFunc(found, func(l Line) bool { return l.Moves[0] == old.Moves[0] })
		if len(found) < lines && !again {
			found = append(found, old)
		}
	}
	return found
}

// isDecided reports whether deeper search cannot change the first move: a mate was found in the fewest moves that the
// depth can tell.
func (s *Search) isDecided(info *Info) bool {
	if len(info.Lines) != 1 {
		return false
	}
	n := MateIn(info.Lines[0].Score)
	return n > 0 && 2*n-1 <= s.depth || n < 0 && -2*n <= s.depth
}

func (s *Search) begin(p rules.Position, past []uint64, limits Limits) {
	s.limits, s.nodes, s.reached, s.stopped = limits, 0, 0, false
	if s.limits.QuiescencePlies <= 0 {
		s.limits.QuiescencePlies = quiescencePlies
	}
	if limits.ClearTable {
		s.ClearTable()
	} else {
		s.table.begin(false)
		s.fade()
	}
	for i := range s.frames {
		s.frames[i].killers, s.frames[i].excluded, s.frames[i].moved = [2]rules.Move{}, rules.NoMove, 0
	}
	s.keys = append(s.keys[:0], past...)
	s.tuning = tuningOf(p.Variant())
	root := &s.frames[0]
	root.pos, root.sums, root.summed, root.check = p, s.eval.Accumulate(&p), true, p.InCheck()
}

// iterate searches one depth: as many lines as are wanted, each without the first moves of those before it. If the
// search ended it returns only the lines that were found whole.
func (s *Search) iterate(lines int, before []Line) []Line {
	var found []Line
	s.done = s.done[:0]
	for i := range lines {
		guess := 0
		if s.first = rules.NoMove; s.depth > 1 && i < len(before) {
			guess, s.first = before[i].Score, before[i].Moves[0]
		}
		s.aspirate(guess, s.depth >= aspirationDepth && i < len(before))
		if len(s.found.Moves) == 0 || s.stopped && i > 0 {
			break
		}
		found = append(found, Line{s.found.Score, slices.Clone(s.found.Moves)})
		if s.stopped {
			break
		}
		s.done = append(s.done, s.found.Moves[0])
	}
	slices.SortStableFunc(found, func(a, b Line) int { return b.Score - a.Score })
	return found
}

// aspirate searches the root, first in a narrow window about the guess if that is wanted. What it finds stands in
// found, and stays there if a search of a wider window is not finished.
func (s *Search) aspirate(guess int, narrow bool) {
	s.found = Line{Moves: s.found.Moves[:0]}
	alpha, beta, width := -infinite, infinite, aspirationWindow
	if narrow && guess > -sureMate && guess < sureMate {
		alpha, beta = guess-width, guess+width
	}
	for {
		score := s.node(branch{0, s.depth, alpha, beta, false}, false)
		switch {
		case s.stopped:
			return
		case score <= alpha && alpha > -infinite:
			alpha = max(-infinite, alpha-s.tuning.aspirationGrowth*width)
		case score >= beta && beta < infinite:
			beta = min(infinite, beta+s.tuning.aspirationGrowth*width)
		default:
			return
		}
		if width *= 3; width > 1000 {
			alpha, beta = -infinite, infinite
		}
	}
}
