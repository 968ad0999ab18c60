package rules

import (
	"testing"
)

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

func BenchmarkPerft(b *testing.B) {
	for _, v := range Variants() {
		p := v.Start()
		b.Run(v.ID(), func(b *testing.B) {
			var n uint64
			for b.Loop() {
				n += Perft(p, 5)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mnps")
			b.Log(n)
		})
	}
}
