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

// levels are the limits, from level 1 on. From level 3 on two plies are always looked at in full, so that neither a mate in one
// nor the opponent's is overlooked. Level 1 sees one capture ahead and so loses exchanges, as beginners do.
var levels = [Most]search.Limits{
	{Depth: 1, Quiet: 1},
	{Depth: 1},
	{Depth: 2, LeastDepth: 2},
	{Depth: 2, LeastDepth: 2},
	{Nodes: 1200, LeastDepth: 2},
	{Nodes: 3000, LeastDepth: 2},
	{Nodes: 8000, LeastDepth: 2},
	{},
}

// Limits is what a level may look at; more than Most is Most, less than 1 is 1.
func Limits(n int) search.Limits {
	l := levels[min(max(n, 1), Most)-1]
	l.Fresh = l.Nodes+uint64(l.Depth) > 0
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
