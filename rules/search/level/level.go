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
// nor the opponent's is overlooked.
var levels = [Most]search.Limits{
	{Nodes: 1, Quiet: 1, Depth: 1},
	{Nodes: 60, Quiet: 2, Depth: 2},
	{Nodes: 150, Quiet: 3, LeastDepth: 2},
	{Nodes: 400, LeastDepth: 2},
	{Nodes: 1200, LeastDepth: 2},
	{Nodes: 4000, LeastDepth: 2},
	{Nodes: 13000, LeastDepth: 2},
	{},
}

// Limits is what a level may look at; more than Most is Most, less than 1 is 1.
func Limits(n int) search.Limits {
	l := levels[min(max(n, 1), Most)-1]
	l.Fresh = l.Nodes > 0
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
