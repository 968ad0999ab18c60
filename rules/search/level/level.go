// SPDX-License-Identifier: Apache-2.0

package level

import (
	"boardd/rules"
	"boardd/rules/search"
	"boardd/rules/search/eval"
	"boardd/rules/search/nets"
)

// Most is the highest level, which has no limit of its own.
const Most = 8

// levels are the limits, from level 1 on. From level 3 on two plies are always looked at in full, so that neither a
// mate in one nor the opponent's is overlooked. Level 1 sees few captures ahead and so loses exchanges, as beginners
// do.
var levels = [Most]search.Limits{
	{Depth: 1, QuiescencePlies: 2},
	{Depth: 1},
	{Depth: 2, LeastDepth: 2, QuiescencePlies: 2},
	{Depth: 2, LeastDepth: 2},
	{Nodes: 2500, LeastDepth: 2},
	{Nodes: 5500, LeastDepth: 2},
	{Nodes: 12000, LeastDepth: 2},
	{},
}

// captures is how many plies of captures a level looks at where the usual number is too small or too large. The value
// 0 is as many as are good. In Pillar Chess what is taken is taken again. In Superchess and Flying Chess a stack is
// taken piece by piece.
var captures = map[string]map[int]int{
	"pillar":         {1: 3, 3: 0},
	"pillar-liberal": {1: 3, 3: 0},
	"superchess":     {3: 3},
	"flying":         {3: 0, 4: 3},
}

// Limits is what a level may look at; more than Most is Most, less than 1 is 1.
func Limits(v *rules.Variant, n int) search.Limits {
	n = min(max(n, 1), Most)
	l := levels[n-1]
	l.Fresh = n < Most
	if plies, ok := captures[v.ID()][n]; ok {
		l.QuiescencePlies = plies
	}
	return l
}

// byHand is the highest level that judges by hand and not by the network.
const byHand = 3

// Eval is how a level judges a position.
func Eval(v *rules.Variant, n int) *eval.Eval {
	if n <= byHand {
		return eval.Hand(v)
	}
	return nets.Of(v)
}
