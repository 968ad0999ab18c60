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
	{Depth: 2, MinDepth: 2, QuiescencePlies: 2},
	{Depth: 2, MinDepth: 2},
	{Nodes: 2500, MinDepth: 2},
	{Nodes: 5500, MinDepth: 2},
	{Nodes: 12000, MinDepth: 2},
	{},
}

// own are the levels that differ in a game, set by matches so that each level beats the one below it about equally. In
// Pillar Chess what is taken is taken again, so two plies of captures see nothing.
var own = map[string]map[int]search.Limits{
	"chess": {3: {Depth: 2, MinDepth: 2}, 4: {Nodes: 200, MinDepth: 2}, 5: {Nodes: 850, MinDepth: 2},
		6: {Nodes: 2700, MinDepth: 2}, 7: {Nodes: 8300, MinDepth: 2}},
	"locking":        {3: {Depth: 2, MinDepth: 2, QuiescencePlies: 3}},
	"pillar":         {1: {Depth: 1, QuiescencePlies: 3}, 3: {Depth: 2, MinDepth: 2}},
	"pillar-liberal": {1: {Depth: 1, QuiescencePlies: 3}, 3: {Depth: 2, MinDepth: 2}},
	"superchess":     {3: {Depth: 2, MinDepth: 2, QuiescencePlies: 4}},
	"flying": {3: {Depth: 2, MinDepth: 2}, 4: {Depth: 2, MinDepth: 2, QuiescencePlies: 3},
		5: {Nodes: 2200, MinDepth: 2}},
}

// Limits is what a level may look at; more than Most is Most, less than 1 is 1.
func Limits(v *rules.Variant, n int) search.Limits {
	n = min(max(n, 1), Most)
	l, ok := own[v.ID()][n]
	if !ok {
		l = levels[n-1]
	}
	l.ClearTable = n < Most
	return l
}

// byHand is the highest level that judges by hand and not by the network.
const byHand = 3

// Eval is how a level judges a position.
func Eval(v *rules.Variant, n int) *eval.Eval {
	if n <= byHand {
		return eval.Handcrafted(v)
	}
	return nets.Of(v)
}
