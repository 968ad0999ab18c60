// SPDX-License-Identifier: Apache-2.0

package search

import (
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/search/eval"
)

// BenchmarkSearch says how many nodes a second each game is searched at, and how deep in one second, from the array.
func BenchmarkSearch(b *testing.B) {
	for _, v := range rules.Variants() {
		b.Run(v.ID(), func(b *testing.B) {
			s := New(eval.Handcrafted(v), 16<<20)
			var nodes uint64
			depth := 0
			for b.Loop() {
				s.ClearTable()
				end := time.Now().Add(time.Second)
				info := s.Run(v.Start(), nil, Limits{Stop: func() bool { return time.Now().After(end) }}, nil)
				nodes += info.Nodes
				depth += info.Depth
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnps")
			b.ReportMetric(float64(depth)/float64(b.N), "depth")
		})
	}
}
