// SPDX-License-Identifier: Apache-2.0

package match

import (
	"boardd/rules"
	"boardd/rules/search"
	"boardd/rules/search/eval"
)

// Searcher plays by a search of this many nodes a move. In each game it begins with nothing remembered.
type Searcher struct {
	search *search.Search
	limits search.Limits
}

// NewSearcher is a player with that evaluation, table and limits.
func NewSearcher(e *eval.Eval, bytes int, l search.Limits) *Searcher {
	return &Searcher{search.New(e, bytes), l}
}

// Choose searches the position.
func (s *Searcher) Choose(p rules.Position, past []uint64) (rules.Move, int) {
	if len(past) < 2 {
		s.search.ClearTable()
	}
	info := s.search.Run(p, past, s.limits, nil)
	return info.Move(), info.Lines[0].Score
}
